"""What the pages of the first start need of the appliance: `table.appliance.setup.setup_wizard.Beginning`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from table.game.snapshot import Mode
from table.rules.terms.seats import Seat


class Scan(Protocol):
    """The scan of the tiles under the camera."""

    def told(self) -> dict[str, Any]:
        """How far it has come."""


class Trial(Protocol):
    """The panel being tried out."""

    @property
    def is_on(self) -> bool:
        """Whether buttons are told back now."""

    @property
    def pressed(self) -> Mapping[str, str]:
        """Buttons that were pressed since it began, with how."""

    def begin(self) -> None:
        """Begins anew."""

    def light(self, seat: Seat, colour: str) -> None:
        """Lights one seat in a colour."""


class Guide(Protocol):
    """The rehearsal."""

    def told(self) -> dict[str, Any]:
        """How it stands."""

    def say(self, number: int, word: str) -> None:
        """Takes what people say of a step."""

    def end(self) -> None:
        """Ends it where it stands."""


class Tools(Protocol):
    """The appliance as these pages see it.

    What cannot be now raises a `TachiaiError`, what the picture does not show a `VisionError`.
    """

    @property
    def steps(self) -> Mapping[str, str]:
        """Each step's name with `done` or `skipped`."""

    @property
    def has_camera(self) -> bool:
        """Whether a camera is configured."""

    @property
    def scan(self) -> Scan:
        """The scan of the tiles."""

    @property
    def trial(self) -> Trial | None:
        """The panel's trial; None where there is no panel."""

    @property
    def guide(self) -> Guide | None:
        """The rehearsal; None where there is no camera."""

    @property
    def buttons(self) -> Sequence[str]:
        """The panel's buttons by name."""

    @property
    def rules(self) -> Sequence[str]:
        """The rule sets that may be chosen; none while a game is being played."""

    def step(self, name: str, how: str) -> None:
        """Keeps that a step was done or skipped."""

    def choose_mode(self, mode: Mode) -> None:
        """Plays in this mode from now on."""

    def choose_rules(self, name: str, by: str) -> None:
        """Plays by this rule set from the next hand on, which is the first of its game."""

    def picture(self) -> bytes | None:
        """The camera's picture as a small JPEG."""

    def place(self) -> dict[str, Any] | None:
        """Where the table lies in it."""

    def find(self) -> dict[str, Any]:
        """Finds the table."""

    def put(self, shares: tuple[tuple[float, float], ...]) -> dict[str, Any]:
        """Takes the corners that somebody pointed out."""

    def begin_scan(self) -> None:
        """Forgets earlier looks at the tiles."""

    def look(self) -> None:
        """Takes one look at them."""

    def rehearse(self) -> None:
        """Begins a rehearsal."""

    def leave(self) -> None:
        """Gives felt and panel back to the table."""

    def over(self) -> None:
        """People go on to the table."""

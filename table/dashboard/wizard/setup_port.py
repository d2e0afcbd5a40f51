"""What the pages of the first start need of the appliance: `table.appliance.setup.setup_wizard.SetupWizard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from table.game.snapshot import Mode
from table.rules.terms.seats import Seat
from vision.tilesets.tileset import Readiness

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """Where the table lies in the camera's picture."""

    corners: Corners
    """As shares of the picture's width and height."""
    by: str
    """How it was found: `picture` or `hand`."""
    when: str
    is_kept: bool = True
    """Whether it is watched there; else it was found in the picture, and nobody agreed yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanStatus:
    """How far a scan of the tiles has come."""

    scans: int = 0
    faces: int = 0
    """How many the first look showed."""
    misread: tuple[tuple[str, str], ...] = ()
    """Faces that are read otherwise without the scan: what it is, what is read."""
    readiness: Readiness | None = None
    """None until a second look measured it."""


class GuideState(StrEnum):
    """Where a rehearsal stands."""

    IDLE = "idle"
    CLEARING = "clearing"
    """Waits until the table is cleared."""
    GOING = "going"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenThing:
    """What the table made of what it saw."""

    what: str
    seat: Seat | None
    tiles: tuple[str, ...]
    surety: float
    """From 0 to 1."""
    seconds: float | None
    """From lying still to being told; None where it cannot be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStep:
    """One thing to lay, and how that went."""

    what: str
    seat: Seat | None
    tiles: tuple[str, ...]
    how: str | None = None
    """`right`, `late`, `otherwise`, `missed`; None while it is not over."""
    seen: SeenThing | None = None
    again: int = 0
    """How often it was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStatus:
    """How a rehearsal stands."""

    state: GuideState
    done: int
    """Steps that are over; the next one is the present step."""
    steps: tuple[GuideStep, ...]
    doubt: SeenThing | None = None
    """What was told at the present step and is not what was asked for."""
    is_taking_back: bool = False
    trust: Mapping[str, str | None] = field(default_factory=dict)
    """What can be trusted how far: `yes`, `care`, `no`; None where it was not rehearsed."""
    advice: Sequence[str] = ()


class Scan(Protocol):
    """The scan of the tiles under the camera."""

    def status(self) -> ScanStatus:
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

    def status(self) -> GuideStatus:
        """How it stands."""

    def say(self, number: int, word: str) -> None:
        """Takes what people say of a step."""

    def end(self) -> None:
        """Ends it where it stands."""


class SetupPort(Protocol):
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

    def place(self) -> TablePlace | None:
        """Where the table lies in it."""

    def find(self) -> TablePlace:
        """Finds the table in the picture, which keeps nothing."""

    def put(self, shares: Corners) -> TablePlace:
        """Takes the corners that somebody pointed out."""

    def begin_scan(self) -> None:
        """Forgets earlier looks at the tiles."""

    def scan_next_face(self) -> None:
        """Takes one look at them."""

    def rehearse(self) -> None:
        """Begins a rehearsal."""

    def leave(self) -> None:
        """Gives felt and panel back to the table."""

    def over(self) -> None:
        """People go on to the table."""

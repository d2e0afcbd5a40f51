"""The interface of the set-up pages to the appliance; see `table.appliance.setup.setup_wizard.SetupWizard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from table.game.journal.entries import Names
from table.game.snapshot import Mode
from table.rules.terms.seats import Seat
from vision.geometry.visibility.visibility import Fault
from vision.tilesets.tileset import Readiness

Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """The table's place in the camera's picture."""

    corners: Corners
    """As shares of the picture's width and height."""
    by: str
    """How it was found: `picture` or `hand`."""
    when: str
    is_kept: bool = True
    """Whether the place is in use; otherwise it was found in the picture and is not confirmed yet."""
    unmarked: tuple[int, ...] = ()
    """Of a table found by its felt: the indexes of the corners without a marker, if others had one."""
    fault: Fault | None = None
    """What keeps tiles from being read well there; None if there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanStatus:
    """The progress of a scan of the tiles."""

    scans: int = 0
    faces: int = 0
    """Number of faces in the first picture."""
    misread: tuple[tuple[str, str], ...] = ()
    """Faces that are misread without the scan: the face, and the reading."""
    readiness: Readiness | None = None
    """None until a second picture was tested."""


class GuideState(StrEnum):
    """The state of a rehearsal."""

    IDLE = "idle"
    CLEARING = "clearing"
    """Waits until the table is cleared."""
    GOING = "going"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenEvent:
    """An event that the table observed."""

    kind: str
    seat: Seat | None
    tiles: tuple[str, ...]
    surety: float
    """From 0 to 1."""
    seconds: float | None
    """Seconds from the tile's lying still to the report; None if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStep:
    """One thing to lay, and the result."""

    kind: str
    seat: Seat | None
    tiles: tuple[str, ...]
    result: str | None = None
    """`right`, `late`, `otherwise`, `missed`; None while it is not over."""
    seen: SeenEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideStatus:
    """A rehearsal in progress."""

    state: GuideState
    done: int
    """Number of finished steps; the next one is the present step."""
    steps: tuple[GuideStep, ...]
    doubt: SeenEvent | None = None
    """An event of the present step that was not requested."""
    is_taking_back: bool = False
    trust: Mapping[str, str | None] = field(default_factory=dict)
    """How far each ability can be trusted: `yes`, `care`, `no`; None if not rehearsed."""
    advice: Sequence[str] = ()


class Scan(Protocol):
    """The scan of the tiles under the camera."""

    def status(self) -> ScanStatus:
        """Returns the progress."""


class Trial(Protocol):
    """The trial of the panel."""

    @property
    def is_on(self) -> bool:
        """Whether the trial is running."""

    @property
    def pressed(self) -> Mapping[str, str]:
        """Buttons pressed since the start of the trial, with the kind of press."""

    def begin(self) -> None:
        """Starts the trial anew."""

    def light(self, seat: Seat, colour: str) -> None:
        """Lights one seat in a colour."""


class Guide(Protocol):
    """The rehearsal."""

    def status(self) -> GuideStatus:
        """Returns the state."""

    def say(self, number: int, word: str) -> None:
        """Handles what people say about a step."""

    def end(self) -> None:
        """Ends the rehearsal."""


class SetupPort(Protocol):
    """The appliance as these pages see it.

    A method raises a `TachiaiError` if it is not possible now, and a `VisionError` if the picture does not show what it
    needs.
    """

    @property
    def steps(self) -> Mapping[str, str]:
        """Each step's name with `done` or `skipped`."""

    @property
    def has_camera(self) -> bool:
        """Whether a camera is configured."""

    @property
    def has_pictures(self) -> bool:
        """Whether a camera delivers pictures now."""

    @property
    def scan(self) -> Scan:
        """The scan of the tiles."""

    @property
    def trial(self) -> Trial | None:
        """The panel's trial; None without a panel."""

    @property
    def guide(self) -> Guide | None:
        """The rehearsal; None without a camera."""

    @property
    def buttons(self) -> Sequence[str]:
        """The panel's buttons by name."""

    @property
    def rules(self) -> Sequence[str]:
        """The rule sets that may be chosen; none while a game is being played."""

    def step(self, name: str, how: str) -> None:
        """Stores that a step was done or skipped."""

    def check_no_hand(self) -> None:
        """Refuses what would disturb a hand; raises `PressError` while one is being played."""

    def choose_mode(self, mode: Mode) -> None:
        """Sets the table's mode."""

    def choose_rules(self, name: str, by: str, names: Names) -> None:
        """Opens a game of these players with this rule set."""

    def picture(self) -> bytes | None:
        """The camera's picture as a small JPEG."""

    def place(self) -> TablePlace | None:
        """Returns the table's place in the picture."""

    def find(self) -> TablePlace:
        """Finds the table in the picture, without storing its place."""

    def store_corners(self, shares: Corners) -> TablePlace:
        """Stores the corners that a person marked."""

    def begin_scan(self) -> None:
        """Discards earlier pictures of the tiles."""

    def scan_next_face(self) -> None:
        """Takes one picture of the tiles."""

    def rehearse(self) -> None:
        """Starts a rehearsal."""

    def leave(self) -> None:
        """Returns felt and panel to the table."""

    def finish(self) -> None:
        """Ends the set-up."""

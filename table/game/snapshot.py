"""What the outside may know of the table: immutable snapshots, handed from the one writer to many readers.

The loop publishes a `Snapshot` whenever something changed; pages, lights and voices read the latest or wait for the
next one. Nothing here looks at a file or a clock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from table.game.foul_vote import FoulProposal
from table.game.journal.change_history import Changes
from table.game.journal.fold import LoggedAnnouncement, RejectedEntry
from table.game.journal.journal_notice import JournalNotice
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import AnnouncementId, Suspicion
from table.rules.terms.seats import Seat
from table.runtime.table_errors import TachiaiError
from vision.felt import Felt


class StaleSnapshotError(TachiaiError, ValueError):
    """A snapshot that is no newer than the one already published."""


class Mode(StrEnum):
    """Who may hear what: the table's mode."""

    HOME = "home"
    CLUB = "club"
    TOURNAMENT = "tournament"


class CameraHealth(StrEnum):
    """Whether the table is being watched."""

    OK = "ok"
    LOST = "lost"
    """It should be there and gives no pictures, or the table is out of its sight."""
    NONE = "none"
    """The table is kept by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMoment:
    """What came of a moment that somebody flagged."""

    name: str
    """The clip's name."""
    at: str
    """The time of day there: `21:03`."""
    seconds: int
    is_kept: bool = True
    """Whether the disk took it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessNews:
    """Who may act at the table changed, or somebody asks that it does: told to everybody at it."""

    id: AnnouncementId
    """`SEAT_ASKED`, `SEAT_TAKEN` or `OWNER_CAME`."""
    seat: Seat | None = None
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A discard whose reading is not certain, open until people answer or the hand is settled."""

    seat: Seat
    discard: int
    """Which discard of the hand, counted from 0, as in a `correct` press."""
    tile: str
    """The reading that stands meanwhile."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """What else it may be, with probabilities, best first."""
    lying: int | None = None
    """The felt's id of the tile, for its picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The table at one moment."""

    version: int
    """Grows with each publication."""
    game: GameState
    opened_by: int = 0
    """The journal's entry that opened the game."""
    felt: Felt | None = None
    """None where no camera has looked yet."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    """The last announcements (some fifty), oldest first, of every scope."""
    doubts: tuple[Doubt, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    """What the tracker suspects in this hand: questions for people, never said aloud."""
    proposal: FoulProposal | None = None
    """A foul that is named and waits for those who decide; its `signal` is what the panel shows and sounds."""
    mode: Mode = Mode.HOME
    ruleset: Ruleset = field(default_factory=Ruleset)
    names: tuple[str, str, str, str] = ("", "", "", "")
    """Who plays, by seat; empty where nobody said."""
    unfit: tuple[RejectedEntry, ...] = ()
    """What was told and fits no more: kept, and put to people as questions."""
    changes: Changes = field(default_factory=Changes)
    """What people did in this game."""
    camera: CameraHealth = CameraHealth.NONE
    notices: tuple[JournalNotice, ...] = ()
    """What is wrong with the journal."""


class Board:
    """Holds the latest snapshot for any number of reading threads; one thread publishes."""

    def __init__(self, first: Snapshot) -> None:
        self._latest = first
        self._closed = False
        self._changed = threading.Condition()
        self._hearers: list[Callable[[], None]] = []

    @property
    def latest(self) -> Snapshot:
        """The newest snapshot."""
        with self._changed:
            return self._latest

    @property
    def is_closed(self) -> bool:
        """Whether nothing will be published any more."""
        with self._changed:
            return self._closed

    def publish(self, snapshot: Snapshot) -> None:
        """Makes a snapshot the latest and wakes all who wait.

        Raises:
            StaleSnapshotError: its version is not above the latest one's.
        """
        with self._changed:
            if snapshot.version <= self._latest.version:
                raise StaleSnapshotError(
                    f"expected a version above {self._latest.version}, got {snapshot.version} in a published snapshot"
                )
            self._latest = snapshot
            self._changed.notify_all()
        self._call_hearers()

    def wait_for(self, version: int, timeout: float) -> Snapshot:
        """Waits until there is a snapshot newer than `version`, at most `timeout` seconds.

        Returns the latest snapshot, whether it is newer or not; at once when the board is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._latest.version > version, timeout)
            return self._latest

    def close(self) -> None:
        """Wakes all who wait, for good; closing twice is the same as once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._call_hearers()

    def call_on_change(self, hear: Callable[[], None]) -> None:
        """Calls `hear` from now on after each publication and after closing, in that thread: it must not wait."""
        self._hearers.append(hear)

    def _call_hearers(self) -> None:
        for hear in self._hearers:
            hear()

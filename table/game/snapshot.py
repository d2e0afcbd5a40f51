"""Immutable snapshots of the table, passed from the only writer to many readers.

The loop publishes a `Snapshot` after every change; pages, lights and voices read the latest or wait for the next. This
module uses no files and no clock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum

from table.game.commands.foul_vote import FoulProposal
from table.game.journal.entries import NOBODY, Names
from table.game.journal.fold import LoggedAnnouncement, RejectedEntry
from table.game.journal.history.change_history import Changes
from table.game.journal.recovery.journal_notice import JournalNotice
from table.game.journal.seating import Seating
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import AnnouncementId, Suspicion
from table.rules.terms.seats import Seat
from table.runtime.listeners import Listeners
from table.runtime.table_errors import TachiaiError
from vision.felt import Felt


class StaleSnapshotError(TachiaiError, ValueError):
    """A snapshot that is not newer than the one already published."""


class Mode(StrEnum):
    """Who may hear what: the table's mode."""

    HOME = "home"
    CLUB = "club"
    TOURNAMENT = "tournament"


class CameraHealth(StrEnum):
    """Whether the table is being watched."""

    OK = "ok"
    LOST = "lost"
    """The camera is configured but delivers no pictures, or the table is out of its sight."""
    NONE = "none"
    """The table is kept by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLoss:
    """The loss of the camera for a reason that the players can remove themselves."""

    reason: str
    """`dark`: there is no light; `even`: something covers the lens; `blurred`: the lens is out of focus or fogged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedClip:
    """The result of saving a clip."""

    name: str
    """The clip's name."""
    time: str
    """The time of day there: `21:03`."""
    seconds: int
    is_saved: bool = True
    """Whether the clip was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessNews:
    """A change of roles, or a request for one, which is announced to everybody at the table."""

    id: AnnouncementId
    """`SEAT_ASKED`, `SEAT_TAKEN`, `SEAT_KEPT` or `OWNER_CAME`."""
    seat: Seat | None = None
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskClock:
    """The common clock of a tournament and who sits down at this table, as its desk announced it."""

    round: str
    """The round as text of `table.game.journal.history.played_round`; empty if none is played."""
    until: str = ""
    """When time will be called, ISO 8601, UTC, by the table's own clock; empty if people call it."""
    called_at: str = ""
    """When time was called, in the same form; empty if it was not."""
    seated_names: Names = NOBODY
    """Who sits down at this table in round `seated_round`, from East on."""
    seated_round: int = 0
    """From 1; 0 if the desk seats nobody here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """An uncertain discard, open until people answer or the hand is settled."""

    seat: Seat
    discard: int
    """The discard's number in the hand, counted from 0, as in a `correct` press."""
    tile: str
    """The current reading."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """Alternatives with probabilities, best first."""
    tile_id: int | None = None
    """The felt's id of the tile, for its picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The table at one moment."""

    version: int
    """Increases with each publication."""
    game: GameState
    opened_by: int = 0
    """The journal's entry that opened the game."""
    opened_at: str = ""
    """When the game was opened, ISO 8601, UTC, by the table's clock."""
    limit_start: str = ""
    """The same by the clock as it is set now: the time limit counts from here."""
    felt: Felt | None = None
    """None if no camera has delivered a frame yet."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    """The last announcements (some fifty), oldest first, of every scope."""
    doubts: tuple[Doubt, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    """Suspicions of the rules in this hand: questions for people, never spoken."""
    proposal: FoulProposal | None = None
    """A proposed foul that is not agreed on yet; the panel shows its `signal`."""
    mode: Mode = Mode.HOME
    ruleset: Ruleset = field(default_factory=Ruleset)
    names: Names = NOBODY
    """The players' names by seat; empty if unknown."""
    names_before_changes: tuple[tuple[int, Names], ...] = ()
    """Those who sat at the present seats before each change of people, oldest first: its entry, and their names."""
    hand_ends: tuple[int, ...] = ()
    """The number of the entry at which each finished hand ended."""
    hand_names: tuple[Names, ...] = ()
    """Those who sat at the present seats at the end of each finished hand."""
    seating: Seating = field(default_factory=Seating)
    """Who sits where now, and at which seats the results that were entered earlier count."""
    rejected_entries: tuple[RejectedEntry, ...] = ()
    """Entries that no longer fit: kept, and shown to people as questions."""
    changes: Changes = field(default_factory=Changes)
    """People's actions in this game."""
    camera: CameraHealth = CameraHealth.NONE
    is_blind: bool = False
    """Whether the camera is lost while play may go on, unlike a recording that is at its end."""
    notices: tuple[JournalNotice, ...] = ()
    """What is wrong with the journal."""
    round: str = ""
    """The round of a tournament that the game counts for, as the table knew it when the game started."""
    desk: DeskClock | None = None
    """The clock of the tournament; None if no desk announced one."""

    def names_at(self, entry: int) -> Names:
        """Returns the names of those who sat at the present seats when an entry of the journal was written."""
        return next((names for change, names in self.names_before_changes if entry <= change), self.names)

    def names_in(self, hand: int | None) -> Names:
        """Returns the names of those who sat at the present seats at the end of a hand, counted from 0; or now."""
        is_past = hand is not None and 0 <= hand < len(self.hand_names)
        return self.hand_names[hand] if hand is not None and is_past else self.names


class Board:
    """Holds the latest snapshot for any number of readers; one thread publishes."""

    def __init__(self, first: Snapshot) -> None:
        self._latest = first
        self._is_closed = False
        self._condition = threading.Condition()
        self._listeners = Listeners()

    @property
    def latest(self) -> Snapshot:
        """The newest snapshot."""
        with self._condition:
            return self._latest

    @property
    def is_closed(self) -> bool:
        """Whether the board is closed."""
        with self._condition:
            return self._is_closed

    def publish(self, snapshot: Snapshot) -> None:
        """Publishes a snapshot and wakes all waiting readers.

        Raises:
            StaleSnapshotError: its version is not above the latest.
        """
        with self._condition:
            if snapshot.version <= self._latest.version:
                raise StaleSnapshotError(
                    f"expected a version above {self._latest.version}, got {snapshot.version} in a published snapshot"
                )
            self._latest = snapshot
            self._condition.notify_all()
        self._listeners.call()

    def wait_for(self, version: int, timeout: float) -> Snapshot:
        """Waits up to `timeout` seconds for a snapshot newer than `version`.

        Returns the latest snapshot, newer or not; immediately if the board is closed.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._is_closed or self._latest.version > version, timeout)
            return self._latest

    def close(self) -> None:
        """Closes the board and wakes all waiting readers; closing twice does nothing."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
        self._listeners.call()

    def call_on_change(self, callback: Callable[[], None]) -> ExitStack:
        """Calls `callback` after each publication and after closing, in the publishing thread; it must not block.

        Leaving the returned context ends this.
        """
        return self._listeners.add(callback)

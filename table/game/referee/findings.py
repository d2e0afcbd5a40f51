"""What the referee says: an event that happened, a reading put right, or a question for people."""

from __future__ import annotations

from dataclasses import dataclass

from table.game.journal.entries import Source
from table.rules.events import Event
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import TachiaiError


class RefereeError(TachiaiError, ValueError):
    """A ruling that cannot be: our fault, not the table's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEvent:
    """An event of the hand being played, with what it rests on."""

    event: Event
    source: Source
    frame: int | None = None
    """The frame in which the felt or the press made it known."""
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    """Ids of the felt's tiles that it rests on."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise RefereeError(f"expected a confidence from 0 to 1, got {self.confidence!r} for {self.event!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A tile of the hand being played was another one: a discard, or a dora indicator."""

    to: Tile
    source: Source
    discard: int | None = None
    """Counted from 0 over all discards of the hand, in order."""
    indicator: int | None = None
    """Counted from 0 over the hand's dora indicators, the first one first."""
    frame: int | None = None
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if (self.discard is None) == (self.indicator is None):
            raise RefereeError(f"expected a discard or an indicator to correct, got {self!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something the felt does not tell clearly. `id` is `DOUBT`, `IMPOSSIBLE_READING` or `MISSING_DISCARD`."""

    id: AnnouncementId
    seat: Seat | None = None
    discard: int | None = None
    """The discard of the hand that it is about, counted from 0; None when it is about something else."""
    tile: Tile | None = None
    """The reading that stands meanwhile."""
    alternatives: tuple[tuple[Tile, float], ...] = ()
    """What else it may be, with probabilities, best first."""
    frame: int | None = None
    evidence: tuple[int, ...] = ()


Finding = FoundEvent | Correction | Question
"""Everything that the referee yields."""

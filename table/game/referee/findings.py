"""The referee's findings: an event that happened, a corrected reading, or a question for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table.game.journal.entries import Source
from table.rules.events import Event
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import TachiaiError


class RefereeError(TachiaiError, ValueError):
    """An impossible finding: a fault of the program, not of the people at the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEvent:
    """An event of the hand being played, with its evidence."""

    event: Event
    source: Source
    frame: int | None = None
    """The frame of the report or press that revealed it."""
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    """Ids of the felt's tiles that it is based on."""
    is_repeated: bool = False
    """Whether people said it earlier, and it is only written again in another place, outside the current press."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise RefereeError(f"expected a confidence from 0 to 1, got {self.confidence!r} for {self.event!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A corrected tile of the hand being played: a discard, or a dora indicator."""

    to: Tile
    source: Source
    discard: int | None = None
    """Its number among all discards of the hand, from 0."""
    indicator: int | None = None
    """Its number among the hand's dora indicators, from 0."""
    frame: int | None = None
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if (self.discard is None) == (self.indicator is None):
            raise RefereeError(f"expected a discard or an indicator to correct, got {self!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about something unclear on the felt; `id` is `DOUBT`, `IMPOSSIBLE_READING` or `MISSING_DISCARD`."""

    id: AnnouncementId
    seat: Seat | None = None
    discard: int | None = None
    """The number of the discard in the hand, from 0; None if the question is about something else."""
    subject: Literal["added_kan", "indicator"] | None = None
    """None for a discard."""
    tile: Tile | None = None
    """The reading that is used until people answer."""
    alternatives: tuple[tuple[Tile, float], ...] = ()
    """Alternative readings with probabilities, best first."""
    frame: int | None = None
    evidence: tuple[int, ...] = ()


Finding = FoundEvent | Correction | Question
"""Every finding of the referee."""

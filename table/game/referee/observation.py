"""One observation of the table: the state of the hand, and the felt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.game.journal.entries import Source
from table.game.referee import felt_in_seats
from table.game.referee.findings import Finding, FoundEvent
from table.rules.events import Event
from table.rules.state import HandState, LaidKind
from table.rules.terms.seats import Seat
from vision.felt import Felt, FeltReport, LyingTile


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The input of one step of the referee."""

    hand: HandState
    report: FeltReport
    is_press: bool = False
    """Whether people pressed something, so that nothing waits for a clearer view."""

    @property
    def felt(self) -> Felt:
        """The felt of the report."""
        return self.report.felt

    @property
    def frame(self) -> int:
        """The frame of the report."""
        return self.report.frame

    @property
    def now_ns(self) -> int:
        """The time of that frame, in nanoseconds."""
        return self.report.t_ns

    @property
    def expected(self) -> Seat:
        """The seat that discards next, if nobody calls."""
        hand = self.hand
        if hand.turn is not None:
            return hand.turn
        if hand.claimable_tile is None:
            return hand.dealer
        return (
            hand.claimable_tile.seat.next if hand.claimable_tile.kind is LaidKind.DISCARD else hand.claimable_tile.seat
        )

    def found(self, event: Event, tiles: Sequence[LyingTile], source: Source = Source.CAMERA) -> FoundEvent:
        """Returns an event based on these tiles, with the confidence of their least certain reading."""
        return FoundEvent(
            event=event,
            source=source,
            frame=self.frame,
            confidence=felt_in_seats.confidence(tiles),
            evidence=felt_in_seats.ids(tiles),
        )


Search = Callable[[Observation], tuple[Finding, ...]]
"""A search for what explains an observation."""

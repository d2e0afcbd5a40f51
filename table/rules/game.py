"""The game around the hands: who deals next, when it ends, and the final standings."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.results import Deltas
from table.rules.seats import Round, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFacts:
    """The hand that was just settled: where it stood in the game, and the scores after it."""

    round: Round
    first_dealer: Seat
    scores: Deltas
    """After the hand."""

    @property
    def dealer(self) -> Seat:
        """Who dealt it."""
        return self.first_dealer.plus(self.round.number - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The game goes on."""

    round: Round
    dealer: Seat
    honba: int
    deposits: int
    deposit_points: int
    scores: Deltas


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOver:
    """The game ended."""

    scores: Deltas
    """With the leftover sticks, without uma and oka."""
    standings: Deltas
    """With uma and oka, less the target of each: what league tables add up; sums to 0 but for unclaimed sticks."""
    ranking: tuple[Seat, ...]
    """First to last."""
    deposits: int = 0
    """Sticks that nobody took."""
    deposit_points: int = 0

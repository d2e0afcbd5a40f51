"""The known state of a game, its finished hands and its corrected points."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.rules.events import HandStarted, PointsAdjusted
from table.rules.penalties.consequence import Due
from table.rules.state.hand_state import HandState, Phase
from table.rules.state.laid_tiles import Pao
from table.rules.state.logged_foul import LoggedFoul
from table.rules.terms.announcements import Announcement, Suspicion
from table.rules.terms.results import AbortReason, DeclaredResult, Deltas, Settlement
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Round, Seat, four


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedHand:
    """One line of the score sheet."""

    round: Round
    honba: int
    dealer: Seat
    settlement: Settlement | None
    """None if a new hand was dealt before this one could be settled: its points are those at the next start."""
    scores: Deltas
    """Points by seat after the hand."""
    riichi: tuple[Seat, ...] = ()
    """Seats whose riichi was charged."""
    is_riichi_declared: bool = False
    """Whether people declared who was in riichi, together with how the hand ended."""
    declared_result: DeclaredResult | None = None
    """How the hand ended as people declared it, even if fouls changed the result; None if the table saw it."""
    fouls: tuple[LoggedFoul, ...] = ()
    dues: tuple[Due, ...] = ()
    """Penalties of its fouls that are settled at the end of the game."""
    phase: Phase = Phase.ENDING
    """The phase in which it was settled: `claimed` at a win; `play` if a penalty or people ended it."""
    abort: AbortReason | None = None
    """The abort that had ended play, even if a penalty took precedence over it."""
    pao: tuple[Pao, ...] = ()
    """Who was liable for a winner's yakuman, as seen or as people declared."""
    nagashi: tuple[Seat, ...] = ()
    """Seats with nagashi mangan at a draw, as seen or as people declared."""

    @property
    def is_penalty(self) -> bool:
        """Whether a penalty ended it."""
        return self.settlement is not None and self.settlement.penalty is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A correction of points by people."""

    hand: int
    """The number of the hand during or before which it was made, from 0."""
    event: PointsAdjusted
    honba: int
    """The honba before it."""
    scores: Deltas
    """Points by seat before its hand, including the correction; editing an earlier hand may change them later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """A whole game.

    Only a rule, or a correction by people, changes the sum of `scores` + 1000 x `deposits` + `deposit_points`.
    """

    scores: Deltas
    """Current points by seat; 1000 is subtracted as soon as a riichi is accepted."""
    deposits: int = 0
    """Sticks of 1000 in the pot, including this hand's accepted riichi."""
    deposit_points: int = 0
    hand: HandState | None = None
    """The hand in play or, until the next is dealt, the one just settled; None before the first."""
    history: tuple[FinishedHand, ...] = field(default=())
    next_start: HandStarted | None = None
    """The start of the next hand, without its indicator; None while a hand is in play and after the game."""
    bust_bonus: Deltas | None = None
    """Bust bonus: change of points by seat, in addition to `scores`; None if no bonus is paid."""
    ends_after: int | None = None
    """The number of finished hands at which the game ends, since time was called; None if it was not.

    Hands that are played again (`replays_from`) are not among them."""
    replays_from: int | None = None
    """The number of the hand, from 0, from which on hands that a penalty ended do not count, since time was called and
    they are played again; None if they count."""
    ranking: tuple[Seat, ...] = ()
    """Seats from first to last place; empty while the game goes on."""
    is_stopped: bool = False
    """Whether people ended the game before the rules did, and before time was called."""
    unplayed_dealer: Seat | None = None
    """The first dealer of a game that ended before its first hand did; None of any other."""
    adjustments: tuple[Adjustment, ...] = ()
    """Corrections of points by people, oldest first."""

    def __post_init__(self) -> None:
        if len(self.scores) != 4:
            raise InvalidValueError(f"expected four scores, got {self.scores!r}")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.ranking)

    @property
    def first_dealer(self) -> Seat:
        """The first dealer, as far as the hands show; the order from there ranks equal scores."""
        if self.unplayed_dealer is not None:
            return self.unplayed_dealer
        first = self.history[0] if self.history else self.present_start
        return Seat.NEAR if first is None else first.dealer.plus(1 - first.round.number)

    def wins_in_a_row(self, seat: Seat) -> int:
        """Returns how many hands the seat has won in a row until now, ignoring hands that a foul ended."""
        count = 0
        for line in reversed(self.history):
            settlement = line.settlement
            if line.is_penalty:
                continue
            if settlement is None or all(win.seat is not seat for win in settlement.wins):
                break
            count += 1
        return count

    @property
    def chips(self) -> Deltas | None:
        """Chips won and lost so far, by seat; None if no hand moved chips."""
        chips = [line.settlement.chips for line in self.history if line.settlement and line.settlement.chips]
        if not chips:
            return None
        return four(map(sum, zip(*chips, strict=True)))

    @property
    def is_last_hand_done(self) -> bool:
        """Whether time was called and the last hand has ended."""
        return self.hands_left == 0

    @property
    def hands_left(self) -> int | None:
        """The number of hands until the end, including the one in play; None if time was not called."""
        if self.ends_after is None:
            return None
        later_hands = () if self.replays_from is None else self.history[self.replays_from :]
        replays = sum(line.is_penalty for line in later_hands)
        return max(0, self.ends_after + replays - len(self.history))

    @property
    def live(self) -> HandState | None:
        """The hand in play, or None between hands."""
        return self.hand if self.hand is not None and self.hand.is_live else None

    @property
    def present_start(self) -> HandStarted | None:
        """The start of the hand in play, or of the next one; None without either."""
        return self.next_start if self.live is None else self.live.start

    @property
    def on_table(self) -> int:
        """The number of the hand that people are looking at, from 0.

        This is the hand in play. Between hands it is the one just settled, as long as its discards are on the table,
        and otherwise the next one.
        """
        if self.hand is None or self.hand.is_live or (self.next_start is not None and not self.hand.discards):
            return len(self.history)
        return len(self.history) - 1

    @property
    def start_on_table(self) -> HandStarted | None:
        """The start of the hand that people are looking at, as in `on_table`; None without one."""
        is_settled = self.on_table < len(self.history)
        return self.hand.start if self.hand is not None and is_settled else self.present_start


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The game after one event, with the resulting announcements and suspicions."""

    state: GameState
    announcements: tuple[Announcement, ...] = ()
    suspicions: tuple[Suspicion, ...] = ()

"""How a hand ends: wins, draws, aborts, and the points that move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Seat

Deltas = tuple[int, int, int, int]
"""Points by seat."""
NOTHING: Final[Deltas] = (0, 0, 0, 0)
STICK: Final = 1000
"""Points of a riichi stick."""


def add(first: Deltas, second: Deltas) -> Deltas:
    """Returns the sum by seat."""
    return first[0] + second[0], first[1] + second[1], first[2] + second[2], first[3] + second[3]


def less(first: Deltas, second: Deltas) -> Deltas:
    """Returns the difference by seat."""
    return first[0] - second[0], first[1] - second[1], first[2] - second[2], first[3] - second[3]


class ResultKind(Enum):
    """The four ways a hand can end."""

    RON = "ron"
    TSUMO = "tsumo"
    DRAW = "draw"
    ABORT = "abort"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What other programs call an end without a winner, and what its announcement refers to."""

    mjai: str
    tenhou: str = ""
    """As tenhou.net/6 writes it; nothing where its viewer knows no such end."""
    mjlog: str = ""
    others: tuple[str, ...] = ()
    """How else programs write it."""
    rule: str = ""
    """Of an abort: the requirement or the rule that its announcement names."""


class AbortReason(Enum):
    """Why a hand ended without a winner before the wall did; nagashi mangan is a special draw (`ResultKind.DRAW`).

    Its value is its word in the notation and in JSON. An abort's switch in `table.rules.ruleset` has that name too, its
    announcement is that word with `_abort` behind it, and its texts are `abort.WORD` and `say.WORD_abort`. A new one is
    declared here; its rule goes into `table.rules.transitions.aborts`.
    """

    _value_: str
    names: Names

    FOUR_RIICHI = "four_riichi", Names(mjai="suuchariichi", tenhou="四家立直", mjlog="reach4", rule="R66")
    FOUR_WINDS = "four_winds", Names(mjai="suufonrenta", tenhou="四風連打", mjlog="kaze4", rule="four winds")
    FOUR_KANS = (
        "four_kans",
        Names(mjai="suukaikan", tenhou="四槓散了", mjlog="kan4", others=("四開槓",), rule="four kans"),
    )
    NINE_TERMINALS = (
        "nine_terminals",
        Names(mjai="kyushukyuhai", tenhou="九種九牌", mjlog="yao9", others=("kyuushukyuuhai",), rule="nine terminals"),
    )
    TRIPLE_RON = (
        "triple_ron",
        Names(mjai="sanchahoa", tenhou="三家和了", mjlog="ron3", others=("sanchahou", "三家和"), rule="D13"),
    )
    NAGASHI = "nagashi", Names(mjai="nagashimangan", tenhou="流し満貫", mjlog="nm")
    CHOMBO = "chombo"
    """A penalty ended the hand, and was paid."""
    REPLAY = "replay"
    """The hand is dealt again under the same conditions."""
    BUST = "bust"
    """A penalty ended the game."""

    def __new__(cls, word: str, names: Names | None = None) -> AbortReason:
        """Makes the word the value; an end of which other programs know nothing has our own name in mjai."""
        reason = object.__new__(cls)
        reason._value_, reason.names = word, names or Names(mjai=word)
        return reason

    @property
    def is_penalty(self) -> bool:
        """Whether only a logged foul can end a hand so."""
        return self in (AbortReason.CHOMBO, AbortReason.REPLAY, AbortReason.BUST)


ABORTS: Final = tuple(reason for reason in AbortReason if reason.names.rule)
"""The abortive draws: what play can bring about or people can call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """One valued win. `from_seat` equals `seat` on a tsumo."""

    seat: Seat
    from_seat: Seat
    han: int | None
    """None with yakuman."""
    fu: int | None
    yaku: tuple[tuple[str, int], ...]
    """Names in snake case with their han, in the order of `table.rules.scoring.hand_value.YAKU`; dora kinds last."""
    yakuman: int
    points: int
    """In full, without honba and sticks; the whole of a tsumo."""

    @property
    def is_tsumo(self) -> bool:
        """Whether the winner drew the tile."""
        return self.seat == self.from_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The end of a hand in points.

    `deltas` are the payments at the end of the hand, with honba and sticks won, and with the 1000 of each accepted
    riichi of this hand already taken off: scores after the hand = scores before it + deltas.
    """

    kind: ResultKind
    deltas: Deltas
    wins: tuple[Win, ...] = ()
    reason: AbortReason | None = None
    tenpai: tuple[Seat, ...] = ()
    deposits: int = 0
    """Sticks of 1000 left on the table after it."""
    deposit_points: int = 0
    dealer_stays: bool = False
    honba: int = 0
    """Counters of the next hand."""
    chips: Deltas | None = None
    """Chips handed over, by seat; None where none are played."""

    def __post_init__(self) -> None:
        if len(self.deltas) != 4:
            raise InvalidValueError(f"expected four deltas, got {self.deltas!r}")
        if self.chips is not None and (len(self.chips) != 4 or sum(self.chips) != 0):
            raise InvalidValueError(f"expected four numbers of chips that sum to 0, got {self.chips!r}")
        has_wins = self.kind in (ResultKind.RON, ResultKind.TSUMO)
        if has_wins != bool(self.wins):
            raise InvalidValueError(
                f"expected wins in a ron or tsumo only, got {self.wins!r} in {self.kind.value}", says="wins_only"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredWin:
    """A win as people say it; `from_seat` equals `seat` on a tsumo."""

    seat: Seat
    from_seat: Seat
    han: int | None = None
    """None with yakuman."""
    fu: int | None = None
    """May be left out from five han on."""
    yakuman: int = 0
    yaku: tuple[tuple[str, int], ...] = ()
    """As in `Win`, where the tiles were told too."""
    pao: tuple[tuple[str, Seat], ...] = ()
    """Yakuman by name with the seat that is liable for it."""
    chips: int | None = None
    """Chips that each payer hands over; None: as many as its yaku tell."""

    def __post_init__(self) -> None:
        if (self.han is None) != (self.yakuman > 0):
            raise InvalidValueError(
                f"expected han or a number of yakuman, got {self.han!r} han, {self.yakuman!r}", says="no_han"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredResult:
    """How a hand ended, as people say it: everything that the payments follow from, and none of the payments."""

    kind: ResultKind
    wins: tuple[DeclaredWin, ...] = ()
    reason: AbortReason | None = None
    """Of an abort; `NAGASHI` is no reason but follows from `nagashi`."""
    tenpai: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()
    riichi: tuple[Seat, ...] = ()
    """Seats whose riichi stands, all of them."""

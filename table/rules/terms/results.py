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


def subtract(first: Deltas, second: Deltas) -> Deltas:
    """Returns the difference by seat."""
    return first[0] - second[0], first[1] - second[1], first[2] - second[2], first[3] - second[3]


class ResultKind(Enum):
    """The four ways a hand can end."""

    RON = "ron"
    TSUMO = "tsumo"
    DRAW = "draw"
    ABORT = "abort"


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortNames:
    """The names of an end without a winner in other programs, and the rule that its announcement names."""

    mjai: str
    tenhou: str = ""
    """The name in tenhou.net/6; empty if its viewer knows no such end."""
    mjlog: str = ""
    others: tuple[str, ...] = ()
    """Further names that other programs use."""
    rule: str = ""
    """For an abort, the rule that its announcement names."""


class AbortReason(Enum):
    """Why a hand ended without a winner before the wall was exhausted; nagashi mangan is a special draw instead.

    The value is the word in the notation and in JSON. An abort's switch in `table.rules.ruleset` has the same name, its
    announcement is that word followed by `_abort`, and its texts are `abort.WORD` and `say.WORD_abort`. Declare a new
    abort here, and write its rule in `table.rules.transitions.aborts`.
    """

    _value_: str
    names: AbortNames

    FOUR_RIICHI = (
        "four_riichi",
        AbortNames(mjai="suuchariichi", tenhou="四家立直", mjlog="reach4", others=("suchareach",), rule="R66"),
    )
    FOUR_WINDS = (
        "four_winds",
        AbortNames(
            mjai="suufonrenta",
            tenhou="四風連打",
            mjlog="kaze4",
            others=("sufonrenta", "suufonrenda"),
            rule="four winds",
        ),
    )
    FOUR_KANS = (
        "four_kans",
        AbortNames(mjai="suukaikan", tenhou="四槓散了", mjlog="kan4", others=("sukaikan", "四開槓"), rule="four kans"),
    )
    NINE_TERMINALS = (
        "nine_terminals",
        AbortNames(
            mjai="kyushukyuhai", tenhou="九種九牌", mjlog="yao9", others=("kyuushukyuuhai",), rule="nine terminals"
        ),
    )
    TRIPLE_RON = (
        "triple_ron",
        AbortNames(
            mjai="sanchahoa",
            tenhou="三家和了",
            mjlog="ron3",
            others=("sanchaho", "sanchahou", "三家和"),
            rule="D13",
        ),
    )
    NAGASHI = "nagashi", AbortNames(mjai="nagashimangan", tenhou="流し満貫", mjlog="nm")
    CHOMBO = "chombo"
    """A penalty ended the hand, and was paid."""
    REPLAY = "replay"
    """The hand is dealt again under the same conditions."""
    BUST = "bust"
    """A penalty ended the game."""

    def __new__(cls, word: str, names: AbortNames | None = None) -> AbortReason:
        """Makes the word the value; an end unknown to other programs keeps our own name in mjai."""
        reason = object.__new__(cls)
        reason._value_, reason.names = word, names or AbortNames(mjai=word)
        return reason

    @property
    def is_penalty(self) -> bool:
        """Whether only a logged foul can end a hand this way."""
        return self in (AbortReason.CHOMBO, AbortReason.REPLAY, AbortReason.BUST)


ABORTS: Final = tuple(reason for reason in AbortReason if reason.names.rule)
"""The abortive draws: those that play causes or people can call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """One win with its value. `from_seat` equals `seat` on a tsumo."""

    seat: Seat
    from_seat: Seat
    han: int | None
    """None for a yakuman."""
    fu: int | None
    yaku: tuple[tuple[str, int], ...]
    """Names in snake case with their han, in the order of `table.rules.terms.yaku.YAKU`: dora last."""
    yakuman: int
    points: int
    """The hand's points from all payers together, without honba and sticks."""

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
    """Sticks of 1000 left on the table after the hand."""
    deposit_points: int = 0
    dealer_stays: bool = False
    honba: int = 0
    """The honba of the next hand."""
    chips: Deltas | None = None
    """Change of each seat's chips; None if the rules use none."""

    def __post_init__(self) -> None:
        if len(self.deltas) != 4:
            raise InvalidValueError(f"expected four deltas, got {self.deltas!r}")
        if self.chips is not None and (len(self.chips) != 4 or sum(self.chips) != 0):
            raise InvalidValueError(f"expected four numbers of chips that sum to 0, got {self.chips!r}")
        has_wins = self.kind in (ResultKind.RON, ResultKind.TSUMO)
        if has_wins != bool(self.wins):
            raise InvalidValueError(
                f"expected wins in a ron or tsumo only, got {len(self.wins)} in {self.kind.value}", says="wins_only"
            )

    @property
    def penalty(self) -> AbortReason | None:
        """How a penalty ended the hand; None if none did."""
        return self.reason if self.reason is not None and self.reason.is_penalty else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredWin:
    """A win as people declare it; `from_seat` equals `seat` on a tsumo."""

    seat: Seat
    from_seat: Seat
    han: int | None = None
    """None for a yakuman."""
    fu: int | None = None
    """Optional from five han on."""
    yakuman: int = 0
    yaku: tuple[tuple[str, int], ...] = ()
    """As in `Win`; empty unless people named the yaku."""
    pao: tuple[tuple[str, Seat], ...] = ()
    """Each yakuman with a liable seat: its name and that seat."""
    chips: int | None = None
    """Chips that each payer hands over; None for the number that follows from `yaku`."""

    def __post_init__(self) -> None:
        if (self.han is None) != (self.yakuman > 0):
            raise InvalidValueError(
                f"expected han or a number of yakuman, got {self.han!r} han, {self.yakuman!r}", says="no_han"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredResult:
    """How a hand ended, as people declare it: everything that determines the payments, but no payments."""

    kind: ResultKind
    wins: tuple[DeclaredWin, ...] = ()
    reason: AbortReason | None = None
    """Why the hand was aborted; `NAGASHI` is not allowed, since it follows from `nagashi`."""
    tenpai: tuple[Seat, ...] = ()
    nagashi: tuple[Seat, ...] = ()
    riichi: tuple[Seat, ...] = ()
    """All seats whose riichi was accepted."""

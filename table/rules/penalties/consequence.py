"""What follows from a foul under a house's rules: points by seat, the pot, how the hand ends, and what lasts.

A consequence is split by when it comes about: `now`, `at_draw` (only if the wall is used up), `at_win` (only if a win
is being settled) and `at_end` (however the hand ends). What has to be known first and is not, is a question; what hands
must do themselves (put tiles back, decide) is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.rules.penalties.effect_terms import Effect, Op
from table.rules.terms.results import NOTHING, Deltas, add
from table.rules.terms.seats import SEATS, Seat, four


class EndKind(Enum):
    """Why a penalty ends the hand."""

    CHOMBO = "chombo"
    REPLAY = "replay"
    BUST = "bust"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The hand ends by a penalty, without a winner."""

    kind: EndKind
    dealer_passes: bool = False
    is_repeat: bool = False
    """Whether the hand counts as not played: same round, dealer and counters."""
    returns: str = "none"
    """Which sticks of this hand go back to their owners: `none`, `riichi`, `all`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A counted warning: a second one of its kind within its scope can cost more."""

    colour: str
    scope: str
    """`hand`, `game`, `day` or `event`."""

    @classmethod
    def of(cls, effect: Effect) -> Card:
        """Returns the card that an effect gives."""
        return cls(colour=str(effect.param("colour")), scope=str(effect.param("scope")))

    @property
    def text(self) -> str:
        """How a due tells it: `yellow day`."""
        return f"{self.colour} {self.scope}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Something that is settled with the game, not with the hand."""

    seat: Seat
    op: Op
    """`unit_deduct`, `after_uma`, `lower_rank`, `bust`, `ban`, `disqualify` or `card`."""
    amount: int = 0
    """Points, or places."""
    detail: str = ""
    """A card's colour and scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What comes about at one time."""

    moved: Deltas = NOTHING
    """Points by seat, what is laid into the pot taken off."""
    pot: int = 0
    """Points laid into the pot."""
    outside: int = 0
    """Points paid to players who sit out: they leave the table."""
    ending: Ending | None = None
    dues: tuple[Due, ...] = ()

    def __add__(self, other: Part) -> Part:
        return Part(
            moved=add(self.moved, other.moved),
            pot=self.pot + other.pot,
            outside=self.outside + other.outside,
            ending=joined(self.ending, other.ending),
            dues=self.dues + other.dues,
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing comes about."""
        return self == Part()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanction:
    """What a seat may not do, or must, from now on."""

    seat: Seat
    effect: Effect

    @property
    def op(self) -> Op:
        """Which sanction it is."""
        return self.effect.op


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """Everything that follows from one foul."""

    option: str | None = None
    """The option that was applied; None where the referee rules or the house has no such clause."""
    now: Part = Part()
    at_draw: Part = Part()
    at_win: Part = Part()
    at_end: Part = Part()
    sanctions: tuple[Sanction, ...] = ()
    instructions: tuple[Sanction, ...] = ()
    """What the seat named, or the table, has to do or decide by hand."""
    questions: tuple[str, ...] = ()
    """Facts that decide what follows and that nobody has told yet."""

    def __add__(self, other: Consequence) -> Consequence:
        return Consequence(
            option=self.option,
            now=self.now + other.now,
            at_draw=self.at_draw + other.at_draw,
            at_win=self.at_win + other.at_win,
            at_end=self.at_end + other.at_end,
            sanctions=self.sanctions + other.sanctions,
            instructions=self.instructions + other.instructions,
            questions=tuple(dict.fromkeys(self.questions + other.questions)),
        )

    def sanctioned(self, seat: Seat, op: Op) -> Effect | None:
        """Returns the sanction of that kind on the seat; None without one."""
        return next((each.effect for each in self.sanctions if each.seat is seat and each.op is op), None)


def paid(payer: Seat, points: dict[Seat, int]) -> Deltas:
    """Returns what each seat gets when `payer` pays so much to each."""
    return four(-sum(points.values()) if seat is payer else points.get(seat, 0) for seat in SEATS)


def joined(first: Ending | None, second: Ending | None) -> Ending | None:
    """Returns how a hand ends that two penalties end: the deal passes if either says so; a chombo names it."""
    if first is None or second is None:
        return first or second
    kinds = {first.kind, second.kind}
    kind = next(kind for kind in EndKind if kind in kinds)
    passes = first.dealer_passes or second.dealer_passes
    order = ("none", "riichi", "all")
    return Ending(
        kind=kind,
        dealer_passes=passes,
        is_repeat=not passes and (first.is_repeat or second.is_repeat),
        returns=max(first.returns, second.returns, key=order.index),
    )

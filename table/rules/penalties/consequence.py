"""The consequence of a foul under a rule set: points by seat, the pot, the end of the hand, and lasting sanctions.

A consequence is split by the time at which it applies: `now`, `at_draw` (only at an exhaustive draw), `at_win` (only if
a win is being settled) and `at_end` (however the hand ends). Facts that are needed but unknown are questions; acts that
people must do themselves (put tiles back, decide) are instructions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar

from table.rules.penalties.effect_terms import Effect, Op
from table.rules.terms.results import NOTHING, Deltas, add, subtract
from table.rules.terms.seats import SEATS, Seat, four

T = TypeVar("T")


class EndKind(Enum):
    """Why a penalty ends the hand."""

    CHOMBO = "chombo"
    REPLAY = "replay"
    BUST = "bust"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a hand by a penalty, without a winner."""

    kind: EndKind
    dealer_passes: bool = False
    stays_at_end: bool = False
    """Whether the deal passes, but not if the game ends by that (7-02-01 a): the points after all fouls decide."""
    is_repeat: bool = False
    """Whether the hand counts as not played: same round, dealer and honba."""
    returned_sticks: str = "none"
    """The sticks of this hand that are returned to their owners: `none`, `riichi`, `all`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A counted warning: a second card of the same colour within its scope can cost more."""

    colour: str
    scope: str
    """`hand`, `game`, `day` or `event`."""

    @classmethod
    def of(cls, effect: Effect) -> Card:
        """Returns the card that an effect gives."""
        return cls(colour=str(effect.param("colour")), scope=str(effect.param("scope")))

    @property
    def text(self) -> str:
        """The card as the detail of a due: `yellow day`."""
        return f"{self.colour} {self.scope}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A penalty that is settled at the end of the game, not of the hand."""

    seat: Seat
    op: Op
    """`unit_deduct`, `after_uma`, `lower_rank`, `bust`, `ban`, `disqualify` or `card`."""
    amount: int = 0
    """Points, or places."""
    detail: str = ""
    """A card's colour and scope."""


def after_uma(dues: Sequence[Due]) -> Deltas:
    """Returns the change of each seat's points by dues after uma."""
    return subtract(NOTHING, _total_due(dues, Op.AFTER_UMA))


def game_end_costs(dues: Sequence[Due]) -> dict[str, Deltas]:
    """Returns the cost of dues for each seat at the end of the game, by `after_uma`, `unit_deduct` and `lower_rank`.

    Points are changes, so below 0; for `lower_rank` the numbers are places lost. A kind that costs nobody is left out.
    """
    costs = {
        Op.AFTER_UMA: after_uma(dues),
        Op.UNIT_DEDUCT: subtract(NOTHING, _total_due(dues, Op.UNIT_DEDUCT)),
        Op.LOWER_RANK: _total_due(dues, Op.LOWER_RANK),
    }
    return {op.value: cost for op, cost in costs.items() if any(cost)}


def _total_due(dues: Sequence[Due], op: Op) -> Deltas:
    return four(sum(due.amount for due in dues if due.op is op and due.seat is seat) for seat in SEATS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chombo:
    """The cost of a chombo that ends the hand."""

    seat: Seat
    """The seat that pays."""
    deltas: Deltas
    dues: tuple[Due, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of a consequence that applies at one time."""

    deltas: Deltas = NOTHING
    """Change of points by seat, including points paid into the pot."""
    pot: int = 0
    """Points paid into the pot."""
    outside: int = 0
    """Points paid to players who sit out, which leave the table."""
    ending: Ending | None = None
    dues: tuple[Due, ...] = ()
    chombos: tuple[Chombo, ...] = ()
    """The chombos that end the hand; their costs are among `deltas` and `dues`."""
    free_chombos: tuple[Chombo, ...] = ()
    """Chombos that cost nothing, since another one of the same seat ends the hand."""

    def __add__(self, other: Part) -> Part:
        if other is NO_PART:
            return self
        return Part(
            deltas=add(self.deltas, other.deltas),
            pot=self.pot + other.pot,
            outside=self.outside + other.outside,
            ending=join_endings(self.ending, other.ending),
            dues=self.dues + other.dues,
            chombos=self.chombos + other.chombos,
            free_chombos=self.free_chombos + other.free_chombos,
        )

    def with_chombos_free(self, seats: Collection[Seat]) -> Part:
        """Returns the part with the chombos of these seats free."""
        part = self
        for chombo in self.chombos:
            if chombo.seat in seats:
                part = replace(
                    part,
                    deltas=subtract(part.deltas, chombo.deltas),
                    dues=without(part.dues, chombo.dues),
                    chombos=without(part.chombos, (chombo,)),
                    free_chombos=(*part.free_chombos, chombo),
                )
        return part

    def with_chombos_charged(self) -> Part:
        """Returns the part with the costs of all its chombos."""
        if not self.free_chombos:
            return self
        part = self
        for chombo in self.free_chombos:
            part += Part(deltas=chombo.deltas, dues=chombo.dues, chombos=(chombo,))
        return replace(part, free_chombos=())

    @property
    def is_empty(self) -> bool:
        """Whether the part has no effect."""
        return self == NO_PART


NO_PART: Final = Part()
"""No effect. Most sums have many of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanction:
    """An effect that obliges or restricts a seat from now on."""

    seat: Seat
    effect: Effect

    @property
    def op(self) -> Op:
        """The kind of sanction."""
        return self.effect.op


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """The whole consequence of one foul."""

    option: str | None = None
    """The option that was applied; None if the referee rules or the rule set has no such clause."""
    now: Part = NO_PART
    at_draw: Part = NO_PART
    at_win: Part = NO_PART
    at_end: Part = NO_PART
    sanctions: tuple[Sanction, ...] = ()
    instructions: tuple[Sanction, ...] = ()
    """Acts and decisions that are left to the named seat or the table."""
    questions: tuple[str, ...] = ()
    """Facts that affect the consequence and are still unknown."""
    excused_seats: tuple[Seat, ...] = ()
    """Seats that owe no deposit, since they have fewer than 1000 points (7-08-06)."""

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
            excused_seats=tuple(dict.fromkeys(self.excused_seats + other.excused_seats)),
        )

    @property
    def is_decided(self) -> bool:
        """Whether an option applies, and neither a question nor a referee's ruling is open."""
        refers = any(instruction.op is Op.REFER for instruction in self.instructions)
        return self.option is not None and not self.questions and not refers

    def with_chombos_free(self, seats: Collection[Seat]) -> Consequence:
        """Returns the consequence with the chombos of these seats free."""
        at_draw, at_win = self.at_draw.with_chombos_free(seats), self.at_win.with_chombos_free(seats)
        return replace(self, now=self.now.with_chombos_free(seats), at_draw=at_draw, at_win=at_win)

    def with_chombos_charged(self) -> Consequence:
        """Returns the consequence with the costs of all its chombos."""
        if not (self.now.free_chombos or self.at_draw.free_chombos or self.at_win.free_chombos):
            return self
        return replace(
            self,
            now=self.now.with_chombos_charged(),
            at_draw=self.at_draw.with_chombos_charged(),
            at_win=self.at_win.with_chombos_charged(),
        )

    def sanction_on(self, seat: Seat, op: Op) -> Effect | None:
        """Returns the sanction of that kind on the seat; None without one."""
        return next(
            (sanction.effect for sanction in self.sanctions if sanction.seat is seat and sanction.op is op), None
        )


def without(values: Sequence[T], removed: Sequence[T]) -> tuple[T, ...]:
    """Returns the values without one of each that is removed."""
    left = list(values)
    for item in removed:
        left.remove(item)
    return tuple(left)


def payment_deltas(payer: Seat, points: dict[Seat, int]) -> Deltas:
    """Returns the change of points by seat if `payer` pays each seat its `points`."""
    return four(-sum(points.values()) if seat is payer else points.get(seat, 0) for seat in SEATS)


def join_endings(first: Ending | None, second: Ending | None) -> Ending | None:
    """Returns the joint end of a hand: the deal passes if either requires it, and a chombo is the first reason."""
    if first is None or second is None:
        return first or second
    kinds = {first.kind, second.kind}
    kind = next(kind for kind in EndKind if kind in kinds)
    passes = first.dealer_passes or second.dealer_passes
    order = ("none", "riichi", "all")
    return Ending(
        kind=kind,
        dealer_passes=passes,
        stays_at_end=first.stays_at_end or second.stays_at_end,
        is_repeat=not passes and (first.is_repeat or second.is_repeat),
        returned_sticks=max(first.returned_sticks, second.returned_sticks, key=order.index),
    )

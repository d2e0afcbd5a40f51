"""The arrows of a settlement's preview: who pays whom. Their sum is exactly the settlement, including sticks.

Points that a hand in play has moved already (`PaidBefore`) are left out, so that each seat's sum is what changes now.
A stick returned to its owner moves nothing, unless it was laid before: a winner's own, and those returned by a penalty
that ends the hand. Costs of fouls are shown separately from the hand's payments if the logged fouls explain the
difference.

A settlement holds only the sums by seat, but people pay by the arrows. So these are payments that the rules make: at a
ron the discarder pays, and whoever else pays is liable for a yakuman; a draw takes as few payments as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from table.rules.foul_totals import foul_deltas, in_force
from table.rules.state import HandState, LoggedFoul
from table.rules.terms.results import NOTHING, STICK, AbortReason, Deltas, ResultKind, Settlement, add
from table.rules.terms.seats import SEATS, Seat, four

MOST_FOULS: Final = 5
"""Limit of fouls that are shown separately; the costs of more fouls are shown only in total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentArrow:
    """A payment; None is the middle of the table."""

    payer: Seat | None
    to: Seat | None
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidBefore:
    """What the points at the table contain of a hand that is still in play."""

    laid: tuple[Seat, ...] = ()
    """The seats whose riichi stick has been charged."""
    fouls: tuple[LoggedFoul, ...] = ()
    """The fouls logged so far."""

    @property
    def deltas(self) -> Deltas:
        """The points by seat that have been moved."""
        return add(foul_deltas(self.fouls), four(-STICK * (seat in self.laid) for seat in SEATS))

    def for_foul(self, foul: LoggedFoul) -> Deltas:
        """Returns the points by seat that have been moved for one foul."""
        return foul_deltas([foul]) if foul in self.fouls else NOTHING


NOTHING_PAID: Final = PaidBefore()


def paid_before(hand: HandState | None) -> PaidBefore:
    """Returns what a hand in play has moved; nothing without one."""
    if hand is None:
        return NOTHING_PAID
    return PaidBefore(laid=tuple(seat for seat in SEATS if hand.riichi[seat].is_accepted), fouls=hand.fouls)


def flows(
    settlement: Settlement,
    riichi: tuple[Seat, ...],
    honba_points: int,
    fouls: Sequence[LoggedFoul] = (),
    paid: PaidBefore = NOTHING_PAID,
) -> tuple[PaymentArrow, ...]:
    """Returns the payments of a settlement.

    Args:
        settlement: all payments.
        riichi: the seats whose riichi is valid in this hand.
        honba_points: the points for honba to the first winner.
        fouls: the fouls logged in this hand.
        paid: the points that have been moved already.
    """
    charged = _charged(settlement, riichi)
    due = tuple(seat for seat in charged if seat not in paid.laid)
    back = tuple(seat for seat in paid.laid if seat not in charged)
    without_sticks = add(settlement.deltas, four(STICK * (seat in charged) for seat in SEATS))
    left = add(without_sticks, four(-points for points in foul_deltas(paid.fouls)))
    costs = _costs(settlement, left, honba_points, fouls, paid)
    plain = add(left, four(-sum(cost[seat] for cost in costs) for seat in SEATS))
    is_nagashi = settlement.reason is AbortReason.NAGASHI
    found = (
        _of_wins(settlement, plain, due, honba_points)
        if settlement.wins
        else (*_sticks(due), *_paid(plain, is_nagashi=is_nagashi))
    )
    returned = (PaymentArrow(payer=None, to=seat, points=STICK) for seat in back)
    return (*found, *(flow for cost in costs for flow in _paid(cost)), *returned)


def _charged(settlement: Settlement, riichi: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Returns the seats whose riichi costs a stick: none if a penalty ends the hand and returns the sticks."""
    if settlement.penalty is None:
        return riichi
    lie = settlement.deposits >= len(riichi) and sum(settlement.deltas) <= -STICK * len(riichi)
    return riichi if lie else ()


def _of_wins(
    settlement: Settlement, moved: Deltas, charged: tuple[Seat, ...], honba_points: int
) -> tuple[PaymentArrow, ...]:
    paying = _paying(settlement, moved)
    found = _matched(paying, _due(settlement, sum(paying.values()), honba_points))
    middle = _left(moved, found)
    back = [seat for seat in charged if middle[seat] >= STICK]
    rest = add(middle, four(-STICK * (seat in back) for seat in SEATS))
    return (*_sticks(seat for seat in charged if seat not in back), *found, *_with_middle(rest))


def _paying(settlement: Settlement, moved: Deltas) -> dict[Seat, int]:
    """Returns what each seat pays for the wins; a winner who pays too is liable. The discarder is last."""
    won = {win.seat: win.points for win in settlement.wins}
    paying = {seat: won.get(seat, 0) - moved[seat] for seat in SEATS if moved[seat] < won.get(seat, 0)}
    discarder = settlement.wins[0].from_seat
    return dict(sorted(paying.items(), key=lambda each: each[0] is discarder))


def _costs(
    settlement: Settlement, left: Deltas, honba_points: int, fouls: Sequence[LoggedFoul], paid: PaidBefore
) -> tuple[Deltas, ...]:
    """Returns the payments for each foul if they explain the difference to a plain settlement; otherwise none."""
    choices = [_possible(foul, paid.for_foul(foul)) for foul in in_force(tuple(fouls))]
    if not choices or len(choices) > MOST_FOULS:
        return ()
    for costs in product(*choices):
        plain = left
        for cost in costs:
            plain = add(plain, four(-points for points in cost))
        if _is_plain(settlement, plain, honba_points):
            return tuple(cost for cost in costs if any(cost))
    return ()


def _possible(foul: LoggedFoul, paid: Deltas) -> tuple[Deltas, ...]:
    """Returns the possible payments for a foul, which depend on how the hand ended; a win can void them.

    `paid` are those made already, which are left out.
    """
    found = foul.consequence
    sure = found.now + found.at_end
    ends = (sure, sure + found.at_draw, sure + found.at_win)
    before = four(-points for points in paid)
    return tuple(dict.fromkeys(add(each, before) for each in (*(part.deltas for part in ends), NOTHING)))


def _is_plain(settlement: Settlement, moved: Deltas, honba_points: int) -> bool:
    """Returns whether these are the payments of a hand without fouls, ignoring sticks."""
    if settlement.wins:
        paid = sum(_paying(settlement, moved).values())
        rest = paid - sum(win.points for win in settlement.wins)
        return rest in {honba_points * winners for winners in (0, 1, len(settlement.wins))}
    if settlement.reason is AbortReason.NAGASHI:
        return sum(moved) == 0 and any(moved)
    if settlement.kind is ResultKind.DRAW:
        alike = [
            {moved[seat] for seat in SEATS if (seat in settlement.tenpai) is is_tenpai} for is_tenpai in (True, False)
        ]
        return sum(moved) == 0 and all(len(points) <= 1 for points in alike)
    return not any(moved)


def _sticks(seats: Iterable[Seat]) -> list[PaymentArrow]:
    return [PaymentArrow(payer=seat, to=None, points=STICK) for seat in seats]


def _due(settlement: Settlement, paid: int, honba_points: int) -> dict[Seat, int]:
    """Returns what each winner gets from the others: the value of the hands, and honba as far as they were paid.

    Yakuman are first, since those who are liable pay first, and only for these.
    """
    due = {win.seat: win.points for win in settlement.wins}
    left = paid - sum(due.values())
    for seat in due:
        share = min(honba_points, max(0, left))
        due[seat] += share
        left -= share
    return {win.seat: due[win.seat] for win in sorted(settlement.wins, key=lambda win: -win.yakuman)}


def _paid(moved: Deltas, *, is_nagashi: bool = False) -> list[PaymentArrow]:
    """Returns payments without a win: to those who receive points; a difference goes to, or comes from, the middle.

    Of several nagashi mangan each gets its share of every payment; otherwise one payment is better than two.
    """
    paying = {seat: -moved[seat] for seat in SEATS if moved[seat] < 0}
    due = {seat: moved[seat] for seat in SEATS if moved[seat] > 0}
    found = _shared(paying, due) if is_nagashi and not sum(moved) else _matched(paying, due)
    return [*found, *_with_middle(_left(moved, found))]


def _shared(paying: dict[Seat, int], due: dict[Seat, int]) -> list[PaymentArrow]:
    """Splits each payment among those who receive points, in proportion."""
    whole = sum(due.values())
    return [
        PaymentArrow(payer=payer, to=to, points=points * share // whole)
        for payer, points in paying.items()
        for to, share in due.items()
    ]


def _matched(paying: dict[Seat, int], due: dict[Seat, int]) -> list[PaymentArrow]:
    """Lets each seat pay in turn what the first of those who receive points still lack; nobody pays themselves."""
    found, lacking = [], dict(due)
    for payer, points in paying.items():
        left = points
        for to in due:
            part = min(left, lacking[to]) if to is not payer else 0
            if part:
                found.append(PaymentArrow(payer=payer, to=to, points=part))
                left, lacking[to] = left - part, lacking[to] - part
    return found


def _left(moved: Deltas, found: Sequence[PaymentArrow]) -> Deltas:
    """Returns what payments between seats leave to move by seat."""
    paid = (sum(flow.points * ((flow.payer is seat) - (flow.to is seat)) for flow in found) for seat in SEATS)
    return add(moved, four(paid))


def _with_middle(moved: Deltas) -> list[PaymentArrow]:
    return [
        PaymentArrow(payer=None if points > 0 else seat, to=seat if points > 0 else None, points=abs(points))
        for seat, points in zip(SEATS, moved, strict=True)
        if points
    ]

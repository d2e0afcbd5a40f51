"""The arrows of a settlement's preview: who pays whom. Their sum is exactly the settlement, including sticks.

Points that a hand in play has moved already (`EarlierPayments`) are left out, so that each seat's sum is what changes
now. A stick returned to its owner moves nothing, unless it was laid before: a winner's own, and those returned by a
penalty that ends the hand. Costs of fouls are shown separately from the hand's payments if the logged fouls explain the
difference.

A settlement holds only the sums by seat, but people pay by the arrows. So the arrows follow the rules: at a ron the
discarder pays, and whoever else pays is liable for a yakuman; a draw takes as few payments as possible.
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
class EarlierPayments:
    """What the points at the table contain of a hand that is still in play."""

    stick_seats: tuple[Seat, ...] = ()
    """The seats whose riichi stick has been charged."""
    fouls: tuple[LoggedFoul, ...] = ()
    """The fouls logged so far."""

    @property
    def deltas(self) -> Deltas:
        """The points by seat that have been moved."""
        return add(foul_deltas(self.fouls), four(-STICK * (seat in self.stick_seats) for seat in SEATS))

    def for_foul(self, foul: LoggedFoul) -> Deltas:
        """Returns the points by seat that have been moved for one foul."""
        return foul_deltas([foul]) if foul in self.fouls else NOTHING


NO_EARLIER_PAYMENTS: Final = EarlierPayments()


def earlier_payments_of(hand: HandState | None) -> EarlierPayments:
    """Returns what a hand in play has moved; nothing without one."""
    if hand is None:
        return NO_EARLIER_PAYMENTS
    return EarlierPayments(stick_seats=tuple(seat for seat in SEATS if hand.riichi[seat].is_accepted), fouls=hand.fouls)


def payment_arrows(
    settlement: Settlement,
    riichi: tuple[Seat, ...],
    honba_points: int,
    fouls: Sequence[LoggedFoul] = (),
    earlier_payments: EarlierPayments = NO_EARLIER_PAYMENTS,
) -> tuple[PaymentArrow, ...]:
    """Returns the payments of a settlement.

    Args:
        settlement: all payments.
        riichi: the seats whose riichi is valid in this hand.
        honba_points: the points for honba to the first winner.
        fouls: the fouls logged in this hand.
        earlier_payments: the points that have been moved already.
    """
    charged_seats = _charged_seats(settlement, riichi, fouls)
    sticks_to_lay = tuple(seat for seat in charged_seats if seat not in earlier_payments.stick_seats)
    sticks_back = tuple(seat for seat in earlier_payments.stick_seats if seat not in charged_seats)
    without_sticks = add(settlement.deltas, four(STICK * (seat in charged_seats) for seat in SEATS))
    remaining = add(without_sticks, four(-points for points in foul_deltas(earlier_payments.fouls)))
    costs = _foul_costs(settlement, remaining, honba_points, fouls, earlier_payments)
    without_fouls = add(remaining, four(-sum(cost[seat] for cost in costs) for seat in SEATS))
    is_nagashi = settlement.reason is AbortReason.NAGASHI
    found = (
        _win_payments(settlement, without_fouls, sticks_to_lay, honba_points)
        if settlement.wins
        else (*_sticks(sticks_to_lay), *_direct_payments(without_fouls, is_nagashi=is_nagashi))
    )
    returned = (PaymentArrow(payer=None, to=seat, points=STICK) for seat in sticks_back)
    return (*found, *(arrow for cost in costs for arrow in _direct_payments(cost)), *returned)


def _charged_seats(settlement: Settlement, riichi: tuple[Seat, ...], fouls: Sequence[LoggedFoul]) -> tuple[Seat, ...]:
    """Returns the seats whose riichi costs a stick: none if a penalty ends the hand and returns the sticks.

    Points that fouls pay into the middle are no sticks.
    """
    if settlement.penalty is None:
        return riichi
    costs = (foul.consequence.now + foul.consequence.at_end for foul in in_force(tuple(fouls)))
    without_fouls = sum(settlement.deltas) - sum(sum(cost.deltas) for cost in costs)
    are_on_table = settlement.deposits >= len(riichi) and without_fouls <= -STICK * len(riichi)
    return riichi if are_on_table else ()


def _win_payments(
    settlement: Settlement, deltas: Deltas, seats_to_charge: tuple[Seat, ...], honba_points: int
) -> tuple[PaymentArrow, ...]:
    payable = _payable(settlement, deltas)
    found = _payments_in_turn(payable, _receivable(settlement, sum(payable.values()), honba_points))
    middle = _remaining(deltas, found)
    sticks_back = [seat for seat in seats_to_charge if middle[seat] >= STICK]
    rest = add(middle, four(-STICK * (seat in sticks_back) for seat in SEATS))
    return (*_sticks(seat for seat in seats_to_charge if seat not in sticks_back), *found, *_middle_payments(rest))


def _payable(settlement: Settlement, deltas: Deltas) -> dict[Seat, int]:
    """Returns what each seat pays for the wins; a winner who pays too is liable. The discarder is last."""
    won = {win.seat: win.points for win in settlement.wins}
    payable = {seat: won.get(seat, 0) - deltas[seat] for seat in SEATS if deltas[seat] < won.get(seat, 0)}
    discarder = settlement.wins[0].from_seat
    return dict(sorted(payable.items(), key=lambda each: each[0] is discarder))


def _foul_costs(
    settlement: Settlement,
    remaining: Deltas,
    honba_points: int,
    fouls: Sequence[LoggedFoul],
    earlier_payments: EarlierPayments,
) -> tuple[Deltas, ...]:
    """Returns the payments for each foul if they explain the difference to a plain settlement; otherwise none."""
    choices = [_possible_costs(foul, earlier_payments.for_foul(foul)) for foul in in_force(tuple(fouls))]
    if not choices or len(choices) > MOST_FOULS:
        return ()
    for costs in product(*choices):
        without_fouls = remaining
        for cost in costs:
            without_fouls = add(without_fouls, four(-points for points in cost))
        if _is_plain(settlement, without_fouls, honba_points):
            return tuple(cost for cost in costs if any(cost))
    return ()


def _possible_costs(foul: LoggedFoul, earlier_payment: Deltas) -> tuple[Deltas, ...]:
    """Returns the possible payments for a foul, which depend on how the hand ended; a win can void them.

    `earlier_payment` are those made already, which are left out.
    """
    found = foul.consequence
    fixed = found.now + found.at_end
    ends = (fixed, fixed + found.at_draw, fixed + found.at_win)
    before = four(-points for points in earlier_payment)
    return tuple(dict.fromkeys(add(deltas, before) for deltas in (*(part.deltas for part in ends), NOTHING)))


def _is_plain(settlement: Settlement, deltas: Deltas, honba_points: int) -> bool:
    """Returns whether these are the payments of a hand without fouls, ignoring sticks."""
    if settlement.wins:
        paid = sum(_payable(settlement, deltas).values())
        rest = paid - sum(win.points for win in settlement.wins)
        return rest in {honba_points * winners for winners in (0, 1, len(settlement.wins))}
    if settlement.reason is AbortReason.NAGASHI:
        return sum(deltas) == 0 and any(deltas)
    if settlement.kind is ResultKind.DRAW:
        groups = [
            {deltas[seat] for seat in SEATS if (seat in settlement.tenpai) is is_tenpai} for is_tenpai in (True, False)
        ]
        return sum(deltas) == 0 and all(len(points) <= 1 for points in groups)
    return not any(deltas)


def _sticks(seats: Iterable[Seat]) -> list[PaymentArrow]:
    return [PaymentArrow(payer=seat, to=None, points=STICK) for seat in seats]


def _receivable(settlement: Settlement, payment: int, honba_points: int) -> dict[Seat, int]:
    """Returns what each winner gets from the others: the value of the hands, and honba as far as they were paid.

    Yakuman are first, since those who are liable pay first, and only for these.
    """
    receivable = {win.seat: win.points for win in settlement.wins}
    surplus = payment - sum(receivable.values())
    for seat in receivable:
        share = min(honba_points, max(0, surplus))
        receivable[seat] += share
        surplus -= share
    return {win.seat: receivable[win.seat] for win in sorted(settlement.wins, key=lambda win: -win.yakuman)}


def _direct_payments(deltas: Deltas, *, is_nagashi: bool = False) -> list[PaymentArrow]:
    """Returns payments without a win: to those who receive points; a difference goes to, or comes from, the middle.

    Of several nagashi mangan each gets its share of every payment; otherwise one payment is better than two.
    """
    payable = {seat: -deltas[seat] for seat in SEATS if deltas[seat] < 0}
    receivable = {seat: deltas[seat] for seat in SEATS if deltas[seat] > 0}
    found = (
        _proportional_payments(payable, receivable)
        if is_nagashi and not sum(deltas)
        else _payments_in_turn(payable, receivable)
    )
    return [*found, *_middle_payments(_remaining(deltas, found))]


def _proportional_payments(payable: dict[Seat, int], receivable: dict[Seat, int]) -> list[PaymentArrow]:
    """Splits each payment among those who receive points, in proportion."""
    whole = sum(receivable.values())
    return [
        PaymentArrow(payer=payer, to=to, points=points * share // whole)
        for payer, points in payable.items()
        for to, share in receivable.items()
    ]


def _payments_in_turn(payable: dict[Seat, int], receivable: dict[Seat, int]) -> list[PaymentArrow]:
    """Lets each seat pay in turn to the first receivers who still lack points; nobody pays themselves."""
    found, lacking = [], dict(receivable)
    for payer, points in payable.items():
        left = points
        for to in receivable:
            part = min(left, lacking[to]) if to is not payer else 0
            if part:
                found.append(PaymentArrow(payer=payer, to=to, points=part))
                left, lacking[to] = left - part, lacking[to] - part
    return found


def _remaining(deltas: Deltas, found: Sequence[PaymentArrow]) -> Deltas:
    """Returns the points by seat that remain to be moved after these payments between seats."""
    paid_by_seat = (
        sum(arrow.points * ((arrow.payer is seat) - (arrow.to is seat)) for arrow in found) for seat in SEATS
    )
    return add(deltas, four(paid_by_seat))


def _middle_payments(deltas: Deltas) -> list[PaymentArrow]:
    return [
        PaymentArrow(payer=None if points > 0 else seat, to=seat if points > 0 else None, points=abs(points))
        for seat, points in zip(SEATS, deltas, strict=True)
        if points
    ]

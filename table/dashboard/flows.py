"""Who pays whom in a settlement: the arrows of the preview. Their sum is what the settlement moves, stick for stick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from table.rules.hand import STICK
from table.rules.results import Settlement
from table.rules.seats import SEATS, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Points on their way; None is the middle of the table."""

    payer: Seat | None
    to: Seat | None
    points: int


def flows(settlement: Settlement, riichi: tuple[Seat, ...], honba_points: int) -> tuple[Flow, ...]:
    """Returns the payments of a settlement. A winner's own stick only comes back and is none.

    Args:
        settlement: what is paid in all.
        riichi: seats whose riichi is charged in this hand.
        honba_points: what the counters are worth to the first winner.
    """
    moved = {seat: settlement.deltas[seat] + STICK * (seat in riichi) for seat in SEATS}
    paying = {seat: -points for seat, points in moved.items() if points < 0}
    if not settlement.wins:
        due = {seat: points for seat, points in moved.items() if points > 0}
        return (*_sticks(riichi), *_shared(paying, due))
    due = _due(settlement, sum(paying.values()), honba_points)
    pot = {seat: moved[seat] - points for seat, points in due.items()}
    back = [seat for seat in riichi if pot.get(seat, 0) >= STICK]
    taken = {seat: points - STICK * (seat in back) for seat, points in pot.items()}
    return (
        *_sticks(seat for seat in riichi if seat not in back),
        *_shared(paying, due),
        *(Flow(payer=None, to=seat, points=points) for seat, points in taken.items() if points > 0),
    )


def _sticks(seats: Iterable[Seat]) -> list[Flow]:
    return [Flow(payer=seat, to=None, points=STICK) for seat in seats]


def _due(settlement: Settlement, paid: int, honba_points: int) -> dict[Seat, int]:
    """What each winner gets from the others: the hands' points, and the counters as far as they were paid."""
    due = {win.seat: win.points for win in settlement.wins}
    left = paid - sum(due.values())
    for seat in due:
        share = min(honba_points, max(0, left))
        due[seat] += share
        left -= share
    return due


def _shared(paying: dict[Seat, int], due: dict[Seat, int]) -> list[Flow]:
    """Splits what each pays among those who get something, by how much they get."""
    whole = sum(due.values())
    found = [
        Flow(payer=payer, to=to, points=points * share // whole)
        for payer, points in paying.items()
        for to, share in due.items()
    ]
    return [flow for flow in found if flow.points]

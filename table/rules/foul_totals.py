"""Totals of the fouls in force: points moved, points in the pot, and sanctions on seats.

A logged foul keeps its consequence, so nothing else has to be stored: a cancelled foul simply no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.rules.penalties.consequence import Part
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.penalties.foul_effects import NOTEN_RIICHI
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.state import LaidKind, LaidTile, LoggedFoul, RiverTile
from table.rules.terms.results import NOTHING, Deltas, add
from table.rules.terms.seats import Seat, four


def in_force(fouls: Sequence[LoggedFoul]) -> Iterator[LoggedFoul]:
    """Yields the fouls that were not cancelled."""
    return (foul for foul in fouls if foul.cancel_reason is None)


def immediate_parts(fouls: Sequence[LoggedFoul]) -> Iterator[Part]:
    """Yields the payments made during the hand; a penalty that ends the hand is paid with its settlement."""
    return (foul.consequence.now for foul in in_force(fouls) if foul.consequence.now.ending is None)


def foul_deltas(fouls: Sequence[LoggedFoul]) -> Deltas:
    """Returns the points by seat that fouls have moved in the hand so far."""
    total = NOTHING
    for part in immediate_parts(fouls):
        total = add(total, part.deltas)
    return total


def most_points(fouls: Sequence[LoggedFoul], scores: Deltas) -> Deltas:
    """Returns the highest score of each seat: `scores`, or a score after one of the payments for fouls since."""
    most = now = scores
    for part in immediate_parts(fouls):
        now = add(now, part.deltas)
        most = four(map(max, most, now))
    return most


def pot(fouls: Sequence[LoggedFoul]) -> int:
    """Returns the points that fouls have put into the pot in the hand so far."""
    return sum(part.pot for part in immediate_parts(fouls))


def sticks_laid(fouls: Sequence[LoggedFoul], seat: Seat) -> int:
    """Returns how many sticks of 1000 the seat has put into the pot for fouls in the hand so far."""
    return pot([foul for foul in fouls if foul.seat is seat]) // 1000


def sanction_on(fouls: Sequence[LoggedFoul], seat: Seat, op: Op) -> Effect | None:
    """Returns the first sanction of that kind on the seat; None without one."""
    found = (foul.consequence.sanction_on(seat, op) for foul in in_force(fouls))
    return next((effect for effect in found if effect is not None), None)


def is_dead(fouls: Sequence[LoggedFoul], seat: Seat) -> bool:
    """Whether the seat's hand is dead."""
    return sanction_on(fouls, seat, Op.DEAD_HAND) is not None


def is_entered(fouls: Sequence[LoggedFoul], seat: Seat, clause: str, penalties: PenaltyRules) -> bool:
    """Whether a foul of this clause is in force for the seat, logged by its number or by its article."""
    return any(foul.seat is seat and penalties.is_named(clause, foul.clause) for foul in in_force(fouls))


def may_win(fouls: Sequence[LoggedFoul], seat: Seat) -> bool:
    """Whether the seat may still win: its hand is not dead, and no foul takes the win from it."""
    return not is_dead(fouls, seat) and sanction_on(fouls, seat, Op.NO_WIN) is None


def is_noten_riichi(fouls: Sequence[LoggedFoul], seat: Seat, penalties: PenaltyRules) -> bool:
    """Whether the seat's riichi is noten by a logged foul: 7-05-07 itself, or one that makes it count as such."""
    return counts_as_noten_riichi(fouls, seat) or is_entered(fouls, seat, NOTEN_RIICHI, penalties)


def counts_as_noten_riichi(fouls: Sequence[LoggedFoul], seat: Seat) -> bool:
    """Whether a riichi of the seat counts as noten riichi because of another foul, whatever its hand (7-04-02 h)."""
    return sanction_on(fouls, seat, Op.COUNT_AS_NOTEN_RIICHI) is not None


def may_have_nagashi(fouls: Sequence[LoggedFoul], seat: Seat) -> bool | None:
    """Whether the last foul that decides about the seat's nagashi mangan allows it (7-09-06); None if no foul does."""
    said = [
        sanction.effect.op is Op.ALLOW
        for foul in in_force(fouls)
        for sanction in (*foul.consequence.sanctions, *foul.consequence.instructions)
        if sanction.seat is seat and sanction.effect.param("what") == "nagashi_mangan"
    ]
    return said[-1] if said else None


def extra_draws_allowed(foul: LoggedFoul) -> int:
    """Returns how many extra tiles a foul lets its seat draw if there are any left (7-04-02 i)."""
    return sum(
        instruction.effect.number("draw_extra")
        for instruction in foul.consequence.instructions
        if instruction.op is Op.FIX_COUNT
    )


def all_extra_draws(fouls: Sequence[LoggedFoul]) -> int:
    """Returns how many extra tiles all fouls in force let their seats draw."""
    return sum(foul.extra_draws for foul in in_force(fouls))


def tiles_left_at(fouls: Sequence[LoggedFoul], laid_tile: LaidTile) -> int:
    """Returns how many tiles were left to draw when a tile was laid; those of fouls cancelled since were left too."""
    return max(0, laid_tile.tiles_left_without_fouls - all_extra_draws(fouls[: laid_tile.foul_count]))


def is_last_discard(fouls: Sequence[LoggedFoul], laid_tile: LaidTile) -> bool:
    """Whether a tile is the last discard of the hand, with no tile left to draw."""
    return laid_tile.kind is LaidKind.DISCARD and tiles_left_at(fouls, laid_tile) == 0


def owes_extra_discard(fouls: Sequence[LoggedFoul], seat: Seat, river: Sequence[RiverTile], discards: int) -> bool:
    """Whether the seat of the last discard may discard once more to correct its number of tiles (7-04-01 h)."""
    if discards - 1 not in {tile.discard_number for tile in river}:
        return False
    return any(
        instruction.seat is seat
        and instruction.effect.number("discard_extra")
        and not has_discarded_twice(river, since=foul.discards - 1)
        for foul in in_force(fouls)
        for instruction in foul.consequence.instructions
        if instruction.op is Op.FIX_COUNT
    )


def has_discarded_twice(river: Sequence[RiverTile], *, since: int = 0) -> bool:
    """Whether the seat of this river has discarded two tiles one after the other, the first one from `since` on."""
    discard_numbers = {tile.discard_number for tile in river}
    return any(number >= since and number + 1 in discard_numbers for number in discard_numbers)

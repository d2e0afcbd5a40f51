"""A riichi that fouls make void, and that stands again once none of them stands any more.

Each foul keeps the riichi that it forbids as it was: also one that a claimed ron or another foul has made void already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from table.rules import hand_phase
from table.rules.aspects import ippatsu, riichi
from table.rules.draft import Draft, put
from table.rules.foul_totals import in_force
from table.rules.state import LoggedFoul, Riichi, RiichiStage
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat


def held(draft: Draft, seat: Seat) -> Riichi | None:
    """Returns the seat's riichi as it stands, or stood before a claimed ron or a foul made it void; None without."""
    current, before = draft.riichi[seat], draft.before_ron
    if current.is_declared:
        return current
    if current.stage is RiichiStage.VOID:
        return before.riichi[seat] if before is not None and before.riichi[seat].is_declared else None
    kept = (each for foul in in_force(draft.fouls) for whose, each in foul.voided if whose is seat)
    return next(kept, None)


def make_void(draft: Draft, seats: Iterable[Seat], clause: str) -> tuple[tuple[Seat, Riichi], ...]:
    """Makes the riichi of these seats void by a foul; returns each as it was."""
    before = tuple((seat, own) for seat in sorted(seats) if (own := held(draft, seat)) is not None)
    for seat, _ in before:
        was_declared = draft.riichi[seat].is_declared
        riichi.void(draft, seat)
        if was_declared:
            draft.say(AnnouncementId.RIICHI_VOID, clause, seat)
            hand_phase.call_off(draft, AbortReason.FOUR_RIICHI)
    return before


def give_back(draft: Draft, foul: LoggedFoul) -> None:
    """Lets each riichi that a cancelled foul made void stand again, unless another foul or a claimed ron forbids it."""
    for seat, before in foul.voided:
        others = (each for other in in_force(draft.fouls) for each in other.voided)
        is_forbidden = any(whose is seat and own.index == before.index for whose, own in others)
        if draft.riichi[seat].stage is not RiichiStage.NONE or is_forbidden:
            continue
        draft.say(AnnouncementId.RIICHI_DECLARED, foul.clause, seat)
        riichi.stands_again(draft, seat, before)
        if draft.riichi[seat].has_passed:
            ippatsu.open_for_reported_riichi(draft, seat)
        _void_by_ron(draft, seat)


def still_lying(fouls: tuple[LoggedFoul, ...], discards: int) -> tuple[LoggedFoul, ...]:
    """Returns the fouls without each void riichi whose tile was put back; `discards` are left."""
    return tuple(
        replace(foul, voided=tuple(each for each in foul.voided if each[1].index is None or each[1].index < discards))
        if foul.voided
        else foul
        for foul in fouls
    )


def _void_by_ron(draft: Draft, seat: Seat) -> None:
    """Makes the riichi void if its tile, or one before it, is ronned; should the ron fall, it stands again."""
    claimed = draft.claims[0].laid if draft.claims else None
    if claimed is None:
        return
    if (before := draft.before_ron) is not None:
        draft.before_ron = replace(before, riichi=put(before.riichi, seat, draft.riichi[seat]))
    riichi.ronned(draft, claimed, (seat,))
    ippatsu.ronned(draft)

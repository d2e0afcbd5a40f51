"""Tiles put back: the last discard or meld is taken up again, by people or because a foul makes the call void.

A call that a foul makes void goes back when the foul is logged (`transitions.void_calls`), and lies again if the foul
is cancelled before anything else is laid.
"""

from __future__ import annotations

from typing import Final

from table.rules.aspects import gaps, ippatsu, tile_copies
from table.rules.aspects.riichi import declaration, late_riichi, open_riichi
from table.rules.draft import Draft, put
from table.rules.events import PutBack
from table.rules.foul_totals import all_extra_draws
from table.rules.fouls.voided_riichi import still_lying
from table.rules.state import HandState, VoidCall
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat

ONLY_SAID: Final = "7-05-11"
"""A wrong utterance: what was said is void, and the meld that lies may be the right one."""


def put_back(draft: Draft, event: PutBack) -> None:
    """Takes back the last tile or meld laid; what a foul has taken back already may be reported too.

    Raises:
        ImpossibleEventError: if the last act was not that seat's.
    """
    if draft.before is not None and last_act(draft) == (event.seat, event.meld):
        take_back(draft, event.seat)
    elif not _is_taken_back(draft, event.seat):
        what = "meld" if event.meld else "discard"
        raise ImpossibleEventError(f"expected the last {what} to be of seat {int(event.seat)}, got another act")


def last_act(hand: Draft | HandState) -> tuple[Seat, bool] | None:
    """Returns who laid the last tile or meld, and whether it was a meld."""
    if hand.claimable is None:
        return (hand.turn, True) if hand.turn is not None and hand.laid else None
    return hand.claimable.seat, hand.claimable.kind.is_kan


def take_back(draft: Draft, seat: Seat) -> None:
    """Takes back the last act, which was the seat's, with all its consequences; sticks, fouls and indicators stay.

    Changes of the scores by fouls of earlier hands stay too.
    """
    before = draft.before
    if before is None:
        return
    sticks, fouls, indicators, declared = draft.sticks, draft.fouls, draft.dora_indicators, draft.declared_waits
    said, start, windows, undone = draft.riichi, draft.start, draft.ippatsu, draft.undone
    draft.restore(before)
    gaps.keep_proof(draft, draft.hand)
    draft.start, draft.undone = start, undone
    draft.sticks, draft.dora_indicators = sticks, indicators
    draft.fouls = still_lying(fouls, draft.discards)
    draft.tiles_left = max(0, draft.tiles_left + all_extra_draws(before.fouls) - all_extra_draws(fouls))
    if open_riichi.has_declared_wait(said[seat], declared[seat]):
        declared = put(declared, seat, None)
    draft.declared_waits = tuple(
        then if now is None else now for now, then in zip(declared, before.declared_waits, strict=True)
    )
    tile_copies.add(draft, indicators[len(before.dora_indicators) :])
    late_riichi.keep_reports(draft, said, seat)
    declaration.see_sticks(draft)
    ippatsu.tell_reopened(draft, windows)


def lay_again(draft: Draft, foul: int) -> None:
    """Lays the call again that a cancelled foul had taken back, unless something else was laid since.

    Args:
        draft: the hand, in which the foul is cancelled already.
        foul: its number in the hand.
    """
    undone = next((each for each in draft.undone if each.foul == foul), None)
    if undone is None or not _is_as_taken_back(draft, undone):
        return
    fouls, start, sticks, indicators = draft.fouls, draft.start, draft.sticks, draft.dora_indicators
    draft.restore(undone.hand)
    draft.fouls, draft.start, draft.sticks, draft.dora_indicators = fouls, start, sticks, indicators
    tile_copies.add(draft, indicators[len(undone.hand.dora_indicators) :])
    declaration.see_sticks(draft)
    for seat in SEATS:
        if undone.hand.sticks[seat] and not sticks[seat]:
            declaration.on_stick_taken_back(draft, seat)


def _is_taken_back(draft: Draft, seat: Seat) -> bool:
    """Whether a foul has taken back a call of the seat, with its discard after it, and nothing was laid since."""
    return any(
        draft.fouls[each.foul].cancelled is None and each.seat is seat and _is_as_taken_back(draft, each)
        for each in draft.undone
    )


def _is_as_taken_back(draft: Draft, undone: VoidCall) -> bool:
    """Whether the same tiles and melds lie as when the call had been taken back."""
    return draft.laid == undone.laid and draft.melds == undone.melds

"""Tiles put back: the last discard or meld is taken up again, by people or because a foul makes the call void.

A call that a foul makes void goes back when the foul is logged, and lies again if the foul is cancelled before anything
else is laid.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from table.rules.aspects import ippatsu, late_riichi, open_riichi, riichi, tile_copies
from table.rules.draft import Draft, put
from table.rules.events import PutBack
from table.rules.foul_totals import all_extra_draws
from table.rules.fouls.voided_riichi import still_lying
from table.rules.penalties.effect_terms import Effect, Op
from table.rules.state import HandState, LaidKind, Phase
from table.rules.terms.melds import MeldKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat

_CALLS: Final = ("call", "pon", "utterance")
_ONLY_SAID: Final = "7-05-11"
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
    late_riichi.stays(draft, said, seat)
    riichi.see_sticks(draft)
    ippatsu.tell_reopened(draft, windows)


def take_back_void_call(draft: Draft) -> None:
    """Takes back the last act if it is a call that the newest foul makes void, or the discard of a void swap call."""
    foul = draft.fouls[-1]
    found = foul.consequence
    if foul.clause == _ONLY_SAID or draft.phase is not Phase.PLAY:
        return
    all_effects = (*found.sanctions, *found.instructions)
    is_restored = any(each.op is Op.RESTORE for each in all_effects)
    for each in all_effects:
        if each.op is not Op.VOID or not _is_the_call(draft, each.seat, each.effect, is_restored=is_restored):
            continue
        undone = replace(draft.freeze())
        if last_act(draft) == (each.seat, False):
            take_back(draft, each.seat)  # the discard after it
        take_back(draft, each.seat)
        draft.undone = (*draft.undone, (len(draft.fouls) - 1, undone))
        return


def lay_again(draft: Draft, foul: int) -> None:
    """Lays the call again that a cancelled foul had taken back, unless something else was laid since.

    Args:
        draft: the hand, in which the foul is cancelled already.
        foul: its number in the hand.
    """
    undone = next((hand for number, hand in draft.undone if number == foul), None)
    if undone is None or not _is_as_before(draft, undone):
        return
    fouls, start = draft.fouls, draft.start
    draft.restore(undone)
    draft.fouls, draft.start = fouls, start


def _is_the_call(draft: Draft, seat: Seat, effect: Effect, *, is_restored: bool) -> bool:
    """Whether the last act is the call that the effect makes void; if all is restored, with the discard after it."""
    last = last_act(draft)
    if effect.param("what") not in _CALLS or draft.before is None or last is None or last[0] is not seat:
        return False
    if not last[1]:
        return is_restored and draft.before.claimable is None and draft.before.turn is seat
    if draft.claimable is not None and draft.claimable.kind is LaidKind.CLOSED_KAN:
        return bool(effect.param("incl_ankan"))
    return effect.param("what") != "pon" or draft.melds[seat][-1].kind is MeldKind.PON


def _is_taken_back(draft: Draft, seat: Seat) -> bool:
    """Whether a foul has taken back the seat's last act, and nothing was laid since."""
    return any(
        draft.fouls[foul].cancelled is None and (last_act(hand) or (None,))[0] is seat and _is_as_before(draft, hand)
        for foul, hand in draft.undone
    )


def _is_as_before(draft: Draft, undone: HandState) -> bool:
    """Whether the same tiles and melds lie as before the call with which `undone` ends."""
    before = undone.before
    last = last_act(undone)
    if before is not None and last is not None and not last[1]:
        before = before.before
    return before is not None and draft.laid == before.laid and draft.melds == before.melds

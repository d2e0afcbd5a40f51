"""Tiles put back: the last discard or meld is taken up again, by people or because a foul makes the call void.

A call that a foul makes void is taken back when the foul is logged (`transitions.by_event.void_calls`), and restored
if the foul is cancelled before anything else is laid.
"""

from __future__ import annotations

from typing import Final

from table.rules.aspects import gaps, ippatsu, tile_copies, turn
from table.rules.aspects.riichi import declaration, late_riichi, open_riichi
from table.rules.draft import Draft, replace_at
from table.rules.events import PutBack
from table.rules.fouls.voided_riichi import keep_fouls_on_riichi, without_put_back
from table.rules.state import HandState, VoidCall
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat

WRONG_UTTERANCE: Final = "7-05-11"
"""The clause of a wrong utterance: only the utterance is void, and the meld on the table may be the right one."""


def put_back(draft: Draft, event: PutBack) -> None:
    """Takes back the last tile or meld laid; no effect if a foul has already taken it back.

    Raises:
        ImpossibleEventError: if the last act was not that seat's.
    """
    if draft.before_act is not None and last_act(draft) == (event.seat, event.meld):
        riichi = draft.riichi
        take_back(draft, event.seat)
        declaration.announce_put_back(draft, riichi)
    elif not _is_taken_back(draft, event.seat):
        act = "meld" if event.meld else "discard"
        raise ImpossibleEventError(f"expected the last {act} to be of seat {int(event.seat)}, got another act")


def last_act(hand: Draft | HandState) -> tuple[Seat, bool] | None:
    """Returns who laid the last tile or meld, and whether it was a meld."""
    if hand.claimable_tile is None:
        return (hand.turn, True) if hand.turn is not None and hand.laid_tiles else None
    return hand.claimable_tile.seat, hand.claimable_tile.kind.is_kan


def has_just_called(hand: Draft | HandState, seat: Seat) -> bool:
    """Returns whether the seat has laid nothing since it called a chi, pon or open kan."""
    return hand.claimable_tile is None and last_act(hand) == (seat, True)


def take_back(draft: Draft, seat: Seat) -> None:
    """Takes back the last act, which must be the seat's, with all its consequences.

    Sticks, fouls, indicators, and changes of the scores by fouls of earlier hands stay.
    """
    before = draft.before_act
    if before is None:
        return
    sticks, fouls, indicators, waits = draft.sticks, draft.fouls, draft.dora_indicators, draft.declared_waits
    riichi, start, windows, void_calls = draft.riichi, draft.start, draft.ippatsu, draft.void_calls
    draft.restore(before)
    gaps.keep_proof(draft, draft.hand)
    draft.start, draft.void_calls = start, void_calls
    draft.sticks, draft.dora_indicators = sticks, indicators
    draft.fouls = without_put_back(fouls, draft.discards)
    turn.count_extra_draws(draft, before.fouls)
    if open_riichi.has_declared_wait(riichi[seat], waits[seat]):
        waits = replace_at(waits, seat, None)
    draft.declared_waits = tuple(
        then if now is None else now for now, then in zip(waits, before.declared_waits, strict=True)
    )
    tile_copies.add(draft, indicators[len(before.dora_indicators) :])
    late_riichi.keep_reports(draft, riichi, seat)
    declaration.update_sticks(draft)
    turn.draw_again(draft)
    ippatsu.announce_reopened(draft, windows)


def lay_again(draft: Draft, foul: int) -> None:
    """Restores the call that a cancelled foul had taken back, unless something else was laid since.

    Args:
        draft: the hand, in which the foul is cancelled already.
        foul: its number in the hand.
    """
    void_call = next((call for call in draft.void_calls if call.foul == foul), None)
    if void_call is None or not _is_unchanged_since(draft, void_call):
        return
    fouls, start, sticks, indicators = draft.fouls, draft.start, draft.sticks, draft.dora_indicators
    riichi = draft.riichi
    draft.restore(void_call.hand)
    draft.fouls, draft.start, draft.sticks, draft.dora_indicators = fouls, start, sticks, indicators
    turn.count_extra_draws(draft, void_call.hand.fouls)
    tile_copies.add(draft, indicators[len(void_call.hand.dora_indicators) :])
    declaration.update_sticks(draft)
    for seat in SEATS:
        if void_call.hand.sticks[seat] and not sticks[seat]:
            declaration.on_stick_taken_back(draft, seat)
    keep_fouls_on_riichi(draft, riichi)


def _is_taken_back(draft: Draft, seat: Seat) -> bool:
    """Whether a foul has taken back a call of the seat, with its discard after it, and nothing was laid since."""
    return any(
        draft.fouls[call.foul].cancel_reason is None and call.seat is seat and _is_unchanged_since(draft, call)
        for call in draft.void_calls
    )


def _is_unchanged_since(draft: Draft, void_call: VoidCall) -> bool:
    """Whether no tile or meld was laid or put back since the call was taken back."""
    return draft.laid_tiles == void_call.laid_tiles and draft.melds == void_call.melds

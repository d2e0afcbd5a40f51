"""Gaps: play that may have gone unseen while the camera was away, and the proof that none did.

A discard that nobody saw lies in its river, or in the meld of its caller. So once every river and every meld lies as it
is on record, nothing is missing. When it was laid is known too if no meld came since the gap began, for turns then
follow one another, and the discards since are on record in that order: a full round that went unseen is four more tiles
in the rivers, which are found as such. Where nothing had been laid before, a whole hand may have been played meanwhile:
there a full go-round since, from the dealer on, is wanted. Nothing is proven where a meld came since, whose place
between the discards only people know; nor where an indicator was turned for a kan that nobody saw.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import ippatsu
from table.rules.draft import Draft, replace_at
from table.rules.state import Gap, HandState, LaidKind, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import SEATS, Seat, four


def lose_sight(draft: Draft) -> None:
    """Records that from here anybody's discards may go unseen; a win already claimed was claimed on what was seen."""
    if draft.phase is not Phase.PLAY:
        return
    if draft.gap is None:
        draft.gap = Gap(
            laid_count=len(draft.laid_tiles), seat=_next_discarder(draft), melds=draft.melds, missed_at=draft.missed_at
        )
    draft.unseen_from = len(draft.laid_tiles)
    draft.missed_at = four(len(draft.laid_tiles) for _ in SEATS)


def may_be_proven(hand: Draft | HandState) -> bool:
    """Whether a gap is proven to hide nothing once every river and meld lies as it is on record (see above)."""
    gap = hand.gap
    if gap is None or hand.phase is not Phase.PLAY or not (gap.laid_count or len(hand.laid_tiles) >= len(SEATS)):
        return False
    in_turn = (gap.seat.plus(count) for count in range(len(hand.laid_tiles) - gap.laid_count))
    is_in_turn = [tile.seat for tile in hand.laid_tiles[gap.laid_count :]] == list(in_turn)
    return is_in_turn and hand.melds == gap.melds and len(hand.dora_indicators) <= 1 + len(hand.kans)


def prove_seen(draft: Draft) -> None:
    """Closes the gap, as if the camera had never been away: what was doubtful of riichi and ippatsu is known again.

    Raises:
        ImpossibleEventError: there is no gap, or what lies on the felt does not prove that it hides nothing.
    """
    gap = draft.gap
    if gap is None:
        raise ImpossibleEventError("expected a gap, got none: no discard went unseen")
    if not may_be_proven(draft):
        raise ImpossibleEventError(
            "expected play, and since the gap nothing but discards in turn, of a full go-round if none was laid before"
        )
    riichi, windows = draft.riichi, draft.ippatsu
    _close(draft, gap)
    for seat in SEATS:
        if draft.riichi[seat].is_double and not riichi[seat].is_double:
            draft.say(AnnouncementId.DOUBLE_RIICHI, "R37", seat)
    ippatsu.announce_known(draft, windows)


def keep_proof(draft: Draft, later: HandState) -> None:
    """Keeps what is known of the gap when the hand is again as before its last act, after which it was `later`.

    A gap that was proven since to hide nothing hides nothing now. What may have gone unseen after the act still may.
    """
    gap = draft.gap
    if gap is not None and later.gap != gap:
        _close(draft, gap)
    if later.is_behind:
        lose_sight(draft)


def _close(draft: Draft, gap: Gap) -> None:
    """Makes riichi and ippatsu sure again, but for a riichi of which people told and which either of two tiles made."""
    draft.missed_at, draft.unseen_from, draft.gap = gap.missed_at, None, None
    draft.late_indexes = (*draft.late_indexes, *range(gap.laid_count, len(draft.laid_tiles)))
    for seat in SEATS:
        riichi = draft.riichi[seat]
        if riichi.last_laid_index is not None or (riichi.may_be_later and ippatsu.has_discarded_since(draft, seat)):
            continue
        is_double = riichi.is_double or (riichi.may_be_double and draft.missed_at[seat] is None)
        riichi = replace(riichi, is_double=is_double, may_be_double=False, may_be_later=False)
        if riichi != draft.riichi[seat]:
            draft.riichi = replace_at(draft.riichi, seat, riichi)
    ippatsu.recompute_unsure(draft)


def _next_discarder(draft: Draft) -> Seat:
    """Returns the seat that discards next if nobody calls."""
    if draft.turn is not None:
        return draft.turn
    last = draft.claimable_tile
    if last is None:
        return draft.start.dealer
    return last.seat.next if last.kind is LaidKind.DISCARD else last.seat

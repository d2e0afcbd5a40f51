"""Gaps: play that may have gone unseen while the camera was away, and the proof that none did.

A discard that nobody saw is still in its river, or in the meld of its caller. So once every river and every meld
matches the record, no discard is missing. If no meld was made since the gap began, the order of the discards is known
as well, because the turns then followed one another: a go-round that went unseen is found as four more tiles in the
rivers. If nothing had been laid before the gap, a whole hand may have been played in it; then the proof needs a full
go-round since, beginning with the dealer. There is no proof if a meld was made since, because only people know its
place between the discards, nor if an indicator was turned for a kan that nobody saw.
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
    """Records that from here discards of any seat may go unseen; no effect once a win is claimed or play has ended."""
    if draft.phase is not Phase.PLAY:
        return
    if draft.gap is None:
        draft.gap = Gap(
            laid_count=len(draft.laid_tiles), seat=_next_discarder(draft), melds=draft.melds, missed_at=draft.missed_at
        )
    draft.unseen_from = len(draft.laid_tiles)
    draft.missed_at = four(len(draft.laid_tiles) for _ in SEATS)


def may_be_proven(hand: Draft | HandState) -> bool:
    """Whether the gap is proven to hide nothing as soon as every river and meld matches the record (see above)."""
    gap = hand.gap
    if gap is None or hand.phase is not Phase.PLAY or not (gap.laid_count or len(hand.laid_tiles) >= len(SEATS)):
        return False
    in_turn = (gap.seat.plus(count) for count in range(len(hand.laid_tiles) - gap.laid_count))
    is_in_turn = [tile.seat for tile in hand.laid_tiles[gap.laid_count :]] == list(in_turn)
    return is_in_turn and hand.melds == gap.melds and len(hand.dora_indicators) <= 1 + len(hand.kans)


def prove_seen(draft: Draft) -> None:
    """Closes the gap as if the camera had never been away, and resolves the doubts about riichi and ippatsu.

    Raises:
        ImpossibleEventError: there is no gap, or the tiles on the felt do not prove that it hides nothing.
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
    """Keeps what is known about the gap when the last act is taken back; `later` is the hand after that act.

    A gap that was closed since stays closed. A gap that began after the act stays open.
    """
    gap = draft.gap
    if gap is not None and later.gap != gap:
        _close(draft, gap)
    if later.is_behind:
        lose_sight(draft)


def _close(draft: Draft, gap: Gap) -> None:
    """Makes riichi and ippatsu certain again, except a reported riichi that one of several tiles may have declared."""
    draft.missed_at, draft.unseen_from, draft.gap = gap.missed_at, None, None
    draft.late_indexes = (*draft.late_indexes, *range(gap.laid_count, len(draft.laid_tiles)))
    for seat in SEATS:
        riichi = draft.riichi[seat]
        if riichi.last_laid_index is not None or (riichi.may_be_later and _has_laid_another(draft, seat)):
            continue
        is_double = riichi.is_double or (riichi.may_be_double and draft.missed_at[seat] is None)
        riichi = replace(riichi, is_double=is_double, may_be_double=False, may_be_later=False)
        if riichi != draft.riichi[seat]:
            draft.riichi = replace_at(draft.riichi, seat, riichi)
    ippatsu.recompute_unsure(draft)


def _has_laid_another(draft: Draft, seat: Seat) -> bool:
    """Whether the seat has laid another tile since the one that, on record, declared its riichi: seen or missed."""
    declared_at, missed_at = draft.riichi[seat].laid_index, draft.missed_at[seat]
    is_missed = declared_at is not None and missed_at is not None and missed_at > declared_at
    return is_missed or ippatsu.has_discarded_since(draft, seat)


def _next_discarder(draft: Draft) -> Seat:
    """Returns the seat that discards next if nobody calls."""
    if draft.turn is not None:
        return draft.turn
    last = draft.claimable_tile
    if last is None:
        return draft.start.dealer
    return last.seat.next if last.kind is LaidKind.DISCARD else last.seat

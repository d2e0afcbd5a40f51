"""Claimed wins: finds the tile, undoes what its passing had caused, and restores that if the claim is withdrawn."""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.aspects import ippatsu, turn
from table.rules.aspects.riichi import declaration, late_riichi
from table.rules.aspects.river import newest_laid
from table.rules.aspects.winning import resumed_play, unseen_wins
from table.rules.aspects.winning.shown_hand import judge
from table.rules.draft import Draft, replace_at
from table.rules.events import WinClaimed, WinKind
from table.rules.notation.event_notation import public_text
from table.rules.penalties.foul_effects import FALSE_WIN
from table.rules.state import Claim, LaidKind, LaidTile, Phase
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat


def claim_ron(draft: Draft, event: WinClaimed) -> Claim:
    """Claims a discard or kan tile; the consequences of its passing are undone (R13).

    If discards may have gone unseen since the newest tile on record, that tile is not assumed to be the winning one:
    people say who discarded the winning tile, and the shown hand says which tile it is.
    """
    if draft.is_behind:
        return _claim_unseen(draft, event)
    laid_tile = _target_tile(draft, event)
    if laid_tile.laid_index < len(draft.laid_tiles) - 1:
        draft.suspect("7-05-14", event.seat, "a ron was claimed after another tile had been laid")
    for other in draft.claims:
        if other.laid_tile is None or other.laid_tile.laid_index != laid_tile.laid_index:
            draft.suspect("7-05-15", other.seat, "wins were claimed on different tiles")
    same_tile_claims = tuple(
        claim
        for claim in draft.claims
        if claim.laid_tile is not None and claim.laid_tile.laid_index == laid_tile.laid_index
    )
    _keep_claims(draft, same_tile_claims)
    _undo_pass(draft, laid_tile)
    declaration.on_ron(draft, laid_tile)
    ippatsu.on_ron(draft)
    return Claim(
        seat=event.seat, kind=WinKind.RON, from_seat=laid_tile.seat, laid_tile=laid_tile, han=event.han, fu=event.fu
    )


def _claim_unseen(draft: Draft, event: WinClaimed) -> Claim:
    """Claims a tile that nobody saw; once one winner names the discarder, that holds for all.

    Raises:
        ImpossibleEventError: the discarder that is named wins too.
    """
    others = tuple(claim for claim in draft.claims if claim.kind is WinKind.RON and claim.seat is not event.seat)
    known_source = next((other.from_seat for other in others if other.from_seat is not None), None)
    source = known_source if event.from_seat is None else event.from_seat
    if (winner := next((other.seat for other in others if other.seat is source), None)) is not None:
        raise ImpossibleEventError(
            f"expected a ron on another seat's tile, got that of seat {int(winner)}, who wins too", says="own_ron"
        )
    if known_source not in (None, source) and claim_of(draft, event.seat) is None:
        for other in others:
            draft.suspect("7-05-15", other.seat, "wins were claimed on different tiles")
    _keep_claims(draft, tuple(replace(other, from_seat=source) for other in others))
    return Claim(seat=event.seat, kind=WinKind.RON, from_seat=source, han=event.han, fu=event.fu)


def _keep_claims(draft: Draft, rons: tuple[Claim, ...]) -> None:
    """Keeps only these rons; if there are none, stores the hand without any claim, in case the new one is withdrawn."""
    if not rons:
        restore_before_claims(draft)
        draft.before_ron = replace(draft.freeze())  # a copy, since the draft keeps changing
    hand_phase.keep_claims(draft, rons)


def claim_tsumo(draft: Draft, event: WinClaimed) -> Claim | None:
    """Claims the drawn tile; None while others claim the previous tile.

    Raises:
        ImpossibleEventError: another seat already claims its own draw.
    """
    if any(claim.kind is WinKind.RON for claim in draft.claims):
        draft.suspect("7-05-10", event.seat, "a tsumo was claimed although the previous tile was claimed")
        return None
    other = next((claim.seat for claim in draft.claims if claim.seat is not event.seat), None)
    if other is not None:
        raise ImpossibleEventError(
            f"expected one own draw at a time, got that of seat {int(event.seat)} beside that of seat {int(other)}",
            says="one_draw",
        )
    if draft.turn is not event.seat or draft.phase is Phase.ENDING:
        _restore_before_tsumo(draft)  # of the seat's own earlier claim, if play went on since
        draft.before_tsumo = replace(draft.freeze())
    turn.expect(draft, event.seat, "a tsumo was claimed")
    if not draft.has_drawn and not draft.is_behind:
        draft.suspect(FALSE_WIN, event.seat, "a tsumo was claimed right after a call")
    return Claim(seat=event.seat, kind=WinKind.TSUMO, from_seat=event.seat, han=event.han, fu=event.fu)


def add_claim(draft: Draft, claim: Claim) -> None:
    """Adds a claim; a seat's second claim replaces its first."""
    others = tuple(other for other in draft.claims if other.seat is not claim.seat)
    hand_phase.claim(draft, (*others, claim))
    if claim.han is not None and claim.han < draft.rules.han_needed(draft.start.honba):
        draft.suspect(FALSE_WIN, claim.seat, f"a win of {claim.han} han was claimed although two are needed")
    if (hand := draft.shown_hands[claim.seat]) is not None:
        judge(draft, claim, hand)


def withdraw(draft: Draft, seat: Seat) -> None:
    """Withdraws a claim; without any ron left, everything is as if none had been claimed.

    Raises:
        ImpossibleEventError: if the seat claims nothing.
    """
    claim = claim_of(draft, seat)
    if claim is None:
        raise ImpossibleEventError(f"expected a claimed win of seat {int(seat)} to take back, got none", says="no_win")
    hand_phase.withdraw(draft, seat)
    draft.values = replace_at(draft.values, seat, None)
    if draft.claims:
        return
    restore_before_claims(draft)
    if draft.shown_hands[seat] is not None:
        draft.suspect(FALSE_WIN, seat, "a win was withdrawn after the hand was shown")


def restore_before_claims(draft: Draft) -> None:
    """Restores what claims that no longer count had changed: as before a ron, and as before a tsumo."""
    _restore_before_ron(draft)
    _restore_before_tsumo(draft)


def _restore_before_ron(draft: Draft) -> None:
    """Restores riichi, ippatsu windows and the last tile's pass as before a ron that was withdrawn."""
    before, draft.before_ron = draft.before_ron, None
    if before is None:
        return
    ippatsu.on_ron_withdrawn(draft, declaration.on_ron_withdrawn(draft, before.riichi), before)
    if len(draft.laid_tiles) > len(before.laid_tiles) or draft.melds != before.melds:
        return
    unseen_wins.reopen_last(draft, before)
    hand_phase.await_abort(draft, before.pending_abort)
    if before.has_passed and not draft.has_passed:
        turn.redraw(draft, before)
    if before.phase is Phase.ENDING:
        hand_phase.end_as_before(draft, before)
    turn.draw_again(draft)


def _restore_before_tsumo(draft: Draft) -> None:
    """Restores the turn, and a draw or an abort, as before a tsumo out of turn or after the end of play."""
    before, draft.before_tsumo = draft.before_tsumo, None
    if before is None:
        return
    if resumed_play.has_gone_on(draft, before):
        resumed_play.restore(draft, before)
    elif len(draft.laid_tiles) == len(before.laid_tiles) and draft.melds == before.melds:
        turn.restore(draft, before)
        late_riichi.clear_doubts(draft)
        if before.phase is Phase.ENDING:
            hand_phase.end_as_before(draft, before)
        turn.draw_again(draft)


def drop_claims(draft: Draft) -> None:
    """Withdraws all claims, since people end the hand in another way, and raises suspicions about them."""
    for claim in draft.claims:
        draft.suspect(FALSE_WIN, claim.seat, "the hand was ended in another way while a win was claimed")
        withdraw(draft, claim.seat)


def claim_of(draft: Draft, seat: Seat) -> Claim | None:
    """Returns the seat's claim, if it has one."""
    return next((claim for claim in draft.claims if claim.seat is seat), None)


def is_claimed(draft: Draft, event: WinClaimed) -> bool:
    """Whether the seat claims this win already: on the newest tile or its own draw, and of the same value."""
    claim = claim_of(draft, event.seat)
    won_tiles = draft.laid_tiles[-1:] if event.kind is WinKind.RON else (None,)
    if claim is None or claim.kind is not event.kind or claim.laid_tile not in won_tiles or draft.is_behind:
        return False
    return (claim.han, claim.fu) == (event.han, event.fu) and event.from_seat in (None, claim.from_seat)


def _target_tile(draft: Draft, event: WinClaimed) -> LaidTile:
    if not draft.laid_tiles:
        raise ImpossibleEventError(
            f"expected a discard to win on, got none yet in {public_text(event)!r}", says="no_discard"
        )
    laid_tile = draft.laid_tiles[-1] if event.from_seat is None else newest_laid(draft, event.from_seat)
    if laid_tile is None:
        raise ImpossibleEventError(
            f"expected a discard of seat {event.from_seat} to win on, got none yet", says="no_discard"
        )
    if laid_tile.seat is event.seat:
        raise ImpossibleEventError(
            f"expected a ron on another seat's tile, got the own one of seat {int(event.seat)}", says="own_ron"
        )
    return laid_tile


def _undo_pass(draft: Draft, laid_tile: LaidTile) -> None:
    """Makes the last tile claimable again, and undoes the draw inferred from its passing."""
    current = draft.claimable_tile
    if current is None or current.laid_index != laid_tile.laid_index or not draft.has_passed:
        return
    if current.kind is LaidKind.DISCARD:
        turn.undraw(draft)
    hand_phase.open_again(draft)

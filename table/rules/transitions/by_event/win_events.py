"""Applies claims of wins, their withdrawal, and hands that are laid open."""

from __future__ import annotations

from table.rules import events
from table.rules.aspects import calls, exhaustive_draw, furiten, tile_copies
from table.rules.aspects.riichi import late_riichi
from table.rules.aspects.winning import claims, shown_hand, unseen_wins
from table.rules.draft import Draft, replace_at
from table.rules.fouls import foul_hand_end, foul_log, punished_acts
from table.rules.state import Claim, Phase
from table.rules.terms.tiles import Tile
from table.rules.transitions import aborts, hand_end, missing_facts
from table.rules.transitions.unclaimed_tile import let_pass


def claim_win(draft: Draft, event: events.WinClaimed | events.WinWithdrawn) -> None:
    """Applies the claim of a win, or its withdrawal."""
    if isinstance(event, events.WinWithdrawn):
        claims.withdraw(draft, event.seat)
        _follow_unseen_win(draft)
        if draft.phase is Phase.PLAY:
            aborts.find_pending_abort(draft)
            furiten.announce_all(draft)
        return
    if draft.fouls and not punished_acts.may_claim(draft, event):
        return
    if claims.is_claimed(draft, event):
        return  # said again, as by a press after the hand was seen: what follows from it was said too
    late_riichi.drop_assumed(draft)
    if event.kind is events.WinKind.RON:
        claim: Claim | None = claims.claim_ron(draft, event)
    else:
        let_pass(draft)
        claim = claims.claim_tsumo(draft, event)
    if claim is not None:
        voided = foul_hand_end.voided_wins(draft)
        claims.add_claim(draft, claim)
        _follow_unseen_win(draft)
        foul_hand_end.say_voided_wins(draft, voided)


def show_hand(draft: Draft, event: events.HandShown) -> None:
    """Applies a hand that is laid open: for a win, as tenpai, or for all to see."""
    claim = claims.claim_of(draft, event.seat)
    if (earlier := draft.shown_hands[event.seat]) is not None:
        tile_copies.remove(draft, _newly_visible_tiles(earlier, claim))
    claim = unseen_wins.find_robbed_kan(draft, event)
    calls.lay_reported_melds(draft, event, earlier)
    tile_copies.add(draft, _newly_visible_tiles(event, claim))
    draft.shown_hands = replace_at(draft.shown_hands, event.seat, event)
    _follow_unseen_win(draft)
    if event.seat not in draft.openers:
        draft.openers = (*draft.openers, event.seat)
    if claim is not None:
        shown_hand.judge(draft, claim, event)
    elif draft.phase is Phase.ENDING:
        exhaustive_draw.on_hand_shown(draft, event)
    if draft.phase is Phase.ENDING or (claim is not None and claim.kind is events.WinKind.TSUMO):
        punished_acts.check_shown_hand(draft, event)
    missing_facts.refresh(draft)
    if foul_log.reconsider(draft):
        hand_end.propose_penalty(draft)


def _newly_visible_tiles(hand: events.HandShown, claim: Claim | None) -> tuple[Tile, ...]:
    """Returns the shown tiles that were not visible before, without the ronned tile."""
    is_ron = claim is not None and claim.laid_tile is not None
    return hand.tiles if hand.winning_tile is None or is_ron else (*hand.tiles, hand.winning_tile)


def _follow_unseen_win(draft: Draft) -> None:
    """Lets the last tile on record pass if a ron on an unseen tile shows that nobody won on it; else reopens it."""
    before = draft.riichi
    unseen_wins.reopen_last(draft, draft.before_ron)
    if unseen_wins.has_last_passed(draft):
        let_pass(draft)
    if draft.riichi != before:
        draft.values = (None,) * 4

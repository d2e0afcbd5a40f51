"""Applies events about riichi: sticks, announcements, and reports afterwards."""

from __future__ import annotations

from table.rules import events
from table.rules.aspects import furiten
from table.rules.aspects.riichi import declaration, late_riichi, open_riichi
from table.rules.aspects.winning import unseen_wins
from table.rules.draft import Draft
from table.rules.state import Phase
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from table.rules.transitions import aborts, missing_facts
from table.rules.transitions.unclaimed_tile import let_pass


def declare(
    draft: Draft,
    event: events.StickPlaced
    | events.StickTakenBack
    | events.RiichiVoiced
    | events.RiichiOpened
    | events.RiichiReported,
) -> None:
    """Applies an event about a seat's riichi."""
    seat = event.seat
    if isinstance(event, events.RiichiReported):
        if not _let_lost_declaration_pass(draft, seat):
            late_riichi.report_riichi(draft, seat)
        _let_own_declaration_pass(draft, seat)
        _follow_reported_riichi(draft, seat)
    elif isinstance(event, events.RiichiOpened):
        open_riichi.on_riichi_opened(draft, event)
    elif isinstance(event, events.RiichiVoiced):
        declaration.on_riichi_voiced(draft, seat)
    elif isinstance(event, events.StickTakenBack):
        if not draft.sticks[seat]:
            raise ImpossibleEventError(f"expected a stick of seat {int(seat)} to take back, got none")
        declaration.on_stick_taken_back(draft, seat)
    else:
        declaration.on_stick_placed(draft, seat)
        _let_lost_declaration_pass(draft, seat)
        _let_own_declaration_pass(draft, seat)
        aborts.settle_pending(draft)
        missing_facts.refresh(draft)


def _follow_reported_riichi(draft: Draft, seat: Seat) -> None:
    """Applies the consequences of a riichi reported afterwards: a fourth riichi aborts, furiten is announced."""
    if draft.phase is Phase.PLAY and draft.riichi[seat].laid_index is not None:
        aborts.find_pending_abort(draft)
        aborts.settle_pending(draft)
    furiten.announce_all(draft)
    missing_facts.refresh(draft)


def _let_own_declaration_pass(draft: Draft, seat: Seat) -> None:
    """Lets the seat's declaration tile pass, since its stick or people's word shows that nobody ronned it (R12)."""
    last = draft.claimable_tile
    if draft.phase is Phase.PLAY and last is not None and draft.riichi[seat].laid_index == last.laid_index:
        let_pass(draft)
        furiten.announce_all(draft)


def _let_lost_declaration_pass(draft: Draft, seat: Seat) -> bool:
    """Lets a declaration tile before unseen play pass, since people or its stick show that nobody won on it.

    Returns:
        Whether a ron on an unseen tile had left that open.
    """
    if not unseen_wins.is_declaration_open(draft, seat):
        return False
    unseen_wins.note_last_passed(draft)
    if not draft.sticks[seat]:
        declaration.on_stick_placed(draft, seat)
    let_pass(draft)
    missing_facts.refresh(draft)
    return True

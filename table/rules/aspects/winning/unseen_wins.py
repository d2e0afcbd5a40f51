"""Rons on a tile that nobody saw: whether they show that the last tile on record has passed.

That tile has passed if another seat dealt in, its own seat won, or the win was on another tile. Otherwise it may be the
winning tile, and people are asked whether a riichi declared with it stands (R11, R13).
"""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.aspects import turn
from table.rules.aspects.riichi import declaration
from table.rules.draft import Draft
from table.rules.events import HandShown, WinKind
from table.rules.state import Claim, HandState, LaidTile
from table.rules.terms.seats import Seat


def has_last_passed(draft: Draft) -> bool:
    """Whether the claimed rons show that nobody won on the last tile on record; it may be open again since."""
    last = draft.claimable_tile
    return last is not None and any(_is_on_another(draft, claim, last) for claim in _unseen_rons(draft))


def reopen_last(draft: Draft, before: HandState | None) -> None:
    """Opens the last tile on record again if only rons on an unseen tile let it pass since `before`."""
    last = draft.claimable_tile
    if before is None or not draft.is_behind or not draft.has_passed or before.has_passed or last is None:
        return
    hand_phase.open_again(draft)
    turn.restore(draft, before)
    declaration.restore_unpassed(draft, last.seat, before.riichi[last.seat])


def note_last_passed(draft: Draft) -> None:
    """Records for good that the last tile passed, by people's word or its stick, even if the rons are withdrawn."""
    reopen_last(draft, draft.before_ron)
    if draft.before_ron is not None:
        draft.before_ron = replace(draft.before_ron, has_passed=True)


def is_declaration_open(draft: Draft, seat: Seat) -> bool:
    """Whether the last tile on record declares the seat's riichi while rons on an unseen tile are claimed."""
    last = draft.claimable_tile
    if last is None or last.seat is not seat or not any(_unseen_rons(draft)):
        return False
    before = draft.before_ron
    is_reported = before is not None and before.has_passed
    return draft.riichi[seat].is_declared and draft.riichi[seat].laid_index == last.laid_index and not is_reported


def declarations_unclear(draft: Draft) -> tuple[Seat, ...]:
    """Returns the seat that dealt in with either its riichi tile or a later tile that nobody saw; empty if none."""
    sources = {claim.from_seat for claim in _unseen_rons(draft)}
    last = draft.claimable_tile
    is_open = last is not None and not draft.has_passed and last.seat in sources
    return (last.seat,) if last is not None and is_open and is_declaration_open(draft, last.seat) else ()


def find_robbed_kan(draft: Draft, shown_hand: HandShown) -> Claim | None:
    """Returns the claim of the shown hand; it claims the kan seen last if that kan holds all four of its winning tiles.

    No fifth copy can have been discarded unseen, so the kan was robbed.
    """
    claim = next((own_claim for own_claim in draft.claims if own_claim.seat is shown_hand.seat), None)
    last = draft.claimable_tile
    if claim is None or claim.kind is not WinKind.RON or not draft.is_behind or last is None:
        return claim
    winning_tile = shown_hand.winning_tile
    is_robbed = (
        last.kind.is_kan and winning_tile is not None and winning_tile.is_known and winning_tile.kind == last.tile.kind
    )
    if is_robbed and claim.from_seat in (None, last.seat):
        corrected = replace(claim, laid_tile=last, from_seat=last.seat)
    else:
        corrected = replace(claim, laid_tile=None)
    if corrected != claim:
        hand_phase.keep_claims(draft, tuple(corrected if other is claim else other for other in draft.claims))
        reopen_last(draft, draft.before_ron)
    return corrected


def _unseen_rons(draft: Draft) -> tuple[Claim, ...]:
    """Returns the claimed rons on a tile that may be unseen."""
    if not draft.is_behind:
        return ()
    return tuple(claim for claim in draft.claims if claim.kind is WinKind.RON and claim.laid_tile is None)


def _is_on_another(draft: Draft, claim: Claim, last: LaidTile) -> bool:
    if claim.seat is last.seat or claim.from_seat not in (None, last.seat):
        return True
    shown_hand = draft.shown_hands[claim.seat]
    winning_tile = None if shown_hand is None else shown_hand.winning_tile
    return (
        winning_tile is not None
        and winning_tile.is_known
        and last.tile.is_known
        and winning_tile.kind != last.tile.kind
    )

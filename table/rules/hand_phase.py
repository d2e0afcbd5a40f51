"""What several aspects move, in one place: the phase, the tile that may be claimed, the claims on it, and an abort.

Each function is one step of a hand; aspects, transitions and fouls call it beside what is their own.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.draft import Draft
from table.rules.state import Claim, Claimable, HandState, Phase
from table.rules.terms.results import AbortReason, Settlement
from table.rules.terms.seats import Seat


def lay(draft: Draft, laid: Claimable) -> None:
    """Lays a tile that others may claim; until it has passed it is nobody's turn."""
    draft.claimable, draft.has_passed, draft.turn = laid, False, None


def take_away(draft: Draft) -> None:
    """Takes the last tile away from those who might claim it: it was called."""
    draft.claimable, draft.has_passed = None, False


def note_pass(draft: Draft) -> None:
    """Notes that nobody claims the last tile."""
    draft.has_passed = True


def open_again(draft: Draft) -> None:
    """Lets the last tile be claimed again: a ron takes its pass back."""
    draft.has_passed, draft.turn = False, None


def claim(draft: Draft, claims: tuple[Claim, ...]) -> None:
    """Lets these wins stand as claimed: whatever else was about to end the hand does not."""
    draft.claims, draft.phase = claims, Phase.CLAIMED
    draft.abort = draft.pending = draft.proposal = None
    draft.missing = ()


def know_anew(draft: Draft, laid: Claimable) -> None:
    """Puts a tile that lies already in the place of what was known of it, for those who may claim it or do."""
    if draft.claimable is not None and draft.claimable.place == laid.place:
        draft.claimable = laid
    draft.claims = tuple(
        replace(claim, laid=laid) if claim.laid is not None and claim.laid.place == laid.place else claim
        for claim in draft.claims
    )


def keep_claims(draft: Draft, claims: tuple[Claim, ...]) -> None:
    """Keeps only these of the claims; the phase stays."""
    draft.claims = claims


def withdraw(draft: Draft, seat: Seat) -> None:
    """Takes the seat's claim away; without any other, the hand is played on."""
    draft.claims = tuple(each for each in draft.claims if each.seat is not seat)
    draft.proposal, draft.missing = None, ()
    if not draft.claims:
        draft.phase = Phase.PLAY


def await_abort(draft: Draft, reason: AbortReason | None) -> None:
    """Notes the abort that comes once the last tile has passed; None where none does."""
    draft.pending = reason


def end(draft: Draft, abort: AbortReason | None) -> None:
    """Ends play by an abort, or by the used up wall; until it is confirmed, a ron can still take it back."""
    draft.phase, draft.abort = Phase.ENDING, abort
    if abort is not None:
        draft.pending = None


def end_as(draft: Draft, before: HandState) -> None:
    """Ends play as it had ended before a ron that fell."""
    draft.phase, draft.abort, draft.abort_by = before.phase, before.abort, before.abort_by


def end_as_told(draft: Draft, claims: tuple[Claim, ...], abort: AbortReason | None) -> None:
    """Ends play by what people say: wins, an abort, or the used up wall."""
    draft.phase = Phase.CLAIMED if claims else Phase.ENDING
    draft.claims, draft.abort = claims, abort


def play_on(draft: Draft) -> None:
    """Takes a draw or an abort back; claimed wins stay claimed."""
    if draft.phase is Phase.ENDING:
        draft.phase, draft.abort = Phase.CLAIMED if draft.claims else Phase.PLAY, None


def call_off(draft: Draft, reason: AbortReason) -> None:
    """Takes back that abort, whether it came about or is awaited: its condition is gone."""
    if draft.pending is reason:
        draft.pending = None
    if draft.abort is reason:
        draft.phase, draft.abort = Phase.PLAY, None


def settle(draft: Draft, settlement: Settlement) -> None:
    """Closes the hand: nothing in it can be claimed, put back or asked for any more."""
    draft.phase, draft.proposal, draft.missing = Phase.SETTLED, settlement, ()
    draft.turn = draft.claimable = draft.before = draft.before_ron = draft.pending = None
    draft.has_passed = False


def unsettle(draft: Draft) -> None:
    """Opens a settled hand again as it ended, to settle it anew."""
    draft.phase = Phase.CLAIMED if draft.claims else Phase.ENDING

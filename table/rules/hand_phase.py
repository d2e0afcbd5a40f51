"""Changes the state that several aspects share: the phase, the claimable tile, the claims, and aborts.

Each function is one step of a hand, called by aspects, transitions and fouls.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.draft import Draft
from table.rules.state import Claim, HandState, LaidTile, Phase
from table.rules.terms.results import AbortReason, Settlement
from table.rules.terms.seats import Seat


def lay(draft: Draft, laid_tile: LaidTile) -> None:
    """Lays a tile that others may claim; it is nobody's turn until it has passed."""
    draft.claimable_tile, draft.has_passed, draft.turn = laid_tile, False, None


def take_away(draft: Draft) -> None:
    """Makes the last tile unclaimable, since it was called."""
    draft.claimable_tile, draft.has_passed = None, False


def note_pass(draft: Draft) -> None:
    """Records that nobody claims the last tile."""
    draft.has_passed = True


def open_again(draft: Draft) -> None:
    """Makes the last tile claimable again, since a ron undoes its pass."""
    draft.has_passed, draft.turn = False, None


def claim(draft: Draft, claims: tuple[Claim, ...]) -> None:
    """Records these wins as claimed; any other pending end of the hand is dropped."""
    draft.claims, draft.phase = claims, Phase.CLAIMED
    draft.abort = draft.pending_abort = draft.proposal = None
    draft.missing = ()


def replace_reading(draft: Draft, laid_tile: LaidTile) -> None:
    """Replaces the claimable tile by its corrected reading, also in claims."""
    if draft.claimable_tile is not None and draft.claimable_tile.laid_index == laid_tile.laid_index:
        draft.claimable_tile = laid_tile
    draft.claims = tuple(
        replace(claim, laid_tile=laid_tile)
        if claim.laid_tile is not None and claim.laid_tile.laid_index == laid_tile.laid_index
        else claim
        for claim in draft.claims
    )


def keep_claims(draft: Draft, claims: tuple[Claim, ...]) -> None:
    """Keeps only these claims, without changing the phase."""
    draft.claims = claims


def withdraw(draft: Draft, seat: Seat) -> None:
    """Removes the seat's claim, and an abort that was called because of it; without any other claim, play continues."""
    draft.claims = tuple(other for other in draft.claims if other.seat is not seat)
    draft.proposal, draft.missing, draft.abort = None, (), None
    draft.phase = Phase.CLAIMED if draft.claims else Phase.PLAY


def await_abort(draft: Draft, reason: AbortReason | None) -> None:
    """Records the abort that is pending until the last tile has passed, or None."""
    draft.pending_abort = reason


def end(draft: Draft, abort: AbortReason | None, *, is_watched: bool = False) -> None:
    """Ends play by an abort or an exhausted wall; until confirmed, a ron can still undo it."""
    draft.phase, draft.abort, draft.is_draw_watched = Phase.ENDING, abort, is_watched
    if abort is not None:
        draft.pending_abort = None


def end_as_before(draft: Draft, before: HandState) -> None:
    """Ends play as before a ron that was withdrawn."""
    draft.phase, draft.abort, draft.abort_by = before.phase, before.abort, before.abort_by


def end_as_declared(draft: Draft, claims: tuple[Claim, ...], abort: AbortReason | None) -> None:
    """Ends play as people declared: by wins, an abort, or an exhausted wall."""
    draft.phase = Phase.CLAIMED if claims else Phase.ENDING
    draft.claims, draft.abort = claims, abort


def play_on(draft: Draft) -> None:
    """Undoes a draw or an abort, also one with a proposed settlement; claimed wins stay claimed."""
    if draft.phase is Phase.ENDING:
        draft.phase, draft.abort = Phase.CLAIMED if draft.claims else Phase.PLAY, None
        drop_proposal(draft)


def call_off(draft: Draft, reason: AbortReason) -> None:
    """Cancels this abort, pending or not, since its condition is gone."""
    if draft.pending_abort is reason:
        draft.pending_abort = None
    if draft.abort is reason:
        draft.phase, draft.abort = Phase.PLAY, None
        drop_proposal(draft)


def drop_proposal(draft: Draft) -> None:
    """Drops a proposed settlement, unless a foul ends the hand.

    What was asked stays asked, since a tile that is found late comes before the same end.
    """
    if draft.proposal is not None and draft.proposal.penalty is None:
        draft.proposal = None


def settle(draft: Draft, settlement: Settlement) -> None:
    """Closes the hand: nothing can be claimed or put back any more, and nothing is missing."""
    draft.phase, draft.proposal, draft.missing = Phase.SETTLED, settlement, ()
    draft.turn = draft.claimable_tile = draft.before_act = draft.before_ron = draft.before_tsumo = (
        draft.pending_abort
    ) = None
    draft.has_passed = False


def unsettle(draft: Draft, phase: Phase) -> None:
    """Reopens a settled hand at its end, in the phase in which it was settled, to settle it again."""
    draft.phase = phase

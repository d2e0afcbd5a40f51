"""Pend, then settle: what follows once nobody claims a tile any more.

Draws cannot be seen and rules have no clock, so a tile passes by what excludes a claim: a next discard, kan or tsumo,
the declarer's stick laid after it, or people's word. It is an inference: a ron can take it back (see `aspects.wins`).
"""

from __future__ import annotations

from table.rules import hand_phase
from table.rules.aspects import dora, ippatsu, riichi, turn
from table.rules.draft import Draft
from table.rules.state import Claimable, LaidKind
from table.rules.transitions import aborts


def let_pass(draft: Draft) -> None:
    """Lets the last tile pass, if one lies there that has not."""
    laid = draft.claimable
    if laid is None or draft.has_passed:
        return
    hand_phase.note_pass(draft)
    riichi.passes(draft, laid)
    ippatsu.opens(draft, laid)
    ippatsu.kan_passes(draft, laid)
    dora.passes(draft, laid)
    if laid.kind is LaidKind.DISCARD:
        turn.draws(draft, laid.seat.next)
    else:
        turn.draws_replacement(draft, laid.seat)
    ippatsu.comes_round(draft, draft.turn)
    if laid.kind is LaidKind.DISCARD:
        aborts.settle_pending(draft)


def let_called_pass(draft: Draft, laid: Claimable) -> None:
    """Settles what waited for the last tile not to be ronned, since it was called."""
    ippatsu.declaration_called(draft, laid)
    riichi.passes(draft, laid)
    dora.passes(draft, laid)

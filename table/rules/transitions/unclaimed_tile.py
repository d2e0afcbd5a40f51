"""Pend, then settle: the effects of a tile's passing unclaimed.

Draws cannot be seen and the rules have no clock, so a tile passes by an act that excludes a claim: the next discard,
kan or tsumo, the declarer's stick placed after it, or people's word. The pass is inferred, so a ron can undo it (see
`aspects.winning.claims`). Whether it also ends the hand depends on that act (see `aborts`).
"""

from __future__ import annotations

from table.rules import hand_phase
from table.rules.aspects import dora, ippatsu, turn
from table.rules.aspects.riichi import declaration
from table.rules.draft import Draft
from table.rules.state import Claimable, LaidKind


def let_pass(draft: Draft) -> None:
    """Lets the last tile pass, unless it has already passed."""
    laid = draft.claimable
    if laid is None or draft.has_passed:
        return
    hand_phase.note_pass(draft)
    declaration.on_pass(draft, laid)
    ippatsu.on_pass(draft, laid)
    ippatsu.on_kan_pass(draft, laid)
    dora.on_pass(draft, laid)
    if laid.kind is LaidKind.DISCARD:
        turn.draws(draft, laid.seat.next)
    else:
        turn.draws_replacement(draft, laid.seat)
    ippatsu.comes_round(draft, draft.turn)


def let_called_pass(draft: Draft, laid: Claimable) -> None:
    """Settles what waited for the last tile not to be ronned, since it was called."""
    ippatsu.declaration_called(draft, laid)
    declaration.on_pass(draft, laid)
    dora.on_pass(draft, laid)

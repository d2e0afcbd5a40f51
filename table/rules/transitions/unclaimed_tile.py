"""Pend, then settle: applies the effects of a tile that passes unclaimed.

Draws cannot be seen and the rules have no clock, so a tile passes by an act that excludes a claim: the next discard,
kan or tsumo, the declarer's stick placed after it, or people's word. The pass is inferred, so a ron can undo it (see
`aspects.winning.claims`). Whether it also ends the hand depends on that act (see `aborts`).
"""

from __future__ import annotations

from table.rules import hand_phase
from table.rules.aspects import dora, ippatsu, turn
from table.rules.aspects.riichi import declaration
from table.rules.draft import Draft
from table.rules.state import LaidKind, LaidTile


def let_pass(draft: Draft) -> None:
    """Lets the last tile pass, unless it has already passed."""
    laid_tile = draft.claimable_tile
    if laid_tile is None or draft.has_passed:
        return
    hand_phase.note_pass(draft)
    declaration.on_pass(draft, laid_tile)
    ippatsu.on_pass(draft, laid_tile)
    ippatsu.on_kan_pass(draft, laid_tile)
    dora.on_pass(draft, laid_tile)
    if laid_tile.kind is LaidKind.DISCARD:
        turn.draw(draft, laid_tile.seat.next)
    else:
        turn.draw_replacement(draft, laid_tile.seat)
    ippatsu.on_turn(draft, draft.turn)


def let_called_pass(draft: Draft, called_tile: LaidTile) -> None:
    """Settles everything that waited for the last tile not to be ronned, since it was called."""
    ippatsu.on_declaration_called(draft, called_tile)
    declaration.on_pass(draft, called_tile)
    dora.on_pass(draft, called_tile)

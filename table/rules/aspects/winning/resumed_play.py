"""Play that went on from before a tsumo out of turn: once that is withdrawn, no turn was passed over.

This is known if only discards were laid since, in turn from the seat that was to discard before the tsumo, and no more
than could be drawn. There is no such proof if play had gone unseen before, or if a meld was made since.

The module replays what the ordinary transitions do for discards and their passing, so a later rule on discards must be
added here, too.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import dora, ippatsu, turn
from table.rules.aspects.riichi import late_riichi
from table.rules.aspects.river import replace_laid
from table.rules.draft import Draft
from table.rules.foul_totals import all_extra_draws
from table.rules.state import HandState, Phase


def has_gone_on(draft: Draft, before: HandState) -> bool:
    """Whether play went on in turn from `before`, the hand before the tsumo."""
    if before.phase is not Phase.PLAY or before.turn is None or before.has_gap:
        return False
    is_same = (draft.unseen_from, draft.melds) == (before.unseen_from, before.melds)
    since = draft.laid_tiles[len(before.laid_tiles) :]
    in_turn = [before.turn.plus(count) for count in range(len(since))]
    left = before.tiles_left + all_extra_draws(before.fouls) - all_extra_draws(draft.fouls)
    could_draw = len(since) - 1 <= left  # the first of them had been drawn
    return bool(since) and is_same and could_draw and [tile.seat for tile in since] == in_turn


def restore(draft: Draft, before: HandState) -> None:
    """Restores what follows from the turns, for now and for claims on the tiles laid since, as if all had been seen."""
    first = len(before.laid_tiles)
    earlier, since = draft.laid_tiles[:first], draft.laid_tiles[first:]
    left = before.tiles_left + all_extra_draws(before.fouls)
    draft.dora_due = before.dora_due
    for count, laid_tile in enumerate(since):
        left -= bool(count)
        dora.on_discard(draft)
        replace_laid(draft, replace(laid_tile, tiles_left_without_fouls=left, dora_due=draft.dora_due))
        if laid_tile is not since[-1] or draft.has_passed:
            dora.on_pass(draft, laid_tile)
    draft.tiles_left = left - all_extra_draws(draft.fouls)
    draft.missed_at, draft.turn = before.missed_at, None
    late_riichi.clear_doubts(draft)
    ippatsu.recompute_all(draft)
    draft.laid_tiles = (*earlier, *draft.laid_tiles[first:])
    turn.draw_again(draft)

"""Counts the visible copies of each tile, which cannot exceed those in the set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.rules.draft import Draft
from table.rules.ruleset import Ruleset
from table.rules.terms.amounts import amount
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.tiles import KIND_TILES, Tile

RED_FIVES: Final = {4: 34, 13: 35, 22: 36}
"""The index of each kind's red copies in `HandState.counts`."""
UNREAD_INDEX: Final = 37
"""The index of unread tiles in `HandState.counts`."""


def add(draft: Draft, tiles: Sequence[Tile]) -> None:
    """Counts newly visible tiles.

    Raises:
        ImpossibleEventError: for more copies than the set has.
    """
    for tile in tiles:
        draft.counts = with_tile(draft.counts, tile)
        if tile.kind in RED_FIVES:
            _check_five(draft.counts, tile, draft.rules)
        elif tile.kind >= 0 and draft.counts[tile.kind] > 4:
            count = draft.counts[tile.kind]
            raise ImpossibleEventError(f"expected at most 4 copies of {tile}, got {count} on the table")


def with_tile(counts: Sequence[int], tile: Tile) -> tuple[int, ...]:
    """Returns the counts with one more tile."""
    increased = list(counts)
    increased[tile.kind if tile.kind >= 0 else UNREAD_INDEX] += 1
    if tile.is_red:
        increased[RED_FIVES[tile.kind]] += 1
    return tuple(increased)


def remove(draft: Draft, tiles: Sequence[Tile]) -> None:
    """Removes tiles from the count."""
    counts = list(draft.counts)
    for tile in tiles:
        counts[tile.kind if tile.kind >= 0 else UNREAD_INDEX] -= 1
        if tile.is_red:
            counts[RED_FIVES[tile.kind]] -= 1
    draft.counts = tuple(counts)


def _check_five(counts: Sequence[int], tile: Tile, ruleset: Ruleset) -> None:
    reds = ruleset.reds["mps"[tile.kind // 9]]
    red = counts[RED_FIVES[tile.kind]]
    allowed, count = (reds, red) if tile.is_red else (4 - reds, counts[tile.kind] - red)
    if count > allowed:
        text = tile.text if tile.is_red else KIND_TILES[tile.kind].text
        copies = amount(allowed, "copy")
        raise ImpossibleEventError(f"expected at most {copies} of {text} in this set, got {count} on the table")

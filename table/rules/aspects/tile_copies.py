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
    counts = list(draft.counts)
    for tile in tiles:
        kind = tile.kind
        counts[kind if kind >= 0 else UNREAD_INDEX] += 1
        if kind in RED_FIVES:
            counts[RED_FIVES[kind]] += tile.is_red
            _check_five(counts, tile, draft.rules)
        elif kind >= 0 and counts[kind] > 4:
            raise ImpossibleEventError(f"expected at most 4 copies of {tile}, got {counts[kind]} on the table")
    draft.counts = tuple(counts)


def remove(draft: Draft, tiles: Sequence[Tile]) -> None:
    """Removes tiles from the count."""
    counts = list(draft.counts)
    for tile in tiles:
        counts[tile.kind if tile.kind >= 0 else UNREAD_INDEX] -= 1
        if tile.is_red:
            counts[RED_FIVES[tile.kind]] -= 1
    draft.counts = tuple(counts)


def _check_five(counts: list[int], tile: Tile, ruleset: Ruleset) -> None:
    reds = ruleset.reds["mps"[tile.kind // 9]]
    red = counts[RED_FIVES[tile.kind]]
    allowed, count = (reds, red) if tile.is_red else (4 - reds, counts[tile.kind] - red)
    if count > allowed:
        text = tile.text if tile.is_red else KIND_TILES[tile.kind].text
        copies = amount(allowed, "copy")
        raise ImpossibleEventError(f"expected at most {copies} of {text} in this set, got {count} on the table")

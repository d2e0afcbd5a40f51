"""A pon of 5m that is taken up again, part by part, with its caller's discard."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import Zone

BACK: Final = ("meld", "called", "discard")
"""What goes back of a void pon and its caller's discard."""


def without_meld(table: FeltByHand, side: int) -> FeltByHand:
    """Takes the tiles of the only meld of a side away, and looks."""
    left = tuple(tile for tile in table.felt.tiles if (tile.side, tile.zone) != (side, Zone.MELD))
    return table.observe(replace(table.felt, tiles=left))


def go_back(table: FeltByHand, part: str) -> FeltByHand:
    """Takes up a part of seat 2's pon of 5m from seat 0 and of its discard 9p."""
    if part == "meld":
        return without_meld(table, 2)
    if part == "discard":
        return table.take(2)
    left = tuple(tile for tile in table.felt.tiles if (tile.side, tile.zone) != (2, Zone.MELD) or not tile.is_sideways)
    table.felt = replace(table.felt, tiles=left)
    return table.lay(0, Zone.RIVER, "5m")

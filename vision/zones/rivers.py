"""Finds out in whose river a tile lies, and in which order a river's tiles were laid.

Rows run left to right for their owner and the first one is nearest the centre; they hold six, the third one more.
Measured tables show what is reliable: rows are 27-29 mm apart but tilt by up to 4 degrees and begin up to two tiles
apart, so columns mean nothing; rivers of neighbours come as near as their corners; a called tile leaves no gap, since
the next discard takes its place. A tile near a diagonal of the table belongs to the row that it continues, or else to
the side for which it is upright.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.geometry.sides import SIDES, RestingTile, TileFromSide, seen_from, split_rows

_ACROSS_COST: Final = 1.2
"""The cost of assuming that a tile lies sideways."""
_BEYOND_DIAGONAL_MM: Final = 25.0
"""Distance beyond the diagonal next to a side that adds 1 to a tile's cost for this side."""
_CLEAR: Final = 1.0
"""A tile's side is clear if the second-cheapest side costs this much more."""
_LINKED: Final = 1.5
"""The cost that a tile saves by continuing a row of a side."""
_NOBODYS: Final = 3.0
"""A tile whose cheapest side costs more than this lies in nobody's river."""
_NEAREST_ROW_MM: Final = 42.0
"""Distance from the centre below which a tile's cost rises: no row lies there."""
_FARTHEST_ROWS: Final = 1.3
"""Neighbouring rows of a river lie less than this many tile heights apart."""


def assign_sides(tiles: Sequence[RestingTile], size: TileSize) -> dict[int, int | None]:
    """Returns, by id, whose river each of these tiles lies in; None for nobody's."""
    costs = {tile.id: _costs(tile) for tile in tiles}
    sides: dict[int, int | None] = {}
    waiting: list[RestingTile] = []
    for tile in tiles:
        best, second = sorted(costs[tile.id])[:2]
        if second - best > _CLEAR:
            sides[tile.id] = _cheapest(costs[tile.id])
        else:
            waiting.append(tile)
    assigned = [tile for tile in tiles if tile.id in sides]
    while waiting:
        tile, side = _next(waiting, assigned, sides, costs, size)
        sides[tile.id] = side
        waiting.remove(tile)
        assigned.append(tile)
    for side in SIDES:
        river = [seen_from(tile, side) for tile in tiles if sides[tile.id] == side]
        sides |= dict.fromkeys(_inside(river, size))
    return sides


def _inside(river: Sequence[TileFromSide], size: TileSize) -> list[int]:
    """Returns the id of a lone find nearer to the centre than a river's first row, in a list; else an empty one.

    A river's first row is full before the second begins, so such a find is a display of the centre unit, or lies among
    the sticks.
    """
    parts = split_rows([(seen.out, seen) for seen in river], gap=_FARTHEST_ROWS * size.height_mm)
    return [seen.tile.id for seen in parts[0]] if len(parts) > 1 and len(parts[0]) == 1 < len(parts[1]) else []


def _next(
    waiting: list[RestingTile],
    assigned: list[RestingTile],
    sides: dict[int, int | None],
    costs: Mapping[int, Sequence[float]],
    size: TileSize,
) -> tuple[RestingTile, int | None]:
    """Returns the waiting tile with the lowest cost for any side, and that side; None for nobody's river."""
    best: tuple[float, RestingTile, int | None] | None = None
    for tile in waiting:
        linked = [
            cost - _LINKED * _continues_row(tile, side, assigned, sides, size)
            for side, cost in enumerate(costs[tile.id])
        ]
        lowest = min(linked)
        if best is None or lowest < best[0]:
            best = (lowest, tile, _cheapest(linked))
    if best is None:
        raise ValueError("expected a waiting tile, got none")
    return best[1], best[2]


def _cheapest(costs: Sequence[float]) -> int | None:
    lowest = min(costs)
    return None if lowest > _NOBODYS else costs.index(lowest)


@lru_cache(maxsize=512)  # most tiles have not moved since the last look
def _costs(tile: RestingTile) -> tuple[float, ...]:
    """Returns the cost of assigning a tile to each side's river."""
    return tuple(_cost(seen_from(tile, side)) for side in SIDES)


def _cost(seen: TileFromSide) -> float:
    """Returns the cost of assigning a tile to this side's river: 0 where it fits well, more where it fits badly."""
    beyond = max(0.0, abs(seen.right) - 0.95 * seen.out) / _BEYOND_DIAGONAL_MM
    if seen.right > 0 and seen.out > 100:
        beyond *= 0.5  # only a third row continues beyond six, and only to the right
    inside = max(0.0, _NEAREST_ROW_MM - seen.out) / 6.0
    return (_ACROSS_COST if seen.is_sideways else 0.0) + beyond + inside


def _continues_row(
    tile: RestingTile, side: int, assigned: list[RestingTile], sides: dict[int, int | None], size: TileSize
) -> bool:
    """Returns whether a tile lies beside the end of a row of this side."""
    tile_seen = seen_from(tile, side)
    half, _ = tile_seen.half_extents(size)
    for other in assigned:
        if sides[other.id] != side:
            continue
        other_seen = seen_from(other, side)
        gap = abs(tile_seen.right - other_seen.right) - half - other_seen.half_extents(size)[0]
        if abs(gap) < 0.4 * size.width_mm and abs(tile_seen.out - other_seen.out) < 0.35 * size.height_mm:
            return True
    return False


def laying_order(tiles: Sequence[RestingTile], side: int, size: TileSize) -> list[TileFromSide]:
    """Returns the tiles of one river in the order in which they were laid, as its owner sees them."""
    if not tiles:
        return []
    seen_tiles = [seen_from(tile, side) for tile in tiles]
    tilt = float(np.median([wrap(seen.lean, period=90) for seen in seen_tiles]))
    straight = turn([[seen.right, -seen.out] for seen in seen_tiles], -tilt)
    rows = split_rows([(-y, seen) for (_, y), seen in zip(straight, seen_tiles, strict=True)], gap=0.5 * size.height_mm)
    along = {seen.tile.id: x for (x, _), seen in zip(straight, seen_tiles, strict=True)}
    return [seen for row in rows for seen in sorted(row, key=lambda seen: along[seen.tile.id])]

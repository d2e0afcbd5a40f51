"""Strips of known tables where a stick, or something that looks like one, is likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.training.studio.strips.stick_strips import KnownTable
from vision.arrays import Floats
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.reading.locator import Locator
from vision.reading.sticks.spots import Spot
from vision.reading.sticks.stick_places import stick_spots

_READ: Final = 45
"""How many of the strips that the reader reads first are used at once, at most."""
_SIDES: Final = 60
"""The number of strips along sides of tiles."""
_SIDE_MM: Final = (10.0, 50.0)
"""How far a strip is moved off a side (standard deviation: a wall's height), and at most along it (half a stick)."""
_ASKEW: Final = 0.2
"""The fraction of these strips that lie in any direction."""


def read_first(table: KnownTable, locator: Locator) -> list[Spot]:
    """Returns the strips of a table that its reader reads first: where sticks may be."""
    size = table.image.shape[1], table.image.shape[0]
    view = TopView(calibrate(table.corners, size=size, side_mm=table.side_mm), height_mm=TileSize().depth_mm)
    picture = view.picture(table.image)
    return stick_spots(picture, locator.locate(picture, tile_px=21.0 * view.px_per_mm), view)


def likely_spots(table: KnownTable, first: Sequence[Spot]) -> list[Spot]:
    """Returns places for training strips, new each time.

    They are those of `KnownTable.spots` twice, places near some of those that the reader reads first, and the sides of
    tiles, which look like sticks.
    """
    rng = table.rng
    chosen = [first[n] for n in rng.permutation(len(first))[:_READ]]
    sides = [_side(table.tiles[rng.integers(len(table.tiles))], rng) for _ in range(_SIDES if table.tiles else 0)]
    return [*table.spots(), *table.spots(), *(near_spot(spot, rng) for spot in chosen), *sides]


def _side(quad: Floats, rng: np.random.Generator) -> Spot:
    """Returns a strip near a side of a tile, mostly parallel to it."""
    start, (off_mm, along) = int(rng.integers(4)), _SIDE_MM
    one, other = quad[start], quad[(start + 1) % 4]
    direction = (other - one) / np.linalg.norm(other - one)
    x, y = (one + other) / 2 + rng.uniform(-along, along) * direction + rng.normal(0, off_mm, 2)
    lean = rng.uniform(0, 180) if rng.random() < _ASKEW else rng.normal(0, 3)
    return Spot(float(x), float(y), float(np.degrees(np.arctan2(direction[1], direction[0])) + lean))


def near_spot(spot: Spot, rng: np.random.Generator) -> Spot:
    """Returns a strip near another one."""
    (right, up), lean = rng.normal(0, 3, 2), rng.normal(0, 2)
    return Spot(spot.x + float(right), spot.y + float(up), spot.degrees + float(lean))

"""Strips of tables with crowds of sticks, also where the reader itself looks for sticks and there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from models.training.studio.random_deals import MANY_STRAYS, random_table
from models.training.studio.stick_strips import SIDES, KnownTable, taught_sticks
from models.training.traced.laid_sticks import laid
from models.training.traced.stick_crowds import crowded
from models.training.traced.views import placed
from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Scene
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.reading.locator import Locator
from vision.reading.stick_places import stick_spots
from vision.reading.strips import Spot

_VIEWS: Final = {"square": 0.4, "25-35": 0.25, "35-50": 0.35}
"""The shares of tables in a square picture from above, and from beside them."""
_READ: Final = 45
"""At most so many strips at once where the reader looks first."""
_SIDES: Final = 10
"""So many along sides of tiles."""


class CrowdedTable(KnownTable):
    """A drawn table from above or from beside it, with crowds of sticks."""

    def __init__(self, seed: int) -> None:
        """Draws the table of a seed; seeds from `HELD_OUT` on are for evaluation."""
        rng = np.random.default_rng([seed, 0xC20D])
        view = str(rng.choice(list(_VIEWS), p=list(_VIEWS.values())))
        if view == "square":
            side = int(rng.choice(SIDES))
            appearance = Appearance.random(seed, width_px=side, height_px=side)
        else:
            appearance = placed(Appearance.random(seed), view, rng)
        scene = random_table(rng, appearance, strays=int(rng.choice([1, MANY_STRAYS])))
        if rng.random() < 0.6:
            sticks = laid(appearance, scene.tiles, scene.sticks, rng).sticks
            scene = Scene(tiles=scene.tiles, sticks=sticks, arms=scene.arms)
        if rng.random() < 0.8:
            scene = crowded(appearance, scene, rng)
        super().__init__(
            np.asarray(Renderer(appearance).render(scene), np.uint8),
            corners=np.asarray(corners_px(appearance), np.float64),
            side_mm=appearance.felt_mm,
            sticks=taught_sticks(scene, appearance),
            rng=rng,
        )


def read_first(table: KnownTable, locator: Locator) -> list[Spot]:
    """Returns the strips of a table that its reader reads first: where sticks may be, and where none is."""
    size = table.image.shape[1], table.image.shape[0]
    view = TopView(calibrate(table.corners, size=size, side_mm=table.side_mm), height_mm=TileSize().depth_mm)
    picture = view.picture(table.image)
    return stick_spots(picture, locator.locate(picture, tile_px=21.0 * view.px_per_mm), view)


def likely_spots(table: KnownTable, first: Sequence[Spot]) -> list[Spot]:
    """Returns places for training strips, new each time.

    They are those of `KnownTable.spots` twice, near some of those that the reader reads first, and along the sides of
    tiles, which look like sticks.
    """
    rng = table.rng
    some = [first[n] for n in rng.permutation(len(first))[:_READ]]
    sides = [_side(table.tiles[rng.integers(len(table.tiles))], rng) for _ in range(_SIDES if table.tiles else 0)]
    return [*table.spots(), *table.spots(), *(_moved(spot, rng) for spot in some), *sides]


def _side(quad: Floats, rng: np.random.Generator) -> Spot:
    """Returns a strip along a side of a tile."""
    start = int(rng.integers(4))
    one, other = quad[start], quad[(start + 1) % 4]
    right, up = other - one
    x, y = (one + other) / 2 + rng.normal(0, 4, 2)
    return Spot(float(x), float(y), float(np.degrees(np.arctan2(up, right)) + rng.normal(0, 2)))


def _moved(spot: Spot, rng: np.random.Generator) -> Spot:
    """Returns a strip near another one."""
    (right, up), lean = rng.normal(0, 3, 2), rng.normal(0, 2)
    return Spot(spot.x + float(right), spot.y + float(up), spot.degrees + float(lean))

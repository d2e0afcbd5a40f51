"""Melds as they lie along a rail, and a locator's looks at them."""

from __future__ import annotations

from math import hypot

import numpy as np

from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.geometry.plane_geometry import turn, wrap
from vision.geometry.rectify import TopView
from vision.watching.detection import Detection
from vision.watching.looks.tile_looks import TileLooks
from vision.watching.refinement.neighbours import PlacedTile
from vision.zones.table_zones import Zones

TABLE = Appearance(width_px=400, height_px=400)
SIZE = TABLE.tile_size
ZONES = Zones(side_mm=TABLE.felt_mm, size=SIZE)
HALF = (SIZE.width_mm / 2, SIZE.height_mm / 2)


def row(*tiles: str, start: float = 150.0, out: float = 330.0, turned_deg: float = 0.0) -> list[PlacedTile]:
    """Touching tiles along a rail, from the left; `~` marks a turned one, which shares their edge toward the player."""
    tiles_found: list[PlacedTile] = []
    for tile in tiles:
        is_turned = tile.endswith("~")
        extent, other = (SIZE.height_mm, SIZE.width_mm) if is_turned else (SIZE.width_mm, SIZE.height_mm)
        ((x, y),) = turn([[start + extent / 2, -out - (SIZE.height_mm - other) / 2]], turned_deg)
        angle = wrap(turned_deg + 90.0 * is_turned, period=180)
        place = Detection(x_mm=float(x), y_mm=float(y), angle_deg=angle, half_mm=HALF)
        tiles_found.append(PlacedTile(place, tile.rstrip("~")))
        start += extent
    return tiles_found


def lies_as(one: Detection, other: Detection) -> bool:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < 0.5 and one.lean_to(other) < 5


def view_of(table: Appearance) -> TopView:
    return TopView(calibration_of(table), height_mm=SIZE.depth_mm)


def looks_at(found: list[PlacedTile], view: TopView) -> TileLooks:
    places = [place for place, _ in found]
    quads = view.from_felt(np.stack([place.corners() for place in places])).reshape(-1, 4, 2)
    return TileLooks(quads=quads, scores=np.full(len(places), 0.7, np.float32), detections=places)

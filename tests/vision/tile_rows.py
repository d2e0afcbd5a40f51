"""Places of tiles in a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.rectify import TopView
from vision.watching.detection import Detection
from vision.watching.looks.tile_looks import TileLooks


def row_of_places(
    rights: Sequence[float], size: TileSize, *, side_deg: float = 0.0, y_mm: float = -110.0
) -> list[Detection]:
    """Returns places so many tile widths along a row, which is turned by so many degrees."""
    half = (size.width_mm / 2, size.height_mm / 2)
    middles = turn([[right * size.width_mm, y_mm] for right in rights], side_deg)
    return [Detection(x_mm=float(x), y_mm=float(y), angle_deg=side_deg, half_mm=half) for x, y in middles]


def rights_of(places: Sequence[Detection], size: TileSize, side_deg: float = 0.0) -> list[float]:
    """Returns how many tile widths along their row the places lie, from left to right."""
    middles = turn([[place.x_mm, place.y_mm] for place in places], -side_deg)
    return sorted((middles[:, 0] / size.width_mm).round(2).tolist())


def looks_at(places: Sequence[Detection], view: TopView) -> TileLooks:
    """Returns the looks of a view in which tiles are found there."""
    quads = view.from_felt(np.stack([place.corners() for place in places])).reshape(-1, 4, 2)
    return TileLooks(quads=quads, scores=np.full(len(places), 0.6, np.float32), detections=list(places))

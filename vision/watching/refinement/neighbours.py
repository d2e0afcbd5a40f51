"""How tiles lie relative to one another: in a row, side by side, or overlapping as no two tiles do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.watching.detection import ASKEW_DEG, Detection

_OFF: Final = 0.3
"""How far a tile may be found from its place in a row of touching tiles, in tile widths."""
_OVERLAP: Final = 0.7
"""Two places overlap if, along both axes, their middles are nearer than this share of touching tiles'."""


class PlacedTile(NamedTuple):
    """Where a tile lies, and its face."""

    place: Detection
    face: str
    """`back` for one that lies face down."""


def tiles_near(place: Detection, tiles: Iterable[PlacedTile], most_mm: float) -> list[PlacedTile]:
    """Returns the tiles whose middles are nearer than `most_mm` to that of `place`, itself among them."""
    return [tile for tile in tiles if hypot(tile.place.x_mm - place.x_mm, tile.place.y_mm - place.y_mm) < most_mm]


def place_in_row(other: Detection, steps: float, size: TileSize) -> Detection:
    """Returns the place of a tile in one row with another, `steps` of its widths to the right; below 0, to the left."""
    return place_beside(other, np.array([steps * size.width_mm, 0.0]), size, is_turned=False)


def place_beside(other: Detection, away_mm: Floats, size: TileSize, *, is_turned: bool) -> Detection:
    """Returns the place of a tile `away_mm` to the right of another and above it, parallel to that or turned."""
    (x, y), angle_deg = turn(away_mm[None], other.angle_deg)[0], other.angle_deg
    if is_turned:
        angle_deg = wrap(angle_deg + 45.0, period=180) + 45.0
    half_mm = (size.width_mm / 2, size.height_mm / 2)
    return Detection(x_mm=other.x_mm + float(x), y_mm=other.y_mm + float(y), angle_deg=angle_deg, half_mm=half_mm)


def row_offsets(tiles: Sequence[Detection], places: Sequence[Detection], size: TileSize) -> tuple[Floats, Floats, Mask]:
    """Returns how many tile widths each place lies to the right of each tile and above it, and whether parallel.

    Each is of shape [tiles, places]; right and above are as the tile lies.
    """
    (x, y, angle_deg), (to_x, to_y, to_deg) = (
        np.array([(place.x_mm, place.y_mm, place.angle_deg) for place in group]).reshape(-1, 3).T
        for group in (tiles, places)
    )
    away_x, away_y = (to_x - x[:, None]) / size.width_mm, (to_y - y[:, None]) / size.width_mm
    cosine, sine = np.cos(np.radians(angle_deg))[:, None], np.sin(np.radians(angle_deg))[:, None]
    lean = (to_deg - angle_deg[:, None] + 90) % 180 - 90
    return away_x * cosine + away_y * sine, away_y * cosine - away_x * sine, np.abs(lean) < ASKEW_DEG


def row_beside(place: Detection, others: Sequence[Detection], size: TileSize) -> dict[int, list[int]]:
    """Returns the indexes of those others that lie in a row of touching tiles with `place`, by steps from it.

    A step is one tile's width, to the right as `place` lies; to the left, steps are below 0.
    """
    (right,), (up,), (is_parallel,) = row_offsets([place], others, size)
    steps = np.round(right)
    row: dict[int, list[int]] = {}
    for index in np.flatnonzero(is_parallel & (np.hypot(right - steps, up) < _OFF)).tolist():
        row.setdefault(int(steps[index]), []).append(index)
    return row


def do_overlap(one: Detection, other: Detection, share: float = _OVERLAP) -> bool:
    """Returns whether two places, along one another or across, overlap as no two tiles do.

    Their middles are nearer than this share of touching tiles', along both axes.
    """
    if hypot(other.x_mm - one.x_mm, other.y_mm - one.y_mm) > one.half_mm[1] + other.half_mm[1]:
        return False
    ((right, up),) = one.offsets_of([other])
    across, along = other.half_mm if one.lean_to(other) < 45 else other.half_mm[::-1]
    return bool(abs(right) < share * (one.half_mm[0] + across) and abs(up) < share * (one.half_mm[1] + along))

"""Keeps the camera blind to standing hands: decides, before anything is read, what may be read.

The law: the faces of standing hands are never classified, whatever the camera could see. Geometry enforces this, not
trust in a model. A lying tile shows, on the plane of the tiles' faces, a full face of about 20 x 26.5 mm. A standing
tile shows its narrow top, and below it the side facing the camera. For a camera above the table that is the back,
without a glyph; only a camera behind the owner sees faces. So in the band along a rail

1. a quad is read only if its measures are those of a lying tile's face: a standing tile's top is too small, and its
   face, seen from over the table, too short; and
2. where a hand stands, nothing at all is read if the camera stands so far behind its owner that a standing face, alone
   or with its top, could measure like a lying one.

Elsewhere no tiles stand. Excluded quads are dropped: they are not read, tracked, stored or shown.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import TileSize, as_float64, wrap
from vision.geometry.sides import nearest_side, shows_faces, side_coordinates
from vision.zones.table_zones import Zones

_LEAST_LONG: Final = 0.87
"""A lying face's measured long side is at least this share of a tile's; that of a standing tile's top is shorter."""
_LEAST_SHORT: Final = 0.7
"""The same for the short side, which says less: touching tiles are measured less well, and tops are almost as wide."""
_MOST_SHARE: Final = 1.28
"""Neither measured side of a lying face is longer than this share of a tile's."""
_HAND_SPAN: Final = 0.6
"""Hands stand within this share of half a side's length to the left and right of its middle; melds lie beyond."""
_WIDTHS_LEFT: Final = 9.6
_WIDTHS_RIGHT: Final = 8.6
"""Large tiles on a small table reach farther: fourteen side by side stand within so many widths of the middle, and on
the left, where no melds of the owner lie, a little farther."""


def may_be_read(quads_mm: npt.ArrayLike, *, camera_mm: Floats, zones: Zones) -> Mask:
    """Returns which quads [N, 4, 2], in millimetres on the plane of the tiles' faces, are not standing tiles.

    Corners 0 and 1 are on a short side; `camera_mm` is the camera's position, shape [3].
    """
    quads = as_float64(quads_mm).reshape(-1, 4, 2)
    return np.array([_may_be_read(quad, camera_mm, zones) for quad in quads], dtype=np.bool_)


def _may_be_read(quad: Floats, camera_mm: Floats, zones: Zones) -> bool:
    x, y = (float(value) for value in quad.mean(axis=0))
    if not zones.is_by_rail(x, y):
        return True
    if not _is_lying_face(quad, zones.size):
        return False
    side = nearest_side(x, y)
    right, out = side_coordinates(x, y, side)
    half_span = _HAND_SPAN * zones.side_mm / 2
    left, right_end = (max(half_span, widths * zones.size.width_mm) for widths in (_WIDTHS_LEFT, _WIDTHS_RIGHT))
    return not (-left < right < right_end and shows_faces(out, side, camera_mm, zones.size))


def _is_lying_face(quad: Floats, size: TileSize) -> bool:
    short = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    long = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    across, along = short / size.width_mm, long / size.height_mm
    return bool(_LEAST_SHORT < across < _MOST_SHARE and _LEAST_LONG < along < _MOST_SHARE)


def lean_of(quad_mm: Floats) -> float:
    """Returns the angle in degrees of a quad's glyph top, as `vision.felt` counts angles; 0 points to +y."""
    up = quad_mm[0] + quad_mm[1] - quad_mm[2] - quad_mm[3]
    return wrap(float(np.degrees(np.arctan2(-up[0], up[1]))))

"""How clearly a supposed tile differs from what lies beyond its sides: bare cloth goes on there in the same colour."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32, Image
from vision.reading.known_tiles import lab_of

_DEPTHS: Final = (0.1, 0.15, 0.2)
"""How far from a side colours are compared, inside and outside, as shares of the tile's length in that direction."""


def edges_of(image: Image, quad: Floats32) -> Floats:
    """Returns how much the colours on both sides of each side of a quad [4, 2] differ, [4] in CIE Lab.

    The first side is that from the first corner to the second, the next one begins there. NaN where the picture, in
    BGR, does not show what lies beyond.
    """
    return np.array([_edge(image, np.roll(quad, -side, axis=0)) for side in range(4)], np.float64)


def _edge(image: Image, quad: Floats32) -> float:
    """Returns how much the colours on both sides of a quad's first side [4, 2] differ."""
    start, end = quad[0], quad[1]
    inwards = (quad[2] + quad[3] - start - end) / 2
    line = start + (end - start) * np.linspace(0.15, 0.85, 15)[:, None]
    inner, outer = (np.concatenate([line + sign * depth * inwards for depth in _DEPTHS]) for sign in (1, -1))
    if outer.min() < 0 or (outer > np.array(image.shape[1::-1]) - 1).any():
        return float("nan")
    inside, outside = _colour(image, inner), _colour(image, outer)
    return float(np.linalg.norm(inside - outside))


def _colour(image: Image, points: Floats) -> Floats:
    """Returns the median colour of these points [N, 2] of the photo, [3] in CIE Lab."""
    height, width = image.shape[:2]
    column, row = np.rint(points).astype(np.intp).clip(0, (width - 1, height - 1)).T
    return np.asarray(np.median(lab_of(image[row, column][None])[0], axis=0), np.float64)

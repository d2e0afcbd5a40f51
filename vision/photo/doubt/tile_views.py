"""The view of a tile in a photo, its size and angle: how many pixels a millimetre of it takes in each direction.

Tiles that lie or stand beside each other have the same view, however each is turned. A field of a board, an app, the
side of a tile or half a face that reads like a tile mostly has another view than the tiles beside it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32
from vision.reading.reader import HEIGHT, WIDTH

_NONE: Final = 1e-9
"""Added to the squares of lengths, so that no view is flat."""


def views_of(quads: Floats32) -> Floats:
    """Returns the view [N, 2, 2] of each quad [N, 4, 2], whose first side is a short one; a turn does not change it."""
    across, down = mean_sides(np.asarray(quads, np.float64))
    return np.asarray(_squares(across) + _squares(down * WIDTH / HEIGHT) + _NONE * np.eye(2), np.float64)


def mean_sides(quads: Floats) -> tuple[Floats, Floats]:
    """Returns the mean side across and down of quads [..., 4, 2]: [..., 2] each."""
    first, second, third, fourth = np.moveaxis(quads, -2, 0)
    return (second - first + third - fourth) / 2, (fourth - first + third - second) / 2


def view_differences(view: Floats, others: Floats) -> Floats:
    """Returns by how much other views [M, 2, 2] differ from one [2, 2]: the largest logarithm of a ratio of lengths."""
    ratios = np.linalg.eigvals(np.linalg.solve(others, np.broadcast_to(view, others.shape))).real
    return np.asarray(np.abs(np.log(np.maximum(ratios, _NONE))).max(axis=1, initial=0.0) / 2, np.float64)


def _squares(sides: Floats) -> Floats:
    return np.asarray(sides[:, :, None] * sides[:, None, :], np.float64)

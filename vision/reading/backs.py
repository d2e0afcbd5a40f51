"""Compares backs with one another: all backs on a table look alike, and most lie in the rows of walls."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image, Mask
from vision.confidence import BACK_FOUND
from vision.geometry.quads import long_sides, short_sides
from vision.reading.reader import HEIGHT, WIDTH, crops

UNLIKE: Final = 20.0
"""CIE Lab distance between two backs that light alone cannot explain."""
_ONE_LAMP: Final = np.array([1.275, 1.0, 1.0])
"""Weights of the distance within one picture, where all backs are under one lamp."""
NEXT: Final = (0.75, 1.3)
"""The least and the greatest distance to the middle of the next back in a row, in tile widths."""
_ALIGNED: Final = 0.3
"""How far the middle of the next back may lie off the row, in tile lengths."""


def colour_of(crop: Image) -> Floats32:
    """Returns the colour of the middle of a crop [64, 48, 3] in CIE Lab, [3]."""
    middle = crop[HEIGHT // 4 : -HEIGHT // 4, WIDTH // 4 : -WIDTH // 4].astype(np.float32) / 255
    mean = middle.mean(axis=(0, 1), dtype=np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(mean, cv2.COLOR_BGR2LAB)[0, 0], np.float32)


def odd_backs(image: Image, quads: Floats32, scores: Floats32) -> Mask:
    """Returns which of the backs at `quads` [N, 4, 2] of a BGR picture look unlike all those found surely.

    `scores` [N] are the locator's. If it is sure of none, there is nothing to compare with, and no back is odd.
    """
    is_sure = scores >= BACK_FOUND
    if not is_sure.any():
        return np.zeros(len(scores), np.bool_)
    colours = np.array([colour_of(crop) for crop in crops(image, quads)]) * _ONE_LAMP
    distances = np.linalg.norm(colours[:, None] - colours[is_sure][None], axis=2).min(axis=1)
    return np.asarray(~is_sure & (distances >= UNLIKE), np.bool_)


def continuing_rows(quads: Floats32, is_back: Mask, may_be_back: Mask, is_likely: Mask) -> Mask:
    """Returns which possible backs among the `quads` [N, 4, 2] continue a row of backs, directly or through others.

    The last back of a row must be likely, because the shadow at the end of a wall may have the backs' colour too.
    """
    is_aligned, right = row_alignment(quads)
    is_next = is_aligned & (np.abs(right) > NEXT[0]) & (np.abs(right) < NEXT[1])
    row = is_back | may_be_back
    while (ends := row & ~(is_back | is_likely) & ~_lie_between(is_next[:, row], right[:, row])).any():
        row &= ~ends
    reached = is_back.copy()
    while (new := row & ~reached & is_next[:, reached].any(axis=1)).any():
        reached |= new
    return np.asarray(reached & ~is_back, np.bool_)


def row_alignment(quads: Floats32) -> tuple[Mask, Floats32]:
    """Returns which of the `quads` [N, 4, 2] lie in one row with each other, side by side, [N, N].

    Row i of the second matrix [N, N] holds how far each quad's middle lies to the right of quad i's, in its widths.
    """
    middles, width, length = quads.mean(axis=1), short_sides(quads), long_sides(quads)
    sideways = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2 / np.maximum(width, 1e-6)[:, None]
    offsets = middles[None] - middles[:, None]
    right = (offsets * sideways[:, None]).sum(axis=2) / np.maximum(width, 1e-6)[:, None]
    off_row = np.abs(offsets[..., 0] * sideways[:, None, 1] - offsets[..., 1] * sideways[:, None, 0])
    return np.asarray(off_row < _ALIGNED * length[:, None], np.bool_), np.asarray(right, np.float32)


def _lie_between(is_next: Mask, right: Floats32) -> Mask:
    """Returns which tiles have others next to them on both sides, from matrices of tiles by others."""
    return np.asarray((is_next & (right > 0)).any(axis=1) & (is_next & (right < 0)).any(axis=1), np.bool_)

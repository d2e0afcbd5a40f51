"""Distinguishes a stick that lies across others from a gap between them, by the colour of the ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Image, Mask

_AS_STICKS: Final = 0.35
"""A stick differs from the ground by at least this share of the difference of the sticks around it."""
_OUTLINE_PX: Final = 2
"""A margin this wide along an outline belongs to neither side."""
_GROUND_PX: Final = 6, 22
"""The ground of a stick lies this far from it."""
_LEAST_PX: Final = 40
"""Fewer pixels of a stick, or of its ground, decide nothing."""


def shows_ground(strip: Image, quad: Floats, others: Sequence[Floats]) -> bool:
    """Returns whether the visible part of a possible stick among others is the ground, or too small to tell.

    Args:
        strip: a BGR picture.
        quad: the outline [4, 2] of the possible stick, in pixels of the strip.
        others: the outlines of the sticks found.
    """
    size = strip.shape[0], strip.shape[1]
    found, possible = _filled(others, size), _filled([quad], size)
    visible = _grown(possible, -_OUTLINE_PX) & ~_grown(found, 1)
    ground = _grown(possible, _GROUND_PX[1]) & ~_grown(possible, _GROUND_PX[0]) & ~_grown(found, 3)
    sticks = _grown(found, -_OUTLINE_PX)
    if min(int(part.sum()) for part in (visible, ground, sticks)) < _LEAST_PX:
        return True
    colours = strip.astype(np.float32)
    middle = np.median(colours[ground], axis=0)
    differs = [float(np.median(np.linalg.norm(colours[part] - middle, axis=1))) for part in (visible, sticks)]
    return differs[0] < _AS_STICKS * differs[1]


def _filled(quads: Sequence[Floats], size: tuple[int, int]) -> Mask:
    mask = np.zeros(size, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
    return mask.astype(np.bool_)


def _grown(mask: Mask, pixels: int) -> Mask:
    """Returns a mask grown by that many pixels on each side, or shrunk if the number is negative."""
    square = np.ones((2 * abs(pixels) + 1, 2 * abs(pixels) + 1), np.uint8)
    change = cv2.dilate if pixels > 0 else cv2.erode
    return np.asarray(change(mask.astype(np.uint8), square), np.bool_)

"""Quads in a picture held against each other: [N, 4, 2], clockwise, corners 0 and 1 on a short side."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats32, Mask


def across(quads: Floats32) -> Floats32:
    """The length of the short sides, [N]."""
    return np.asarray(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1), np.float32)


def along(quads: Floats32) -> Floats32:
    """The length of the long sides, [N]."""
    return np.asarray(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1), np.float32)


def areas_of(quads: Floats32) -> Floats32:
    """Square pixels, [N]."""
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2, np.float32)


def near(quads: Floats32) -> Mask:
    """Which two are so close that one may cover the other, [N, N]."""
    middles, reach = quads.mean(axis=1), 0.6 * along(quads)
    away = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    return np.asarray(away < np.maximum(reach[:, None], reach[None]), np.bool_)


def covers(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Whether two cannot both be tiles: they share almost half of the smaller."""
    return _shared(quads, first, second) > 0.45 * float(min(areas[first], areas[second]))


def is_same(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Whether two are one place seen twice: they share most of what they cover together."""
    shared = _shared(quads, first, second)
    return shared > 0.7 * float(areas[first] + areas[second] - shared)


def _shared(quads: Floats32, first: int, second: int) -> float:
    return float(cv2.intersectConvexConvex(quads[first], quads[second])[0])

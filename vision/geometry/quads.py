"""Compares quads in a picture: [N, 4, 2], clockwise, corners 0 and 1 on a short side."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats32, Mask


def short_sides(quads: Floats32) -> Floats32:
    """Returns the length of the short sides, [N]."""
    return np.asarray(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1), np.float32)


def long_sides(quads: Floats32) -> Floats32:
    """Returns the length of the long sides, [N]."""
    return np.asarray(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1), np.float32)


def areas_of(quads: Floats32) -> Floats32:
    """Returns the areas in square pixels, [N]."""
    one, other = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2, np.float32)


def are_close(quads: Floats32) -> Mask:
    """Returns which pairs of quads are so close that they may overlap, [N, N]."""
    (x, y), squared_reach = quads.mean(axis=1).T.copy(), (0.6 * long_sides(quads)) ** 2
    squared_distances = np.subtract.outer(x, x) ** 2 + np.subtract.outer(y, y) ** 2
    return np.asarray(squared_distances < np.maximum.outer(squared_reach, squared_reach), np.bool_)


def covers(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Returns whether two quads cannot both be tiles, since they share almost half of the smaller one."""
    return _shared_area(quads, first, second) > 0.45 * float(min(areas[first], areas[second]))


def is_same(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Returns whether two quads are the same place found twice, since they share most of their combined area."""
    shared_area = _shared_area(quads, first, second)
    return shared_area > 0.7 * float(areas[first] + areas[second] - shared_area)


def _shared_area(quads: Floats32, first: int, second: int) -> float:
    return float(cv2.intersectConvexConvex(quads[first], quads[second])[0])

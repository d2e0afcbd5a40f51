"""Compares quads in a picture: [N, 4, 2], clockwise, corners 0 and 1 on a short side."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Mask

_LEAST_ROLL: Final = 14.0
"""Quads rolled by fewer degrees count as straight: upright ones in a row that slants look like that, too."""
_ONE_DIRECTION: Final = 0.6
"""Quads have one direction if the weighted mean of their fourfold directions, each of length 1, is as long as this."""
_ROWS: Final = 64
"""How many quads are compared with all others at once: their distances fit into a processor's cache."""


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
    return _are_close_to(quads, quads)


def _are_close_to(quads: Floats32, others: Floats32) -> Mask:
    """Returns which of the others [M, 4, 2] may overlap each quad [N, 4, 2], [N, M]."""
    (x, y), squared_reach = quads.mean(axis=1).T.copy(), (0.6 * long_sides(quads)) ** 2
    (other_x, other_y), other_reach = others.mean(axis=1).T.copy(), (0.6 * long_sides(others)) ** 2
    squared_distances = np.subtract.outer(x, other_x) ** 2 + np.subtract.outer(y, other_y) ** 2
    return np.asarray(squared_distances < np.maximum.outer(squared_reach, other_reach), np.bool_)


def close_pairs(quads: Floats32) -> npt.NDArray[np.intp]:
    """Returns the pairs of quads that may overlap, [K, 2]: the later index first, in ascending order.

    These are the pairs of `are_close`, of which never more than a few rows are computed at once.
    """
    parts = [np.zeros((0, 2), np.intp)]
    for start in range(0, len(quads), _ROWS):
        end = start + _ROWS
        pairs = np.argwhere(_are_close_to(quads[start:end], quads[:end])) + (start, 0)
        parts.append(pairs[pairs[:, 1] < pairs[:, 0]])
    return np.concatenate(parts)


def common_roll(quads: Floats32, weights: Floats32) -> float:
    """Returns by how many degrees, -45 to 45, the sides of most quads are rolled clockwise; those by 60 count as -30.

    0 if it is less than `_LEAST_ROLL`, or if the quads, with these weights [N], do not have one direction.
    """
    sides = np.stack([quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 1]])
    # Fourfold angles are the same for all four sides of a rectangle.
    sum_of_directions = (weights * np.exp(4j * np.arctan2(sides[..., 1], sides[..., 0]))).sum()
    degrees = float(np.degrees(np.angle(sum_of_directions))) / 4
    is_one_direction = abs(sum_of_directions) >= _ONE_DIRECTION * 2 * weights.sum()
    return degrees if is_one_direction and abs(degrees) >= _LEAST_ROLL else 0.0


def covers(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Returns whether two quads cannot both be tiles, since they share almost half of the smaller one."""
    return _shared_area(quads, first, second) > 0.45 * float(min(areas[first], areas[second]))


def is_same(quads: Floats32, areas: Floats32, first: int, second: int) -> bool:
    """Returns whether two quads are the same place found twice, since they share most of their combined area."""
    shared_area = _shared_area(quads, first, second)
    return shared_area > 0.7 * float(areas[first] + areas[second] - shared_area)


def _shared_area(quads: Floats32, first: int, second: int) -> float:
    return float(cv2.intersectConvexConvex(quads[first], quads[second])[0])

"""Finds the places in and at the ends of rows of tiles where another tile may lie.

Tiles of a hand lie or stand side by side. A haku without a frame shows hardly an edge there, so it is easily missed,
and the frame of another may be taken for its edge.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32, Mask
from vision.geometry.quads import areas_of
from vision.photo.doubt.tile_views import mean_sides, view_differences, views_of

_SEEN_ALIKE: Final = 0.25
"""The most by which the views of two tiles of one row may differ, as a logarithm."""
_STEPS: Final = (0.8, 1.15)
"""The distance of neighbours in a row, in widths: quads of faces are not exact."""
_BESIDE_ROW: Final = 0.15
"""The most by which a tile may lie before or behind its neighbour, in heights."""
_OWN: Final = 0.25
"""A tile's own place is one whose middle is at most this far from its own, in square roots of its area."""


def places_in_rows(quads: Floats32) -> Floats32:
    """Returns where other tiles may lie between tiles with these quads [N, 4, 2] or beside them, as quads [K, 4, 2].

    One or two may be missing between two tiles; these places come first. Some of the places may be taken.
    """
    if not len(quads):
        return quads
    turned = _turned_as(quads[None], quads[:, None])
    across, down = mean_sides(np.asarray((quads[:, None] + turned) / 2, np.float64))
    distance = np.asarray(turned.mean(axis=2) - quads.mean(axis=1)[:, None], np.float64)
    area = np.maximum(np.abs(_cross(across, down)), 1e-6)
    widths, heights = np.abs(_cross(distance, down)) / area, np.abs(_cross(across, distance)) / area
    near, middle, far = (
        _seen_alike(
            quads, (widths > steps * _STEPS[0]) & (widths < steps * _STEPS[1]) & (heights < steps * _BESIDE_ROW)
        )
        for steps in (1, 2, 3)
    )
    middle = np.triu(middle)  # both orders give the same place
    first = np.broadcast_to(quads[:, None], turned.shape)
    between = [(first[pairs] * (steps - 1) + turned[pairs]) / steps for pairs, steps in ((middle, 2), (far, 3))]
    return np.concatenate([*between, 2 * turned[near] - first[near]]).astype(np.float32)


def are_own_places(quads: Floats32, places: Floats32) -> Mask:
    """Returns which quads [N, 4, 2] lie at one of these places [K, 4, 2], [N]."""
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - places.mean(axis=1)[None], axis=2)
    return np.asarray(distances.min(axis=1, initial=np.inf) <= _OWN * np.sqrt(areas_of(quads)), np.bool_)


def _seen_alike(quads: Floats32, pairs: Mask) -> Mask:
    """Returns which of these pairs of quads [N, N] are seen in the same size and at the same angle."""
    views, is_alike = views_of(quads), pairs.copy()
    for index in np.flatnonzero(pairs.any(axis=1)):
        others = np.flatnonzero(pairs[index])
        is_alike[index, others] = view_differences(views[index], views[others]) < _SEEN_ALIKE
    return is_alike


def _turned_as(quads: Floats32, others: Floats32) -> Floats32:
    """Returns quads [..., 4, 2] with their corners in the order of others beside them, which may be upside down."""
    quads, others = np.broadcast_arrays(quads, others)
    side, other_side = (both[..., 1, :] - both[..., 0, :] for both in (quads, others))
    is_upside_down = (side * other_side).sum(axis=-1) < 0
    return np.where(is_upside_down[..., None, None], np.roll(quads, 2, axis=-2), quads)


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0], np.float64)

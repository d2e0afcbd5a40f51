"""How a photo shows a tile says which things lie as the tiles beside them do."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats, Floats32
from vision.photo.doubt.tile_views import view_differences, views_of

ASLANT = np.array([[1.0, 0.3], [-0.1, 0.5]])
"""A camera from the side: squeezed, and turned a little."""


def _tile(angle: float, height: float = 40.0) -> Floats32:
    corners = np.array([[-15, -height / 2], [15, -height / 2], [15, height / 2], [-15, height / 2]])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn @ ASLANT, np.float32)


def _from_first(*quads: Floats32) -> Floats:
    views = views_of(np.array(quads, np.float32))
    return view_differences(views[0], views[1:])


def test_tiles_in_one_plane_are_seen_alike_however_they_are_turned() -> None:
    assert _from_first(_tile(0.0), *(_tile(angle) for angle in (0.4, np.pi / 2, 2.0))) == pytest.approx(0, abs=1e-4)


def test_half_a_face_is_seen_otherwise_than_whole_ones() -> None:
    assert _from_first(_tile(0.0), _tile(1.0, height=20.0)) == pytest.approx(np.log(2), abs=1e-4)


def test_a_larger_thing_is_seen_otherwise_by_the_ratio_of_the_sizes() -> None:
    assert _from_first(_tile(0.0), _tile(0.7) * 1.5) == pytest.approx(np.log(1.5), abs=1e-4)

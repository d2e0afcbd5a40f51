"""What of a tile's sides the camera sees."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FELT, SKIN, calibration
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.watching.bare_table import BareTable
from vision.watching.detection import Detection
from vision.watching.looks.visible_sides import is_felt_before, is_side_of, may_be_misread

TILE = TileSize(width_mm=20.0, height_mm=26.0, depth_mm=16.0)
ASLANT = np.array([0.0, 300.0, 460.0])
ABOVE = np.array([0.0, 0.0, 1100.0])
PAPER = (235, 240, 240)


def sideways(x: float, y: float) -> Detection:
    """A tile that lies sideways."""
    return Detection(x_mm=x, y_mm=y, angle_deg=90.0, half_mm=(10.0, 13.0))


@pytest.mark.parametrize(
    ("away_mm", "camera_mm", "is_side"),
    [
        pytest.param(17.0, ASLANT, True, id="its side, found as a tile"),
        pytest.param(20.0, ASLANT, False, id="a tile that touches it"),
        pytest.param(19.2, ASLANT, False, id="a tile that touches it, found inexactly"),
        pytest.param(0.5, ASLANT, False, id="the tile itself"),
        pytest.param(-17.0, ASLANT, False, id="a find on the side that faces away"),
        pytest.param(17.0, ABOVE, False, id="where no side is seen so far"),
        pytest.param(40.0, ASLANT, False, id="a tile beyond"),
    ],
)
def test_the_side_of_a_tile_is_told_from_a_tile_beside_it(away_mm: float, camera_mm: np.ndarray, is_side: bool) -> None:
    assert is_side_of(sideways(0.0, -300.0 + away_mm), sideways(0.0, -300.0), camera_mm, TILE) is is_side


@pytest.mark.parametrize(
    ("away_mm", "camera_mm", "is_side"),
    [
        pytest.param(20.0, ASLANT, True, id="its side, found where a tile beside it would lie"),
        pytest.param(20.0, ABOVE, False, id="where no side is seen so far"),
        pytest.param(-20.0, ASLANT, False, id="on the side that faces away"),
    ],
)
def test_what_is_darker_than_a_face_and_touches_it_is_its_side(
    away_mm: float, camera_mm: np.ndarray, is_side: bool
) -> None:
    other = sideways(0.0, -300.0)
    assert is_side_of(sideways(0.0, -300.0 + away_mm), other, camera_mm, TILE, is_darker=True) is is_side


@pytest.mark.parametrize(
    ("away_mm", "face", "is_hidden"),
    [
        pytest.param(16.0, "7p", True, id="behind one that lies higher"),
        pytest.param(18.5, "7p", False, id="with only its edge behind one"),
        pytest.param(18.5, "2m", True, id="with only its edge behind one, where the third stroke of a 3m may be"),
        pytest.param(19.6, "2m", False, id="beside one, found inexactly"),
        pytest.param(-16.0, "2m", False, id="the one that hides another"),
        pytest.param(40.0, "2m", False, id="apart"),
    ],
)
def test_a_tile_behind_one_that_reaches_over_it_may_be_another_than_it_reads_as(
    away_mm: float, face: str, is_hidden: bool
) -> None:
    behind = sideways(0.0, -300.0)
    assert may_be_misread(behind, face, [sideways(0.0, -300.0 + away_mm)], ASLANT) is is_hidden


VIEW = TopView(calibration(), height_mm=16.0)
NEIGHBOUR = sideways(0.0, -321.0)


def table_with(*patches: tuple[float, float, tuple[int, int, int]]) -> BareTable:
    """A felt as wide as a tile that has other colours from one y to another."""
    image = np.full((VIEW.side_px, VIEW.side_px, 3), FELT, np.uint8)
    for low, high, colour in patches:
        corners = VIEW.from_felt(np.array([(-13.0, low), (13.0, low), (13.0, high), (-13.0, high)]))
        cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), colour)
    ground = BareTable(VIEW)
    ground.see(image, 0)
    return ground


@pytest.mark.parametrize(
    ("seen", "camera_mm", "is_gone"),
    [
        pytest.param([], ASLANT, True, id="felt"),
        pytest.param([(-331.0, -290.0, PAPER)], ASLANT, True, id="a neighbour's side all over it, and felt beyond"),
        pytest.param([(-331.0, -270.0, PAPER)], ASLANT, False, id="its own side too"),
        pytest.param([(-331.0, -250.0, SKIN)], ASLANT, False, id="a hand"),
        pytest.param([(-311.0, -289.0, PAPER)], ABOVE, False, id="a tile, from above, where no side is seen"),
    ],
)
def test_no_tile_lies_where_felt_is_seen_in_place_of_its_side_though_a_neighbours_is_seen_in_place_of_its_face(
    seen: list[tuple[float, float, tuple[int, int, int]]], camera_mm: np.ndarray, is_gone: bool
) -> None:
    assert is_felt_before(sideways(0.0, -300.0), [NEIGHBOUR], table_with(*seen), camera_mm, TILE) is is_gone

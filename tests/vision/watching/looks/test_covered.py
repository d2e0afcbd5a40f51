"""Whether something covers a part of a tile, on painted tiles seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.geometry.calibration import calibrate
from vision.geometry.rectify import TopView
from vision.watching.detection import Detection
from vision.watching.looks.covered import covered_in_part
from vision.watching.looks.top_look import TopLook

FELT, FACE, GREEN, RED = (60, 100, 30), (225, 240, 240), (40, 110, 30), (60, 50, 190)
PX = 1600
VIEW = TopView(calibrate([[0, 0], [PX, 0], [PX, PX], [0, PX]], size=(PX, PX), side_mm=720.0), height_mm=0.0)
TILE = Detection(x_mm=0.0, y_mm=0.0, angle_deg=0.0, half_mm=(19.2, 26.4))
"""Twice as large as life: the edges of what is painted are soft by a pixel."""
WHOLE = [TILE] * 4


def painted(*areas: tuple[float, float, float, float, tuple[int, int, int]]) -> Image:
    """A white tile on green felt, with rectangles (left, top, right, bottom, colour) in shares of half its size."""
    image = np.full((PX, PX, 3), FELT, np.uint8)
    for left, top, right, bottom, colour in ((-1.0, -1.0, 1.0, 1.0, FACE), *areas):
        corners = np.array([[left, -top], [right, -top], [right, -bottom], [left, -bottom]]) * TILE.half_mm
        pixels = VIEW.to_frame(VIEW.from_felt(corners))
        cv2.fillConvexPoly(image, np.rint(pixels).astype(np.int32), colour)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)


def is_covered(image: Image, place: Detection = TILE) -> bool:
    (covered,) = covered_in_part(TopLook(VIEW, image), [place], WHOLE)
    return covered


def test_a_nine_of_bamboo_printed_up_to_its_sides_is_whole() -> None:
    columns = [(-0.89, 0.35, GREEN), (-0.1, 0.2, RED), (0.54, 0.35, GREEN)]
    bamboos = [
        (left, top, left + width, top + 0.48, colour) for left, width, colour in columns for top in (-0.8, -0.24, 0.32)
    ]
    assert not is_covered(painted(*bamboos))


@pytest.mark.parametrize("sleeve", [(150, 170, 215), (40, 40, 50), (160, 60, 40)], ids=["skin", "dark", "blue"])
def test_a_sleeve_over_a_third_of_a_tile_covers_it(sleeve: tuple[int, int, int]) -> None:
    assert is_covered(painted((-2.0, 0.34, 2.0, 2.0, sleeve)))
    assert is_covered(painted((-2.0, -2.0, -0.34, 2.0, sleeve)))


def test_a_find_shorter_than_the_other_faces_is_a_part_of_a_tile() -> None:
    assert is_covered(painted(), Detection(x_mm=0.0, y_mm=2.0, angle_deg=0.0, half_mm=(19.2, 22.4)))
    assert not is_covered(painted())

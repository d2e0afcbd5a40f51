"""What is seen beside the sticks of a heap: another stick, or the ground between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Image
from vision.reading.sticks.heaps import shows_ground

FELT, WHITE, BLUE = (60, 110, 40), (235, 238, 238), (190, 120, 50)
ACROSS = 22.0


def quad_at(degrees: float, y: float = 48.0) -> Floats:
    turn = np.radians(degrees)
    long, short = np.array([np.cos(turn), np.sin(turn)]) * 68, np.array([-np.sin(turn), np.cos(turn)]) * 7
    middle = np.array([96.0, y])
    return np.array([middle + long - short, middle + long + short, middle - long + short, middle - long - short])


def drawn(*sticks: tuple[Floats, tuple[int, int, int]]) -> Image:
    strip: Image = np.full((96, 192, 3), FELT, np.uint8)
    for quad, colour in sticks:
        cv2.fillConvexPoly(strip, np.rint(quad).astype(np.int32), colour)
    return strip


@pytest.mark.parametrize("colour", [WHITE, BLUE])
@pytest.mark.parametrize("light", [1.0, 0.25])
def test_a_stick_below_others_is_no_ground(colour: tuple[int, int, int], light: float) -> None:
    strip = drawn((quad_at(ACROSS), colour), (quad_at(0), WHITE), (quad_at(0, 66.0), WHITE))
    dimmed = np.asarray(strip * light, np.uint8)
    assert not shows_ground(dimmed, quad_at(ACROSS), [quad_at(0), quad_at(0, 66.0)])


def test_what_lies_between_two_sticks_is_the_ground() -> None:
    strip = drawn((quad_at(0), WHITE), (quad_at(0, 66.0), WHITE))
    assert shows_ground(strip, quad_at(ACROSS), [quad_at(0), quad_at(0, 66.0)])


def test_where_sticks_cover_everything_nothing_shows_another() -> None:
    rows = [quad_at(0, y) for y in range(2, 100, 14)]
    assert shows_ground(drawn(*[(quad, WHITE) for quad in rows]), quad_at(5), rows)


def test_beside_no_other_stick_nothing_is_told() -> None:
    assert shows_ground(drawn((quad_at(ACROSS), WHITE)), quad_at(ACROSS), [])

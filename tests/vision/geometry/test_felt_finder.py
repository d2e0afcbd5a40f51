from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Floats, Image
from vision.errors import CalibrationError
from vision.geometry.felt_finder import find_felt

ASLANT = np.array([[340, 110], [940, 150], [1080, 640], [150, 600]], np.float64)
GREEN, WOOD, TILES = (70, 110, 40), (60, 90, 140), (225, 235, 240)


def felt(covered: list[Floats]) -> Image:
    """A felt of wood and green, with tiles over these areas."""
    picture = np.full((720, 1280, 3), WOOD, np.uint8)
    cv2.fillConvexPoly(picture, ASLANT.astype(np.int32), GREEN, cv2.LINE_AA)
    for area in covered:
        cv2.fillConvexPoly(picture, np.rint(area).astype(np.int32), TILES, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def at_corner(corner: int, along: float, back: float) -> Floats:
    """The part of the felt that a row of melds covers: from a corner along an edge, and as deep as a tile."""
    start, after, before = (ASLANT[(corner + step) % 4] for step in (0, 1, -1))
    length, depth = (after - start) * along, (before - start) * back
    outward = -(length * 0.02 + depth * 0.02)
    return np.array([start + outward, start + length + outward, start + length + depth, start + depth + outward])


@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize(("along", "back"), [(0.12, 0.06), (0.25, 0.06), (0.35, 0.08), (0.1, 0.3)])
def test_melds_in_a_corner_do_not_move_it(corner: int, along: float, back: float) -> None:
    off = find_felt(felt([at_corner(corner, along, back)])) - ASLANT
    assert np.linalg.norm(off, axis=1).max() < 6.0


def test_melds_may_lie_in_every_corner() -> None:
    melds = [at_corner(corner, 0.2 + 0.03 * corner, 0.06) for corner in range(4)]
    assert np.linalg.norm(find_felt(felt(melds)) - ASLANT, axis=1).max() < 6.0


def test_hands_along_the_edges_do_not_move_the_corners() -> None:
    hands = []
    for corner in range(4):
        point, after, before = (ASLANT[(corner + step) % 4] for step in (0, 1, -1))
        start, end, depth = point + 0.3 * (after - point), point + 0.75 * (after - point), 0.05 * (before - point)
        hands.append(np.array([start - depth * 0.2, end - depth * 0.2, end + depth, start + depth]))
    assert np.linalg.norm(find_felt(felt(hands)) - ASLANT, axis=1).max() < 6.0


@pytest.mark.parametrize("shape", [(16, 30_000), (30_000, 16), (1, 800)])
def test_a_strip_of_a_picture_shows_no_felt(shape: tuple[int, int]) -> None:
    picture = np.random.default_rng(2).integers(0, 256, (*shape, 3), np.uint8)
    with pytest.raises(CalibrationError):
        find_felt(picture)


def test_a_round_felt_has_no_corners() -> None:
    picture = np.full((720, 1280, 3), WOOD, np.uint8)
    cv2.circle(picture, (640, 360), 280, GREEN, -1, cv2.LINE_AA)
    with pytest.raises(CalibrationError):
        find_felt(picture)

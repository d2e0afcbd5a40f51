"""Which of the locator's doubts are worth a strip."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats32
from vision.geometry.calibration import calibrate
from vision.geometry.rectify import TopView
from vision.reading.locator import Located
from vision.reading.sticks.stick_places import faint_sticks

SLANTED = [[150, 100], [650, 100], [800, 700], [0, 700]]
"""Corners of a table seen from its near side."""
VIEW = TopView(calibrate(SLANTED, size=(800, 800), side_mm=720.0), height_mm=16.0)


def box(x: float, y: float, width: float, height: float) -> list[list[float]]:
    """A quad about a place on the plane of the tiles' faces, in the view's pixels."""
    corners = np.array([[-width, height], [width, height], [width, -height], [-width, -height]]) / 2 + (x, y)
    return [[float(x), float(y)] for x, y in VIEW.from_felt(corners)]


def faint(candidates: list[list[list[float]]], *, tile_score: float = 0.9) -> tuple[Floats32, Floats32]:
    return faint_sticks(a_row(candidates, tile_score=tile_score), VIEW)


def a_row(
    candidates: list[list[list[float]]], *, tile_score: float = 0.9, tiles: int = 4, y: float = -200.0
) -> Located:
    row = np.array([box(-40 + 20 * n, y, 20, 26.5) for n in range(tiles)], np.float32)
    none = np.zeros((0, 4, 2), np.float32)
    return Located(
        tiles=row,
        tile_scores=np.full(len(row), tile_score, np.float32),
        sticks=none,
        stick_scores=np.zeros(0, np.float32),
        stick_values=(),
        stick_candidates=np.array(candidates, np.float32).reshape(-1, 4, 2),
    )


def test_what_lies_on_the_felt_is_read_and_what_lies_beside_it_is_not() -> None:
    felt_box, tile_box = box(60, 50, 90, 8), box(0, 385, 90, 8)
    on_felt, on_tiles = faint([felt_box, tile_box])
    assert on_felt.tolist() == np.array([felt_box], np.float32).tolist()
    assert len(on_tiles) == 0
    assert [len(quads) for quads in faint([])] == [0, 0]


def test_the_side_of_a_row_of_tiles_is_told_apart_as_sticks_side_by_side_look_like_a_tile() -> None:
    middles = VIEW.calibration.to_pixels([[-10.0, -213.0]], height_mm=8.0)
    x, y = VIEW.calibration.to_felt(middles, height_mm=16.0)[0]
    side = box(float(x), float(y), 80, 7)
    assert [len(quads) for quads in faint([side])] == [0, 1]
    assert [len(quads) for quads in faint([side], tile_score=0.2)] == [1, 0], "what is hardly found is no tile"

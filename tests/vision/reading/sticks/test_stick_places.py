"""Which of the locator's doubts are worth a strip."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.arrays import Floats32
from vision.geometry.calibration import calibrate
from vision.geometry.rectify import TopView
from vision.reading.locator import Located
from vision.reading.sticks.spots import Stick
from vision.reading.sticks.stick_places import faint_sticks, without_bare, without_sides

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
    here, beside = box(60, 50, 90, 8), box(0, 385, 90, 8)
    on_felt, on_tiles = faint([here, beside])
    assert on_felt.tolist() == np.array([here], np.float32).tolist()
    assert len(on_tiles) == 0
    assert [len(quads) for quads in faint([])] == [0, 0]


def test_the_side_of_a_row_of_tiles_is_told_apart_as_sticks_side_by_side_look_like_a_tile() -> None:
    middles = VIEW.calibration.to_pixels([[-10.0, -213.0]], height_mm=8.0)
    x, y = VIEW.calibration.to_felt(middles, height_mm=16.0)[0]
    side = box(float(x), float(y), 80, 7)
    assert [len(quads) for quads in faint([side])] == [0, 1]
    assert [len(quads) for quads in faint([side], tile_score=0.2)] == [1, 0], "what is hardly found is no tile"


def stick_at(x: float, y: float, *, height_mm: float, degrees: float = 0.0, value: int = 100) -> Stick:
    """A stick as it appears on the plane of the felt, if it is so high above a place."""
    turn = np.radians(degrees)
    long, short = np.array([np.cos(turn), np.sin(turn)]) * 42, np.array([-np.sin(turn), np.cos(turn)]) * 4
    lies = np.array([long - short, long + short, -long + short, -long - short]) + (x, y)
    pixels = VIEW.calibration.to_pixels(lies, height_mm=height_mm)
    return Stick(quad=VIEW.calibration.to_felt(pixels, height_mm=0.0), value=value, score=0.99)


FAR = 200.0
"""A row there shows the camera its nearer side."""


def test_the_side_of_a_row_of_tiles_is_no_stick_however_sure_the_strips_are() -> None:
    side = stick_at(-10.0, FAR - 13.25, height_mm=8.0)
    assert not without_sides([side], a_row([], y=FAR), VIEW)
    assert len(without_sides([side], a_row([], y=FAR, tiles=2), VIEW)) == 1, "two tiles are shorter than a stick"


def test_a_stick_along_tiles_that_are_hardly_found_is_one() -> None:
    """Sticks side by side also look like faint tiles."""
    side = stick_at(-10.0, FAR - 13.25, height_mm=8.0)
    assert len(without_sides([side], a_row([], y=FAR, tile_score=0.4), VIEW)) == 1


def test_a_stick_across_tiles_or_before_them_is_one() -> None:
    across, before = stick_at(-10.0, FAR, height_mm=18.0, degrees=60.0), stick_at(-10.0, FAR - 35.0, height_mm=0.0)
    assert len(without_sides([across, before], a_row([], y=FAR), VIEW)) == 2


def test_a_stick_askew_on_the_faces_of_a_river_is_one() -> None:
    low, high = a_row([], y=FAR - 13.5), a_row([], y=FAR + 13.5)
    river = replace(
        low, tiles=np.concatenate([low.tiles, high.tiles]), tile_scores=np.concatenate([low.tile_scores] * 2)
    )
    for degrees, stays in ((0.0, 0), (6.0, 0), (20.0, 1), (90.0, 0)):
        lies = stick_at(-10.0, FAR, height_mm=16.0, degrees=degrees)
        assert len(without_sides([lies], river, VIEW)) == stays, degrees


def test_a_stick_alone_on_the_faces_of_a_row_is_the_row_and_sticks_beside_each_other_are_sticks() -> None:
    alone, beside = (stick_at(-10.0, FAR + y, height_mm=16.0) for y in (-5.0, 5.0))
    assert not without_sides([alone], a_row([], y=FAR), VIEW)
    assert len(without_sides([alone, beside], a_row([], y=FAR), VIEW)) == 2


def test_a_riichi_stick_along_the_first_row_of_a_river_is_one() -> None:
    row = a_row([], y=88.0)
    lies = {value: stick_at(-10.0, 88.0 - 13.25, height_mm=6.0, value=value) for value in (100, 1000)}
    assert not without_sides([lies[100]], row, VIEW)
    assert len(without_sides([lies[1000]], row, VIEW)) == 1


@pytest.mark.parametrize(
    ("x", "degrees", "stays"),
    [(0.0, 0.0, True), (24.0, 0.0, True), (70.0, 0.0, False), (0.0, 90.0, False), (200.0, 30.0, False)],
    ids=["a stick", "the same, found askew along it", "its end and felt", "across it", "bare felt"],
)
def test_what_shows_bare_felt_along_most_of_its_length_is_no_stick(x: float, degrees: float, stays: bool) -> None:
    picture = np.full((VIEW.side_px, VIEW.side_px, 3), (60, 90, 40), np.uint8)
    lies = stick_at(0.0, 100.0, height_mm=4.0)
    pixels = VIEW.calibration.to_pixels(lies.quad, height_mm=0.0)
    seen = VIEW.from_felt(VIEW.calibration.to_felt(pixels, height_mm=VIEW.height_mm))
    cv2.fillConvexPoly(picture, np.rint(seen).astype(np.int32), (190, 200, 200))
    found = stick_at(x, 100.0, height_mm=4.0, degrees=degrees)
    assert len(without_bare([found], picture, VIEW)) == stays

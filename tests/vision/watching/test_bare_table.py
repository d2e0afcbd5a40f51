from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FELT, calibration
from vision.arrays import Floats, Image
from vision.geometry.rectify import TopView
from vision.watching.bare_table import BareTable

VIEW = TopView(calibration(), height_mm=16.0)
SPOT = np.array([[50.0, -80], [54, -84], [46, -76]])
UNIT = np.array([[0.0, 0], [10, 10], [-10, 5]])


def picture(*patches: tuple[Floats, tuple[int, int, int]], light: float = 1.0) -> Image:
    """A felt with a dark unit in its middle, and square patches around places."""
    image = np.full((VIEW.side_px, VIEW.side_px, 3), FELT, dtype=np.float32)
    for places, colour in ((UNIT[:1], (30, 30, 30)), *patches):
        column, row = np.rint(VIEW.from_felt(places.mean(axis=0, keepdims=True))[0]).astype(int)
        image[row - 40 : row + 40, column - 40 : column + 40] = colour
    return np.asarray(np.clip(image * light, 0, 255), dtype=np.uint8)


def learned(*pictures: Image) -> BareTable:
    bare_table = BareTable(VIEW)
    for one in pictures:
        bare_table.see(one, 0)
        bare_table.learn(bare_table.spots_outside([]))
    return bare_table


def test_felt_is_bare_and_a_tile_or_a_sleeve_on_it_is_not() -> None:
    ground = learned(picture())
    assert ground.is_bare(SPOT).all()
    for colour in ((235, 240, 240), (110, 150, 205), (30, 30, 30), (150, 40, 40)):
        ground.see(picture((SPOT, colour)), 0)
        assert not ground.is_bare(SPOT).any()


def test_the_unit_is_bare_where_it_was_seen_bare() -> None:
    ground = learned(picture())
    assert ground.is_bare(UNIT).all()
    ground.see(picture((UNIT, (235, 240, 240))), 0)
    assert not ground.is_bare(UNIT).any()


def test_shadow_and_lamp_leave_a_place_bare() -> None:
    ground = learned(picture())
    for light in (0.6, 0.8, 1.3):
        ground.see(picture(light=light), 0)
        assert ground.is_bare(SPOT).all()


def test_the_lightness_of_a_place_is_that_from_before_a_tile_lay_there() -> None:
    places = np.array([SPOT, SPOT + np.array([0.0, 200.0]), UNIT])
    bare_table = learned(picture(light=0.5))
    before = bare_table.lightness_under(places)
    bare_table.see(picture((SPOT, (235, 240, 240)), light=0.5), 0)
    assert before == pytest.approx(bare_table.lightness_under(places))
    felt_lightness = cv2.cvtColor(np.full((1, 1, 3), [[FELT]], np.float32) * 0.5 / 255, cv2.COLOR_BGR2LAB)[0, 0, 0]
    assert before[:2] == pytest.approx([felt_lightness] * 2, abs=1.0)
    assert before[2] < felt_lightness - 5


def test_a_place_of_which_a_part_was_never_seen_bare_has_no_lightness() -> None:
    bare_table = BareTable(VIEW)
    bare_table.see(picture(), 0)
    bare_table.learn(bare_table.spots_outside([SPOT[:1] + np.array([[-2.0, 2], [2, 2], [2, -2], [-2, -2]])]))
    assert np.isnan(bare_table.lightness_under(np.array([SPOT, UNIT]))).tolist() == [True, False]


def test_a_place_never_seen_bare_is_told_by_the_felts_colour() -> None:
    bare_table = BareTable(VIEW)
    bare_table.see(picture((SPOT, (235, 240, 240))), 0)
    bare_table.learn(
        bare_table.spots_outside([SPOT.mean(axis=0) + np.array([[-40.0, 40], [40, 40], [40, -40], [-40, -40]])])
    )
    assert not bare_table.is_bare(SPOT).any()
    bare_table.see(picture(), 0)
    assert bare_table.is_bare(SPOT).all()


def test_what_lies_there_for_long_is_not_learned_as_bare() -> None:
    sleeve = picture((SPOT, (150, 40, 40)))
    ground = learned(picture(), *[sleeve] * 10)
    ground.see(sleeve, 0)
    assert not ground.is_bare(SPOT).any()
    ground.see(picture(), 0)
    assert ground.is_bare(SPOT).all()


def test_an_outline_is_taken_out() -> None:
    ground = learned(picture())
    free = ground.spots_outside([np.array([[-30.0, 30], [30, 30], [30, -30], [-30, -30]])])
    (row, column), (far_row, far_column) = ground.spots_of(np.array([[0.0, 0], [100, 100]]))
    assert not free[row, column]
    assert free[far_row, far_column]


def test_cells_spread_over_the_spots_that_they_cover() -> None:
    bare_table = BareTable(VIEW)
    cells = np.zeros((180, 180), dtype=np.bool_)
    cells[:90, 90:] = True
    spots = bare_table.cells_to_spots(cells, 720.0)
    rows, columns = bare_table.spots_of(np.array([[100.0, 100], [-100, 100], [100, -100]])).T
    assert spots[rows, columns].tolist() == [True, False, False]


def test_a_head_over_most_of_the_table_is_not_the_felt() -> None:
    ground = learned(picture())
    head = np.full_like(picture(), (38, 32, 30))
    for second in range(14):
        ground.see(head, second * 1_000_000_000)
        assert not ground.is_bare(SPOT).any()


def test_the_felt_in_another_light_is_the_felt_after_a_while() -> None:
    ground = learned(picture())
    warm = np.asarray(picture() * (0.4, 0.9, 1.6), dtype=np.uint8)
    ground.see(warm, 0)
    assert not ground.is_bare(SPOT).any()
    ground.see(warm, 15_000_000_000)
    assert ground.is_bare(SPOT).all()

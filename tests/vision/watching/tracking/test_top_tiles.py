"""The fourth tile of an added kan on top of the turned one, on drawn tables of looks that nothing was chosen on."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.watching.tracking.laid_on_top import PonOnTable
from vision.cameras.synthetic.appearance import Appearance
from vision.watching.belief.rivals import MOST_FRAMES
from vision.watching.belief.tracked_thing import Absence
from vision.watching.looks.grown_sides import top_tile_offset

PX = 900


def pon(*, side: int = 1, turned_index: int = 0, seed: int = 0, appearance: Appearance | None = None) -> PonOnTable:
    appearance = appearance or Appearance(width_px=PX, height_px=PX, covered_mm=830.0)
    return PonOnTable(appearance, side=side, turned_index=turned_index, seed=seed)


@pytest.mark.parametrize("turned_index", range(3))
def test_a_fourth_tile_laid_carelessly_on_the_turned_one_is_told(turned_index: int) -> None:
    table = pon(turned_index=turned_index, side=turned_index)
    assert table.verdict(table.with_fourth(dx=1.1, dy=-0.9, turn=3.0)) == "on top"


@pytest.mark.parametrize("turned_index", range(3))
def test_a_turned_tile_pushed_to_where_one_on_top_would_be_seen_is_no_kan(turned_index: int) -> None:
    table = pon(turned_index=turned_index, side=turned_index)
    dx, dy = top_tile_offset(table.pon.turned_tile.place, table.view, table.tile)
    assert table.verdict(table.with_pushed(dx=0.6 * dx, dy=0.6 * dy)) == "not"


def test_a_turned_tile_taken_up_and_laid_back_is_no_kan() -> None:
    table = pon()
    assert table.verdict(table.with_pushed(dx=1.2, dy=1.5, turn=-3.0)) == "not"
    assert table.verdict(table.tiles) == "not"


@pytest.mark.parametrize("off_mm", [2.6, 4.5])
def test_a_turned_tile_found_beside_where_it_still_lies_is_no_kan(off_mm: float) -> None:
    table = pon()
    assert table.verdict(table.tiles, turned_seen_off_mm=off_mm) == "not"


def test_a_whole_pon_that_is_pushed_is_no_kan() -> None:
    table = pon(turned_index=2)
    dx, dy = top_tile_offset(table.pon.turned_tile.place, table.view, table.tile)
    pushed = tuple(table.shifted(tile, dx=0.6 * dx, dy=0.6 * dy) for tile in table.tiles)
    assert table.verdict(pushed) == "not"


def test_a_tile_that_is_taken_off_again_is_told_as_gone() -> None:
    table = pon()
    assert table.verdict(table.with_fourth()) == "on top"
    assert table.verdict(table.tiles) == "not"


def test_a_tile_that_was_perhaps_taken_off_is_not_looked_for_while_an_arm_rests_on_it() -> None:
    table = pon()
    table.verdict(table.with_fourth())
    table.look_at(table.tiles)
    assert table.tops.open_places == [table.pon.turned_tile.place]
    table.pon.turned_tile.absence = Absence(misses=MOST_FRAMES, is_hidden=True)
    assert table.tops.open_places == []


def test_the_camera_right_above_a_meld_cannot_tell_a_tile_on_top_of_it() -> None:
    appearance = Appearance(width_px=PX, height_px=PX, camera_x_mm=290.0, camera_y_mm=-330.0, covered_mm=1330.0)
    table = pon(side=0, appearance=appearance)
    assert table.verdict(table.with_fourth()) != "on top"


@pytest.mark.parametrize("number", range(3))
def test_looks_drawn_anew_have_no_false_kan(number: int) -> None:
    appearance = Appearance.random(31_000_000 + number, width_px=PX, height_px=PX)
    table = pon(side=number % 4, turned_index=number % 3, seed=number, appearance=appearance)
    rng = np.random.default_rng(number)
    dx, dy = (float(value) for value in rng.normal(0, 3.0, 2))
    assert table.verdict(table.with_pushed(dx=dx, dy=dy)) != "on top"

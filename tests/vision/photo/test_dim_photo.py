"""A photo with too little light is brightened, and no other."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Image
from vision.photo.dim_photo import brightened_photo


def one_tile(*, tile: int, ground: int = 5, side: int = 60) -> Image:
    """One light tile in a dark picture."""
    image = np.full((600, 800, 3), ground, np.uint8)
    image[100 : 100 + side, 100 : 100 + side] = tile
    return image


@pytest.mark.parametrize("tile", [125, 200, 255])
def test_a_picture_stays_as_it_is_if_one_small_tile_in_it_is_bright(tile: int) -> None:
    image = one_tile(tile=tile, side=30)
    assert brightened_photo(image, 120.0) is image


@pytest.mark.parametrize("tile", [18, 30, 60, 110])
def test_a_dim_tile_becomes_as_bright_as_reading_needs_in_its_own_colour(tile: int) -> None:
    image = one_tile(tile=tile)
    image[100:160, 100:160, 0] //= 2
    blue, green, red = brightened_photo(image, 120.0)[130, 130].astype(float)
    assert 115 <= red <= 130
    assert green == red
    assert blue == pytest.approx(red / 2, abs=3)


def test_in_a_black_picture_nothing_appears() -> None:
    assert brightened_photo(one_tile(tile=1, ground=0), 120.0).max() <= 8
    assert not brightened_photo(one_tile(tile=0, ground=0), 120.0).any()


def test_a_picture_in_which_nothing_is_seen_is_not_brightened_without_limit() -> None:
    assert brightened_photo(one_tile(tile=10, ground=2), 120.0).max() == 80

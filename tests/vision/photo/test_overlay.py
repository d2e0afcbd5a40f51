"""What the overlay shows of a reading."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.photo.overlay import draw
from vision.photo.photo_things import ReadStick, ReadTile

AMBER = (20, 170, 255)


def _picture(level: int = 128) -> npt.NDArray[np.uint8]:
    return np.full((160, 200, 3), level, np.uint8)


def _tile(score: float, *, x: float = 60.0, y: float = 50.0, name: str = "6m") -> ReadTile:
    return ReadTile(tile=name, quad=((x, y), (x + 36, y), (x + 36, y + 48), (x, y + 48)), score=score)


def _has(picture: npt.NDArray[np.uint8], colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(picture.astype(int) - colour).max(axis=2) < 12).any())


def test_the_picture_that_is_given_stays_as_it_is() -> None:
    picture = _picture()
    drawn = draw(picture, [_tile(0.9)], [])
    assert drawn.shape == picture.shape
    assert (picture == 128).all()
    assert (drawn != 128).any()


def test_nothing_understood_draws_nothing() -> None:
    assert (draw(_picture(), [], []) == 128).all()


@pytest.mark.parametrize(("score", "is_amber"), [(0.99, False), (0.5, True)], ids=["sure", "doubtful"])
def test_doubtful_tiles_are_amber_and_sure_ones_are_not(score: float, is_amber: bool) -> None:
    assert _has(draw(_picture(), [_tile(score)], []), AMBER) is is_amber


def test_a_stick_whose_value_cannot_be_told_is_amber() -> None:
    quad = ((100.0, 20.0), (108.0, 20.0), (108.0, 110.0), (100.0, 110.0))
    sure = draw(_picture(), [], [ReadStick(value=1000, quad=quad, score=0.95)])
    unsure = draw(_picture(), [], [ReadStick(value=0, quad=quad, score=0.95)])
    assert not _has(sure, AMBER)
    assert _has(unsure, AMBER)


@pytest.mark.parametrize("level", [0, 255], ids=["on black", "on white"])
def test_a_name_has_a_dark_plate_and_white_letters_on_any_ground(level: int) -> None:
    drawn = draw(_picture(level), [_tile(0.99)], [])
    foot = drawn[82:98, 66:92]
    assert _has(foot, (255, 255, 255))
    assert foot.min() < 90


def test_what_lies_over_the_border_is_drawn_as_far_as_it_can_be() -> None:
    drawn = draw(_picture(), [_tile(0.99, x=-20.0, y=-20.0), _tile(0.4, x=190.0, y=150.0)], [])
    assert (drawn != 128).any()


def test_a_line_at_the_foot_explains_colours_and_numbers_where_it_can_be_read() -> None:
    wide = np.full((160, 900, 3), 128, np.uint8)
    drawn = draw(wide, [_tile(0.99)], [], is_explained=True)
    assert _has(drawn[135:], (255, 255, 255))
    assert (drawn[:-30, 200:] == 128).all()
    assert (draw(_picture(), [_tile(0.99)], [], is_explained=True)[135:] == 128).all()


@pytest.mark.parametrize(("width", "tile"), [(640, 36), (900, 60), (1800, 160), (2400, 300), (4000, 200)])
def test_the_line_at_the_foot_ends_within_the_picture(width: int, tile: int) -> None:
    around = ((100.0, 100.0), (100.0 + tile, 100.0), (100.0 + tile, 100.0 + tile), (100.0, 100.0 + tile))
    ground = np.full((900, width, 3), 128, np.uint8)
    drawn = draw(ground, [ReadTile(tile="6m", quad=around, score=0.99)], [], is_explained=True)
    letters = np.asarray(drawn[820:].min(axis=2) > 240).any(axis=0)
    assert letters.any()
    assert np.flatnonzero(letters).max() < 0.99 * width

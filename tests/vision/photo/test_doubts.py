"""What reads like a tile is sure only where the things around it read like tiles too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.arrays import Floats32, Image
from vision.confidence import MARK_BELOW
from vision.photo.doubts import with_doubts
from vision.photo.photo_things import ReadTile

NO_FINDS = np.zeros((0, 4, 2), np.float32)
EVEN: Image = np.full((400, 800, 3), 230, np.uint8)
"""Everything has one ground here."""
WHITE, YELLOW, DARK = (235, 240, 240), (20, 160, 215), (40, 35, 35)


def _quad(column: float, row: float) -> Floats32:
    x, y = 22.0 * column, 30.0 * row
    return np.array([[x, y], [x + 20, y], [x + 20, y + 27], [x, y + 27]], np.float32)


def _tile(name: str, column: float, row: float = 0.0, *, found: float = 0.6) -> ReadTile:
    quad = tuple((float(x), float(y)) for x, y in _quad(column, row))
    return ReadTile(tile=name, quad=quad, score=0.99, found=found)


def _sure(tiles: Sequence[ReadTile], finds: Floats32 = NO_FINDS, image: Image = EVEN) -> list[bool]:
    return [tile.score >= MARK_BELOW for tile in with_doubts(tiles, finds, image)]


def _painted(ground: tuple[int, int, int], *quads: tuple[Floats32, tuple[int, int, int]]) -> Image:
    """Returns a picture with these quads in their colours."""
    picture = np.full_like(EVEN, ground)
    for quad, colour in quads:
        left, top, right, bottom = (int(end) for end in (*quad.min(axis=0), *quad.max(axis=0)))
        picture[top : bottom + 1, left : right + 1] = colour
    return picture


def test_faces_side_by_side_are_sure() -> None:
    assert all(_sure([_tile(name, index) for index, name in enumerate(["2m", "3m", "7s", "1z", "5z", "4p"])]))


def test_one_unread_thing_in_a_row_of_honours_leaves_them_sure() -> None:
    row = [_tile(f"{rank}z", rank) for rank in (1, 2, 3, 4, 6, 7)]
    assert all(_sure(row, np.array([_quad(5, 0)])))


def test_keys_are_doubted_since_most_of_those_around_them_read_as_nothing() -> None:
    keys = [_tile("1z", 1), _tile("2s", 3), _tile("1p", 2, 1), _tile("3z", 4, 1)]
    others = np.array([_quad(column, row) for row in range(3) for column in range(6)])
    assert not any(_sure(keys, others))


def test_beads_are_doubted_since_they_all_read_the_same() -> None:
    assert not any(_sure([_tile("1p", index, found=0.75) for index in range(6)]))


def test_panes_are_doubted_since_no_set_has_so_many_hakus() -> None:
    panes = [_tile("5z", column, row, found=0.75) for row in range(3) for column in range(3)]
    assert not any(_sure([*panes, _tile("2s", 3), _tile("6z", 3, 1), _tile("4m", 3, 2)]))


def test_a_haku_is_sure_beside_a_face_and_doubted_beside_what_only_looks_like_one() -> None:
    assert _sure([_tile("5z", 0), *(_tile(name, 1 + index) for index, name in enumerate(["2m", "3m", "4m"]))])[0]
    assert not _sure([_tile("5z", 0), _tile("1p", 1), _tile("1p", 2)])[0]


def test_a_part_of_a_tile_beside_its_whole_is_no_other_thing() -> None:
    row = [_tile(name, index) for index, name in enumerate(["2m", "3m", "4m"])]
    halves = np.array([_quad(index, 0) * (1, 0.5) for index in range(3)], np.float32)
    assert all(_sure(row, halves))


@pytest.mark.parametrize(("columns", "rows", "is_sure"), [(8, 6, False), (17, 2, True), (5, 1, True)])
def test_backs_are_a_wall_or_a_row_unless_they_cover_an_area_like_a_floor(
    columns: int, rows: int, is_sure: bool
) -> None:
    backs = [_tile("back", column, row) for row in range(rows) for column in range(columns)]
    assert set(_sure(backs)) == {is_sure}


def test_a_back_is_sure_beside_a_face_however_small_the_locators_score() -> None:
    row = [_tile(name, index) for index, name in enumerate(["2m", "3m", "4m"])]
    assert _sure([*row, _tile("back", 3, found=0.46)])[3]


def test_a_lone_pane_that_reads_as_a_back_is_doubted_unless_the_locator_is_sure() -> None:
    assert _sure([_tile("back", 0, found=0.6)]) == [False]
    assert _sure([_tile("back", 0, found=0.7)]) == [True]


def test_what_is_doubted_stays_and_keeps_its_name() -> None:
    told = with_doubts([_tile("1p", index) for index in range(6)], NO_FINDS, EVEN)
    assert [(tile.tile, tile.is_doubted) for tile in told] == [("1p", True)] * 6
    assert with_doubts([], NO_FINDS, EVEN) == []


def test_tiles_on_a_keyboard_are_sure_since_keys_have_another_ground() -> None:
    places = [(column, row) for row in range(5) for column in range(12)]
    laid = dict(zip(places[3::11], ("0m", "2s", "4m", "7s", "3s"), strict=False))
    tiles = [_tile(name, *place) for place, name in laid.items()]
    keys = np.array([_quad(*place) for place in places if place not in laid])
    on_keys = _painted(DARK, *((_quad(*place), WHITE) for place in laid))
    assert all(_sure(tiles, keys, on_keys))
    assert not any(_sure(tiles, keys, EVEN))


def test_apps_of_many_colours_are_doubted_however_many_read_like_faces() -> None:
    names = ("1m", "4s", "6z", "7z", "3m", "1s")
    colours = (WHITE, (200, 60, 30), (30, 60, 200), (40, 190, 60), (200, 30, 200), (20, 200, 220))
    apps = [_tile(name, index % 3, index // 3) for index, name in enumerate(names)]
    icons = [(_quad(index % 3, index // 3), colour) for index, colour in enumerate(colours)]
    assert not any(_sure(apps, image=_painted(DARK, *icons)))
    assert all(_sure(apps))


def test_a_lone_card_that_reads_like_eight_dots_needs_a_surer_find_than_another_face() -> None:
    assert _sure([_tile("8p", 0, found=0.7)]) == [False]
    assert _sure([_tile("8p", 0, found=0.85)]) == _sure([_tile("8s", 0, found=0.7)]) == [True]


@pytest.mark.parametrize(("apart", "is_sure"), [(1.6, False), (1.0, True)], ids=["a chequered cloth", "rows of tiles"])
def test_backs_that_go_on_in_every_direction_with_gaps_between_them_are_a_pattern(apart: float, is_sure: bool) -> None:
    faces = [_tile(name, column) for column, name in enumerate(("2m", "3m", "4m", "7s"))]
    rows = 7 if apart > 1 else 2
    backs = [_tile("back", column * apart, 1 + row * apart) for row in range(rows) for column in range(10)]
    assert _sure([*faces, *backs]) == [True] * 4 + [is_sure] * len(backs)


def test_backs_in_a_heap_are_sure_since_they_are_turned_in_any_way() -> None:
    rng = np.random.default_rng(3)
    heap = []
    for index in range(48):
        angle = float(rng.uniform(0, 2 * np.pi))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        quad = _quad(0, 0) @ turn + (60 + 27 * (index % 8), 60 + 27 * (index // 8))
        heap.append(replace(_tile("back", 0), quad=tuple((float(x), float(y)) for x, y in quad)))
    assert all(_sure(heap))

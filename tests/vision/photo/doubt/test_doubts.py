"""What reads like a tile is sure only where the things around it read like tiles too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.arrays import Floats32, Image
from vision.confidence import MARK_BELOW
from vision.photo.doubt.doubts import with_doubts
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


def _of_one_set(tiles: Sequence[ReadTile]) -> Image:
    """Returns a picture of these tiles: their faces white, their backs yellow, on a dark ground."""
    colours = (YELLOW if tile.tile == "back" else WHITE for tile in tiles)
    quads = (np.array(tile.quad, np.float32) for tile in tiles)
    return _painted((60, 50, 45), *zip(quads, colours, strict=True))


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


@pytest.mark.parametrize(("elsewhere", "expected"), [((180, 190, 190), False), ((238, 243, 243), True)])
def test_a_blank_tile_that_is_blown_out_is_doubted_where_most_faces_are_far_darker(
    elsewhere: tuple[int, int, int], expected: bool
) -> None:
    near, far = [_quad(column, 0) for column in range(1, 6)], [_quad(column, 4) for column in range(9)]
    picture = _painted(
        (60, 90, 40),
        (_quad(0, 0), (254, 254, 254)),
        *((quad, (238, 243, 243)) for quad in near),
        *((quad, elsewhere) for quad in far),
    )
    names = ["2m", "3m", "7s", "2z", "4p"]
    row = [_tile("5z", 0), *(_tile(name, 1 + column) for column, name in enumerate(names))]
    others = [_tile(name, column, 4) for column, name in enumerate([*names, "3z", "8p", "9s", "6m"])]
    assert _sure([*row, *others], image=picture) == [expected] + [True] * (len(near) + len(far))


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


COLOURS = ((40, 60, 200), (60, 130, 240), (50, 200, 230), (90, 160, 60))


@pytest.mark.parametrize(
    ("pitch", "colours", "count", "is_sure"),
    [
        (1.0, COLOURS[:1], 3, True),
        (1.0, COLOURS[:1], 2, False),
        (1.5, COLOURS[:1], 12, False),
        (1.0, COLOURS, 12, False),
    ],
    ids=["a row of tiles", "too few", "sushi on a plate", "spines of books"],
)
def test_backs_without_a_face_are_one_row_of_one_colour(
    pitch: float, colours: Sequence[tuple[int, int, int]], count: int, is_sure: bool
) -> None:
    backs = [_tile("back", column * pitch, found=0.8) for column in range(count)]
    painted = [(_quad(column * pitch, 0), colours[column % len(colours)]) for column in range(count)]
    assert set(_sure(backs, image=_painted((60, 50, 45), *painted))) == {is_sure}
    faces = [_tile(name, column, 1) for column, name in enumerate(["2m", "3m", "4m", "7s"])]
    with_faces = _painted((60, 50, 45), *painted, *((_quad(column, 1), WHITE) for column in range(4)))
    assert _sure([*faces, *backs], image=with_faces)[:5] == [True] * 5


def test_a_single_back_among_faces_may_be_anything() -> None:
    faces = [_tile(name, column) for column, name in enumerate(["2m", "3m", "4m", "7s"])]
    for column in (4, 6):
        painted = _painted((60, 50, 45), *((_quad(index, 0), WHITE) for index in range(4)), (_quad(column, 0), YELLOW))
        assert _sure([*faces, _tile("back", column)], image=painted) == [True] * 4 + [False]


@pytest.mark.parametrize(("ground", "is_sure"), [((60, 50, 45), True), (YELLOW, False)], ids=["backs", "yellow cloth"])
def test_backs_apart_from_each_other_have_edges(ground: tuple[int, int, int], is_sure: bool) -> None:
    faces = [_tile(name, column, 4) for column, name in enumerate(["2m", "3m", "4m", "7s", "9p", "1s"], start=4)]
    backs = [_tile("back", 3, 4), _tile("back", 10, 4)]
    white = [(_quad(column, 4), WHITE) for column in range(4, 10)]
    image = _painted(ground, *white, *((_quad(column, 4), YELLOW) for column in (3, 10)))
    assert _sure([*faces, *backs], image=image) == [True] * 6 + [is_sure] * 2


def test_a_corner_of_the_picture_where_cloth_goes_on_is_no_back() -> None:
    faces = [_tile(name, column) for column, name in enumerate(["2m", "3m", "4m", "7s", "9p", "1s"], start=1)]
    backs = [_tile("back", 0), _tile("back", 9)]
    image = _painted(YELLOW, *((_quad(column, 0), WHITE) for column in range(1, 7)))
    assert _sure([*faces, *backs], image=image)[6:] == [False, False]


@pytest.mark.parametrize("between", [COLOURS[0], (60, 50, 45)], ids=["a back", "the ground"])
def test_a_row_goes_on_over_a_back_that_was_not_found(between: tuple[int, int, int]) -> None:
    backs = [_tile("back", column, found=0.8) for column in range(0, 12, 2)]
    painted = [(_quad(column, 0), between if column % 2 else COLOURS[0]) for column in range(12)]
    assert set(_sure(backs, image=_painted((60, 50, 45), *painted))) == {between == COLOURS[0]}


def test_backs_far_from_the_faces_in_a_photo_need_a_row_too() -> None:
    faces = [_tile(name, column) for column, name in enumerate(["2m", "3m", "4m", "7s"])]
    plates = [_tile("back", 1.5 * column, 9, found=0.8) for column in range(12)]
    painted = [
        *((_quad(column, 0), WHITE) for column in range(4)),
        *((_quad(1.5 * n, 9), COLOURS[0]) for n in range(12)),
    ]
    assert _sure([*faces, *plates], image=_painted((60, 50, 45), *painted)) == [True] * 4 + [False] * 12


def test_a_floor_under_a_calendar_is_no_wall_however_the_calendar_is_turned() -> None:
    floor = [_tile("back", column, row) for row in range(6) for column in range(8)]
    rotation = cv2.getRotationMatrix2D((290.0, 90.0), 45.0, 1.0)
    dates = [_tile("1z", 9 + index % 5, index // 5, found=0.7) for index in range(30)]
    aslant = [cv2.transform(np.array([date.quad], np.float32), rotation)[0] for date in dates]
    calendar = [
        replace(date, quad=tuple((float(x), float(y)) for x, y in quad))
        for date, quad in zip(dates, aslant, strict=True)
    ]
    assert not any(_sure([*floor, *calendar]))


def test_a_faint_back_beside_faces_is_sure_only_if_most_backs_of_its_colour_are_found_more_surely() -> None:
    row = [_tile(name, index) for index, name in enumerate(["2m", "3m", "4m"])]
    faint_back = _tile("back", 3, found=0.46)
    assert not _sure([*row, faint_back], image=_of_one_set([*row, faint_back]))[3]
    wall = [*row, faint_back, _tile("back", 4, found=0.7), _tile("back", 5, found=0.7)]
    assert all(_sure(wall, image=_of_one_set(wall)))


def test_a_lone_pane_that_reads_as_a_back_is_doubted_however_sure_the_locator_is() -> None:
    assert _sure([_tile("back", 0, found=0.8)]) == [False]


def test_backs_without_any_face_need_surer_finds_than_beside_faces() -> None:
    backs = [_tile("back", column, found=0.58) for column in range(5)]
    assert not any(_sure(backs, image=_of_one_set(backs)))
    tiles = [*backs, *(_tile(name, column, 1) for column, name in enumerate(["2m", "3m", "4m"]))]
    assert all(_sure(tiles, image=_of_one_set(tiles)))


def test_backs_with_the_paper_of_the_faces_beside_them_may_be_sides() -> None:
    faces = [_tile(name, column) for column, name in enumerate(["2m", "3m", "4m", "7s", "9p"])]
    tiles = [*faces, *(_tile("back", column, 1) for column in range(5))]
    shaded = _painted((60, 50, 45), *((_quad(column, 0), WHITE) for column in range(5)))
    shaded[30:57, :108] = (190, 195, 195)
    assert _sure(tiles, image=shaded) == [True] * 5 + [False] * 5


def test_a_few_squares_of_a_floor_beside_faces_are_no_backs_where_most_others_like_them_are_none() -> None:
    faces = [_tile(name, column) for column, name in enumerate(["2m", "3m", "4m"])]
    squares = [_tile("back", 1.5 * (index % 12), 1 + 1.3 * (index // 12)) for index in range(60)]
    assert not any(_sure([*faces, *squares])[3:])


def test_what_is_doubted_stays_and_keeps_its_name() -> None:
    tiles = with_doubts([_tile("1p", index) for index in range(6)], NO_FINDS, EVEN)
    assert [(tile.tile, tile.is_doubted) for tile in tiles] == [("1p", True)] * 6
    assert with_doubts([], NO_FINDS, EVEN) == []


def test_tiles_on_a_keyboard_are_sure_since_keys_have_another_ground() -> None:
    places = [(column, row) for row in range(5) for column in range(12)]
    faces = dict(zip(places[3::11], ("0m", "2s", "4m", "7s", "3s"), strict=False))
    tiles = [_tile(name, *place) for place, name in faces.items()]
    keys = np.array([_quad(*place) for place in places if place not in faces])
    on_keys = _painted(DARK, *((_quad(*place), WHITE) for place in faces))
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
    others = [_tile("2s", 3, found=0.85), _tile("4m", 6, found=0.85)]
    assert _sure([_tile("8p", 0, found=0.7), *others]) == [False, True, True]
    assert all(_sure([_tile("8p", 0, found=0.85), *others]) + _sure([_tile("8s", 0, found=0.7), *others]))


def test_one_face_alone_in_a_photo_is_doubted_unless_a_haku_touches_it() -> None:
    assert _sure([_tile("6m", 0, found=0.95)]) == [False]
    assert _sure([_tile("6m", 0, found=0.95), _tile("5z", 1)]) == [True, True]
    assert _sure([_tile("6m", 0, found=0.95), _tile("5z", 3)])[0] is False


@pytest.mark.parametrize(("column", "found", "is_sure"), [(3, 0.7, True), (9, 0.7, False), (9, 0.85, True)])
def test_a_label_far_from_the_tiles_needs_a_surer_find_than_a_face_near_them(
    column: int, found: float, is_sure: bool
) -> None:
    tiles = [_tile(name, -index) for index, name in enumerate(["2s", "4m", "2s"])]
    assert _sure([_tile("3m", column, found=found), *tiles]) == [is_sure, True, True, True]


def test_a_thing_without_a_name_is_sure_as_a_flower_only_beside_faces_of_its_paper_that_are_seen_alike() -> None:
    row = [_tile(name, index) for index, name in enumerate(["2s", "4m", "7s"])]
    flower, far = _tile("?", 3, found=0.8), _tile("?", 12, found=0.8)
    low = np.array(flower.quad, np.float32)
    low[2:, 1] -= 12
    side = replace(flower, quad=tuple((float(x), float(y)) for x, y in low))
    assert _sure([*row, flower])[3]
    assert not _sure([*row, far])[3]
    assert not _sure([*row, side])[3]
    assert _sure([flower]) == [False]
    papers = [(_quad(column, 0), YELLOW if column == 3 else WHITE) for column in range(4)]
    assert not _sure([*row, flower], image=_painted(DARK, *papers))[3]


def test_two_cards_alone_need_surer_finds_than_three_faces() -> None:
    cards = [_tile("8p", 0, found=0.75), _tile("4s", 1, found=0.75)]
    assert not any(_sure(cards))
    assert all(_sure([*cards, _tile("2m", 2, found=0.75)]))
    assert all(_sure([replace(card, found=0.85) for card in cards]))


def test_a_haku_alone_is_doubted() -> None:
    assert _sure([_tile("5z", 0, found=0.95)]) == [False]


@pytest.mark.parametrize(
    ("colour", "size", "is_sure"),
    [(WHITE, (20, 27), True), ((200, 215, 245), (20, 27), False), (WHITE, (30, 30), False)],
    ids=["a haku", "a pane of another tint", "a field of a board"],
)
def test_a_blank_thing_beside_faces_is_a_haku_if_it_has_their_paper_and_is_seen_as_they_are(
    colour: tuple[int, int, int], size: tuple[int, int], *, is_sure: bool
) -> None:
    faces = [_tile(name, column, 1) for column, name in enumerate(["2m", "3m", "4m", "7s"])]
    right, bottom = 66 + size[0], 87 + size[1]
    quad = np.array([[66, 87], [right, 87], [right, bottom], [66, bottom]], np.float32)
    blank = replace(_tile("5z", 0), quad=tuple((float(x), float(y)) for x, y in quad))
    image = _painted(DARK, *((np.array(face.quad, np.float32), WHITE) for face in faces), (quad, colour))
    assert _sure([*faces, blank], image=image) == [True] * 4 + [is_sure]


@pytest.mark.parametrize(
    ("column", "has_frame", "is_sure"),
    [(3, True, True), (3, False, False), (4.5, True, False)],
    ids=["in the row", "without a frame", "beside the row"],
)
def test_a_haku_found_by_its_frame_is_sure_in_a_row_of_faces(column: float, *, has_frame: bool, is_sure: bool) -> None:
    faces = [_tile(name, index, 1) for index, name in enumerate(["2m", "3m", "7s"])]
    left, top = _quad(column, 1)[0] + (3, 1)
    found = np.array([[left, top], [left + 14, top], [left + 14, top + 25], [left, top + 25]], np.float32)
    haku = replace(_tile("5z", 0), quad=tuple((float(x), float(y)) for x, y in found))
    image = _painted(WHITE)
    if has_frame:
        cv2.rectangle(image, (found[0] + 2).astype(int).tolist(), (found[2] - 2).astype(int).tolist(), DARK, 2)
    assert _sure([*faces, haku], image=image) == [True] * 3 + [is_sure]


def test_half_a_face_beside_whole_ones_is_doubted_since_it_is_seen_otherwise() -> None:
    row = [_tile(name, index) for index, name in enumerate(["2m", "3m", "7s"])]
    corners = ((66.0, 0.0), (86.0, 0.0), (86.0, 15.0), (66.0, 15.0))
    assert _sure([*row, replace(_tile("2p", 3), quad=corners)]) == [True, True, True, False]


def test_a_ring_apart_from_faces_is_doubted_where_the_things_beside_it_read_as_nothing() -> None:
    faces = [_tile(name, index) for index, name in enumerate(["2m", "3m", "4m", "7s", "8s"])]
    app, apps = _tile("1p", 2, 1.5), np.array([_quad(column, row) for column in (1, 3) for row in (1.5, 2.5)])
    assert _sure([*faces, app], apps) == [True] * 5 + [False]
    assert all(_sure([*faces, _tile("1p", 5)], apps))


def test_a_few_rings_and_dots_of_another_shape_than_tiles_are_no_tiles() -> None:
    squares = [_tile(name, 1.5 * index) for index, name in enumerate(["4p", "3p", "5p"])]
    squares = [replace(tile, quad=tuple((x, 0.74 * y) for x, y in tile.quad)) for tile in squares]
    assert not any(_sure(squares))
    assert all(_sure([*squares, replace(squares[0], tile="4s", quad=tuple((x + 99, y) for x, y in squares[0].quad))]))


@pytest.mark.parametrize(("pitch", "is_sure"), [(1.6, False), (1.0, True)], ids=["a chequered cloth", "rows of tiles"])
def test_backs_that_go_on_in_every_direction_with_gaps_between_them_are_a_pattern(pitch: float, is_sure: bool) -> None:
    faces = [_tile(name, column) for column, name in enumerate(("2m", "3m", "4m", "7s"))]
    rows = 7 if pitch > 1 else 2
    backs = [_tile("back", column * pitch, 1 + row * pitch) for row in range(rows) for column in range(10)]
    tiles = [*faces, *backs]
    assert _sure(tiles, image=_of_one_set(tiles)) == [True] * 4 + [is_sure] * len(backs)


def test_backs_in_a_heap_are_sure_since_they_are_turned_in_any_way() -> None:
    rng = np.random.default_rng(3)
    heap = []
    for index in range(48):
        angle = float(rng.uniform(0, 2 * np.pi))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        quad = _quad(0, 0) @ turn + (60 + 27 * (index % 8), 60 + 27 * (index // 8))
        heap.append(replace(_tile("back", 0), quad=tuple((float(x), float(y)) for x, y in quad)))
    assert all(_sure(heap))

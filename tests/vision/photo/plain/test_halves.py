"""The halves of a 4p are one tile; two 2p side by side stay two, though they look like a 4p together."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
import pytest

from vision.arrays import Floats32
from vision.geometry.quads import areas_of
from vision.photo.candidates import quads_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.halves import possible_wholes, with_wholes

NONE = np.zeros((0, 4, 2), np.float32)


def read_tile(
    x: float, tile: str = "1m", score: float = 0.95, *, y: float = 0.0, size: tuple[float, float]
) -> ReadTile:
    """A tile `size` wide and high, whose top left is at x, y; its quad begins with a short side."""
    wide, high = size
    corners = (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)
    quad = corners if wide <= high else (*corners[1:], corners[0])
    return ReadTile(tile=tile, score=score, quad=quad, found=0.6)


def rotated(tiles: list[ReadTile], angle: float) -> list[ReadTile]:
    c, s = cos(radians(angle)), sin(radians(angle))
    quads = [tuple((c * x - s * y, s * x + c * y) for x, y in tile.quad) for tile in tiles]
    return [
        ReadTile(tile=tile.tile, score=tile.score, quad=quad, found=tile.found)
        for tile, quad in zip(tiles, quads, strict=True)
    ]


ROW = [read_tile(22.0 * place, face, size=(20, 27)) for place, face in enumerate(("1m", "5s", "6z", "9p"))]
UPPER, LOWER = read_tile(88, "2p", size=(20, 13)), read_tile(88, "2p", y=14, size=(20, 13))


def middle(quad: Floats32) -> list[float]:
    return [round(float(value), 1) for value in quad.mean(axis=0)]


@pytest.mark.parametrize("angle", [0, 30, 90, 200])
def test_two_halves_make_a_whole_however_they_are_turned(angle: float) -> None:
    row, (whole,) = rotated([*ROW, UPPER, LOWER], angle), rotated([read_tile(88, size=(20, 27))], angle)
    (found,) = possible_wholes(row, NONE)
    assert middle(found) == middle(quads_of([whole])[0])
    (x, y), (across, down) = found[1] - found[0], found[3] - found[0]
    assert x * down - y * across == pytest.approx(540, abs=1)  # positive: clockwise in a picture


def test_a_half_and_a_doubted_find_make_a_whole() -> None:
    assert len(possible_wholes([*ROW, LOWER], quads_of([UPPER]))) == 1


@pytest.mark.parametrize("other", ["2p", "7s"])
def test_two_tiles_as_big_as_the_others_are_no_halves(other: str) -> None:
    assert not len(
        possible_wholes([*ROW, read_tile(88, "2p", size=(20, 27)), read_tile(108, other, size=(20, 27))], NONE)
    )


def test_two_as_big_as_the_others_are_halves_if_they_lie_nearer_than_tiles_can() -> None:
    upper, lower = read_tile(86, "2p", y=-3, size=(24, 18)), read_tile(86, "2p", y=11, size=(24, 18))
    (found,) = possible_wholes([*ROW, upper, lower], NONE)
    assert middle(found) == [98, 13]
    assert areas_of(found[None])[0] == pytest.approx(540, abs=1)


def test_what_does_not_go_on_where_the_half_ends_is_no_other_half() -> None:
    beside_it, too_far = read_tile(100, "2p", y=14, size=(20, 13)), read_tile(88, "2p", y=30, size=(20, 13))
    askew = rotated([read_tile(88, "2p", size=(20, 13))], 40)[0]
    for other in (beside_it, too_far, askew):
        assert not len(possible_wholes([*ROW, UPPER, other], NONE))


def test_other_faces_are_no_halves_and_few_sure_ones_tell_no_size() -> None:
    sticks = [read_tile(88, "2s", size=(20, 13)), read_tile(88, "2s", y=14, size=(20, 13))]
    assert not len(possible_wholes([*ROW, *sticks], NONE))
    assert not len(possible_wholes([*ROW[:2], UPPER, LOWER], NONE))


def test_a_sure_4p_takes_the_place_of_its_halves_as_surely_found_as_they_were() -> None:
    whole = ReadTile(tile="4p", score=0.99, quad=read_tile(88, size=(20, 27)).quad, found=0.3)
    *row, joined = with_wholes([*ROW, UPPER, LOWER], [whole])
    assert row == ROW
    assert (joined.tile, joined.quad, joined.found) == ("4p", whole.quad, 0.6)


@pytest.mark.parametrize(
    ("tiles", "face", "score"),
    [
        ([UPPER, LOWER], "4p", 0.6),
        ([UPPER, LOWER], "8p", 0.99),
        ([UPPER, read_tile(88, "7p", y=14, size=(20, 13))], "4p", 1.0),
    ],
    ids=["not sure", "another face", "over another face"],
)
def test_halves_stay_where_the_whole_is_no_sure_4p(tiles: list[ReadTile], face: str, score: float) -> None:
    whole = read_tile(88, face, score, size=(20, 27))
    assert with_wholes([*ROW, *tiles], [whole]) == [*ROW, *tiles]

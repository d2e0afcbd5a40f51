"""Photographs that were taken with a rolled camera."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from models.training.crops.labelled_photos import find
from tests.places import SHARED
from vision.arrays import Image
from vision.felt import Reading
from vision.photo.photo_reader import read_photo
from vision.photo.photo_things import ReadTile
from vision.photo.plain.rolled_photo import StraightPhoto, roll_of
from vision.photo.plain.searches import Search
from vision.reading.locator import Located, Locator
from vision.reading.reader import TileReader

Quads = npt.NDArray[np.float32]


def _row(degrees: float, count: int = 7) -> Quads:
    """Returns a row of quads of 30 x 40 pixels about the middle of a picture of 600 x 400, rolled clockwise."""
    lefts = 38.0 * (np.arange(count) - count / 2)
    corners = np.array([[0.0, -20.0], [30.0, -20.0], [30.0, 20.0], [0.0, 20.0]])
    quads = corners + np.stack([lefts, np.zeros(count)], axis=1)[:, None]
    turn = np.radians(degrees)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(quads @ matrix + (300.0, 200.0), np.float32)


def _search(quads: Quads, faces: Quads, *, score: float = 0.9) -> Search:
    """Returns a search that found these quads, and sure faces at these places."""
    nothing = np.zeros((0, 4, 2), np.float32)
    scores = np.full(len(quads), score, np.float32)
    located = Located(tiles=quads, tile_scores=scores, sticks=nothing, stick_scores=scores[:0], stick_values=())
    tiles = [ReadTile(tile="6m", quad=tuple((float(x), float(y)) for x, y in face), score=0.95) for face in faces]
    return Search(located=located, tiles=tiles)


@pytest.mark.parametrize("degrees", [-44.0, -30.0, 15.0, 30.0, 44.0])
def test_the_sides_of_tiles_show_how_far_a_photo_is_rolled(degrees: float) -> None:
    assert roll_of(_search(_row(degrees), _row(0.0, 2))) == pytest.approx(degrees, abs=0.1)


def test_sure_faces_show_it_better_than_a_floor_of_slabs() -> None:
    assert roll_of(_search(_row(40.0, 12), _row(20.0, 3))) == pytest.approx(20.0, abs=0.1)
    assert roll_of(_search(_row(40.0, 12), _row(0.0, 3))) == 0.0


def test_a_table_with_many_sure_faces_is_not_turned() -> None:
    assert roll_of(_search(_row(0.0, 0), _row(30.0, 20))) == pytest.approx(30.0, abs=0.1)
    assert roll_of(_search(_row(0.0, 0), _row(30.0, 21))) == 0.0


def test_a_floor_without_faces_is_not_turned() -> None:
    assert roll_of(_search(_row(30.0, 40), _row(0.0, 0))) == pytest.approx(30.0, abs=0.1)
    assert roll_of(_search(_row(30.0, 41), _row(0.0, 0))) == 0.0


def test_tiles_turned_by_a_quarter_show_the_same_roll() -> None:
    quads = np.concatenate([_row(30.0), _row(-60.0)])
    assert roll_of(_search(quads, _row(0.0, 0))) == pytest.approx(30.0, abs=0.1)


@pytest.mark.parametrize(
    "search",
    [
        _search(_row(0.0, 0), _row(0.0, 0)),
        _search(_row(30.0, 1), _row(0.0, 0)),
        _search(_row(13.0), _row(0.0, 0)),
        _search(_row(30.0), _row(0.0, 0), score=0.4),
        _search(np.concatenate([_row(degrees) for degrees in (0.0, 20.0, 40.0, 60.0)]), _row(0.0, 0)),
    ],
    ids=["nothing found", "too few", "hardly rolled", "only doubtful finds", "tiles in all directions"],
)
def test_a_photo_is_not_rolled_if_its_tiles_do_not_show_it(search: Search) -> None:
    assert roll_of(search) == 0.0


@pytest.mark.parametrize("degrees", [-40.0, 20.0])
@pytest.mark.parametrize("size", [(600, 400), (5000, 3000)])
def test_what_lies_in_a_straight_photo_comes_back_to_its_place(degrees: float, size: tuple[int, int]) -> None:
    quads = _row(degrees, 1) * (size[0] / 600)
    image = np.zeros((size[1], size[0], 3), np.uint8)
    cv2.fillPoly(image, [np.rint(quads[0]).astype(np.int32)], (255, 255, 255))
    straight = StraightPhoto(image, degrees)
    assert straight.image.shape[0] * straight.image.shape[1] < 1.01 * max(12_000_000, size[0] * size[1])
    white = straight.image[..., 0] > 127
    places = np.argwhere(white.T)
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    found = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    assert white.mean() == pytest.approx((right - left + 1) * (bottom - top + 1) / white.size, rel=0.1)
    search = _search(found[None], found[None])
    located = replace(search.located, sticks=found[None], candidates=found[None], stick_candidates=found[None])
    in_photo = straight.in_photo(replace(search, located=located))
    located = in_photo.located
    for place in (located.tiles, located.sticks, located.candidates, located.stick_candidates):
        np.testing.assert_allclose(place, quads, atol=3.0)
    np.testing.assert_allclose(in_photo.tiles[0].quad, quads[0], atol=3.0)


class _OutlineLocator:
    """Finds white things in a picture, each as the rectangle around its outline."""

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        white = (image[..., 0] > 127).astype(np.uint8)
        outlines, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        boxes = [np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float32) for outline in outlines]
        quads = np.array([np.roll(box, self._first(box), axis=0) for box in boxes], np.float32).reshape(-1, 4, 2)
        nothing = np.zeros((0, 4, 2), np.float32)
        scores = np.full(len(quads), 0.9, np.float32)
        return Located(tiles=quads, tile_scores=scores, sticks=nothing, stick_scores=scores[:0], stick_values=())

    @staticmethod
    def _first(box: Quads) -> int:
        return 0 if np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1]) else -1


class _StraightReader:
    """Reads faces in an order, if their sides run along the picture's axes, and otherwise no tiles."""

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        is_straight = np.abs(corners[:, 1] - corners[:, 0]).min(axis=1) < 2.0
        faces = [f"{rank}m" for rank in np.argsort(np.argsort(corners[:, 0, 0])) % 9 + 1]
        return [
            Reading(tile=face if straight else "?", score=0.99)
            for face, straight in zip(faces, is_straight, strict=True)
        ]


def _picture_of(quads: Quads) -> Image:
    image = np.zeros((400, 600, 3), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, np.rint(quad).astype(np.int32), (255, 255, 255))
    return image


def test_a_rolled_row_is_read_in_the_photo_turned_straight() -> None:
    row = _row(30.0)
    read = read_photo(_picture_of(row), locator=_OutlineLocator(), reader=_StraightReader())
    assert [tile.tile for tile in read.tiles] == ["1m", "2m", "3m", "4m", "5m", "6m", "7m"]
    middles = np.array([tile.quad for tile in read.tiles]).mean(axis=1)
    np.testing.assert_allclose(middles, row.mean(axis=1), atol=1.5)


def test_a_photo_in_which_turning_shows_no_faces_is_read_as_it_is() -> None:
    class Reader(_StraightReader):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            return [
                replace(reading, tile="2s" if reading.tile == "?" else "?") for reading in super().read(image, quads)
            ]

    read = read_photo(_picture_of(_row(30.0)), locator=_OutlineLocator(), reader=Reader())
    assert [tile.tile for tile in read.tiles] == ["2s"] * 7


def test_a_photo_in_which_turning_shows_fewer_faces_is_read_as_it_is() -> None:
    class Reader(_StraightReader):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            lefts = np.asarray(quads, np.float32).reshape(-1, 4, 2)[:, :, 0].min(axis=1)
            readings = zip(super().read(image, quads), lefts, strict=True)
            return [
                Reading(tile="2s" if reading.tile == "?" else "6p" if left < 350 else "?", score=0.99)
                for reading, left in readings
            ]

    read = read_photo(_picture_of(_row(30.0)), locator=_OutlineLocator(), reader=Reader())
    assert [tile.tile for tile in read.tiles] == ["2s"] * 7


def test_standing_tiles_are_read_when_the_camera_is_rolled() -> None:
    if not (SHARED / "photos").is_dir():
        pytest.skip(f"photographs absent: {SHARED / 'photos'}")
    locator, reader = Locator(), TileReader()
    right = total = 0
    for photo in find(SHARED, "japanese-standing")[27:47:4]:
        read = read_photo(_rolled(photo.image(), 30.0), locator=locator, reader=reader)
        right += (Counter(tile.tile for tile in read.tiles) & Counter(photo.labels)).total()
        total += len(photo.labels)
    assert right >= 0.9 * total, f"{right} of {total}"


def _rolled(image: Image, degrees: float) -> Image:
    """Returns a picture rolled clockwise, with grey corners."""
    side = int(np.hypot(*image.shape[:2]))
    turn = cv2.getRotationMatrix2D((image.shape[1] / 2, image.shape[0] / 2), -degrees, 1.0)
    turn[:, 2] += side / 2 - image.shape[1] / 2, side / 2 - image.shape[0] / 2
    return np.asarray(cv2.warpAffine(image, turn, (side, side), borderValue=(100, 100, 100)), np.uint8)

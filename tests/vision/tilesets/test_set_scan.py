"""A set laid out in order is found and learnt by place; what is no such thing is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.art import draw_face
from vision.art.face_sheet import in_rows, picture
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Scene, SceneTile
from vision.confidence import UNREAD_TILE_IN_SCAN
from vision.errors import TileSetError
from vision.felt import FACES
from vision.photo.photo_reader import read_photo
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.tilesets.set_scan import WITHOUT_REDS, ScannedSet, scan

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


@pytest.fixture(scope="module")
def locator() -> Locator:
    return Locator()


def _scan(rows: Sequence[Sequence[str]], locator: Locator, reader: TileReader, *, turn_deg: float = 0.0) -> ScannedSet:
    image = picture(rows, turn_deg=turn_deg)
    return scan(image, read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN), reader)


@pytest.mark.parametrize("turn_deg", [0.0, 4.0, 178.0, 92.0])
def test_each_face_is_learnt_by_its_place(turn_deg: float, locator: Locator, reader: TileReader) -> None:
    scanned = _scan(in_rows(FACES, 10), locator, reader, turn_deg=turn_deg)
    assert [example.face for example in scanned.examples] == list(FACES)
    readings = [reader.read_crops(example.crop[None])[0] for example in scanned.examples]
    assert sum(reading.tile == face for reading, face in zip(readings, FACES, strict=True)) >= 34
    assert not any(reading.turned for reading in readings)


def test_a_set_is_learnt_from_a_picture_taken_from_the_side(locator: Locator, reader: TileReader) -> None:
    appearance = Appearance(
        unit_mm=0.0, camera_height_mm=330, camera_y_mm=-330, covered_mm=330, width_px=1600, height_px=1200
    )
    places = [(21.5 * (place % 9 - 4), 29.5 * (2 - place // 9)) for place in range(len(FACES))]
    tiles = tuple(SceneTile(face=face, x_mm=x, y_mm=y) for face, (x, y) in zip(FACES, places, strict=True))
    image = Renderer(appearance).render(Scene(tiles=tiles), k=0)
    scanned = scan(image, read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN), reader)
    assert [appearance.face for appearance in scanned.examples] == list(FACES)


def test_a_set_without_red_fives_has_34_faces(locator: Locator, reader: TileReader) -> None:
    scanned = _scan(in_rows(FACES[:WITHOUT_REDS]), locator, reader)
    assert [example.face for example in scanned.examples] == list(FACES[:WITHOUT_REDS])


def _changed(
    *, drop: Sequence[str] = (), swap: tuple[str, str] | None = None, to: dict[str, str] | None = None
) -> list[str]:
    faces = [(to or {}).get(face, face) for face in FACES if face not in drop]
    if swap is not None:
        one, other = (faces.index(face) for face in swap)
        faces[one], faces[other] = faces[other], faces[one]
    return faces


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (_changed(drop=["7p"]), "no 7p"),
        (_changed(drop=["1m", "6z"]), "no 1m, 6z"),
        (_changed(to={"3s": "4s"}), "4s twice and no 3s"),
        (_changed(swap=("2m", "3m")), "3m out of order|2m out of order|3m where 2m belongs"),
        (_changed(swap=("2m", "8s")), "8s where 2m belongs; 2m where 8s belongs"),
        ([*FACES, "9m"], "9m once too often, at pixel"),
        (list(FACES[::-1]), "another order"),
        (list(FACES[:9]), "found 9"),
    ],
)
def test_what_is_not_one_of_each_in_order_is_told(
    faces: list[str], message: str, locator: Locator, reader: TileReader
) -> None:
    with pytest.raises(TileSetError, match=message):
        _scan(in_rows(faces), locator, reader)


def test_a_face_that_is_not_there_is_named_for_whoever_lays_them_out(locator: Locator, reader: TileReader) -> None:
    with pytest.raises(TileSetError) as raised:
        _scan(in_rows(_changed(drop=["7p"])), locator, reader)
    assert (raised.value.missing, raised.value.misplaced) == (("7p",), ())


def test_a_face_that_the_reader_mistakes_is_learnt_by_its_place(locator: Locator, reader: TileReader) -> None:
    image = picture(in_rows(FACES), other_prints={"9m": draw_face("6m", 48, 64)[:, ::-1]})
    scanned = scan(image, read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN), reader)
    assert [example.face for example in scanned.examples] == list(FACES)
    assert [face for face, _ in scanned.misread] == ["9m"]


def test_tiles_too_small_to_read_ask_for_a_nearer_picture(locator: Locator, reader: TileReader) -> None:
    image = picture(in_rows(FACES), tile=(15, 20))
    with pytest.raises(TileSetError, match=r"move nearer|clearly visible|found"):
        scan(image, read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN), reader)


def test_tiles_just_below_the_least_width_are_said_to_be_below_it(locator: Locator, reader: TileReader) -> None:
    image = picture(in_rows(FACES, 10))
    found = read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN)
    quads = np.array([tile.quad for tile in found.tiles])
    quads *= 18.7 / np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))
    small_tiles = (replace(tile, quad=quad) for tile, quad in zip(found.tiles, quads.tolist(), strict=True))
    with pytest.raises(TileSetError, match=r"of 19 pixels or wider, got 18\.7: move nearer"):
        scan(image, replace(found, tiles=tuple(small_tiles)), reader)


def test_tiles_laid_in_all_directions_are_refused(locator: Locator, reader: TileReader) -> None:
    image = picture(in_rows(FACES))
    image[: image.shape[0] // 2] = image[: image.shape[0] // 2][::-1, ::-1]
    with pytest.raises(TileSetError, match=r"same way up|clear"):
        scan(image, read_photo(image, locator=locator, reader=reader, unread_score=UNREAD_TILE_IN_SCAN), reader)

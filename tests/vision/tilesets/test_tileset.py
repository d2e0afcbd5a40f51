"""A set is learnt from a look at each face, measured on others, kept in a file, and what was learnt can be undone."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.art import draw_face
from vision.art.face_sheet import IVORY, in_rows, picture
from vision.errors import TileSetError
from vision.felt import FACES, NOT_A_TILE
from vision.reading.reader import HEIGHT, WIDTH, TileReader
from vision.tilesets import tileset
from vision.tilesets.tileset import FaceExample, Readiness, SetReader, TileSet

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


def _crop(face: str) -> Image:
    """The project's own face; but its nine is a mirrored six, which the shipped reader takes for a six."""
    drawn = draw_face("6m", WIDTH, HEIGHT)[:, ::-1] if face == "9m" else draw_face(face, WIDTH, HEIGHT)
    cover = drawn[..., 3:] / 255.0
    return np.asarray(np.array(IVORY) + (drawn[..., :3] - np.array(IVORY)) * cover, np.uint8)


def _example(face: str, source: str = "scan") -> FaceExample:
    return FaceExample(face=face, source=source, crop=_crop(face))


@pytest.fixture(scope="module")
def tiles() -> TileSet:
    return TileSet(name="odd nine", examples=tuple(_example(face) for face in FACES))


@pytest.fixture(scope="module")
def learnt(reader: TileReader, tiles: TileSet) -> SetReader:
    return SetReader(reader, tiles)


def _second() -> tuple[FaceExample, ...]:
    """The same faces three quarters as large and in other light."""
    examples = []
    for face in FACES:
        small = cv2.resize(_crop(face), (36, 48), interpolation=cv2.INTER_AREA)
        dim = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR).astype(np.float32) * (0.85, 0.88, 0.9)
        examples.append(FaceExample(face=face, source="second", crop=np.asarray(dim, np.uint8)))
    return tuple(examples)


def test_a_face_that_the_shipped_reader_mistakes_is_read_once_it_was_shown(
    reader: TileReader, learnt: SetReader
) -> None:
    odd = next(example.crop for example in _second() if example.face == "9m")[None]
    assert reader.read_crops(odd)[0].tile != "9m"
    assert learnt.read_crops(odd)[0].tile == "9m"


def test_a_learnt_set_is_ready_and_an_unlearnt_one_names_what_it_confuses(
    reader: TileReader, learnt: SetReader
) -> None:
    # Six and its mirror image are left out: no real set is that hard.
    ready = tileset.measure(learnt, tuple(example for example in _second() if example.face not in {"6m", "9m"}))
    assert ready.is_ready, ready
    unlike = SetReader(
        reader, TileSet(name="no nine", examples=tuple(_example(face) for face in FACES if face != "9m"))
    )
    unready = tileset.measure(unlike, _second())
    assert not unready.is_ready
    assert "9m" in {face for face, _, _ in unready.confused}
    assert unready.score < ready.score


def test_readiness_below_the_floor_is_refused_even_if_no_face_stands_out() -> None:
    assert Readiness(right=366, total=370, confused=()).is_ready is False
    assert Readiness(right=369, total=370, confused=()).is_ready is True
    assert Readiness(right=369, total=370, confused=(("9m", "6m", 0.2),)).is_ready is False
    assert Readiness(right=0, total=0, confused=()).is_ready is False


def test_a_learnt_reader_still_knows_what_is_no_tile(learnt: SetReader) -> None:
    felt = picture(in_rows(["1m"]))[:HEIGHT, :WIDTH]
    astride = np.concatenate([_crop("3p")[:, WIDTH // 2 :], _crop("7s")[:, : WIDTH // 2]], axis=1)
    assert [reading.tile for reading in learnt.read_crops(np.stack([felt, astride]))] == [NOT_A_TILE, NOT_A_TILE]
    assert learnt.read_crops(np.empty((0, HEIGHT, WIDTH, 3), np.uint8)) == []


def test_the_same_looks_teach_the_same(reader: TileReader, tiles: TileSet, learnt: SetReader) -> None:
    again = SetReader(reader, tiles)
    crops = np.stack([_crop(face) for face in FACES[:5]])
    assert again.read_crops(crops) == learnt.read_crops(crops)


def test_a_file_holds_the_set_and_reads_the_same(tmp_path: Path, reader: TileReader, tiles: TileSet) -> None:
    odd_nine = TileSet(
        name="odd nine", examples=tiles.examples, readiness=Readiness(right=9, total=10, confused=(("1m", "2m", 0.3),))
    )
    path = tmp_path / "home.tileset"
    tileset.save(odd_nine, path)
    back = tileset.load(path)
    assert (back.name, back.readiness, back.faces) == (odd_nine.name, odd_nine.readiness, FACES)
    assert path.stat().st_size < 400_000
    odd = next(example.crop for example in _second() if example.face == "9m")[None]
    assert SetReader(reader, back).read_crops(odd)[0].tile == "9m"


def test_what_was_learnt_from_a_hand_can_be_taken_back(tiles: TileSet) -> None:
    taught = tiles.having((_example("1m", "east 2"), _example("9m", "east 2")))
    assert len(taught.examples) == len(FACES) + 2
    assert taught.without("east 2") == tiles
    with pytest.raises(TileSetError, match="expected one of the sources scan, got 'east 2'"):
        tiles.without("east 2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "another file"),
        ({"version": 2}, "another file"),
        ({"looks": []}, "no looks"),
        ({"looks": [{"face": "1x", "source": "scan", "jpeg": ""}]}, "1x"),
        ({"looks": [{"face": "1m", "source": "scan", "jpeg": "%%"}]}, "as documented"),
        ({"looks": [{"face": "1m", "source": "scan", "jpeg": "aGVsbG8="}]}, "48 x 64"),
        ({"readiness": {"right": 1}}, "confused"),
        ({"readiness": {"right": float("inf"), "total": 1, "confused": []}}, "expected a finite number"),
        ({"readiness": {"right": 1, "total": 1, "confused": [["1m", "2m", 10**400]]}}, "expected a number of 64 bits"),
    ],
)
def test_a_file_of_another_format_is_refused(
    tmp_path: Path, tiles: TileSet, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "bad.tileset"
    tileset.save(tiles, path)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(TileSetError, match=message):
        tileset.load(path)


def test_a_byte_order_mark_is_ignored(tmp_path: Path, tiles: TileSet) -> None:
    path = tmp_path / "edited.tileset"
    tileset.save(tiles, path)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert len(tileset.load(path).examples) == len(tiles.examples)


def test_an_absent_file_and_an_unwritable_place_are_told(tmp_path: Path, tiles: TileSet) -> None:
    with pytest.raises(TileSetError, match=r"none\.tileset"):
        tileset.load(tmp_path / "none.tileset")
    with pytest.raises(TileSetError, match="expected a writable file"):
        tileset.save(tiles, tmp_path / "absent" / "home.tileset")

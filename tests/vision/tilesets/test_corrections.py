"""What corrections teach: a face that was misread is read, a wrong one changes nothing, and all can be taken back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.odd_nine import misread_nine, tile_crop
from tests.vision.tilesets.drawn_sets import THIN
from vision.arrays import Image
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.errors import TileSetError
from vision.felt import FACES
from vision.reading.reader import TileReader
from vision.tilesets import tileset
from vision.tilesets.corrections import (
    MOST_PER_FACE,
    Correction,
    State,
    assess_corrections,
    load_corrections,
    load_taught,
    path_of,
    save_corrections,
    with_corrections,
)
from vision.tilesets.tileset import FaceExample, SetReader, disturbed

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


@pytest.fixture(scope="module")
def nine(reader: TileReader) -> Image:
    return tile_crop(misread_nine(reader))


def corrected(face: str, crop: Image, *, name: str = "tap-1", state: State = State.WAITING) -> Correction:
    return Correction(name=name, face=face, read="?", when="2026-11-21T20:00:00Z", by="seat 2", crop=crop, state=state)


def right() -> tuple[FaceExample, ...]:
    """Tiles of the same hand that nobody corrected."""
    return tuple(
        FaceExample(face=face, source="hand", crop=np.asarray(tile_crop(own_faces(face)) * 0.94, np.uint8))
        for face in ("6m", "8m", "1z", "4p")
    )


def faces(reader: SetReader | TileReader, crop: Image, copies: int = 6) -> set[str]:
    return {reading.tile for reading in reader.read_crops(disturbed(crop, copies, np.random.default_rng(9)))}


def test_one_correction_teaches_a_face_where_no_set_was_scanned_and_leaves_the_others(
    reader: TileReader, nine: Image
) -> None:
    (learnt,) = assess_corrections(reader, None, (corrected("9m", nine),), right())
    assert learnt.state is State.LEARNT
    tiles = with_corrections(None, (learnt,))
    assert tiles is not None
    adapted = SetReader(reader, tiles)
    assert reader.read_crops(nine[None])[0].tile == "6m"
    assert faces(adapted, np.asarray(nine * 0.9, np.uint8)) == {"9m"}
    crops = np.stack([tile_crop(own_faces(face)) for face in FACES])
    assert [reading.tile for reading in adapted.read_crops(crops)] == list(FACES)


def test_a_correction_is_added_to_a_scan(reader: TileReader, nine: Image) -> None:
    (learnt,) = assess_corrections(reader, THIN, (corrected("9m", nine),), right())
    tiles = with_corrections(THIN, (learnt,))
    assert tiles is not None
    assert tiles.examples[: len(THIN.examples)] == THIN.examples
    assert [example.source for example in tiles.examples[len(THIN.examples) :]] == ["tap-1"]
    assert faces(SetReader(reader, tiles), nine) == {"9m"}


@pytest.mark.parametrize(("true_face", "message"), [("6m", "9m"), ("1z", "9p")])
def test_a_wrong_correction_waits_and_is_refused_even_when_it_is_repeated(
    reader: TileReader, true_face: str, message: str
) -> None:
    wrong = corrected(message, np.asarray(tile_crop(own_faces(true_face)) * 0.95, np.uint8))
    (alone,) = assess_corrections(reader, None, (wrong,), right())
    assert alone.state is State.WAITING
    assert with_corrections(None, (alone,)) is None
    again = replace(wrong, name="tap-2", crop=np.asarray(wrong.crop * 0.97, np.uint8))
    assert {correction.state for correction in assess_corrections(reader, None, (alone, again), right())} == {
        State.REFUSED
    }


def test_no_more_than_the_newest_corrections_of_a_face_are_read_by(nine: Image) -> None:
    many = tuple(corrected("9m", nine, name=f"tap-{n}", state=State.LEARNT) for n in range(MOST_PER_FACE + 2))
    tiles = with_corrections(THIN, many)
    assert tiles is not None
    assert [example.source for example in tiles.examples if example.source != "scan"] == [
        f"tap-{n}" for n in range(2, MOST_PER_FACE + 2)
    ]


def test_corrections_lie_beside_the_scan_and_are_taken_back_without_altering_it(tmp_path: Path, nine: Image) -> None:
    path = tmp_path / "home.tileset"
    tileset.save(THIN, path)
    scan = path.read_bytes()
    save_corrections((corrected("9m", nine, state=State.LEARNT), corrected("3s", nine, name="tap-2")), path_of(path))
    assert path_of(path).name == "home.tileset.taps"
    both = load_corrections(path_of(path))
    assert [(each.face, each.by, each.state) for each in both] == [
        ("9m", "seat 2", State.LEARNT),
        ("3s", "seat 2", State.WAITING),
    ]
    taught = load_taught(path)
    assert taught is not None
    assert len(taught.examples) == len(THIN.examples) + 1
    save_corrections((replace(both[0], state=State.FORGOTTEN), both[1]), path_of(path))
    back = load_taught(path)
    assert back is not None
    assert len(back.examples) == len(THIN.examples)
    assert path.read_bytes() == scan


def test_corrections_of_a_set_that_was_never_scanned_are_enough(tmp_path: Path, nine: Image) -> None:
    path = tmp_path / "unscanned.tileset"
    with pytest.raises(TileSetError, match="expected a readable tile set"):
        load_taught(path)
    save_corrections((corrected("9m", nine, state=State.LEARNT),), path_of(path))
    taught = load_taught(path)
    assert taught is not None
    assert taught.name == "taps"
    save_corrections((corrected("9m", nine, state=State.FORGOTTEN),), path_of(path))
    assert load_taught(path) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "expected a readable file of corrections"),
        ("{}", "expected tachiai-taps version 1"),
        ('{"format": "tachiai-taps", "version": 1, "taps": [{"face": "0z"}]}', "expected corrections as documented"),
    ],
)
def test_a_broken_file_of_corrections_is_told(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "home.tileset.taps"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TileSetError, match=message):
        load_corrections(path)

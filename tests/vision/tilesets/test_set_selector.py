"""Of two learnt sets the one on the table is told by its faces or by its back, and followed when they change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.tilesets.drawn_sets import BLUE, BOLD, CREAM, THIN, YELLOW, Image, _back_crop, _crop, _set
from vision.art.face_sheet import IVORY
from vision.felt import FACES
from vision.reading.reader import HEIGHT, WIDTH, TileReader
from vision.tilesets import tileset
from vision.tilesets.set_selector import SetSelector, reader_of

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader()


@pytest.fixture(scope="module")
def learnt(reader: TileReader) -> SetSelector:
    return SetSelector(reader, (THIN, BOLD))


@pytest.fixture
def both(learnt: SetSelector) -> SetSelector:
    learnt.reset()
    return learnt


def _dimmed(crops: list[Image]) -> Image:
    return np.asarray(np.stack(crops) * 0.92, np.uint8)


def test_the_set_is_told_by_its_faces_and_followed_when_it_changes(both: SetSelector) -> None:
    names = [both.name]
    for base, bold in ((CREAM, True), (IVORY, False)):
        crops = _dimmed([_crop(face, base, bold=bold) for face in FACES])
        both.read_crops(crops)
        readings = both.read_crops(crops)
        names.append(both.name)
        assert sum(reading.tile == face for reading, face in zip(readings, FACES, strict=True)) >= 36
    assert names == [None, "bold", "thin"]


def test_the_set_is_told_by_its_back(both: SetSelector) -> None:
    both.read_crops(_dimmed([_back_crop(BLUE)] * 6))
    assert both.name == "bold"


def test_a_cleared_table_may_get_the_other_set(both: SetSelector) -> None:
    both.read_crops(_dimmed([_back_crop(BLUE)] * 60))
    names = [both.name]
    both.reset()
    names.append(both.name)
    cut = _dimmed([_crop(face, IVORY, bold=False) for face in ("1m", "9p", "7z", "4s", "2z", "6p")])
    both.read_crops(cut)
    assert [*names, both.name] == ["bold", None, "thin"]
    assert [reading.tile for reading in both.reread(cut)] == ["1m", "9p", "7z", "4s", "2z", "6p"]


def test_while_it_is_open_which_lies_there_tiles_are_read_by_both(both: SetSelector) -> None:
    cut = _dimmed([_crop("9m", CREAM, bold=True), _crop("3s", IVORY, bold=False)])
    assert [reading.tile for reading in both.read_crops(cut)] == ["9m", "3s"]
    assert both.name is None


def test_few_tiles_tell_nothing_yet(both: SetSelector) -> None:
    assert both.read_crops(np.empty((0, HEIGHT, WIDTH, 3), np.uint8)) == []
    both.read_crops(_dimmed([_crop("1m", CREAM, bold=True)] * 2))
    assert both.name is None


def test_backs_of_like_colour_tell_nothing(reader: TileReader) -> None:
    selector = SetSelector(reader, (THIN, _set("bold", CREAM, (45, 185, 235), bold=True)))
    selector.read_crops(_dimmed([_back_crop(YELLOW)] * 10))
    assert selector.name is None


def test_one_set_alone_is_the_one_that_lies_there(reader: TileReader) -> None:
    assert SetSelector(reader, (THIN,)).name == "thin"


def test_files_of_sets_make_a_reader_and_none_reads_as_the_shipped_one(reader: TileReader, tmp_path: Path) -> None:
    tileset.save(THIN, tmp_path / "thin.tileset")
    assert reader_of([tmp_path / "thin.tileset"]).name == "thin"
    selector, crops = reader_of([]), _dimmed([_crop("1m", CREAM, bold=True), _back_crop(BLUE)])
    assert selector.name is None
    assert selector.read_crops(crops) == selector.reread(crops) == reader.read_crops(crops)


def test_what_is_learnt_later_changes_by_what_it_is_read(reader: TileReader) -> None:
    selector = SetSelector(reader)
    before = selector.reader_version
    selector.learn([THIN])
    assert selector.reader_version != before
    assert selector.name == "thin"

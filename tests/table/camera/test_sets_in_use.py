"""Which sets of tiles a table's watcher reads by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.camera.sets_in_use import SetsInUse
from tests.vision.odd_nine import tile_crop
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import FACES
from vision.tilesets import tileset
from vision.tilesets.corrections import Correction, State, path_of, save_corrections
from vision.tilesets.tileset import FaceExample, TileSet

pytestmark = pytest.mark.pictures


def tileset_file(path: Path) -> Path:
    examples = tuple(FaceExample(face=face, source="scan", crop=tile_crop(own_faces(face))) for face in FACES)
    tileset.save(TileSet(name=path.stem, examples=examples), path)
    return path


def test_two_configured_sets_are_both_known_and_which_lies_there_is_open(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sets = SetsInUse((tileset_file(tmp_path / "yellow.tileset"), tileset_file(tmp_path / "blue.tileset")), tmp_path)
    sets.new_reader()
    assert [path.stem for path in sets.files] == ["yellow", "blue"]
    sets_before = [sets.current]
    assert [tiles.name for tiles in sets.readable_sets()] == ["yellow", "blue"]
    (tmp_path / "yellow.tileset").write_text("{", encoding="utf-8")
    sets.reload()
    assert [tiles.name for tiles in sets.readable_sets()] == ["blue"]
    assert [*sets_before, sets.current] == [None, 1]
    assert "the tile set is left out" in caplog.text


def test_where_no_set_is_scanned_corrections_alone_are_read_by(tmp_path: Path) -> None:
    sets = SetsInUse((), tmp_path)
    reader = sets.new_reader()
    assert (sets.files, sets.current, sets.readable_sets()) == ((tmp_path / "unscanned.tileset",), 0, [])
    correction = Correction(
        name="tap-1", face="9m", read="6m", when="", by="", crop=tile_crop(own_faces("9m")), state=State.LEARNT
    )
    save_corrections((correction,), path_of(sets.files[0]))
    sets.reload()
    assert reader.name == "taps"
    crop = np.asarray(tile_crop(own_faces("4s"))[None] * 0.9, np.uint8)
    assert reader.read_crops(crop)[0].tile == "4s"

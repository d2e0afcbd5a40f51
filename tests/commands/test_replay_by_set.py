"""`tachiai replay --tileset` reads through the scan: a nine that looks like a six is a nine once the set is known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.camera.simulation import read_script
from table.camera.simulation.script_recording import prepare_show, press_line, settings_of
from table.cli.main import main
from tests.table.camera.simulation.scripts import NINE
from tests.vision.odd_nine import misread_nine, tile_crop
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import FACES
from vision.reading.reader import TileReader
from vision.recording.recording import RecordingWriter
from vision.tilesets import tileset
from vision.tilesets.tileset import FaceExample, TileSet

pytestmark = pytest.mark.pictures


def test_a_recording_is_read_by_the_sets_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nine, film, path = misread_nine(TileReader()), prepare_show(read_script(NINE)), tmp_path / "hand"
    with (
        RecordingWriter(path, settings_of(film)) as writer,
        film.camera(faces=lambda face: nine if face == "9m" else own_faces(face)) as camera,
    ):
        for frame in camera.frames():
            writer.add(frame.image)
        for press in film.presses:
            writer.add_press(press_line(press))
    prints = {face: nine if face == "9m" else own_faces(face) for face in FACES}
    examples = tuple(FaceExample(face=face, source="scan", crop=tile_crop(drawn)) for face, drawn in prints.items())
    tileset.save(TileSet(name="odd", examples=examples), tmp_path / "odd.tileset")
    read = []
    for options in ([], ["--tileset", str(tmp_path / "odd.tileset")]):
        assert main(["replay", str(path), "--json", *options]) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        read.append([line["pai"] for line in lines if line["type"] == "dahai"])
    assert read == [["6m", "W"], ["9m", "W"]]

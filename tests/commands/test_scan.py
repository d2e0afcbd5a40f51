"""`tachiai scan` learns a set, measures it on a second photo, and refuses what is not ready."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from table.cli.main import main
from tests.contracts import assert_keeps
from tests.vision.tilesets.drawn_sets import THIN
from vision.art.face_sheet import in_rows, picture
from vision.felt import FACES
from vision.tilesets import tileset
from vision.tilesets.corrections import Correction, State, load_corrections, path_of, save_corrections

pytestmark = pytest.mark.pictures


def _photo(path: Path, faces: list[str], *, turn_deg: float = 0.0, seed: int = 0) -> str:
    cv2.imwrite(str(path), picture(in_rows(faces), turn_deg=turn_deg, seed=seed))
    return str(path)


@pytest.fixture
def photos(tmp_path: Path) -> tuple[str, str]:
    faces = list(FACES)
    return _photo(tmp_path / "first.png", faces), _photo(tmp_path / "second.png", faces, turn_deg=5, seed=1)


def test_two_photos_make_a_set_that_is_ready_and_reads(
    photos: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "home.tileset"
    assert main(["scan", *photos, "--out", str(out), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert_keeps("scan", answer)
    assert answer["ready"] is True
    assert answer["readiness"] >= 0.99
    assert (answer["name"], answer["faces"], answer["sources"]) == ("home", list(FACES), {"first": 37, "second": 37})
    assert main(["read", photos[1], "--tileset", str(out), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert sorted(tile["tile"] for tile in read["tiles"]) == sorted(FACES)


def test_one_photo_alone_is_never_ready(
    photos: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", photos[0], "--out", str(tmp_path / "one.tileset")]) == 1
    captured = capsys.readouterr()
    assert "37 faces" in captured.out
    assert "expected a second photo to measure by" in captured.err


def test_the_same_photo_twice_measures_nothing(photos: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", photos[0], photos[0]]) == 1
    assert "the same one again" in capsys.readouterr().err


def test_every_photo_that_is_no_scan_is_told(
    photos: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = _photo(tmp_path / "short.png", [face for face in FACES if face != "7p"])
    assert main(["scan", photos[0], short, str(tmp_path / "absent.png")]) == 1
    answer = capsys.readouterr().err
    assert "short.png: expected one of each of 37 faces in order, got no 7p" in answer
    assert "absent.png: expected a readable image file" in answer


def test_what_a_source_taught_can_be_shown_and_taken_back(
    photos: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "home.tileset")
    main(["scan", *photos, "--out", out])
    capsys.readouterr()
    assert main(["scan", "--show", out, "--forget", "second"]) == 0
    assert "looks: first 37\n" in capsys.readouterr().out
    assert main(["scan", "--show", out, "--forget", "second"]) == 1
    assert "expected one of the sources first" in capsys.readouterr().err


def test_photos_or_a_file_to_show_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan"]) == 2
    assert "expected photos to learn from or --show FILE, got neither" in capsys.readouterr().err


def test_what_a_tap_taught_is_listed_with_the_set_and_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thin.tileset"
    tileset.save(THIN, path)
    nine = next(example.crop for example in THIN.examples if example.face == "9m")
    correction = Correction(name="tap-1", face="9m", read="6m", when="", by="", crop=nine, state=State.LEARNT)
    save_corrections((correction,), path_of(path))
    main(["scan", "--show", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["sources"] == {"scan": 38, "tap-1": 1}
    main(["scan", "--show", str(path), "--forget", "tap-1", "--json"])
    assert json.loads(capsys.readouterr().out)["sources"] == {"scan": 38}
    assert load_corrections(path_of(path))[0].state is State.FORGOTTEN

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.appliance.files.data_folder import SECRETS
from table.cli.main import main
from table.dashboard.web.access.vault import Vault
from table.game.journal.entries import Envelope, Source
from table.game.journal.journal import Journal
from table.game.journal.recovery import journal_backup
from table.mqtt import broker_files
from table.panel import gpio_panel
from table.rules.events import TilePassed
from table.runtime.clock import SystemClock
from tests.contracts import assert_keeps
from tests.fakes.panels import BusyPins
from tests.places import RIICHI_TSUMO
from vision.geometry.calibration import find_corners
from vision.geometry.calibration_file import load
from vision.geometry.markers import Paper, sheet_pdf, sheet_svg
from vision.geometry.mounting.beside import beside_table
from vision.geometry.mounting.overhead import mounting_table
from vision.recording.recording import Recording


def write_journal(folder: Path, entries: int) -> Path:
    path = folder / "table.journal"
    with Journal(path) as journal:
        while journal.last < entries:
            journal.append(Envelope(utc=SystemClock().utc(), source=Source.TABLE), TilePassed())
    return path


def config(folder: Path, text: str = "") -> Path:
    path = folder / "tachiai.toml"
    path.write_text(f'[table]\ndata = "{folder}"\n[page]\nport = 0\n{text}')
    return path


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("restore tachiai.toml --data new/folder", []),
        ("restore table.journal --data new/folder", ["new", "folder", "table.journal.lock"]),
        ("backup --data . --to new/folder", []),
        ("broker new/folder one", []),
    ],
)
def test_a_command_that_a_full_disk_stops_leaves_no_empty_folder_behind(
    words: str, left: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_journal(tmp_path, 1)
    config(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(journal_backup, "copy", full)
    monkeypatch.setattr(journal_backup, "replace_journal", full)
    monkeypatch.setattr(broker_files, "write_whole", full)
    assert main(words.split()) == 1
    assert [path.name for path in sorted(tmp_path.rglob("*")) if "new" in path.parts] == left


def test_a_backup_is_restored_and_what_lay_there_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_journal(tmp_path, 3)
    assert main(["backup", "--data", str(tmp_path)]) == 0
    copy = capsys.readouterr().out.strip()
    write_journal(tmp_path, 5)
    assert main(["restore", copy, "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("restored 3 entries; replaced: ")
    assert [path.name[:29] for path in tmp_path.glob("*.before-restore-*")] == ["table.journal.before-restore-"]


def test_no_journal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "--data", str(tmp_path)]) == 1
    assert "expected a journal, got none" in capsys.readouterr().err


def test_a_check_of_a_table_kept_by_hand_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_journal(tmp_path, 2)
    Vault(tmp_path / SECRETS).set_pin("805316")
    assert main(["check", "--config", str(config(tmp_path))]) == 0
    answer = capsys.readouterr().out
    assert "camera       none configured" in answer
    assert "journal      2 entries" in answer
    assert answer.endswith("all is well\n")


def test_a_check_says_what_is_wrong_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, '[camera]\nsource = "video"\nfile = "none.mp4"\n[panel]\nkind = "gpio"\n')
    assert main(["check", "--json", "--config", str(path)]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["camera"]["why"] == "expected a video file, got none, at none.mp4"
    assert "the panel cannot be used" in answer["problems"][0]
    assert answer["troubles"][:2] == ["configuration", "camera"]


def test_a_check_names_a_busy_pin_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpio_panel, "_lgpio", lambda: BusyPins(6))
    assert main(["check", "--config", str(config(tmp_path, '[panel]\nkind = "gpio"\n'))]) == 1
    answer = capsys.readouterr().out
    assert "problem      expected GPIO 6 free for win 1, got: GPIO busy" in answer
    assert answer.endswith("needs attention: panel, pin\n")


def test_corners_by_hand_are_kept_for_run_and_said_to_be_off_where_the_table_is_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\n')
    assert main(["calibrate", "--config", str(path), "--corners", "70,70,929,70,938,938,61,938"]) == 0
    assert "away" not in capsys.readouterr().err
    assert main(["calibrate", "--config", str(path), "--corners", "100,50,600,50,600,550,100,550"]) == 0
    assert "mm away from these corners: check that they were measured in a picture of this" in capsys.readouterr().err
    stored = load(tmp_path / "calibration.json")
    assert stored is not None
    assert (stored.by, stored.corners_px[2]) == ("hand", (600.0, 550.0))
    main(["check", "--json", "--config", str(path)])
    answer = json.loads(capsys.readouterr().out)
    assert answer["calibration"]["away_mm"] > 200
    assert [trouble for trouble in answer["troubles"] if trouble != "pin"] == ["place"]


def test_corners_by_hand_beyond_the_picture_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\n')
    assert main(["calibrate", "--config", str(path), "--corners", "70,370,929,370,938,1238,61,1238"]) == 1
    assert "expected the whole play surface in the picture" in capsys.readouterr().err
    assert load(tmp_path / "calibration.json") is None


def test_the_table_is_found_in_the_cameras_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\n')
    assert main(["calibrate", "--json", "--config", str(path)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert_keeps("calibrate", line)
    found = line["corners_px"]
    truth = Recording.open(RIICHI_TSUMO).settings.table.corners_px
    assert truth is not None
    assert np.abs(np.array(found) - np.array(truth)).max() < 12


@pytest.mark.parametrize("corners", ["1,2,3", "a,b,c,d,e,f,g,h"])
def test_corners_that_are_none_are_wrong_use(corners: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["calibrate", "--corners", corners])
    assert stopped.value.code == 2


def test_a_recording_of_the_camera_can_be_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\nfps = 5\n')
    assert main(["record", str(tmp_path / "out"), "--seconds", "1", "--config", str(path)]) == 0
    recording = Recording.open(tmp_path / "out")
    assert recording.frames[0].t_ns == 0
    assert 0 < recording.frames[-1].t_ns <= 1_000_000_000
    assert f"{len(recording.frames)} frames in" in capsys.readouterr().out


def test_a_recording_shows_hands_only_where_everybody_agreed(tmp_path: Path) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\nfps = 5\n')
    for name, more in (("plain", ["--with-hands"]), ("blind", [])):
        assert main(["record", str(tmp_path / name), "--seconds", "1", "--config", str(path), *more]) == 0
    with_hands, without = (cv2.imread(str(tmp_path / name / "frames" / "000002.jpg")) for name in ("plain", "blind"))
    assert with_hands is not None
    assert without is not None
    corners = np.array(Recording.open(RIICHI_TSUMO).settings.table.corners_px)
    x, y = np.rint((corners[2] + corners[3]) / 2).astype(int)
    hand, middle = np.s_[y - 40 : y - 10, x - 60 : x + 60], np.s_[y - 200 : y - 180, x - 60 : x + 60]
    assert with_hands[hand].mean() > 30 > without[hand].mean()
    assert np.abs(with_hands[middle].astype(int) - without[middle]).mean() < 8


def video(folder: Path) -> Path:
    """The recorded table as a film that does not say where it lies."""
    file = folder / "table.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (1000, 1000))
    image = cv2.imread(str(RIICHI_TSUMO / "frames" / "000000.jpg"))
    assert image is not None
    for _ in range(12):
        writer.write(image)
    writer.release()
    return file


def test_no_hand_is_filmed_where_nobody_agreed_to_the_table_s_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, f'[camera]\nsource = "video"\nfile = "{video(tmp_path)}"\n')
    assert main(["calibrate", "--config", str(path)]) == 0
    assert main(["record", str(tmp_path / "out"), "--config", str(path)]) == 1
    assert "expected a place of the table that somebody agreed to" in capsys.readouterr().err
    assert main(["record", str(tmp_path / "plain"), "--with-hands", "--seconds", "0.2", "--config", str(path)]) == 0
    assert Recording.open(tmp_path / "plain").settings.table.corners_px is None, "found by nobody but the program"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [[], ["--corners", "300,300,1300,300,1300,1300,300,1300"]], ids=["found", "given"])
def test_the_place_of_a_drawn_table_does_not_replace_that_of_the_real_one(tmp_path: Path, options: list[str]) -> None:
    real = tmp_path / "calibration.json"
    real.write_text("the real table's", "utf-8")
    assert main(["calibrate", "--camera", "drawn", "--data", str(tmp_path), *options]) == 0
    assert real.read_text("utf-8") == "the real table's"
    assert load(tmp_path / "calibration-drawn.json") is not None


def test_pictures_of_another_size_than_the_calibrations_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = config(tmp_path, f'[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\nfps = 5\n')
    assert main(["calibrate", "--config", str(path)]) == 0
    stored = json.loads((tmp_path / "calibration.json").read_text())
    (tmp_path / "calibration.json").write_text(json.dumps({**stored, "size": [2000, 2000], "agreed": True}))
    assert main(["record", str(tmp_path / "out"), "--config", str(path)]) == 1
    assert "expected pictures of (2000, 2000) as when the table was found" in capsys.readouterr().err


def test_a_configuration_with_a_mistake_stops_what_needs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(tmp_path / "out"), "--config", str(config(tmp_path, "[camera]\nfps = 0\n"))]) == 1
    assert "camera.fps: expected a number from 1 to 60, got 0" in capsys.readouterr().err


def sheet_image(rectangles: list[tuple[float, float, float, float]]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A page on paper, four pixels a millimetre."""
    page = np.full((round(Paper.A4.value[1] * 4), round(Paper.A4.value[0] * 4), 3), 255, np.uint8)
    for x, y, width, height in rectangles:
        cv2.rectangle(
            page, (round(x * 4), round(y * 4)), (round((x + width) * 4) - 1, round((y + height) * 4) - 1), 0, -1
        )
    return page


def test_the_printed_sheet_is_found_and_both_forms_are_alike(tmp_path: Path) -> None:
    for form in ("svg", "pdf"):
        assert main(["calibrate", "--sheet", str(tmp_path / f"markers.{form}")]) == 0
    number = r"([\d.]+)"
    drawn = re.findall(rf'<rect x="{number}" y="{number}" width="{number}" height="{number}"/>', sheet_svg())
    svg = sheet_image([(float(x), float(y), float(w), float(h)) for x, y, w, h in drawn])
    pdf_text = (tmp_path / "markers.pdf").read_bytes().decode("ascii")
    filled = re.findall(rf"{number} {number} {number} {number} re f", pdf_text)
    pdf = sheet_image(
        [(float(x), Paper.A4.value[1] - float(y) - float(h), float(w), float(h)) for x, y, w, h in filled]
    )
    assert np.array_equal(svg, pdf)
    corners = find_corners([svg]) / 4
    assert np.abs(corners - [[69, 54], [99, 54], [99, 84], [69, 84]]).max() < 0.5


def test_a_sheet_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--sheet", str(tmp_path / "markers.docx")]) == 2
    assert "expected a file .svg or .pdf" in capsys.readouterr().err


def test_the_heights_are_of_the_configured_play_surface(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tachiai.toml"
    path.write_text("[table]\nside_mm = 650\n")
    assert main(["calibrate", "--mounting", "--config", str(path)]) == 0
    assert capsys.readouterr().out == f"{mounting_table(650)}\n{beside_table(650)}"
    assert main(["calibrate", "--mounting", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert_keeps("calibrate", answer)
    assert answer["side_mm"] == 720
    assert answer["cameras"]["Camera Module 3"]["inside"]["height_mm"] == 1250


def test_the_sheet_comes_on_either_paper(tmp_path: Path) -> None:
    assert main(["calibrate", "--sheet", str(tmp_path / "markers.pdf"), "--paper", "letter"]) == 0
    assert (tmp_path / "markers.pdf").read_bytes() == sheet_pdf(Paper.LETTER)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mounting", "--sheet", "markers.pdf"], "expected one of --sheet and --mounting, got 2 of them"),
        (["--sheet", "markers.pdf", "--json"], "expected --sheet or --json, got both"),
        (["--paper", "a4"], "expected --sheet with --paper a4, got none"),
    ],
)
def test_options_of_calibrate_that_exclude_each_other_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words]) == 2
    assert message in capsys.readouterr().err

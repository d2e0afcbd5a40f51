"""`tachiai check` tells the truth: each thing that is wrong, alone, is named and ends it with 1."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import JOURNAL, SECRETS
from table.cli.main import main
from table.config import load
from table.dashboard.web.access.vault import Vault
from table.game.journal.journal import Journal
from table.game.journal.storage.journal_lock import lock_journal
from table.health import health_report
from tests.contracts import assert_keeps
from tests.fakes.desks import PIN
from tests.fakes.disks import fill, small_disk, take_no_writes
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import draw, table_at, tell
from vision.reading import weights


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table's folder in which all is well."""
    folder = tmp_path / "data"
    folder.mkdir()
    put_right(folder)
    return folder


def put_right(folder: Path) -> None:
    Vault(folder / SECRETS).set_pin(PIN)
    with Journal(folder / JOURNAL) as journal:
        tell(table_at(journal), draw(0))


def run_check(capsys: pytest.CaptureFixture[str], folder: Path, text: str = "", port: int = 0) -> tuple[int, Any]:
    path = folder.parent / "tachiai.toml"
    path.write_text(f'[table]\nname = "felt-1"\ndata = "{folder}"\n[page]\nport = {port}\n{text}')
    code = main(["check", "--json", "--config", str(path)])
    out, err = capsys.readouterr()
    health = json.loads(out)
    found = ", ".join(health["troubles"])
    assert err == ("" if code == 0 else f"tachiai check: expected a table that needs no attention, got: {found}\n")
    if "version" in health and "machine" in health:  # not what a table of another version says
        assert_keeps("health", health)
    return code, health


def troubles_of(found: tuple[int, Any]) -> list[str]:
    code, health = found
    assert (code, health["ok"]) == (1, False)
    names: list[str] = health["troubles"]
    return names


def test_a_table_in_which_all_is_well_ends_with_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, health = run_check(capsys, folder)
    assert (code, health["ok"], health["troubles"], health["has_pin"]) == (0, True, [], True)
    assert health["journal"]["entries"] == 3


def test_a_check_writes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    run_check(capsys, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("harm", ["missing", "cut"])
def test_a_model_that_cannot_be_used_is_told_also_without_a_camera(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    place = tmp_path / "models"
    place.mkdir()
    for name in ("watch", "tiles", "locate"):
        for file in (weights.load(name).path, weights.load(name).path.with_suffix(".json")):
            shutil.copy(file, place)
    if harm == "missing":
        (place / "watch.onnx").unlink()
    else:
        (place / "watch.onnx").write_bytes((place / "watch.onnx").read_bytes()[:1000])
    monkeypatch.setattr(health_report, "load", lambda name: weights.load(name, places=(place,)))
    found = run_check(capsys, folder)
    assert troubles_of(found) == ["models"]
    assert list(found[1]["model_faults"]) == ["watch"]


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_picture_that_is_even_all_over_is_no_picture(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], shade: int
) -> None:
    film = tmp_path / "even.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 240))
    for _ in range(5):
        writer.write(np.full((240, 320, 3), shade, np.uint8))
    writer.release()
    found = run_check(capsys, folder, f'[camera]\nsource = "video"\nfile = "{film}"\n')
    assert troubles_of(found) == ["camera"]
    assert "the picture is blank" in found[1]["camera"]["why"]


def test_no_pin_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / SECRETS).unlink()
    assert troubles_of(run_check(capsys, folder)) == ["pin"]
    assert not (folder / SECRETS).exists()


def test_secrets_that_cannot_be_read_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / SECRETS).write_text("{")
    found = run_check(capsys, folder)
    assert troubles_of(found) == ["configuration"]
    assert SECRETS in found[1]["problems"][0]


def test_a_folder_that_does_not_exist_is_told_and_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "nowhere"
    found = run_check(capsys, folder)
    assert "configuration" in troubles_of(found)
    assert found[1]["problems"][0].startswith(f"expected the table's folder, got none, at {folder}")
    assert not folder.exists()


def test_a_link_to_nothing_in_place_of_the_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    _, health = run_check(capsys, tmp_path / "link")
    expected = f"expected a writable folder, got a link that leads nowhere, at {tmp_path / 'link'}"
    assert health["problems"][0] == expected


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").write_text("", "utf-8")
    _, health = run_check(capsys, tmp_path / "data")
    assert f"expected the table's folder, got a file, at {tmp_path / 'data'}" in health["problems"]


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_disk(tmp_path / "disk") as disk:
        put_right(disk)
        fill(disk)
        full = run_check(capsys, disk)
        take_no_writes(disk)
        closed = run_check(capsys, disk)
    for found in (full, closed):
        assert {"configuration", "disk"} <= set(troubles_of(found))
        assert f"expected a writable folder, got {tmp_path / 'disk'}" in found[1]["problems"][0]


def test_a_journal_that_is_damaged_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / JOURNAL
    content = bytearray(file.read_bytes())
    at = content.rindex(b"ResultTold")
    content[at] ^= 1
    file.write_bytes(content)
    assert troubles_of(run_check(capsys, folder)) == ["journal"]


def test_a_journal_that_is_gone_with_what_was_confirmed_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / JOURNAL).unlink()
    assert troubles_of(run_check(capsys, folder)) == ["journal"]


def test_a_table_that_runs_and_does_not_answer_is_not_taken_for_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with lock_journal(folder / JOURNAL):
        found = run_check(capsys, folder, '[camera]\nsource = "video"\nfile = "none.mp4"\n', port=1)
    assert troubles_of(found) == ["configuration"]
    assert "a table runs here and does not answer at port 1" in found[1]["problems"][0]
    assert "--port names another port" in found[1]["problems"][0]
    assert found[1]["camera"] is None
    assert found[1]["journal"]["entries"] == 3


@contextmanager
def serve_health(line: dict[str, Any]) -> Iterator[int]:
    """A table of another version."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(line).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("is_ok", [True, False])
def test_a_table_of_another_version_is_not_taken_for_none(
    folder: Path, capsys: pytest.CaptureFixture[str], is_ok: bool
) -> None:
    line = {"name": "felt-1", "version": "99.1", "ok": is_ok, "troubles": [] if is_ok else ["moon"], "moon": "full"}
    with lock_journal(folder / JOURNAL), serve_health(line) as port:
        code, found = run_check(capsys, folder, '[camera]\nsource = "video"\nfile = "none.mp4"\n', port=port)
        assert (code, found) == (0 if is_ok else 1, line)
        assert main(["check", "--config", str(folder.parent / "tachiai.toml")]) == code
    text = capsys.readouterr().out
    assert "version 99.1 runs here" in text
    assert ("all is well" in text, "needs attention: moon" in text) == (is_ok, not is_ok)


def test_a_running_table_is_told_with_what_it_cannot_see(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / SECRETS).unlink()
    with run_appliance(make_config(folder)) as appliance:
        assert troubles_of(run_check(capsys, folder, port=appliance.port)) == ["pin"]


def test_a_running_table_s_wrong_setting_is_told_with_its_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text = folder.parent / "tachiai.toml", 'host = "127.0.0.1"\n[camera]\nfps = "fast"\n'
    file.write_text(f'[table]\nname = "felt-1"\ndata = "{folder}"\n[page]\nport = 0\n{text}')
    with run_appliance(load(file)) as appliance:
        problems = run_check(capsys, folder, text, port=appliance.port)[1]["problems"]
    assert problems == [f"{file} line 8: camera.fps: expected a number from 1 to 60, got 'fast'"]


def test_a_table_that_was_started_with_another_port_is_asked_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_appliance(make_config(folder)) as appliance:
        assert "log" not in run_check(capsys, folder, port=1)[1]
        words = ["check", "--config", str(folder.parent / "tachiai.toml"), "--port", str(appliance.port)]
        code = main([*words, "--json"])
        found = json.loads(capsys.readouterr().out)
        assert main(words) == code
    assert found["journal"]["entries"] == 3
    assert "log" in found
    assert "\njournal      3 entries, last backup: " in capsys.readouterr().out


def test_entries_that_could_not_be_counted_are_no_number(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / JOURNAL).write_bytes(b"no journal")
    assert run_check(capsys, folder)[1]["journal"]["entries"] is None
    assert main(["check", "--data", str(folder)]) == 1
    assert "\njournal      entries unknown, last backup: " in capsys.readouterr().out


def test_a_table_of_the_same_name_in_another_folder_is_not_asked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / SECRETS).unlink()
    (tmp_path / "other").mkdir()
    put_right(tmp_path / "other")
    with run_appliance(make_config(tmp_path / "other")) as appliance:
        found = run_check(capsys, folder, port=appliance.port)
    assert troubles_of(found) == ["pin"]
    assert found[1]["journal"]["entries"] == 3
    assert "log" not in found[1]

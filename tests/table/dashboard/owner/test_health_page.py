"""The page of health, what is in its download, and backups made and gone back to."""

from __future__ import annotations

import io
import json
import logging
import re
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.camera.capture.camera_thread import CameraStatus
from table.camera.clips.clip_folder import ClipFolder
from table.dashboard import create_app
from table.dashboard.owner.health_page import health_page
from table.dashboard.owner.health_view import copies_view, health_view
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.wizard.setup_pages import blueprint as wizard_pages
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.snapshot import Board, CameraHealth, Snapshot
from table.health.health_report import (
    CalibrationStatus,
    Health,
    JournalStatus,
    PanelStatus,
    RehearsalResult,
    report_text,
)
from table.health.log_buffer import LogBuffer
from table.health.machine import Machine
from table.i18n import catalogue, languages
from table.panel.buttons import Fault
from table.panel.panel_port import WINS
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.runtime.clock import local_time
from table.runtime.table_errors import JournalError, NewerJournalError
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.fakes.setup_tools import FakeTools
from vision.geometry.visibility.visibility import Visibility

SEEN_WELL = Visibility(px_per_mm=1.2, brightness=200.0, has_contrast=True, glare=0.0, blur_mm=0.5, is_within=True)
NAMES = ("table-00000012-2026-11-21.backup", "table-00000007-2026-11-20.backup")


def machine(**changes: Any) -> Machine:
    fields: dict[str, Any] = {
        "model": "Raspberry Pi 5",
        "heat_c": 61.4,
        "power": (),
        "disk_free_mb": 9_400,
        "memory_mb": 312.0,
        "is_clock_set": True,
    }
    return Machine(**{**fields, **changes})


def health(**changes: Any) -> Health:
    parts: dict[str, Any] = {
        "camera": CameraStatus(state=CameraHealth.OK, frames=90, fps=9.8, age_s=0.1, look_ms=31.0, look_ms_most=140.0),
        "calibration": CalibrationStatus(when="2026-11-20T18:30:00+00:00", by="hand"),
        "rehearsed": RehearsalResult(when="2026-11-20T18:40:00", steps=15, done=15, right=14, trust={}),
        "machine": machine(),
        "panel": PanelStatus(kind="gpio"),
        "journal": JournalStatus(entries=0, trouble="", waiting=0),
    }
    return Health(name="felt-1", now="2026-11-24T19:00:00+00:00", **{**parts, **changes})


def rows(health: Health) -> dict[str, tuple[str, bool]]:
    return {row["name"]: (row["value"], row["is_bad"]) for row in health_view(health, catalogue())["rows"]}


def test_every_part_is_told_with_what_it_is_now() -> None:
    found = rows(health())
    assert found["Camera"] == ("watches", False)
    assert found["Pictures a second"] == ("9.8", False)
    assert found["Last picture"] == ("0.1 s ago", False)
    assert found["Time per picture"] == ("31 ms, at most 140 ms", False)
    assert found["Table found"] == ("2026-11-20 18:30 by hand, 4 d ago", False)
    assert found["Rehearsed"] == (
        "15 of 15 steps rehearsed, 14 of them read correctly, 2026-11-20 18:40",
        False,
    )
    assert found["Temperature"] == ("61 °C", False)
    assert found["Power"] == ("good", False)
    assert found["Disk free"] == ("9.4 GB", False)
    assert found["Clock"] == ("set from the network", False)
    assert found["Panel"] == ("wired to the Raspberry Pi", False)
    assert found["Saved"] == ("records: 0", False)
    assert found["Tile reading"][0].startswith("finds tiles: version ")
    assert {"Tile reading", "Version", "Memory used", "Computer"} <= set(found)


@pytest.mark.parametrize(
    ("model", "name"),
    [("Raspberry Pi 5", "Raspberry Pi 5"), ("x86_64", "PC or laptop"), ("aarch64", "PC or laptop")],
)
def test_a_computer_is_named_in_words_of_its_owner(model: str, name: str) -> None:
    assert rows(health(machine=machine(model=model)))["Computer"] == (name, False)


@pytest.mark.parametrize("by", ["hand", "picture", "drawing"])
def test_how_the_table_was_found_is_said_in_the_readers_language(by: str) -> None:
    found = health(calibration=CalibrationStatus(when="2026-11-20T18:30:00+00:00", by=by))
    values = [row["value"] for row in health_view(found, catalogue("ja"))["rows"]]
    assert not [value for value in values if by in value]
    assert any(catalogue("ja").text(f"health.found_{by}") in value for value in values)


def test_what_somebody_should_look_after_is_marked_and_said() -> None:
    camera = CameraStatus(state=CameraHealth.LOST, why="no frame for 9 s", age_s=9.0)
    weak = machine(heat_c=84.0, power=("undervoltage", "throttled_before"), disk_free_mb=90)
    stuck = PanelStatus(kind="gpio", faults={str(WINS[2]): Fault.STUCK.value})
    bad = health(camera=camera, machine=weak, panel=stuck, broker="away", problems=["line 7: fps"])
    found = rows(bad)
    assert found["Camera"] == ("lost: no frame for 9 s", True)
    assert found["Power"] == ("too weak now, was much slower since the start", True)
    assert found["Panel"] == ("wired to the Raspberry Pi, Win 3 is stuck", True)
    assert [found[name][1] for name in ("Temperature", "Disk free", "Messages (MQTT)", "Last picture")] == [True] * 4
    view = health_view(bad, catalogue())
    assert "the camera is lost" in view["troubles"]
    assert "the power supply is too weak" in view["troubles"]
    assert view["problems"] == ["line 7: fps"]


@pytest.mark.parametrize(
    ("button", "language", "text"),
    [
        ("foul 0", "en", "Foul 1 was held at the start"),
        ("table", "en", "Table button was held at the start"),
        ("win 2", "ja", "和了 3が起動時に押されていた"),
        ("table", "ja", "卓のボタンが起動時に押されていた"),
    ],
)
def test_a_button_that_is_ignored_has_the_name_by_which_it_was_tried_out(button: str, language: str, text: str) -> None:
    panel = PanelStatus(faults={button: Fault.DOWN_AT_START.value})
    found = health_view(health(panel=panel), catalogue(language))["rows"]
    assert text in [row["value"] for row in found]


def test_a_part_of_the_panel_that_is_left_out_is_said_with_its_reason() -> None:
    reason = "expected GPIO 14, 15, 18 free for light 2, got: GPIO busy"
    bad = health(panel=PanelStatus(kind="gpio", left_out=[reason]))
    assert (bad.is_ok, bad.troubles, bad.panel.left_out) == (False, ["panel"], [reason])
    assert rows(bad)["Panel"] == ("wired to the Raspberry Pi", True)
    assert health_view(bad, catalogue())["problems"] == [reason]
    assert f"problem      {reason}" in report_text(bad)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"is_within": False}, "border"),
        ({"brightness": 20.0, "has_contrast": False}, "dark"),
        ({"brightness": 45.0}, "dark"),
        ({"glare": 0.2}, "glare"),
        ({"px_per_mm": 0.6}, "far"),
        ({"is_behind": True}, "behind"),
        ({"blur_mm": 2.0}, "blurred"),
    ],
)
def test_a_table_that_is_not_seen_well_is_told_in_one_sentence_with_what_to_do(
    language: str, change: dict[str, Any], fault: str
) -> None:
    assert health(sight=SEEN_WELL).is_ok
    bad = health(sight=replace(SEEN_WELL, **change))
    assert bad.troubles == [f"sight_{fault}"]
    assert health_view(bad, catalogue(language))["troubles"] == [catalogue(language).text(f"sight.{fault}")]
    assert "sight        1" in report_text(health(sight=SEEN_WELL))
    assert ": " in next(line for line in report_text(bad).splitlines() if line.startswith("sight"))


@pytest.mark.parametrize("language", languages())
def test_a_table_that_is_elsewhere_is_told_before_how_well_it_is_seen_there(language: str) -> None:
    texts, off = catalogue(language), CalibrationStatus(when="2026-11-20T18:30:00+00:00", by="hand", away_mm=64)
    bad = health(calibration=off, sight=replace(SEEN_WELL, blur_mm=2.0))
    assert bad.troubles == ["place"]
    (trouble,) = health_view(bad, texts)["troubles"]
    assert "64" in trouble
    assert texts.text("wizard.place_find") in trouble
    assert "64 mm away: find it again" in report_text(bad)
    assert Health.from_json(json.loads(json.dumps(bad.as_json()))).calibration == off


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("kind", "is_noted"), [(NoticeKind.UNWRITABLE, False), (NoticeKind.NEWER, True)])
def test_why_nothing_is_saved_is_told_in_plain_words_and_the_technical_reason_once_below(
    language: str, kind: NoticeKind, is_noted: bool
) -> None:
    texts, reason = catalogue(language), "cannot write to the journal in /var/table.journal: disk I/O error"
    notices = [JournalNotice(kind=kind)] if is_noted else []
    journal = Journal(None)
    journal.stop_writing(reason)
    bad = health(journal=JournalStatus.of(journal, [reason] if is_noted else [], None, notices=notices))
    view = health_view(bad, texts)
    row = next(row for row in view["rows"] if row["name"] == texts.text("health.journal"))
    assert row["value"] == texts.list_text(
        (texts.text("health.entries", count=0), texts.text(f"health.why_{kind.value}"))
    )
    assert (row["is_bad"], view["problems"]) == (True, [reason])
    line = json.loads(json.dumps(bad.as_json()))
    assert line["journal"]["tells"] == kind.value
    assert Health.from_json(line).journal == bad.journal


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "trouble",
    [
        *("undervoltage", "slowed", "throttled", "hot", "heat", "disk"),
        *("camera", "panel", "journal", "broker", "models", "pin"),
    ],
)
def test_every_trouble_has_a_sentence(language: str, trouble: str) -> None:
    assert catalogue(language).text(f"health.trouble_{trouble}").strip()


def test_what_is_sent_as_json_reads_back_as_it_was() -> None:
    parts: dict[str, Any] = {"machine": machine(power=("throttled",)), "sight": SEEN_WELL}
    well = health(panel=PanelStatus(kind="gpio", faults={"win 2": "stuck"}), **parts)
    line = json.loads(json.dumps(well.as_json()))
    assert json.loads(json.dumps(Health.from_json(line).as_json())) == line
    assert "looking_s" not in line["camera"]


def test_what_a_lost_camera_says_has_the_names_of_the_contract_in_json() -> None:
    camera = CameraStatus(state=CameraHealth.LOST, why="expected …", says="size", values={"got": "320 × 300"})
    line = json.loads(json.dumps(health(camera=camera).as_json()))
    assert (line["camera"]["tells"], line["camera"]["told"]) == ("size", {"got": "320 × 300"})
    assert Health.from_json(line).camera == camera


def test_a_table_kept_by_hand_says_so_in_few_rows() -> None:
    found = rows(
        health(camera=None, panel=PanelStatus(), machine=machine(heat_c=None, memory_mb=None, is_clock_set=None))
    )
    assert found["Camera"] == found["Panel"] == ("none", False)
    assert (found["Clock"], found["Temperature"]) == (("the computer’s own", False), ("unknown", False))
    assert "Pictures a second" not in found


def test_backups_are_named_by_day_and_entry() -> None:
    made_at = datetime(2026, 11, 21, 21, 3, tzinfo=UTC).isoformat()  # the second one's file was copied later
    views = copies_view({NAMES[0]: made_at, NAMES[1]: made_at, "stranger.backup": ""}, catalogue())
    assert [(each["when"], each["entry"]) for each in views] == [(local_time(made_at), "12"), ("2026-11-20", "7")]
    assert views[0]["sure"] == f"Yes, go back to {local_time(made_at)}, entry 12"


@dataclass
class FakeBackups:
    names: tuple[str, ...] = NAMES
    done: list[str] = field(default_factory=list)
    error: JournalError | None = None

    def backup_names(self) -> Sequence[str]:
        return self.names

    def made_at(self, name: str) -> str:
        return ""

    def create_backup(self) -> None:
        if self.error is not None:
            raise self.error
        self.done.append("made")

    def restore(self, name: str) -> bool:
        if name in self.names:
            self.done.append(name)
        return name in self.names


@pytest.fixture
def copies() -> FakeBackups:
    return FakeBackups()


@pytest.fixture
def log() -> LogBuffer:
    return LogBuffer()


@pytest.fixture
def app(copies: FakeBackups, log: LogBuffer, tmp_path: Path) -> Flask:
    return app_with(health(), copies, log, tmp_path)


def app_with(shown: Health, copies: FakeBackups, log: LogBuffer, tmp_path: Path) -> Flask:
    vault, board = Vault(), Board(Snapshot(version=1, game=new_game(HOME)))
    app = create_app(board, FakeDesk(), vault)
    clip = tmp_path / "20261121-210305"
    (clip / "frames").mkdir(parents=True)
    when = datetime(2026, 11, 21, 21, 3, 5, tzinfo=UTC).isoformat()
    (clip / "moment.json").write_text(f'{{"format": 1, "when": "{when}", "by": "seat 2", "seconds": 30.0}}', "utf-8")
    folder = ClipFolder(tmp_path, days=14, most_bytes=10**9)
    app.register_blueprint(health_page(lambda: shown, log, copies, folder))
    app.register_blueprint(wizard_pages(board, vault, FakeTools()))
    return app


def test_everybody_reads_it_and_only_the_owner_sees_backups(app: Flask) -> None:
    guest, owner = app.test_client(), app.test_client()
    join(owner, "owner", pin=PIN)
    assert "All is well." in guest.get("/health").text
    assert "Back up now" not in guest.get("/health").text
    page = owner.get("/health").text
    assert "Back up now" in page
    assert NAMES[0] in page
    assert "/health" in owner.get("/staff").text
    assert "/begin" in owner.get("/staff").text


@pytest.mark.parametrize("step", ["camera", "place"])
def test_the_set_up_leads_here_where_it_has_no_picture(app: Flask, step: str) -> None:
    page = app.test_client().get(f"/begin/{step}").text
    hint = re.search('<p class="hint" id="waiting".*?</p>', page)
    assert hint is not None
    assert '<a href="/health">' in hint[0]


def test_no_line_ends_within_a_date(app: Flask) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    page = owner.get("/health").text
    assert re.sub("<[^>]*>", "", page).count("2026-11-2") >= 3
    broken = re.sub(r'<(b|span) class="date">[^<]*</\1>', "", page)
    assert not re.findall(r"\d{4}-\d\d-\d\d", re.sub("<[^>]*>", "", broken))


def test_the_owner_makes_a_backup_and_goes_back_to_one_after_confirming(app: Flask, copies: FakeBackups) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    mark = token(owner)[TOKEN_HEADER]
    assert (
        owner.post("/health", data={"token": mark, "do": "make"}, follow_redirects=True).text.count("Backed up.") == 1
    )
    restore = {"token": mark, "do": "restore", "name": NAMES[1]}
    assert owner.post("/health", data=restore).status_code == 400
    assert copies.done == ["made"]
    answer = owner.post("/health", data={**restore, "sure": "yes"})
    assert (answer.status_code, copies.done) == (202, ["made", NAMES[1]])
    assert "Restoring" in answer.text
    assert owner.post("/health", data={**restore, "name": "../table.journal", "sure": "yes"}).status_code == 400


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (JournalError("cannot write the backup: the disk is full"), "No backup: the disk is full or broken."),
        (NewerJournalError("a.journal", found=11, newest=10), "Not saved: these games are from a newer Tachiai."),
    ],
)
def test_a_backup_that_cannot_be_made_says_why(app: Flask, copies: FakeBackups, error: JournalError, says: str) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    copies.error = error
    refused = owner.post("/health", data={"token": token(owner)[TOKEN_HEADER], "do": "make"})
    assert refused.status_code == 409
    assert says in refused.text


def test_of_two_owners_who_go_back_to_a_backup_only_the_first_does(app: Flask, copies: FakeBackups) -> None:
    owners = [app.test_client() for _ in range(2)]
    forms = []
    for owner in owners:
        join(owner, "owner", pin=PIN)
        (seen_key,) = set(re.findall(r'name="seen" value="([^"]+)"', owner.get("/health").text))
        forms.append({"token": token(owner)[TOKEN_HEADER], "do": "restore", "sure": "yes", "seen": seen_key})
    assert owners[0].post("/health", data={**forms[0], "name": NAMES[1]}).status_code == 202
    late = owners[1].post("/health", data={**forms[1], "name": NAMES[0]})
    assert (late.status_code, copies.done) == (409, [NAMES[1]])
    assert "Something else was done since: look again." in late.text


@pytest.mark.parametrize("do", ["make", "restore"])
def test_nobody_else_touches_backups(app: Flask, copies: FakeBackups, do: str) -> None:
    seated, owner = app.test_client(), app.test_client()
    join(owner, "owner", pin=PIN)
    join(seated)
    form = {"do": do, "name": NAMES[0], "sure": "yes"}
    assert seated.post("/health", data={**form, "token": token(seated)[TOKEN_HEADER]}).status_code == 403
    assert owner.post("/health", data=form).status_code == 403
    assert copies.done == []


def test_clips_are_in_the_owners_download_and_nobody_elses(app: Flask) -> None:
    guest, owner = app.test_client(), app.test_client()
    join(owner, "owner", pin=PIN)

    def names(data: bytes) -> list[str]:
        return zipfile.ZipFile(io.BytesIO(data)).namelist()

    assert names(guest.get("/health.zip").data) == ["health.json", "log.txt"]
    assert names(owner.get("/health.zip").data) == ["health.json", "log.txt", "clips/20261121-210305.zip"]


@pytest.mark.parametrize("year", [1970, 2140])
def test_the_download_comes_whatever_year_the_clock_says(
    app: Flask, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    monkeypatch.setattr(time, "localtime", lambda *_: time.struct_time((year, 1, 2, 3, 4, 5, 0, 2, 0)))
    answer = owner.get("/health.zip")
    assert answer.status_code == 200
    assert zipfile.ZipFile(io.BytesIO(answer.data)).testzip() is None


def test_only_the_owner_reads_where_the_camera_the_broker_and_files_are(
    copies: FakeBackups, log: LogBuffer, tmp_path: Path
) -> None:
    lost = CameraStatus(state=CameraHealth.LOST, why="expected pictures, got none, at rtsp://192.168.1.44:554/live")
    panel = PanelStatus(kind="gpio", left_out=["expected SPI, got: no SpiDev in /home/anna/spidev.py"])
    sick = health(camera=lost, problems=("no broker at 192.168.1.45",), panel=panel)
    app = app_with(sick, copies, log, tmp_path)
    guest, owner = app.test_client(), app.test_client()
    join(owner, "owner", pin=PIN)

    def texts_for(client: FlaskClient) -> list[str]:
        bundle = zipfile.ZipFile(io.BytesIO(client.get("/health.zip").data)).read("health.json").decode()
        return [client.get("/health").text, client.get("/api/health").text, bundle]

    assert all("192.168" not in text and "(address)" in text and "/home" not in text for text in texts_for(guest))
    assert all("/home/anna/spidev.py" in text for text in texts_for(owner))
    assert all("192.168.1.44" in text and "192.168.1.45" in text for text in texts_for(owner))


def test_the_log_says_only_to_the_owner_from_where_somebody_came(app: Flask, log: LogBuffer) -> None:
    log.emit(logging.LogRecord("table", logging.WARNING, "", 0, "a wrong PIN from 192.168.1.44", None, None))
    guest, seated, owner = (app.test_client() for _ in range(3))
    join(owner, "owner", pin=PIN)
    join(seated)

    def texts_for(client: FlaskClient) -> list[str]:
        bundle = zipfile.ZipFile(io.BytesIO(client.get("/health.zip").data)).read("log.txt").decode()
        return [client.get("/health").text, client.get("/api/health").text, bundle]

    for texts in (texts_for(guest), texts_for(seated)):
        assert all("a wrong PIN from (address)" in text and "192.168" not in text for text in texts)
    assert all("a wrong PIN from 192.168.1.44" in text for text in texts_for(owner))

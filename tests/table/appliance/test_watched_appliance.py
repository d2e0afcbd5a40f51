"""The whole appliance before recordings: what is shown and kept, and what no broken input can stop."""

from __future__ import annotations

import json
import shutil
import urllib.error
import urllib.request
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from time import monotonic
from typing import Any

import cv2
import numpy as np
import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.cli.record_commands.replay import replay_recording
from table.config import CameraConfig, ClipsConfig, LoadedConfig, TilesConfig
from table.game.snapshot import CameraHealth
from table.panel.panel_port import FOULS, TABLE
from tests.fakes.fake_panel import FakePanel
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import RIICHI_TSUMO
from tests.table.appliance.recorded_table import (
    STILL_FRAMES,
    UNTIL_RIICHI,
    announcements_of,
    keep_place,
    make_config,
    recording_part,
    watching_appliance,
)
from vision.reading.weights import PLACES, load
from vision.recording.recording import Recording

pytestmark = pytest.mark.pictures


class Phone:
    """A browser that has joined as a seat."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = json.loads(self.get("/api/session"))["token"]
        self.post_form("/join", f"role=seat&seat=1&token={self.token}")

    def get(self, path: str) -> bytes:
        with self._opener.open(self._address + path, timeout=PATIENCE_S) as answer:
            content: bytes = answer.read()
        return content

    def post_form(self, path: str, form: str) -> None:
        self._opener.open(self._address + path, data=form.encode(), timeout=PATIENCE_S).close()

    def post(self, path: str, body: object) -> int:
        headers = {"Content-Type": "application/json", "X-Tachiai-Token": self.token}
        request = urllib.request.Request(self._address + path, json.dumps(body).encode(), headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=PATIENCE_S) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code


def can_be_kept_by_hand(appliance: Appliance) -> bool:
    """Whether a result can be told from a phone."""
    result = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
    return Phone(appliance.port).post("/api/tell", {"result": result, "hand": 0}) == 202


def agree(appliance: Appliance) -> None:
    """Waits until the table was found in the picture, and agrees to that as a person does on the phone."""
    wizard = appliance.setup_wizard
    assert wizard is not None
    wait_for(lambda: (place := wizard.place()) is not None and not place.is_kept)
    place = wizard.place()
    assert place is not None
    wizard.store_corners(place.corners)


def test_what_is_said_has_its_picture_and_a_flag_keeps_a_clip_that_can_be_replayed(tmp_path: Path) -> None:
    keep_place(tmp_path)
    panel, film = FakePanel(), recording_part(tmp_path, still_frames=STILL_FRAMES)
    with run_appliance(make_config(tmp_path, film), panel=lambda: panel) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        phone = Phone(appliance.port)
        news = json.loads(phone.get("/api/table"))["news"]
        (riichi,) = [line for line in news if line["id"] == "riichi_declared"]
        (number,) = riichi["pictures"]
        crop = cv2.imdecode(np.frombuffer(phone.get(f"/camera/{number}.jpg"), np.uint8), cv2.IMREAD_COLOR)
        assert np.asarray(crop).shape == (128, 96, 3)
        assert phone.get("/camera.jpg").startswith(b"\xff\xd8")
        assert phone.post("/api/flag", {}) == 202
        wait_for(lambda: len(announcements_of(appliance, "moment_kept")) == 1)
        panel.pressed |= {TABLE, FOULS[3]}
        wait_for(lambda: len(announcements_of(appliance, "moment_kept")) == 2)
        second, first = appliance.clips.clips()
        assert (first.by, second.by) == ("seat 1", "seat 3")
    clip = appliance.clips.path / first.name
    moment = json.loads((clip / "moment.json").read_text("utf-8"))
    assert number in {tile["id"] for tile in moment["felt"]}
    assert (clip / "crops" / f"{number}.jpg").is_file()
    recording = Recording.open(clip)
    assert (recording.settings.game["dealer_seat"], recording.settings.tiles.width_mm) == (0, 20.0)
    events = [line["type"] for line in replay_recording(recording).events]
    assert events[:2] == ["start_game", "start_kyoku"]
    assert "reach" in events


def test_a_video_file_is_watched_in_its_own_time(tmp_path: Path) -> None:
    keep_place(tmp_path)
    video = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 4.0, (1000, 1000))
    for k in range(UNTIL_RIICHI):
        picture = cv2.imread(str(RIICHI_TSUMO / "frames" / f"{k:06d}.jpg"))
        assert picture is not None
        writer.write(picture)
    writer.release()
    camera = CameraConfig(source="video", file=str(video))
    config = replace(make_config(tmp_path, video).config, camera=camera)
    start = monotonic()
    with run_appliance(LoadedConfig(config=config)) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
    assert monotonic() - start > 3.0


def test_a_table_told_to_keep_nothing_offers_no_flag(tmp_path: Path) -> None:
    with watching_appliance(tmp_path, recording_part(tmp_path, frames=3), clips=ClipsConfig(seconds=0)) as appliance:
        assert appliance.clip_recorder is None
        assert Phone(appliance.port).post("/api/flag", {}) in (404, 405)


def test_damaged_frames_and_frames_of_another_size_are_left_out_and_named(tmp_path: Path) -> None:
    keep_place(tmp_path)
    recording = recording_part(tmp_path)
    damaged, odd = recording / "frames" / "000003.jpg", recording / "frames" / "000005.jpg"
    damaged.write_bytes(damaged.read_bytes()[:4000])
    cv2.imwrite(str(odd), np.zeros((480, 640, 3), np.uint8))
    with watching_appliance(tmp_path, recording) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        log = "\n".join(appliance.log_buffer.lines)
    assert f"got a damaged one of 4000 bytes, at {damaged}" in log
    assert f"got 640 x 480, in {odd}" in log


def test_a_camera_that_goes_and_comes_back_is_said_and_the_hand_goes_on(tmp_path: Path) -> None:
    keep_place(tmp_path)
    before = recording_part(tmp_path, still_frames=STILL_FRAMES)
    after = recording_part(tmp_path, first=UNTIL_RIICHI, frames=12)
    with watching_appliance(tmp_path, before) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        before.rename(tmp_path / "away")
        wait_for(lambda: bool(announcements_of(appliance, "camera_lost")))
        after.rename(before)
        wait_for(lambda: bool(announcements_of(appliance, "camera_back")))
        wait_for(lambda: appliance.table.state.hand is not None and appliance.table.state.hand.discards == 4)
        assert (
            len(announcements_of(appliance, "hand_started")) == len(announcements_of(appliance, "riichi_declared")) == 1
        )


def test_a_camera_that_comes_back_with_other_pictures_is_told_and_the_table_found_anew(tmp_path: Path) -> None:
    keep_place(tmp_path)
    before, after = recording_part(tmp_path, frames=8), recording_part(tmp_path, first=UNTIL_RIICHI, frames=16)
    for path in (after / "frames").iterdir():
        picture = cv2.imread(str(path))
        assert picture is not None
        cv2.imwrite(str(path), cv2.resize(picture, (900, 900), interpolation=cv2.INTER_AREA))
    with watching_appliance(tmp_path, before) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "camera_lost")))
        shutil.rmtree(before)
        after.rename(before)
        agree(appliance)
        wait_for(lambda: bool(announcements_of(appliance, "camera_back")))
        assert any("got (900, 900)" in line for line in appliance.log_buffer.lines)
        wait_for(lambda: appliance.table.state.hand is not None and appliance.table.state.hand.discards > 0)


def test_a_calibration_that_cannot_be_read_is_named_and_the_table_found_anew(tmp_path: Path) -> None:
    (tmp_path / "calibration.json").write_text('{"format": 1, "corners_px": "none"}')
    with watching_appliance(
        tmp_path, recording_part(tmp_path, fps=1.0)
    ) as appliance:  # long enough for a slow machine to ask in time
        phone = Phone(appliance.port)
        wait_for(lambda: (camera := appliance.health().camera) is not None and camera.says == "agree")
        assert appliance.table.board.latest.felt is None
        assert b"the table may have been found" in phone.get("/health")
        agree(appliance)
        wait_for(lambda: appliance.table.board.latest.felt is not None)
        assert any("expected a calibration of format 1" in line for line in appliance.log_buffer.lines)
        found = appliance.health().calibration
        assert found is not None
        assert found.by == "picture"


@pytest.mark.parametrize(
    "corners",
    [
        ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0)),
        ((900.0, 70.0), (70.0, 70.0), (60.0, 900.0), (900.0, 900.0)),
    ],
)
def test_a_calibration_of_no_table_is_told_and_the_rest_goes_on_by_hand(tmp_path: Path, corners: Any) -> None:
    keep_place(tmp_path, corners_px=corners)
    with watching_appliance(tmp_path, recording_part(tmp_path)) as appliance:
        wait_for(lambda: appliance.table.board.latest.camera is CameraHealth.LOST)
        health = appliance.health()
        assert health.troubles[0] == "camera"
        assert health.camera is not None
        assert health.camera.why.startswith("expected the corners far left, far right")
        assert can_be_kept_by_hand(appliance)


@pytest.mark.parametrize(("shift", "times"), [(0.0, 0), (90.0, 1)])
def test_a_table_that_was_moved_since_it_was_found_is_told(tmp_path: Path, shift: float, times: int) -> None:
    corners = Recording.open(RIICHI_TSUMO).settings.table.corners_px
    assert corners is not None
    keep_place(tmp_path, corners_px=tuple((x + shift, y - shift / 2) for x, y in corners))
    with watching_appliance(tmp_path, recording_part(tmp_path, frames=6)) as appliance:
        wait_for(lambda: (camera := appliance.health().camera) is not None and camera.frames > 1)
        assert sum("expected the table where it was found" in line for line in appliance.log_buffer.lines) == times


def test_a_calibration_of_other_pictures_is_told_and_the_table_found_anew(tmp_path: Path) -> None:
    keep_place(tmp_path, size=(1600, 1600))
    with watching_appliance(tmp_path, recording_part(tmp_path)) as appliance:
        agree(appliance)
        wait_for(lambda: appliance.table.board.latest.felt is not None)
        assert any("got (1000, 1000)" in line for line in appliance.log_buffer.lines)


@pytest.mark.parametrize("name", ["watch", "tiles"])
def test_an_altered_model_is_named_and_the_rest_goes_on_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / "models"
    place.mkdir()
    shipped = next(path for path in PLACES if (path / "watch.onnx").is_file())
    for path in shipped.glob("*.onnx"):
        shutil.copy(path, place)
        shutil.copy(path.with_suffix(".json"), place)
    with (place / f"{name}.onnx").open("ab") as file:
        file.write(b"one byte more")
    monkeypatch.setattr(load, "__kwdefaults__", {"places": (place,)})
    keep_place(tmp_path)
    with watching_appliance(tmp_path, recording_part(tmp_path)) as appliance:
        wait_for(lambda: appliance.table.board.latest.camera is CameraHealth.LOST)
        health = appliance.health()
        assert health.camera is not None
        assert health.camera.why.startswith("expected sha256")
        assert health.models[name].startswith("expected sha256")
        assert can_be_kept_by_hand(appliance)


def test_a_tile_set_that_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    keep_place(tmp_path)
    (tmp_path / "set.tiles").write_bytes(b"no set")
    tiles = TilesConfig(tileset=str(tmp_path / "set.tiles"))
    with watching_appliance(tmp_path, recording_part(tmp_path), tiles=tiles) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        assert any("the tile set is left out" in line for line in appliance.log_buffer.lines)


def test_a_disk_that_takes_no_clip_is_said_and_play_goes_on(tmp_path: Path) -> None:
    keep_place(tmp_path)
    (tmp_path / "clips").write_text("in the way")
    with watching_appliance(tmp_path, recording_part(tmp_path)) as appliance:
        wait_for(lambda: bool(announcements_of(appliance, "hand_started")))
        assert Phone(appliance.port).post("/api/flag", {}) == 202
        wait_for(lambda: bool(announcements_of(appliance, "moment_lost")))
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        assert not announcements_of(appliance, "moment_kept")

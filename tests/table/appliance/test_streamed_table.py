"""`tachiai … --camera rtsp://…`: a camera in the network all the way to the table, also when it goes and comes back."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from table.appliance.appliance import run_appliance
from table.cli.live_commands.run import load_run_config
from table.cli.main import build_parser, main
from table.game.snapshot import CameraHealth
from tests.fakes.free_port import free_port
from tests.fakes.played_rtsp import RtspCamera, played_camera
from tests.fakes.waiting import wait_for
from tests.places import RIICHI_TSUMO
from tests.table.appliance.recorded_table import keep_place
from vision.arrays import Image
from vision.recording.recording import Recording

pytestmark = pytest.mark.pictures


def table() -> list[Image]:
    return [cv2.imread(str(RIICHI_TSUMO / "frames" / "000000.jpg"))]  # type: ignore[list-item]


def output_of(camera: RtspCamera, folder: Path, command: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What a command prints about the table before that camera."""
    code = main([command, *more, "--camera", camera.address, "--data", str(folder)])
    output = capsys.readouterr()
    assert "rtsp" not in output.err
    assert code == 0 or command == "check", output.err
    return output.out


@pytest.mark.long
def test_a_camera_by_rtsp_is_checked_calibrated_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with played_camera(table()) as camera:
        found = json.loads(output_of(camera, tmp_path, "calibrate", capsys, "--json"))
        assert found["size"] == [1000, 1000]
        health = json.loads(output_of(camera, tmp_path, "check", capsys, "--json"))
        assert health["camera"]["state"] == "ok"
        output_of(camera, tmp_path, "record", capsys, str(tmp_path / "out"), "--with-hands", "--seconds", "0.3")
    assert Recording.open(tmp_path / "out").frames


def test_a_table_is_watched_by_rtsp_kept_by_hand_while_it_is_away_and_watched_again(tmp_path: Path) -> None:
    keep_place(tmp_path)
    port = free_port()
    with played_camera(table(), port) as camera:
        words = ["run", "--camera", camera.address, "--data", str(tmp_path), "--port", "0"]
        loaded = load_run_config(build_parser(words).parse_args(words))
        with run_appliance(loaded) as appliance:
            board = appliance.table.board
            wait_for(lambda: board.latest.camera is CameraHealth.OK)
            camera.hang_up()
            wait_for(lambda: board.latest.camera is CameraHealth.LOST)
            with played_camera(table(), port):
                wait_for(lambda: board.latest.camera is CameraHealth.OK)

from __future__ import annotations

from pathlib import Path

import pytest

from table.camera.capture.camera_address import camera_at
from table.cli.arguments.appliance_options import load_config
from table.cli.main import build_parser
from table.config import CameraConfig, load
from table.runtime.table_errors import ConfigError
from tests.places import ROOT

RECORDING = str(ROOT / "tests" / "recordings" / "riichi_tsumo")


@pytest.mark.parametrize(
    ("address", "source", "key", "value"),
    [
        ("picamera", "picamera", "device", 3),
        ("drawn", "drawn", "device", 3),
        ("2", "usb", "device", 2),
        ("/dev/video4", "usb", "address", "/dev/video4"),
        ("rtsp://192.168.1.7/live", "stream", "address", "rtsp://192.168.1.7/live"),
        ("http://phone.local:8080/video", "stream", "address", "http://phone.local:8080/video"),
        (RECORDING, "recording", "file", RECORDING),
        ("evening.mp4", "video", "file", "evening.mp4"),
    ],
)
def test_a_camera_is_what_its_address_says(address: str, source: str, key: str, value: object) -> None:
    found = camera_at(address, CameraConfig(device=3, fps=7.0))
    assert (found.source, getattr(found, key), found.fps) == (source, value, 7.0)


@pytest.mark.parametrize("address", ["rtsp://", "ftp://me:secret@host/x", "http://["])
def test_an_address_that_no_stream_has_is_told_as_one(address: str) -> None:
    with pytest.raises(ConfigError, match="expected an address like rtsp://") as raised:
        camera_at(address, CameraConfig())
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("command", [["run"], ["calibrate"], ["check"], ["record", "out"]])
def test_commands_take_a_camera_in_place_of_the_configured_one(command: list[str], tmp_path: Path) -> None:
    words = [*command, "--camera", "/dev/video4", "--data", str(tmp_path)]
    assert load_config(build_parser(words).parse_args(words)).config.camera.address == "/dev/video4"


def test_a_stream_needs_an_address_and_its_password_is_never_said(tmp_path: Path) -> None:
    file = tmp_path / "tachiai.toml"
    file.write_text('[camera]\nsource = "stream"\naddress = "ftp://owner:secret@host"\n')
    (problem,) = load(file).problems
    assert "camera.address" in problem
    assert "rtsp://" in problem
    assert "secret" not in problem

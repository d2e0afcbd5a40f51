"""A whole appliance over the real picamera2, before a played camera."""

from __future__ import annotations

import json
import socket
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.camera.capture import configured_camera
from table.config import CameraConfig, Config, LoadedConfig, PageConfig, PanelConfig, TableConfig
from table.game.commands.game_commands import NameSeats
from table.game.snapshot import CameraHealth
from table.health.systemd import Notifier
from tests.fakes.played_libcamera import Manager
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.places import RIICHI_TSUMO
from vision.cameras.attached.picamera import PiCamera
from vision.cameras.guards.frozen_picture import FrozenPicture
from vision.cameras.guards.hang_guard import PatientCamera
from vision.frames import Camera
from vision.geometry.calibration_file import StoredCalibration, save
from vision.recording.recording import Recording

SIDE_PX = 960
"""A multiple of 64, as a Pi's streams are."""


def table_picture(k: int = 0) -> Any:
    """A picture of the recorded table, as large as the played camera gives it."""
    image = cv2.imread(str(RIICHI_TSUMO / "frames" / f"{k:06d}.jpg"))
    assert image is not None
    return cv2.resize(image, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)


def keep_place(folder: Path) -> None:
    """Where the table lies in that picture, agreed to."""
    corners = Recording.open(RIICHI_TSUMO).settings.table.corners_px
    assert corners is not None
    scaled = tuple((x * SIDE_PX / 1000, y * SIDE_PX / 1000) for x, y in corners)
    calibration = StoredCalibration(corners_px=scaled, size=(SIDE_PX, SIDE_PX), side_mm=720.0, when="", by="hand")
    save(calibration, folder / "calibration.json")


class Systemd:
    """Listens where systemd listens."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.settimeout(PATIENCE_S)
        self.notifier = Notifier(str(path), watchdog_s=0.6)

    def is_petted(self) -> bool:
        """Whether the watchdog is petted from now on, too."""
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(1000)
        except BlockingIOError:
            self.socket.settimeout(PATIENCE_S)
        return self.socket.recv(1000) == b"WATCHDOG=1"


def be_hasty(patch: pytest.MonkeyPatch, *, patience_s: float = 3.0) -> None:
    """Has the table lose patience with its camera in seconds."""

    class Hasty(PatientCamera):
        def __init__(self, open_camera: Callable[[], Camera], *, frozen: FrozenPicture | None = None) -> None:
            super().__init__(open_camera, frozen=frozen, patience_s=patience_s, closing_s=patience_s / 2)

    patch.setattr(configured_camera, "PatientCamera", Hasty)
    patch.setattr(configured_camera, "PiCamera", partial(PiCamera, patience_s=patience_s / 3))


@contextmanager
def watched_appliance(
    folder: Path, manager: Manager, *, notifier: Notifier | None = None, panel: PanelConfig | None = None
) -> Iterator[Appliance]:
    """The appliance; afterwards every driver that hangs is let go."""
    config = Config(
        table=TableConfig(data=str(folder)),
        page=PageConfig(host="127.0.0.1", port=0),
        camera=CameraConfig(source="picamera", side_px=SIDE_PX, lost_after_s=1.0),
        panel=panel or PanelConfig(),
    )
    with run_appliance(LoadedConfig(config=config), notifier=notifier) as appliance:
        try:
            yield appliance
        finally:
            manager.sensor.on.set()
    assert appliance.live_camera is not None
    camera = appliance.live_camera.configured_camera
    wait_for(lambda: not camera.hangs)


def fetch(appliance: Appliance, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{appliance.port}{path}", timeout=PATIENCE_S) as answer:
        content: bytes = answer.read()
    return content


def health_of(appliance: Appliance) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(fetch(appliance, "/api/health"))
    return found


def camera_trouble(appliance: Appliance) -> str:
    """What a host is told of the camera; empty while it watches."""
    camera = appliance.health().camera
    return "" if camera is None or camera.state is not CameraHealth.LOST else camera.says


def is_kept_by_hand(appliance: Appliance) -> bool:
    """Whether page and journal go on."""
    before = appliance.journal.last
    appliance.table.handle(NameSeats(names=(f"A{before}", "B", "C", "D"), by="owner"))
    return appliance.journal.last > before and f"A{before}".encode() in fetch(appliance, "/api/table")


def wait_until_it_watches(appliance: Appliance) -> None:
    wait_for(lambda: appliance.table.board.latest.camera is CameraHealth.OK)

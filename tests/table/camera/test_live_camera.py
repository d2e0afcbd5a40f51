"""Which cameras are given up, and what is left of one that is closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from table.camera import live_camera
from table.camera.capture import configured_camera
from table.camera.live_camera import LiveCamera
from table.config import CameraConfig, Config, TableConfig
from table.game.table_loop import Message
from table.runtime.clock import LogicalClock
from tests.fakes.hanging_camera import Device
from tests.fakes.waiting import wait_for
from tests.fakes.watchers import FakeWatcher
from vision.errors import CameraError
from vision.frames import Frame

pytestmark = pytest.mark.pictures


class Nobody:
    """An inbox that keeps nothing."""

    def send(self, message: Message) -> object:
        return message


@pytest.mark.parametrize(("source", "seconds"), [("usb", 10), ("stream", 30)])
def test_a_live_camera_that_repeats_its_picture_is_given_up_until_it_shows_another(
    source: Literal["usb", "stream"], seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recorded or drawn table may stand still; a Pi's camera tells a repeated picture by the sensor's time."""
    picture = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 3, axis=2)
    times = count(0, 1_000_000_000)

    class Frozen(Device):
        def frames(self) -> Iterator[Frame]:
            return (Frame(k=k, t_ns=next(times), image=picture) for k in range(100))

    for name in ("UsbCamera", "StreamCamera"):
        monkeypatch.setattr(configured_camera, name, lambda *_, **__: Frozen())
    config = Config(table=TableConfig(data=str(tmp_path)), camera=CameraConfig(source=source))
    watch = LiveCamera(config, Nobody(), LogicalClock())
    assert watch.example(3) is None
    for expected in (seconds, 0):
        frames: list[Frame] = []
        with watch.open_camera() as camera, pytest.raises(CameraError, match=f"the same one for {seconds} s"):
            frames += camera.frames()
        assert len(frames) == expected


def test_no_thread_outlives_a_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_camera, "make_watcher", lambda calibration, *_, **__: FakeWatcher(calibration=calibration))
    config = Config(table=TableConfig(data=str(tmp_path)), camera=CameraConfig(source="drawn"))
    before = set(threading.enumerate())
    with LiveCamera(config, Nobody(), LogicalClock()) as camera:
        wait_for(lambda: camera.picture() is not None)
        assert "camera" in {thread.name for thread in threading.enumerate()}
    assert set(threading.enumerate()) <= before
    assert camera.picture() is None

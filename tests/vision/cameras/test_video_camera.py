from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras.video_camera import VideoCamera
from vision.errors import CameraError
from vision.frames import Camera


class FakeCapture:
    def __init__(self, pictures: list[Any], *, is_open: bool = True) -> None:
        self.pictures = pictures
        self.is_open = is_open
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802
        return self.is_open

    def read(self) -> tuple[bool, Any]:
        picture = self.pictures.pop(0) if self.pictures else None
        return picture is not None, picture

    def get(self, prop: int, /) -> float:
        return 25.0 if prop == cv2.CAP_PROP_FPS else 0.0

    def release(self) -> None:
        self.released += 1


def picture(level: int, *, width: int = 64) -> Any:
    return np.full((48, width, 3), level, dtype=np.uint8)


def test_a_video_file_runs_in_logical_time(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for level in (20, 120, 220):
        writer.write(picture(level))
    writer.release()
    with VideoCamera(path) as camera:
        assert isinstance(camera, Camera)
        frames = list(camera.frames())
    assert [(frame.k, frame.t_ns) for frame in frames] == [(0, 0), (1, 50_000_000), (2, 100_000_000)]
    assert [round(float(frame.image.mean()) / 20) for frame in frames] == [1, 6, 11]


def test_a_video_in_real_time_waits_for_each_frame_and_is_never_ahead(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for level in (20, 120, 220):
        writer.write(picture(level))
    writer.release()
    now, waits = [1_000_000_000], list[float]()

    def sleep(seconds: float) -> None:
        waits.append(round(seconds, 3))
        now[0] += round(seconds * 1e9)

    with VideoCamera(path, real_time=True, now_ns=lambda: now[0], sleep=sleep) as camera:
        for frame in camera.frames():
            now[0] += 80_000_000 if frame.k == 0 else 0
    assert waits == [0.0, 0.0, 0.02]


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"none\.avi"):
        VideoCamera(tmp_path / "none.avi")


def test_a_camera_that_does_not_open_is_said() -> None:
    with pytest.raises(CameraError, match="cannot be opened"):
        VideoCamera(3, open_camera=lambda _: FakeCapture([], is_open=False))


def test_a_live_camera_is_on_the_clock_and_may_miss_a_picture() -> None:
    capture = FakeCapture([picture(1), None, picture(2), picture(3, width=32), picture(4)])
    times = iter((5, 9, 20))
    with VideoCamera(0, open_camera=lambda _: capture, now_ns=lambda: next(times)) as camera:
        frames = list(camera.frames())
    assert [(frame.k, frame.t_ns) for frame in frames] == [(0, 5), (2, 9), (4, 20)]
    camera.close()
    assert capture.released == 1

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import calibration
from vision.arrays import Image
from vision.recording.frame_buffer import FrameBuffer

TABLE = calibration()
SECOND = 1_000_000_000


def grey(level: int) -> Image:
    return np.full((40, 40, 3), level, np.uint8)


def noisy(seed: int) -> Image:
    return np.random.default_rng(seed).integers(0, 256, (80, 80, 3), dtype=np.uint8)


def filled(buffer: FrameBuffer, frames: int, *, fps: float = 10.0) -> FrameBuffer:
    for k in range(frames):
        t_ns = round(k * SECOND / fps)
        if buffer.wants(t_ns):
            buffer.add(noisy(k), t_ns=t_ns, calibration=TABLE)
    return buffer


def test_the_newest_seconds_are_held_in_order() -> None:
    frames = filled(FrameBuffer(seconds=2, most_bytes=10**9, fps=10), 100).frames
    assert [frame.t_ns / SECOND for frame in frames] == pytest.approx([7.9 + k / 10 for k in range(21)])


def test_frames_come_at_the_asked_rate_on_the_whole() -> None:
    assert len(filled(FrameBuffer(seconds=60, most_bytes=10**9, fps=4), 400).frames) == pytest.approx(160, abs=12)
    assert len(filled(FrameBuffer(seconds=60, most_bytes=10**9, fps=30), 400).frames) == 400


def test_no_more_bytes_than_allowed_are_held() -> None:
    buffer = FrameBuffer(seconds=1000, most_bytes=40_000, fps=10)
    for k in range(60):
        if buffer.wants(k * SECOND):
            buffer.add(noisy(k), t_ns=k * SECOND, calibration=TABLE)
            assert buffer.size_bytes == sum(len(frame.jpeg) for frame in buffer.frames) <= 40_000
    assert 1 < len(buffer.frames) < 60
    assert buffer.frames[-1].t_ns == 59 * SECOND


def test_a_frame_larger_than_everything_is_not_held() -> None:
    buffer = FrameBuffer(seconds=10, most_bytes=100, fps=10)
    buffer.add(noisy(0), t_ns=0, calibration=TABLE)
    assert (buffer.frames, buffer.size_bytes) == ((), 0)


def test_what_came_since_a_moment_can_be_let_go() -> None:
    buffer = filled(FrameBuffer(seconds=60, most_bytes=10**9, fps=10), 50)
    buffer.forget(3 * SECOND)
    assert buffer.frames[-1].t_ns < 3 * SECOND
    assert buffer.size_bytes == sum(len(frame.jpeg) for frame in buffer.frames)
    assert buffer.wants(5 * SECOND)


def test_frames_that_are_too_old_by_now_are_left_out() -> None:
    buffer = filled(FrameBuffer(seconds=2, most_bytes=10**9, fps=10), 50)
    ages = {now: len(buffer.frames_at(round(now * SECOND))) for now in (4.9, 5.9, 6.9, 7.0)}
    assert ages == {4.9: 21, 5.9: 11, 6.9: 1, 7.0: 0}
    assert len(buffer.frames) == 21


def test_a_camera_whose_time_begins_anew_begins_a_new_ring() -> None:
    buffer = filled(FrameBuffer(seconds=60, most_bytes=10**9, fps=10), 50)
    assert buffer.wants(0)
    assert buffer.frames == ()


def test_a_held_frame_is_the_picture() -> None:
    buffer = FrameBuffer(seconds=1, most_bytes=10**6, fps=10)
    buffer.add(grey(90), t_ns=5, calibration=TABLE)
    (stored_frame,) = buffer.frames
    picture = cv2.imdecode(np.frombuffer(stored_frame.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert abs(int(np.mean(np.asarray(picture))) - 90) <= 1
    assert stored_frame.calibration is TABLE

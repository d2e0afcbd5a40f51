"""A camera that is turned, lifted or pushed far: nothing is read until the table is found again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.privacy.moved_camera import APPEARANCE, CALIBRATION, MOVES, STEP_NS, BlindWatcher
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import apply
from vision.watching.place.refinding import away_mm

pytestmark = pytest.mark.pictures


@pytest.mark.parametrize("name", ["turned by 8 degrees", "lifted", "turned by a quarter"])
def test_nothing_is_read_before_a_moved_table_is_found_again_by_itself(name: str) -> None:
    blind = BlindWatcher()
    assert all(blind.watch(None, frames=4))
    calls = blind.calls
    assert calls
    assert blind.watch(MOVES[name], frames=2) == [False, False]
    assert blind.calls == calls
    assert blind.watch(MOVES[name], frames=3)[-1]
    corners = apply(MOVES[name], CALIBRATION.to_pixels(_corners(), height_mm=0.0))
    expected = calibrate(corners, size=CALIBRATION.size, side_mm=CALIBRATION.side_mm)
    assert away_mm(blind.watcher.calibration, expected) < 5


def test_a_camera_that_is_put_back_goes_on_at_once() -> None:
    blind = BlindWatcher()
    blind.watch(None, frames=3)
    assert blind.watch(MOVES["pushed far"], frames=1) == [False]
    assert blind.watch(None, frames=1) == [True]
    assert blind.watcher.calibration is CALIBRATION


def test_what_merely_looks_like_a_table_is_not_taken_for_it() -> None:
    blind = BlindWatcher()
    blind.watch(None, frames=3)
    other = np.full((APPEARANCE.height_px, APPEARANCE.width_px, 3), 60, dtype=np.uint8)
    cv2.rectangle(other, (180, 120), (720, 660), (60, 110, 40), -1)
    for k in range(10, 20):
        blind.watcher.watch(Frame(k=k, t_ns=k * STEP_NS, image=other))
        assert not blind.watcher.is_in_place


def _corners() -> list[list[float]]:
    half = CALIBRATION.side_mm / 2
    return [[-half, half], [half, half], [half, -half], [-half, -half]]

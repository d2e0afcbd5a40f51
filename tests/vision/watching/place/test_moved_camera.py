"""A camera that is turned, lifted or pushed far: nothing is read until the table is found again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.privacy.moved_camera import CALIBRATION, LOOK, MOVES, STEP_NS, Blind
from vision.frames import Frame
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import apply
from vision.watching.place.refinding import away_mm

pytestmark = pytest.mark.pictures


@pytest.mark.parametrize("name", ["turned by 8 degrees", "lifted", "turned by a quarter"])
def test_nothing_is_read_before_a_moved_table_is_found_again_by_itself(name: str) -> None:
    seen = Blind()
    assert all(seen.see(None, frames=4))
    asked = seen.calls
    assert asked
    assert seen.see(MOVES[name], frames=2) == [False, False]
    assert seen.calls == asked
    assert seen.see(MOVES[name], frames=3)[-1]
    corners = apply(MOVES[name], CALIBRATION.to_pixels(_corners(), height_mm=0.0))
    there = calibrate(corners, size=CALIBRATION.size, side_mm=CALIBRATION.side_mm)
    assert away_mm(seen.watcher.calibration, there) < 5


def test_a_camera_that_is_put_back_goes_on_at_once() -> None:
    seen = Blind()
    seen.see(None, frames=3)
    assert seen.see(MOVES["pushed far"], frames=1) == [False]
    assert seen.see(None, frames=1) == [True]
    assert seen.watcher.calibration is CALIBRATION


def test_what_merely_looks_like_a_table_is_not_taken_for_it() -> None:
    seen = Blind()
    seen.see(None, frames=3)
    other = np.full((LOOK.height_px, LOOK.width_px, 3), 60, dtype=np.uint8)
    cv2.rectangle(other, (180, 120), (720, 660), (60, 110, 40), -1)
    for k in range(10, 20):
        seen.watcher.watch(Frame(k=k, t_ns=k * STEP_NS, image=other))
        assert not seen.watcher.is_in_place


def _corners() -> list[list[float]]:
    half = CALIBRATION.side_mm / 2
    return [[-half, half], [half, half], [half, -half], [-half, -half]]

"""A camera that is out of focus from its first frame on is told, though no sharp picture was seen before."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.privacy.moved_camera import APPEARANCE, CALIBRATION, MOVES, STEP_NS, frame_image
from vision.frames import Frame
from vision.watching.place.table_place import TablePlace

pytestmark = pytest.mark.pictures


def frame(k: int, *, mm: float = 0.0, light: float = 1.0, noise: float = 0.0) -> Frame:
    image = frame_image(None, k)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), mm * APPEARANCE.px_per_mm)) if mm else image
    grain = np.random.default_rng(k).normal(0, noise, image.shape)
    return Frame(k=k, t_ns=k * STEP_NS, image=np.clip(soft * light + grain, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("light", [(1.0, 0.0), (0.4, 5.0)], ids=["bright", "dim"])
@pytest.mark.parametrize("mm", [4.0, 8.0])
def test_a_start_out_of_focus_is_told_until_the_first_sharp_picture_which_is_the_one_learnt(
    mm: float, light: tuple[float, float]
) -> None:
    place = TablePlace(CALIBRATION, height_mm=APPEARANCE.tile_depth_mm)
    for k in range(2):
        assert place.see(frame(k, mm=mm, light=light[0], noise=light[1]))
        assert place.is_blurred
    assert place.see(frame(2))
    assert not place.is_blurred
    assert place.see(frame(3, mm=mm))
    assert place.is_blurred


@pytest.mark.parametrize("light", [(1.0, 0.0), (0.4, 5.0), (0.8, 9.0)], ids=["bright", "dim", "noisy"])
@pytest.mark.parametrize("mm", [0.0, 1.2])
def test_a_camera_that_is_a_little_soft_starts_at_once(mm: float, light: tuple[float, float]) -> None:
    place = TablePlace(CALIBRATION, height_mm=APPEARANCE.tile_depth_mm)
    assert place.see(frame(0, mm=mm, light=light[0], noise=light[1]))
    assert not place.is_blurred


def test_a_moved_table_is_told_by_the_first_frame_after_a_blurred_start_and_a_sharp_picture() -> None:
    place = TablePlace(CALIBRATION, height_mm=APPEARANCE.tile_depth_mm)
    place.see(frame(0, mm=6.0))
    place.see(frame(1))
    assert not place.see(Frame(k=2, t_ns=2 * STEP_NS, image=frame_image(MOVES["pushed far"], 2)))

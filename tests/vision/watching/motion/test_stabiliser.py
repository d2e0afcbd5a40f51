from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import SIZE, calibration, shifted
from vision.arrays import Image
from vision.geometry.rectify import TopView
from vision.watching.motion.stabiliser import Stabiliser


def steadied() -> Stabiliser:
    return Stabiliser(TopView(calibration(), height_mm=16.0, px_per_mm=0.5, margin_mm=24.0))


def drawn(*, light: float = 1.0) -> Image:
    """A table of many tiles, with edges as soft as a lens makes them."""
    image = np.full((SIZE, SIZE), 70.0)
    for x in range(90, 720, 40):
        for y in range(90, 720, 50):
            image[y : y + 32, x : x + 24] = 225
            image[y + 8 : y + 22, x + 6 : x + 16] = 40
    soft = cv2.GaussianBlur(image * light, (0, 0), 1.0)
    return np.repeat(np.clip(soft, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def shifted_picture(image: Image, right: float, down: float) -> Image:
    return shifted(image, right, down, by=cv2.INTER_LANCZOS4)


@pytest.mark.parametrize("shift", [(0.3, -0.2), (-0.7, 0.5), (1.1, 0.9)])
def test_a_trembling_camera_s_pictures_stay_in_their_place(shift: tuple[float, float]) -> None:
    stabiliser = steadied()
    calm = stabiliser.picture(drawn()).astype(int)
    other = np.abs(steadied().picture(shifted_picture(drawn(), *shift)).astype(int) - calm)
    left = np.abs(stabiliser.picture(shifted_picture(drawn(), *shift)).astype(int) - calm)
    assert left.mean() < 0.4 * other.mean()


def test_a_hand_over_a_third_of_the_table_moves_nothing_else() -> None:
    stabiliser = steadied()
    calm = stabiliser.picture(drawn())
    covered = shifted_picture(drawn(), 0.5, 0.5)
    covered[:, : SIZE // 3] = (120, 150, 190)
    assert np.abs(stabiliser.picture(covered).astype(int) - calm)[:, 200:].max() < 20


def test_other_light_is_no_trembling() -> None:
    stabiliser = steadied()
    stabiliser.picture(drawn())
    darker = drawn(light=0.8)
    assert np.array_equal(stabiliser.picture(darker), steadied().picture(darker))


def test_a_bare_table_has_nothing_to_hold_on_to() -> None:
    stabiliser = steadied()
    rng = np.random.default_rng(1)
    for _ in range(3):
        bare = np.clip(80 + rng.normal(0, 3, (SIZE, SIZE, 3)), 0, 255).astype(np.uint8)
        assert np.array_equal(stabiliser.picture(bare), steadied().picture(bare))


def test_a_push_is_left_as_it_is() -> None:
    stabiliser = steadied()
    stabiliser.picture(drawn())
    pushed = shifted_picture(drawn(), 7, -5)
    stabilised = stabiliser.picture(pushed)
    assert np.array_equal(stabilised, steadied().picture(pushed))

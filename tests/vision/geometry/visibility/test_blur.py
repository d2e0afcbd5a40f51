"""The blur of a picture is measured in any light, and nothing else is taken for it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.scenes_to_see import busy_table
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.geometry.calibration import calibrate
from vision.geometry.visibility.blur import blur_mm, is_out_of_focus
from vision.geometry.visibility.table_cut import TableCut, cut_out

LOOK = replace(Appearance(), width_px=900, height_px=900, noise=0.0)
PLACE = calibration_of(LOOK)
LIGHTS = {"bright": (1.0, 1.0), "dim": (0.4, 5.0), "bright but noisy": (0.8, 9.0)}


@cache
def sharp() -> Image:
    return np.asarray(Renderer(LOOK).render(busy_table(LOOK)), np.uint8)


def cut(*, mm: float, light: str = "bright", image: Image | None = None) -> TableCut:
    picture = sharp() if image is None else image
    gain, noise = LIGHTS[light]
    soft = cv2.GaussianBlur(picture, (0, 0), mm * LOOK.px_per_mm) if mm else picture
    grain = np.random.default_rng(1).normal(0, noise, picture.shape)
    return cut_out(np.clip(np.asarray(soft) * gain + grain, 0, 255).astype(np.uint8), PLACE)


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("mm", [1.5, 2.5, 4.0])
def test_the_blur_is_measured_in_any_light(light: str, mm: float) -> None:
    expected = float(np.hypot(blur_mm(cut(mm=0), PLACE), mm))
    assert blur_mm(cut(mm=mm, light=light), PLACE) == pytest.approx(expected, rel=0.25)


@pytest.mark.parametrize("light", LIGHTS)
def test_noise_neither_hides_a_sharp_edge_nor_is_one(light: str) -> None:
    assert blur_mm(cut(mm=0, light=light), PLACE) == pytest.approx(blur_mm(cut(mm=0), PLACE), abs=0.15)


def test_of_one_blurred_part_nothing_is_said_and_of_a_second_one_it_is() -> None:
    one, two = sharp().copy(), sharp().copy()
    one[:270, :270] = heavily_blurred()[:270, :270]
    two[:270] = heavily_blurred()[:270]
    assert blur_mm(cut(mm=0, image=one), PLACE) < 1.5
    assert blur_mm(cut(mm=0, image=two), PLACE) > 2.0


def heavily_blurred() -> Image:
    return np.asarray(cv2.GaussianBlur(sharp(), (0, 0), 3.0 * LOOK.px_per_mm), np.uint8)


@pytest.mark.parametrize(("mm", "blur"), [(0.0, 1.0), (1.5, 1.8), (2.5, 2.7), (3.5, 3.6)])
def test_the_width_of_larger_pixels_is_no_blur_where_noise_leaves_too_few_edges_in_smaller_ones(
    mm: float, blur: float
) -> None:
    bare, corners = np.full((600, 600), 60, np.float32), np.array([[120, 90], [500, 120], [470, 510], [90, 480]])
    cv2.fillConvexPoly(bare, corners.astype(np.int32), 75, cv2.LINE_AA)
    place = calibrate(np.array([[40.0, 40], [560, 40], [560, 560], [40, 560]]), size=(600, 600), side_mm=700)
    soft = cv2.GaussianBlur(bare, (0, 0), mm * 520 / 700) if mm else bare
    grey = np.clip(soft + np.random.default_rng(1).normal(0, 12.0, bare.shape), 0, 255)
    noisy = np.repeat(grey.astype(np.uint8)[:, :, None], 3, axis=2)
    assert blur_mm(cut_out(noisy, place), place) == pytest.approx(blur, abs=0.45)


def test_a_picture_without_edges_has_no_blur_that_can_be_measured() -> None:
    even = cut_out(np.full((900, 900, 3), 90, np.uint8), PLACE)
    assert (blur_mm(even, PLACE), is_out_of_focus(even, PLACE)) == (0.0, False)


@pytest.mark.parametrize("light", LIGHTS)
def test_most_of_the_table_must_be_unreadable_to_be_out_of_focus(light: str) -> None:
    assert is_out_of_focus(cut(mm=5.0, light=light), PLACE)
    assert not is_out_of_focus(cut(mm=1.5, light=light), PLACE)
    half = sharp().copy()
    half[:, :350] = np.asarray(cv2.GaussianBlur(half, (0, 0), 5.0), np.uint8)[:, :350]
    assert not is_out_of_focus(cut(mm=0, light=light, image=half), PLACE)

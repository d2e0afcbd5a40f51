"""What keeps a table from being read well is told from the picture alone, on laid and on empty tables."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.layout import Discard, Layout
from vision.cameras.synthetic.scene import Scene
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.visibility.visibility import DARK_TILES, Visibility, visibility

LOOK = replace(Appearance(), width_px=900, height_px=900)
RIVER = [Discard(face=face) for face in ("1m", "9p", "5s", "7z", "3p", "2m")]


@cache
def table_picture(*, has_tiles: bool, look: Appearance = LOOK) -> Image:
    layout = Layout(appearance=look, seed=3)
    tiles = [tile for side in range(4) for tile in layout.river(side, RIVER)] if has_tiles else []
    return np.asarray(Renderer(look).render(Scene(tiles=tuple(tiles), sticks=())), np.uint8)


def place_of(scale: float = 1.0, side: int = 900) -> Calibration:
    corners = (np.array(corners_px(LOOK)) + 0.5) * scale - 0.5
    return calibrate(corners, size=(side, side), side_mm=LOOK.felt_mm)


def dimmed(image: Image, light: float, *, noise: float = 1.5) -> Image:
    grain = np.random.default_rng(1).normal(0, noise, image.shape)
    return np.clip(image * light + grain, 0, 255).astype(np.uint8)


def blurred(image: Image, *, mm: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), mm * LOOK.px_per_mm), np.uint8)


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
def test_a_sharp_lit_table_near_the_camera_has_no_fault(has_tiles: bool) -> None:
    assert visibility(table_picture(has_tiles=has_tiles), place_of()).fault is None


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
def test_a_picture_out_of_focus_is_told(has_tiles: bool) -> None:
    assert visibility(blurred(table_picture(has_tiles=has_tiles), mm=2.0), place_of()).fault == "blurred"


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
@pytest.mark.parametrize("mm", [2.0, 4.0, 8.0])
def test_a_picture_out_of_focus_is_told_in_dim_light_too_where_noise_is_steeper_than_any_edge(
    has_tiles: bool, mm: float
) -> None:
    dim = visibility(dimmed(blurred(table_picture(has_tiles=has_tiles), mm=mm), 0.4, noise=5.0), place_of())
    assert dim.fault == "blurred"


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
def test_noise_is_no_blur(has_tiles: bool) -> None:
    dim = visibility(dimmed(table_picture(has_tiles=has_tiles), 0.4, noise=5.0), place_of())
    assert dim.fault is None
    assert abs(dim.blur_mm - visibility(table_picture(has_tiles=has_tiles), place_of()).blur_mm) < 0.2


def test_a_smear_over_half_of_the_lens_is_told() -> None:
    image = table_picture(has_tiles=True).copy()
    image[:, :500] = blurred(image, mm=3.0)[:, :500]
    assert visibility(image, place_of()).fault == "blurred"


def test_what_has_no_edges_is_dark_or_even_but_not_blurred() -> None:
    assert visibility(np.full((900, 900, 3), 120, np.uint8), place_of()).blur_mm == 0


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
def test_a_dark_table_is_told(has_tiles: bool) -> None:
    assert visibility(dimmed(table_picture(has_tiles=has_tiles), 0.12), place_of()).fault == "dark"


def test_an_empty_dark_felt_is_not_too_dark_if_tiles_on_it_would_be_light_enough() -> None:
    look = replace(LOOK, felt=(37, 33, 70), rail=(56, 56, 75), exposure=0.65)
    assert visibility(table_picture(has_tiles=True, look=look), place_of()).brightness > 2 * DARK_TILES
    empty = visibility(table_picture(has_tiles=False, look=look), place_of())
    assert (empty.fault, empty.brightness < 35) == (None, True)


@pytest.mark.parametrize("has_tiles", [True, False], ids=["laid", "empty"])
def test_a_light_felt_is_too_dark_in_light_in_which_tiles_are(has_tiles: bool) -> None:
    dim = dimmed(table_picture(has_tiles=has_tiles, look=replace(LOOK, felt=(105, 126, 22))), 0.2)
    assert visibility(dim, place_of()).fault == "dark"


def test_tiles_that_are_too_bright_to_be_read_are_told() -> None:
    bright = np.clip(table_picture(has_tiles=True).astype(float) * 3, 0, 255).astype(np.uint8)
    bright[300:600, 300:600] = 255
    assert visibility(bright, place_of()).fault == "glare"


def test_a_camera_too_far_away_is_told() -> None:
    small = np.asarray(
        cv2.resize(table_picture(has_tiles=True), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA), np.uint8
    )
    far = visibility(small, place_of(0.6, 540))
    assert (far.fault, far.px_per_mm < 0.7) == ("far", True)


def test_a_corner_at_the_border_is_told_first() -> None:
    dark = dimmed(table_picture(has_tiles=True), 0.1)[:, 90:]
    corners = np.array(corners_px(LOOK)) - (90, 0)
    place = calibrate(corners, size=(810, 900), side_mm=LOOK.felt_mm)
    assert visibility(dark, place).fault == "border"


def test_a_finer_picture_of_the_same_blur_measures_the_same() -> None:
    soft = blurred(table_picture(has_tiles=True), mm=1.5)
    fine = np.asarray(cv2.resize(soft, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC), np.uint8)
    expected = visibility(soft, place_of()).blur_mm
    assert abs(visibility(fine, place_of(2.5, 2250)).blur_mm - expected) < 0.25 * expected


@pytest.mark.parametrize(
    ("bearing", "lean", "focal"), [(-90.0, 25.0, 0.75), (0.0, 25.0, 0.75), (-45.0, 35.0, 0.75), (135.0, 42.0, 0.6)]
)
def test_from_these_places_beside_the_table_every_hand_laid_open_is_read(
    bearing: float, lean: float, focal: float
) -> None:
    assert not visibility_from(bearing, lean, focal).is_behind


@pytest.mark.parametrize(("bearing", "lean"), [(-90.0, 35.0), (180.0, 42.0), (45.0, 50.0)])
def test_a_camera_behind_a_player_is_told(bearing: float, lean: float) -> None:
    behind = visibility_from(bearing, lean, 0.75)
    assert behind.is_behind
    whole = replace(behind, px_per_mm=1.0, brightness=200, has_contrast=True, glare=0, blur_mm=0.5, is_within=True)
    assert whole.fault == "behind"


def visibility_from(bearing: float, lean: float, focal: float) -> Visibility:
    camera = seen_from(replace(LOOK, width_px=1280, height_px=960), lean=lean, bearing=bearing, focal=focal)
    place = calibration_of(camera)
    return visibility(np.zeros((960, 1280, 3), np.uint8), place)

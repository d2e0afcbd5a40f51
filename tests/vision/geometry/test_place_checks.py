"""What looks even is not taken for a table, whatever makes it so."""

from __future__ import annotations

import re
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.errors import CalibrationError
from vision.geometry.calibration import find_corners
from vision.geometry.place_checks import check_within

SIDE = 800


def noisy(picture: np.ndarray) -> Image:
    """With what a sensor adds."""
    noise = np.random.default_rng(7).normal(0, 2.5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def plain_picture(blue: int, green: int, red: int) -> np.ndarray:
    return np.full((SIDE, SIDE, 3), (blue, green, red), np.float64)


def lens_film() -> Image:
    """Milky and brighter in its middle."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    return noisy(plain_picture(190, 200, 205) * (1 - 0.5 * (x**2 + y**2))[..., None])


def lights_off() -> Image:
    return noisy(plain_picture(6, 7, 7))


def wall() -> Image:
    """Light from one side, a picture frame in a corner."""
    picture = plain_picture(150, 165, 175) * np.linspace(0.6, 1.1, SIDE)[None, :, None]
    picture[40:160, 40:200] = (40, 40, 50)
    return noisy(picture)


def camera_too_low() -> Image:
    """The felt goes on beyond the picture on two sides."""
    picture = plain_picture(62, 96, 24)
    picture[:90] = picture[:, :70] = (36, 44, 60)
    return noisy(picture)


def lamp_on_a_floor() -> Image:
    """A round patch of light."""
    picture = plain_picture(30, 34, 40)
    cv2.circle(picture, (SIDE // 2, SIDE // 2), 300, (120, 150, 160), -1)
    return noisy(picture)


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (lens_film, "even|border"),
        (lights_off, "dark"),
        (wall, "border"),
        (camera_too_low, "border"),
        (lamp_on_a_floor, "^$"),
    ],
    ids=["lens film", "lights off", "wall", "camera too low", "lamp on a floor"],
)
def test_what_is_even_is_no_table(picture: Callable[[], Image], sentence: str) -> None:
    with pytest.raises(CalibrationError) as refused:
        find_corners([picture()])
    assert refused.match("expected")
    assert re.search(sentence, refused.value.says)


def test_corners_at_the_pictures_border_are_refused_with_what_to_do() -> None:
    inside = np.array([[20.0, 20.0], [780.0, 20.0], [780.0, 780.0], [20.0, 780.0]])
    check_within(inside, (SIDE, SIDE))
    for beyond in (-5.0, 2.0):
        with pytest.raises(CalibrationError, match="hang the camera higher") as refused:
            check_within(np.vstack([[[beyond, 20.0]], inside[1:]]), (SIDE, SIDE))
        assert refused.value.says == "border"


def test_corners_that_are_known_exactly_may_lie_at_the_border_but_not_beyond_it() -> None:
    whole = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])
    check_within(whole, (SIDE, SIDE), border=0.0)
    with pytest.raises(CalibrationError, match="got corners at its border"):
        check_within(whole - (1.0, 0.0), (SIDE, SIDE), border=0.0)

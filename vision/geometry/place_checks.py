"""Checks a picture before the table is searched in it, and corners for being within the picture.

Many pictures have a single colour in the middle without showing a table: a film on the lens, a dark room, a wall, a
felt nearer than the picture is wide.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Grey, Image
from vision.errors import CalibrationError

DARK: Final = 14.0
"""Mean brightness, out of 255, below which a room counts as dark."""
EVEN: Final = 5.0
"""Standard deviation of a small picture's brightness, out of 255, below which it shows nothing."""
COVERED: Final = 2.5
"""Standard deviation of the small structures in such a picture, below which something near the lens covers it."""
UNSEEN: Final = ("dark", "even", "blurred")
"""Why a picture may show nothing, or nothing that can be read, wherever the table is."""
BORDER: Final = 0.008
"""Share of the picture's longer side: a corner nearer to the border than this may actually be beyond it."""
_SMALL: Final = (160, 160)
_LARGE_PX: Final = 6.0
"""Standard deviation of the blur that removes the small structures of a small picture."""


def check_picture(image: Image) -> None:
    """Checks that a picture is neither dark nor uniform.

    Raises:
        CalibrationError: it is; `says` is `dark` or `even`.
    """
    small = _small(image)
    if float(small.mean()) < DARK:
        raise CalibrationError(
            "expected a picture with light in it, got a dark one: switch the light on, or uncover the lens",
            says="dark",
        )
    if float(small.std()) < EVEN:
        raise CalibrationError(
            "expected a picture of a table, got one that is the same all over: is the film still on the lens, or does "
            "something cover it?",
            says="even",
        )


def check_uncovered(image: Image) -> None:
    """Checks that a picture shows something other than light and shadow on a thing near the lens.

    Raises:
        CalibrationError: it is dark, uniform, or blurred all over; `says` is `dark` or `even`.
    """
    check_picture(image)
    small = np.asarray(_small(image), np.float32)
    if float((small - cv2.GaussianBlur(small, (0, 0), _LARGE_PX)).std()) < COVERED:
        raise CalibrationError("expected a picture of a table, got one that something covers", says="even")


def _small(image: Image) -> Grey:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, _SMALL, interpolation=cv2.INTER_AREA), np.uint8)


def check_within(corners_px: Floats, size: tuple[int, int], *, border: float = BORDER) -> None:
    """Checks that all corners [4, 2] of the play surface are in a picture of `size` (width, height).

    `border` is the share of the picture's longer side that counts as its border; 0 for corners that are known exactly.

    Raises:
        CalibrationError: one is at the picture's border or beyond; `says` is `border`.
    """
    margin = border * max(size)
    inside = (corners_px >= margin) & (corners_px <= np.array(size) - margin)
    if not inside.all():
        raise CalibrationError(
            "expected the whole play surface in the picture, got corners at its border: "
            f"{np.round(corners_px).astype(int).tolist()} of {size[0]} x {size[1]}; hang the camera higher, or move it "
            "over the table's middle",
            says="border",
        )

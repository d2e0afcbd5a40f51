"""What a picture must show before it is asked where the table lies, and where no corner of a table can be.

Any even picture has one colour in its middle: a film on the lens, a room without light, a wall, a felt that is nearer
than the picture is wide. None of them is a table.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.errors import CalibrationError

DARK: Final = 14.0
"""Mean brightness, of 255, below which a room is dark."""
EVEN: Final = 5.0
"""Standard deviation of a small picture's brightness, of 255, below which nothing is to be seen in it."""
BORDER: Final = 0.008
"""Share of the picture's longer side: a corner that lies nearer to the border may as well lie beyond it."""
_SMALL: Final = (160, 160)


def check_picture(image: Image) -> None:
    """Looks whether there is anything to be seen.

    Raises:
        CalibrationError: the picture is dark, or the same all over; `says` is `dark` or `even`.
    """
    small = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), _SMALL, interpolation=cv2.INTER_AREA)
    if float(small.mean()) < DARK:
        raise CalibrationError("expected a picture with light in it, got a dark one: switch the light on", says="dark")
    if float(small.std()) < EVEN:
        raise CalibrationError(
            "expected a picture of a table, got one that is the same all over: is the film still on the lens, or does "
            "something cover it?",
            says="even",
        )


def check_within(corners_px: Floats, size: tuple[int, int]) -> None:
    """Looks whether all corners of the play surface lie in a picture of `size` (width, height).

    Raises:
        CalibrationError: one lies at the picture's border or beyond; `says` is `border`.
    """
    margin = BORDER * max(size)
    inside = (corners_px >= margin) & (corners_px <= np.array(size) - 1 - margin)
    if not inside.all():
        raise CalibrationError(
            "expected the whole play surface in the picture, got corners at its border: "
            f"{np.round(corners_px).astype(int).tolist()} of {size[0]} x {size[1]}; hang the camera higher, or move it "
            "over the table's middle",
            says="border",
        )

"""Brightens pictures taken with too little light, since the networks were trained on brighter ones."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image

ENOUGH: Final = 80.0
"""Brightness, out of 255, of the lightest things on a table, at which most of its faces are read; a larger factor only
adds noise.
"""
ENOUGH_IN_PHOTO: Final = 120.0
"""The same for a photo without given corners, in which tiles may stand."""
_MOST_FACTOR: Final = 8.0
"""The largest factor by which a picture is brightened; a picture that needs more shows nothing but noise."""


def factor_for(lightest: float, enough: float = ENOUGH) -> float:
    """Returns the factor, 1 to 8, by which to brighten a picture whose lightest things have this brightness.

    `enough` is the brightness that they then have.
    """
    return min(max(enough / max(lightest, 1.0), 1.0), _MOST_FACTOR)


def brightened(image: Image, factor: float) -> Image:
    """Returns a BGR picture brightened by a factor; the picture itself if the factor is 1."""
    if factor == 1:
        return image
    return np.asarray(cv2.convertScaleAbs(image, alpha=factor), np.uint8)

"""Brightens pictures taken with too little light: the networks learnt faces in pictures brighter than that."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image

ENOUGH: Final = 80.0
"""Brightness, out of 255, of the lightest things: in a picture this bright most faces are read; more only adds to the
noise."""
_MOST_FACTOR: Final = 8.0
"""A picture is made at most this many times as bright: beyond that nothing but noise is there."""


def factor_for(lightest: float) -> float:
    """Returns how many times as bright a picture must become whose lightest things have this brightness; 1 or more."""
    return min(max(ENOUGH / max(lightest, 1.0), 1.0), _MOST_FACTOR)


def brightened(image: Image, factor: float) -> Image:
    """Returns a BGR picture so many times as bright; itself if the factor is 1."""
    if factor == 1:
        return image
    return np.asarray(cv2.convertScaleAbs(image, alpha=factor), np.uint8)

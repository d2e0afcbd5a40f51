"""Brightens a photo that was taken with too little light: the networks learnt faces in pictures brighter than that."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.reading.locator import at_most

_ENOUGH: Final = 80.0
"""Brightness, out of 255, of the lightest thousandth: in a photo this bright most faces are read; more only adds to the
noise."""
_LONGEST: Final = 800
"""Longest side in pixels of the picture in which it is measured: noise averages out, and a single tile is larger."""
_LIGHTEST: Final = 99.9
_MOST: Final = 8.0
"""So many times as bright at most: beyond that nothing but noise is there."""


def brightened(image: Image) -> Image:
    """Returns a BGR picture with its tiles as bright as reading needs; as it is if they are."""
    lightest = float(np.percentile(cv2.cvtColor(at_most(image, _LONGEST), cv2.COLOR_BGR2GRAY), _LIGHTEST))
    if lightest >= _ENOUGH:
        return image
    return np.asarray(cv2.convertScaleAbs(image, alpha=min(_ENOUGH / max(lightest, 1.0), _MOST)), np.uint8)

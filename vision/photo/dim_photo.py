"""Brightens a photo that was taken with too little light."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.reading.brightening import brightened, factor_for
from vision.reading.locator import at_most

_LONGEST: Final = 800
"""Longest side in pixels of the picture in which it is measured: noise averages out, and a single tile is larger."""
_LIGHTEST: Final = 99.9


def brightened_photo(image: Image) -> Image:
    """Returns a BGR photo with its tiles as bright as reading needs; as it is if they are."""
    grey = cv2.cvtColor(at_most(image, _LONGEST), cv2.COLOR_BGR2GRAY)
    return brightened(image, factor_for(float(np.percentile(grey, _LIGHTEST))))

"""Brightens a photo that was taken with too little light."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.reading.brightening import brightened, factor_for
from vision.reading.locator import at_most

_LONGEST: Final = 800
"""Longest side in pixels of the picture whose lightest thousandth is measured: noise averages out, and one tile is
larger than that."""
_LIGHTEST: Final = 99.9


def brightened_photo(image: Image, enough: float) -> Image:
    """Returns a BGR photo, brightened if its lightest things have less than `enough` of 255."""
    grey = cv2.cvtColor(at_most(image, _LONGEST), cv2.COLOR_BGR2GRAY)
    return brightened(image, factor_for(float(np.percentile(grey, _LIGHTEST)), enough))

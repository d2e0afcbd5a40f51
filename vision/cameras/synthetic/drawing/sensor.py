"""The effects of sensor and compression on a picture."""

from statistics import NormalDist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance

_SLACK = 61
"""Margin of the noise, which is drawn once, larger than the picture, and shifted from frame to frame."""
_MIDDLE = 128


class Sensor:
    """Noise and compression of one appearance."""

    def __init__(self, appearance: Appearance) -> None:
        self._appearance = appearance
        rng = np.random.default_rng([appearance.seed, 0x5E75])
        shape = (appearance.height_px + _SLACK, appearance.width_px + _SLACK, 3)
        self._noise = np.asarray(cv2.LUT(rng.integers(0, 256, shape, np.uint8), _levels(appearance.noise)), np.uint8)

    def expose(self, picture: Image, k: int) -> Image:
        """Returns the picture as frame `k` of this sensor; the noise is added in place."""
        if self._appearance.noise > 0:
            picture = self._noisy(picture, k)
        if self._appearance.jpeg_quality > 0:
            _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._appearance.jpeg_quality])
            picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return picture

    def _noisy(self, picture: Image, k: int) -> Image:
        top, left = (int(v) for v in np.random.default_rng([self._appearance.seed, k]).integers(0, _SLACK, 2))
        height, width = picture.shape[:2]
        patch = self._noise[top : top + height, left : left + width]
        return np.asarray(cv2.addWeighted(picture, 1.0, patch, 1.0, -_MIDDLE, dst=picture), np.uint8)


def _levels(deviation: float) -> NDArray[np.uint8]:
    """Returns 256 grey levels that, picked evenly, are normal around `_MIDDLE`: faster than drawing normals."""
    quantiles = [NormalDist().inv_cdf((i + 0.5) / 256) for i in range(256)]
    levels = np.rint(np.array(quantiles) * deviation + _MIDDLE)
    return np.clip(levels, 0, 255).astype(np.uint8)

"""Simulates a camera's processing: exposure, white balance, noise, a curve, sharpening and JPEG."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.traced.lights import Light
from vision.arrays import Image

Raw = npt.NDArray[np.uint16]

_PAPER: Final = 0.32
"""The brightness of white paper in linear light under the nominal light of the lamps."""
_SHOWN_LIGHT: Final = 0.55
"""The linear brightness of white paper in a well-exposed picture."""
_SHOULDER: Final = 0.72
"""The brightness above which the camera's curve flattens."""


def developed(raw: Raw, light: Light, rng: np.random.Generator, noise_rng: np.random.Generator | None = None) -> Image:
    """Returns a camera's BGR picture of linear light in 16-bit BGR.

    `rng` decides how the camera sharpens and compresses, and draws its noise unless `noise_rng` does.
    """
    linear = raw.astype(np.float32) / 65535
    cast = np.array(light.cast[::-1], np.float32)
    linear = np.asarray(linear / cast**light.corrected, np.float32)
    linear *= _SHOWN_LIGHT * light.exposed / _PAPER
    picture = _curve(_noisy(linear.astype(np.float32), light.noise, noise_rng or rng))
    if rng.random() < 0.7:
        picture = _sharpened(picture, float(rng.uniform(0.2, 0.8)))
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 96))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _noisy(linear: npt.NDArray[np.float32], hundredths: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Adds photon noise, which grows with the root of the light; the camera smooths out a part of it."""
    grain = rng.standard_normal(linear.shape, dtype=np.float32)
    soft = cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6
    deviation = hundredths / 100 * np.sqrt(np.clip(linear, 0.004, 1) / 0.2)
    return np.asarray(linear + soft * deviation, np.float32)


def _curve(linear: npt.NDArray[np.float32]) -> Image:
    room = 1 - _SHOULDER
    over = np.maximum(linear - _SHOULDER, 0)
    bent = np.where(linear > _SHOULDER, _SHOULDER + room * (1 - np.exp(-over / room)), np.maximum(linear, 0))
    return np.asarray(np.rint(255 * bent ** (1 / 2.2)), np.uint8)


def _sharpened(picture: Image, amount: float) -> Image:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)

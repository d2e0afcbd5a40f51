"""What a camera, its light or its mount may do to the frames of an evening, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tests.vision.drawn import shifted
from vision.arrays import Image
from vision.frames import Frame

Strain = Callable[[Image, int], Image]
_LATER: Final = 120
"""The frame from which on it is other."""


def strained(frames: Iterable[Frame], name: str) -> Iterator[Frame]:
    """The frames under the strain of that name."""
    for frame in frames:
        yield replace(frame, image=STRAINS[name](frame.image, frame.k))


def _levels(pixels: npt.NDArray[np.float64]) -> Image:
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def _lit(image: Image, gain: float | tuple[float, float, float]) -> Image:
    return _levels(image * np.asarray(gain))


def _trembling(px: float) -> Strain:
    return lambda image, k: shifted(image, *np.random.default_rng(k).normal(0, px, 2))


def _squeezed(image: Image, _k: int) -> Image:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 50])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _noisy(image: Image, k: int) -> Image:
    return _levels(image + np.random.default_rng(k).normal(0, 7, image.shape))


STRAINS: Final[dict[str, Strain]] = {
    "lamp off": lambda image, k: _lit(image, 0.7 if k > _LATER else 1.0),
    "lamp on": lambda image, k: _lit(image, 1.3 if k > _LATER else 1.0),
    "clouds": lambda image, k: _lit(image, 1 + 0.3 * float(np.sin(k / 80))),
    "warm": lambda image, _: _lit(image, (0.75, 0.95, 1.1)),
    "flicker": lambda image, k: _lit(image, 1 + 0.04 * (-1) ** k),
    "jpeg": _squeezed,
    "noise": _noisy,
    "blur": lambda image, _: np.asarray(cv2.GaussianBlur(image, (0, 0), 1.3), np.uint8),
    "tremble a little": _trembling(0.2),
    "tremble": _trembling(0.5),
    "push": lambda image, k: shifted(image, 7, -5) if k > _LATER else image,
}
"""Light a third less or more at once, changing slowly, yellow or flickering; JPEG of half quality; noise of 7 grey
levels; blur of 1.3 pixels, trembling of 0.2 or 0.5, a push of 9."""

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
_HALF_MINUTE: Final = 150
"""Frames."""


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


def _hidden(image: Image, k: int) -> Image:
    """The picture behind a hand or a head, out of focus near the lens: a third of it or all, for two to eight seconds.

    It comes once in each half minute, at five frames a second, from any way.
    """
    rng = np.random.default_rng([k // _HALF_MINUTE, 0x4EAD])
    begins, lasts = rng.integers(0, _HALF_MINUTE - 40), rng.integers(10, 41)
    colour = np.array([(60, 80, 120), (30, 32, 38)][rng.integers(2)])
    share, direction = rng.choice([1 / 3, 1.0]), rng.uniform(0, 2 * np.pi)
    done = min(k % _HALF_MINUTE - begins + 1, begins + lasts - k % _HALF_MINUTE) / 2
    if done <= 0:
        return image
    height, width = image.shape[:2]
    radius = 0.75 * float(np.hypot(width, height))
    away = radius + (0.5 - 1.15 * share * min(done, 1.0)) * float(np.hypot(width, height) / np.sqrt(2))
    middle = np.array([width, height]) / 2 + away * np.array([np.cos(direction), np.sin(direction)])
    cover = np.zeros((height, width), np.float32)
    cv2.circle(cover, (round(middle[0]), round(middle[1])), round(radius), 1.0, -1)
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), radius / 40), np.float32)[..., None]
    return _levels(image * (1 - soft) + colour * soft)


class _AutoExposure:
    """A camera that keeps the mean brightness of its frame 0, whatever comes before it."""

    def __init__(self) -> None:
        self._mean = 1.0

    def __call__(self, image: Image, k: int) -> Image:
        mean = max(float(image.mean()), 1.0)
        self._mean = self._mean if k else mean
        return _lit(image, self._mean / mean)


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
    "head": _hidden,
    "auto exposure": _AutoExposure(),
    "push": lambda image, k: shifted(image, 7, -5) if k > _LATER else image,
}
"""Light a third less or more at once, changing slowly, yellow or flickering; JPEG of half quality; noise of 7 grey
levels; blur of 1.3 pixels, trembling of 0.2 or 0.5, a push of 9; a head before the lens; a camera that adapts its
exposure."""

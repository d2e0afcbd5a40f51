"""Removes camera shake from the picture of the watched plane: when people walk, edges move by fractions of a pixel.

Some points on edges are stored with their brightness and gradient. The shift that best explains their present values
is the camera's; the remaining differences are hands and tiles.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Grey, Image
from vision.geometry.rectify import TopView

_POINTS: Final = 2300
"""The steepest so many are remembered."""
_APART: Final = 2
"""Of the plane's points each so manyth, right and down, may be remembered."""
_FAR_APART: Final = 12
"""Of these so manyth tell the light: mostly felt, which looks alike however the camera trembles."""
_EXPLAINED: Final = 8.0
"""Grey levels by which a point that only trembled may be off."""
_FEWEST: Final = 0.5
"""With fewer of the points explained, the shift is not known: most of the table changes."""
_FEW: Final = 0.8
"""With fewer of the points explained, others are remembered, unless that was done within the last frames."""
_FRAMES: Final = 10
_STEPS: Final = 3
_CALM_PX: Final = 0.04
"""A shift this short need not be made up for, which costs more than a look."""
_NEAR_PX: Final = 0.15
"""A step as short as this is the last."""
_MOST_PX: Final = 1.5
"""A longer way is a push."""
_STEEP: Final = 12.0
"""Grey levels a pixel by which brightness rises at an edge; noise seldom does."""
_FEWEST_POINTS: Final = 100
"""With fewer there is nothing to hold on to."""
_SLOWLY: Final = 0.02
"""Of each frame's shift: so its mean is followed, about which a camera trembles."""
_LEAST: Final = 1e-3 * np.eye(2)
_RIGHT: Final = np.array([1, 0], dtype=np.float32)
_DOWN: Final = np.array([0, 1], dtype=np.float32)

Pixels = npt.NDArray[np.float32]
"""Where in a frame points are: x and y, shape [H, W, 2]."""


class Stabiliser:
    """Makes small top views in which the table keeps its place, though the camera trembles."""

    def __init__(self, view: TopView) -> None:
        """Takes the view that a calm camera has."""
        self._view = view
        self._grid = view.grid()
        self._points = self._grid[:0]
        self._brightness = np.zeros(0)
        self._slopes = np.zeros((0, 2))
        self._lit: Grey = np.zeros((0, 0), dtype=np.uint8)
        self._age = _FRAMES
        self._shift = np.zeros(2, dtype=np.float32)
        self._mean = self._shift

    def picture(self, image: Image) -> Grey:
        """Returns the grey top view of a raw frame, shape [side_px, side_px]; black where the frame shows nothing."""
        self._follow(image)
        if np.abs(self._shift).max() < _CALM_PX:
            return _grey(self._view.picture(image))
        return _seen(image, self._grid + self._shift)

    def _follow(self, image: Image) -> None:
        """Finds by how much this picture is shifted against the first."""
        self._age += 1
        explained = self._explain(image) if len(self._points) else 0.0
        if explained < _FEWEST or np.abs(self._shift).max() > _MOST_PX:
            self._shift = np.zeros(2, dtype=np.float32)
        self._mean = self._mean + _SLOWLY * (self._shift - self._mean)
        if explained < _FEW and self._age >= _FRAMES:
            self._remember(image)

    def _explain(self, image: Image) -> float:
        """Takes the shift that explains most of the points best; returns the share of them that it explains.

        The light may have changed by a factor.
        """
        light = float(np.median((self._light(image) + 1.0) / (self._lit + 1.0)))
        for _ in range(_STEPS):
            left = change = _seen(image, self._points + self._shift).ravel() - light * self._brightness
            for most in (4 * _EXPLAINED, 2 * _EXPLAINED, _EXPLAINED):
                fits = np.abs(left) < max(most, 2 * float(np.median(np.abs(left))))
                slopes = self._slopes[fits]
                found = np.linalg.solve(slopes.T @ slopes + _LEAST, slopes.T @ change[fits])
                left = change - self._slopes @ found
            self._shift = self._shift - found.astype(np.float32)
            if np.abs(found).max() < _NEAR_PX:
                break
        return float((np.abs(left) < _EXPLAINED).mean())

    def _remember(self, image: Image) -> None:
        """Takes this picture's edges as those to follow, and what trembled about for its place."""
        self._shift, self._mean, self._age = self._shift - self._mean, np.zeros_like(self._mean), 0
        there = self._grid[::_APART, ::_APART] + self._shift
        slopes = np.stack([_slope(image, there, _RIGHT), _slope(image, there, _DOWN)], axis=1)
        steep = (slopes**2).sum(axis=1)
        kept = np.argsort(steep)[-_POINTS:]
        kept = kept[steep[kept] >= _STEEP**2]
        if len(kept) < _FEWEST_POINTS:
            self._points = self._points[:0]
            return
        there = there.reshape(-1, 1, 2)[kept]
        self._points, self._slopes = there - self._shift, slopes[kept]
        self._brightness = _seen(image, there).ravel().astype(np.float64)
        self._lit = self._light(image)

    def _light(self, image: Image) -> Grey:
        """How bright the picture is here and there."""
        return _seen(image, self._grid[::_FAR_APART, ::_FAR_APART])


def _slope(image: Image, points: Pixels, way: Pixels) -> Floats:
    """By how many grey levels a pixel the brightness rises that way at each of the points, shape [H * W]."""
    return (_seen(image, points + way).astype(np.float64) - _seen(image, points - way)).ravel() / 2


def _seen(image: Image, points: Pixels) -> Grey:
    """The brightness at each of the points, shape [H, W]; black outside the frame."""
    across, down = cv2.split(points)
    seen = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return _grey(np.asarray(seen, dtype=np.uint8))


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

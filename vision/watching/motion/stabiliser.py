"""Removes camera shake from the picture of the watched plane: when people walk, edges move by fractions of a pixel.

Some points on edges are stored with their brightness and gradient. The shift that best explains their present values
is the camera's; the remaining differences are hands and tiles.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Grey, Image, Mask
from vision.geometry.rectify import TopView

_POINTS: Final = 2300
"""Number of points kept, those with the steepest edges."""
_SPACING: Final = 2
"""Spacing of the points that may be kept, in each direction."""
_LIGHT_SPACING: Final = 12
"""Spacing of the kept points that measure the light: mostly felt, which looks the same however the camera trembles."""
_EXPLAINED: Final = 8.0
"""Grey levels by which a point may deviate from the explanation by a shift."""
_FEWEST: Final = 0.5
"""If a smaller share of the points is explained, the shift is unknown: most of the table is changing."""
_FEW: Final = 0.8
"""If a smaller share of the points is explained, new ones are chosen, unless they are only a few frames old."""
_FRAMES: Final = 10
"""New points are chosen only once those in use are this many frames old."""
_STEPS: Final = 3
"""The most steps of the search for a shift."""
_CALM_PX: Final = 0.04
"""A shift this short is not compensated, which would cost more than a look."""
_NEAR_PX: Final = 0.15
"""A step this short ends the search."""
_MOST_PX: Final = 1.5
"""A longer shift is a push."""
_STEEP: Final = 12.0
"""Grey levels per pixel of an edge, which noise rarely reaches."""
_FEWEST_POINTS: Final = 100
"""With fewer points, shifts are not followed."""
_SLOWLY: Final = 0.02
"""Weight of each frame's shift in the mean, about which a camera trembles."""
_DAMPING: Final = 1e-3 * np.eye(2)
_RIGHT: Final = np.array([1, 0], dtype=np.float32)
_DOWN: Final = np.array([0, 1], dtype=np.float32)

Pixels = npt.NDArray[np.float32]
"""Where points are in a frame: x and y, shape [H, W, 2]."""


class Stabiliser:
    """Makes small top views in which the table stays in place although the camera trembles."""

    def __init__(self, view: TopView) -> None:
        """Takes the view of a camera that does not tremble."""
        self._view = view
        self._grid = view.grid()
        self._light_points = np.ascontiguousarray(self._grid[::_LIGHT_SPACING, ::_LIGHT_SPACING])
        self._points = self._grid[:0]
        self._brightness = np.zeros(0)
        self._slopes = np.zeros((0, 2))
        self._light_levels: Grey = np.zeros((0, 0), dtype=np.uint8)
        self._age = _FRAMES
        self._shift = np.zeros(2, dtype=np.float32)
        self._mean = self._shift

    def picture(self, image: Image) -> Grey:
        """Returns the grey top view of a raw frame, shape [side_px, side_px]; black outside the frame."""
        self._follow(image)
        if np.abs(self._shift).max() < _CALM_PX:
            return _grey(self._view.picture(image))
        return _brightness_at(image, self._grid + self._shift)

    def _follow(self, image: Image) -> None:
        """Finds this picture's shift from the first."""
        self._age += 1
        explained = self._explain(image) if len(self._points) else 0.0
        if explained < _FEWEST or np.abs(self._shift).max() > _MOST_PX:
            self._shift = np.zeros(2, dtype=np.float32)
        self._mean = self._mean + _SLOWLY * (self._shift - self._mean)
        if explained < _FEW and self._age >= _FRAMES:
            self._remember(image)

    def _explain(self, image: Image) -> float:
        """Sets the shift that best explains the points; returns the share of them that it explains.

        The light may have changed by a factor.
        """
        light = float(np.median((self._light(image) + 1.0) / (self._light_levels + 1.0)))
        for _ in range(_STEPS):
            residuals = change = _brightness_at(image, self._points + self._shift).ravel() - light * self._brightness
            for limit in (4 * _EXPLAINED, 2 * _EXPLAINED, _EXPLAINED):
                fits = np.flatnonzero(_are_small(np.abs(residuals), limit))
                slopes = self._slopes.take(fits, axis=0)
                found = np.linalg.solve(slopes.T @ slopes + _DAMPING, slopes.T @ change.take(fits))
                residuals = change - self._slopes @ found
            self._shift = self._shift - found.astype(np.float32)
            if np.abs(found).max() < _NEAR_PX:
                break
        return float((np.abs(residuals) < _EXPLAINED).mean())

    def _remember(self, image: Image) -> None:
        """Chooses the edges in this picture to follow; the mean shift so far becomes the camera's place."""
        self._shift, self._mean, self._age = self._shift - self._mean, np.zeros_like(self._mean), 0
        points = self._grid[::_SPACING, ::_SPACING] + self._shift
        slopes = np.stack([_slope(image, points, _RIGHT), _slope(image, points, _DOWN)], axis=1)
        steep = (slopes**2).sum(axis=1)
        steepest = np.argsort(steep)[-_POINTS:]
        steepest = steepest[steep[steepest] >= _STEEP**2]
        if len(steepest) < _FEWEST_POINTS:
            self._points = self._points[:0]
            return
        points = points.reshape(-1, 1, 2)[steepest]
        self._points, self._slopes = points - self._shift, slopes[steepest]
        self._brightness = _brightness_at(image, points).ravel().astype(np.float64)
        self._light_levels = self._light(image)

    def _light(self, image: Image) -> Grey:
        """Returns the picture's brightness at the points that measure the light."""
        return _brightness_at(image, self._light_points)


def _are_small(values: Floats, limit: float) -> Mask:
    """Returns which values are below `limit`, or below twice their median if that is greater."""
    if 2 * np.count_nonzero(values > limit / 2) >= len(values) - 1:
        limit = max(limit, 2 * float(np.median(values)))
    return np.asarray(values < limit, dtype=np.bool_)


def _slope(image: Image, points: Pixels, direction: Pixels) -> Floats:
    """Returns the slope of the brightness in a direction at each of the points, in grey levels per pixel, [H * W]."""
    return (
        _brightness_at(image, points + direction).astype(np.float64) - _brightness_at(image, points - direction)
    ).ravel() / 2


def _brightness_at(image: Image, points: Pixels) -> Grey:
    """Returns the brightness at each of the points, shape [H, W]; black outside the frame."""
    across, down = cv2.split(points)
    pixels = cv2.remap(image, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return _grey(np.asarray(pixels, dtype=np.uint8))


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

"""One frame seen from above, computed only where it is needed."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.geometry.rectify import TopView
from vision.geometry.roi import Roi
from vision.watching.bare_table import BareTable, Colours
from vision.watching.belief.tracked_thing import Picture
from vision.watching.detection import Detection

_SCALE: Final = 0.9
"""A patch shows a place's outline scaled by this."""
_STEPS: Final = 14
"""Points of a patch in each direction."""
_AROUND: Final = 1
"""Pixels around a place that its smoothed picture depends on."""


class TopLook:
    """A frame in a top view."""

    def __init__(self, view: TopView, image: Image, bare_table: BareTable | None = None) -> None:
        """Takes the view, the raw frame, and the bare table as seen so far; None if it never was."""
        self.view = view
        self._image = image
        self._bare_table = bare_table

    @property
    def felt(self) -> Colours | None:
        """The felt's colour, in Lab of bytes, [3]; None if unknown."""
        return None if self._bare_table is None else self._bare_table.felt

    def bare_lightness(self, points_mm: Floats) -> Floats:
        """Returns the mean lightness of the bare table at points [N, K, 2], of 0 to 100, [N]; NaN if unknown."""
        if self._bare_table is None:
            return np.full(len(points_mm), np.nan)
        return self._bare_table.lightness_under(points_mm)

    def window(self, roi: Roi) -> Image:
        """Returns the top view [side_px, side_px, 3], black outside the window."""
        picture = np.zeros((self.view.side_px, self.view.side_px, 3), np.uint8)
        picture[roi.rows, roi.columns] = self.view.part(self._image, roi.rows, roi.columns)
        return picture

    def colours(self, points_mm: Floats) -> Image:
        """Returns the colours at points [N, K, 2] of the view's plane, [N, K, 3]."""
        return self.view.colours(self._image, self._pixels(points_mm.reshape(-1, 2)).reshape(points_mm.shape))

    def patch(self, place: Detection) -> Picture:
        """Returns how a place looks: the smoothed grey levels of a fixed raster over it."""
        columns, rows = self._pixels(place.grid(scale=_SCALE, steps=_STEPS)).T
        left, top = max(0, columns.min() - _AROUND), max(0, rows.min() - _AROUND)
        around = slice(top, rows.max() + _AROUND + 1), slice(left, columns.max() + _AROUND + 1)
        grey = cv2.cvtColor(self.view.part(self._image, *around), cv2.COLOR_BGR2GRAY)
        return np.asarray(cv2.blur(grey, (3, 3))[rows - top, columns - left], dtype=np.float32)

    def _pixels(self, points_mm: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
        return np.clip(np.rint(self.view.from_felt(points_mm)).astype(np.intp), 0, self.view.side_px - 1)

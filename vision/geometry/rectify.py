"""The table from straight above: a picture of the plane of the tiles' faces, made by one lookup per pixel."""

from __future__ import annotations

from functools import cached_property
from math import ceil
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import as_points

MARGIN_MM: Final = 40.0
"""How far the view extends beyond the play surface, since things standing by the rail appear displaced outward."""
PX_PER_MM: Final = 1.3
STEP: Final = 32
"""The view's side is a multiple of this, as convolutions require."""
_ROWS: Final = 16
"""How many rows of the lookup tables are computed at once."""


class TopView:
    """Makes square top views of frames, and converts between their pixels, millimetres and the frames' pixels.

    The view's middle is the table's; x points right, y down. Lookup tables are made once, for the first picture.
    """

    def __init__(
        self,
        calibration: Calibration,
        *,
        height_mm: float,
        px_per_mm: float = PX_PER_MM,
        margin_mm: float = MARGIN_MM,
        step: int = STEP,
    ) -> None:
        """Takes the plane's height above the felt; the side in pixels is rounded up to a multiple of `step`."""
        self.calibration = calibration
        self.height_mm = height_mm
        self.px_per_mm = px_per_mm
        self.side_px = ceil((calibration.side_mm + 2 * margin_mm) * px_per_mm / step) * step

    def grid(self) -> Floats32:
        """Returns where in the frame each pixel of the view is: x and y, shape [side_px, side_px, 2]."""
        grid = np.empty((self.side_px, self.side_px, 2), np.float32)
        for top in range(0, self.side_px, _ROWS):  # the whole grid with all intermediate results takes 80 MB
            rows, columns = np.mgrid[top : min(top + _ROWS, self.side_px), : self.side_px]
            grid[top : top + _ROWS] = self.to_frame(np.dstack([columns, rows])).reshape(*rows.shape, 2)
        return grid

    @cached_property
    def _maps(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """Returns the grid in the form of fast lookup tables."""
        grid = self.grid()
        whole, parts = cv2.convertMaps(grid[..., 0], grid[..., 1], cv2.CV_16SC2)
        return np.asarray(whole, dtype=np.int16), np.asarray(parts, dtype=np.uint16)

    def picture(self, image: Image) -> Image:
        """Returns the top view of a raw frame, shape [side_px, side_px, 3]; black where the frame shows nothing."""
        return self._remapped(image, *self._maps)

    def part(self, image: Image, rows: slice, columns: slice) -> Image:
        """Returns a part of `picture`, without computing the rest."""
        whole, parts = self._maps
        return self._remapped(image, whole[rows, columns], parts[rows, columns])

    def colours(self, image: Image, pixels: npt.NDArray[np.intp]) -> Image:
        """Returns the colours of pixels (x, y) of `picture`, [H, W, 2], without computing the others: [H, W, 3]."""
        (whole, parts), columns, rows = self._maps, pixels[..., 0], pixels[..., 1]
        return self._remapped(image, whole[rows, columns], parts[rows, columns])

    @staticmethod
    def _remapped(image: Image, whole: npt.NDArray[np.int16], parts: npt.NDArray[np.uint16]) -> Image:
        picture = cv2.remap(image, whole, parts, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(picture, dtype=np.uint8)

    def to_felt(self, pixels: npt.ArrayLike) -> Floats:
        """Maps the view's pixels [N, 2] to felt millimetres on its plane."""
        return (as_points(pixels) - self._middle) / (self.px_per_mm, -self.px_per_mm)

    def from_felt(self, points_mm: npt.ArrayLike) -> Floats:
        """Reverses `to_felt`."""
        return as_points(points_mm) * (self.px_per_mm, -self.px_per_mm) + self._middle

    def to_frame(self, pixels: npt.ArrayLike) -> Floats:
        """Maps the view's pixels [N, 2] to the raw frame's."""
        return self.calibration.to_pixels(self.to_felt(pixels), height_mm=self.height_mm)

    @property
    def _middle(self) -> float:
        return (self.side_px - 1) / 2

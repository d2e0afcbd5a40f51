"""The part of a raw frame that shows the table, in grey, and no finer than judging it requires."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.geometry.calibration import Calibration

_MOST_PX_PER_MM: Final = 2.0
"""The scale to which finer pictures are averaged down: finer blur or grain does no harm."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableCut:
    """The table cut out of a frame, and averaged down if that is finer than needed."""

    grey: Floats32
    on_table: Mask
    """Which pixels of the cut show the play surface."""
    left_top: tuple[int, int]
    """The pixel of the frame at which the cut begins."""
    shrink: float
    """The width of the frame's pixels in pixels of the cut, at most 1."""

    def in_frame(self, places: Floats) -> Floats:
        """Returns the pixels of the frame at which these places [N, 2] of the cut are."""
        return np.asarray((places + 0.5) / self.shrink - 0.5 + np.asarray(self.left_top), np.float64)


def cut_out(image: Image, calibration: Calibration) -> TableCut:
    """Returns the table in a raw frame."""
    corners = calibration.corners_px.astype(np.float32)
    shrink = min(1.0, _MOST_PX_PER_MM / scales(calibration)[1])
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), (left + 1, top + 1), (width, height))
    grey = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    table = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(table, np.round(corners - (left, top)).astype(np.int32), 1)
    if shrink < 1:
        size = max(round(grey.shape[1] * shrink), 1), max(round(grey.shape[0] * shrink), 1)
        small, table_there = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (grey, table))
        grey, table = np.asarray(small, np.uint8), np.asarray(table_there, np.uint8)
    on_table = np.asarray(table > 0, np.bool_)
    return TableCut(grey=grey.astype(np.float32), on_table=on_table, left_top=(int(left), int(top)), shrink=shrink)


def scales(calibration: Calibration) -> tuple[float, float]:
    """Returns the pixels per millimetre where the felt appears smallest and in its middle, in the worse direction."""
    steps = np.linspace(-calibration.side_mm / 2, calibration.side_mm / 2, 5)
    found = scales_at(calibration, np.array([[x, y] for x in steps for y in steps]))
    return float(found.min()), float(found[len(found) // 2])


def scales_at(calibration: Calibration, points_mm: Floats) -> Floats:
    """Returns the pixels per millimetre in the worse direction at points [N, 2] of the felt."""
    origin, right, up = (
        calibration.to_pixels(points_mm + move, height_mm=0.0) for move in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    )
    return np.asarray(
        np.linalg.svd(np.stack([right - origin, up - origin], axis=2), compute_uv=False)[:, 1], np.float64
    )

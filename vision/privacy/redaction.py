"""Keeps standing hands out of every picture that is shown or stored: everything that may be one is painted black.

The law is that of `vision.privacy.hand_privacy`, applied to pixels. Blurred faces could be guessed, and averaged ones
recognised by colour, so nothing is blurred: two tables that differ only in their standing hands give identical
pictures. Visible are the middle of the table, up to where hands begin, and beyond it each tile believed to lie there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.felt import LyingTile
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.sides import SIDES
from vision.zones.table_zones import Zones

_STANDS_MM: Final = 14.0
"""Reach of a standing tile toward the table's centre, from its middle: half its thickness, and its lean."""
_BEYOND_MM: Final = 250.0
"""How far outside the play surface tiles may be held above the rail."""
_HIGH: Final = 1.5
"""Greatest height of a held tile above the felt, in tile lengths."""
CROP_PX: Final = (96, 128)
"""Width and height of one tile's picture."""
_CROP_SCALE: Final = 1.25
"""How many times as wide and high as a tile's face its picture is."""


class HandRedaction:
    """Redacts pictures of one table with one calibration."""

    def __init__(self, calibration: Calibration, tile: TileSize) -> None:
        """Takes the calibration and the size of the tiles."""
        self.calibration = calibration
        self._tile = tile
        self._open_mm = Zones(side_mm=calibration.side_mm, size=tile).rail_start - _STANDS_MM

    def applied_to(self, image: Image, tiles: Iterable[LyingTile]) -> Image:
        """Returns a raw frame with everything black except the middle and tiles known to lie face up or down.

        Raises:
            ValueError: the frame is not of the calibration's size.
        """
        height, width = image.shape[:2]
        if (width, height) != self.calibration.size:
            raise ValueError(f"expected a frame of {self.calibration.size}, got {(width, height)}")
        visible = self._visible_middle.copy()
        for tile in tiles:
            cv2.fillConvexPoly(visible, self._pixels(self._outline(tile), self._tile.depth_mm), 255)
        return np.asarray(cv2.bitwise_and(image, image, mask=visible), dtype=np.uint8)

    def tile(self, image: Image, tile: LyingTile) -> Image:
        """Returns one tile of a raw frame, upright, shape [128, 96, 3]; near a rail only its face."""
        corners = self.calibration.to_pixels(self._outline(tile, _CROP_SCALE), height_mm=self._tile.depth_mm)
        width, height = CROP_PX
        upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        homography = cv2.getPerspectiveTransform(corners.astype(np.float32), upright)
        crop = np.asarray(cv2.warpPerspective(image, homography, CROP_PX, flags=cv2.INTER_LINEAR), dtype=np.uint8)
        if max(abs(tile.x_mm), abs(tile.y_mm)) + self._tile.diagonal_mm / 2 < self._open_mm:
            return crop
        left, top = (round(size * (1 - 1 / _CROP_SCALE) / 2) for size in CROP_PX)
        face = np.zeros_like(crop)
        face[top:-top, left:-left] = crop[top:-top, left:-left]
        return face

    @cached_property
    def _visible_middle(self) -> npt.NDArray[np.uint8]:
        """Returns where no standing tile can be seen: 255 there, 0 elsewhere."""
        width, height = self.calibration.size
        visible = np.zeros((height, width), np.uint8)
        inner, outer = self._open_mm, self.calibration.side_mm / 2 + _BEYOND_MM
        square = np.array([[-inner, inner], [inner, inner], [inner, -inner], [-inner, -inner]])
        cv2.fillConvexPoly(visible, self._pixels(square, 0.0), 255)
        strip = np.array([[-outer, -outer], [outer, -outer], [outer, -inner], [-outer, -inner]])
        for side in SIDES:
            hand = turn(strip, 90.0 * side)
            high = self._pixels(hand, _HIGH * self._tile.height_mm)
            cv2.fillConvexPoly(visible, cv2.convexHull(np.concatenate([self._pixels(hand, 0.0), high])), 0)
        return visible

    def _outline(self, tile: LyingTile, scale: float = 1.0) -> Floats:
        """Returns the tile's corners, clockwise in the picture from the glyph's top left."""
        size = scale * self._tile.width_mm, scale * self._tile.height_mm
        half = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * size
        return turn(half, tile.angle_deg) + (tile.x_mm, tile.y_mm)

    def _pixels(self, points_mm: Floats, height_mm: float) -> npt.NDArray[np.int32]:
        return np.rint(self.calibration.to_pixels(points_mm, height_mm=height_mm)).astype(np.int32)

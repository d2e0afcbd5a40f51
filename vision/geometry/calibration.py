"""Where the table lies in the picture: from its corners, given or found by markers, to millimetres over the felt.

Corners are on the felt's plane, but a tile's face lies its depth higher and leans outward in the picture: 2 mm at a
river and 7 mm at a hand under a camera 1.2 m up. The four corners of a square also tell roughly where the camera
stands, and with it where a thing of any known height really is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.errors import CalibrationError
from vision.geometry.felt_finder import find_felt
from vision.geometry.plane_geometry import (
    Lens,
    apply,
    as_float64,
    as_points,
    at_height,
    eye,
    homography_between,
    projection,
)

MARKERS: Final = (0, 1, 2, 3)
"""Ids of the ArUco DICT_4X4_50 markers, in the corners' order."""
_LEAST_SHARE: Final = 0.02
"""A table smaller than this share of the picture cannot be read, and is a slip of whoever gave the corners."""
_FELT_PICTURES: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """How felt millimetres and a frame's raw pixels belong together."""

    size: tuple[int, int]
    """Width and height of the frames."""
    side_mm: float
    """The play surface's side."""
    camera: Floats
    """World millimetres to undistorted pixels, shape [3, 4]."""
    lens: Lens | None = None

    def to_pixels(self, points_mm: npt.ArrayLike, *, height_mm: float) -> Floats:
        """Says where points [N, 2] that lie `height_mm` above the felt are in a raw frame."""
        flat = apply(at_height(self.camera, height_mm), points_mm)
        return flat if self.lens is None else self.lens.bend(flat)

    def to_felt(self, pixels: npt.ArrayLike, *, height_mm: float) -> Floats:
        """Says which points of the plane `height_mm` above the felt are seen at raw pixels [N, 2]."""
        flat = as_points(pixels) if self.lens is None else self.lens.straighten(pixels)
        return apply(as_float64(np.linalg.inv(at_height(self.camera, height_mm))), flat)

    def through(self, lens: Lens | None) -> Calibration:
        """Returns the calibration of the same corners seen through a lens that was not thought of."""
        half = self.side_mm / 2
        corners = self.to_pixels([[-half, half], [half, half], [half, -half], [-half, -half]], height_mm=0.0)
        return self if lens is None else calibrate(corners, size=self.size, side_mm=self.side_mm, lens=lens)

    @property
    def eye_mm(self) -> Floats:
        """Where the camera stands, shape [3]; its height is a guess where the lens is not known."""
        return eye(self.camera)


def calibrate(
    corners_px: npt.ArrayLike, *, size: tuple[int, int], side_mm: float, lens: Lens | None = None
) -> Calibration:
    """Returns the calibration that four corners of the play surface give.

    `corners_px` are raw pixels of a frame of `size` (width, height): far left, far right, near right, near left.

    Raises:
        CalibrationError: they are no corners of a square seen from above, in that order.
    """
    corners = as_points(corners_px)
    if len(corners) != 4 or not np.isfinite(corners).all():
        raise CalibrationError(f"expected four corners [x, y], got {corners.tolist()}")
    flat = corners if lens is None else lens.straighten(corners)
    area = cv2.contourArea(flat.astype(np.float32).reshape(-1, 1, 2), True)
    if area < _LEAST_SHARE * size[0] * size[1]:
        raise CalibrationError(
            f"expected the corners far left, far right, near right, near left of a table that fills part of a "
            f"{size[0]} x {size[1]} picture, got {corners.tolist()}"
        )
    half = side_mm / 2
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    plane = homography_between(square, flat)
    return Calibration(
        size=size,
        side_mm=side_mm,
        camera=projection(plane, matrix=None if lens is None else lens.matrix, size=size, side_mm=side_mm),
        lens=lens,
    )


def find_corners(images: Iterable[Image]) -> Floats:
    """Finds the play surface's corners [4, 2] in raw pixels, as the median over pictures.

    By its markers, whose corners nearest the table's middle lie on the play surface's corners; where no picture shows
    a marker, by the colour of the felt.

    Raises:
        CalibrationError: only some of the markers are seen, or there are none and no felt either.
    """
    images = list(images)
    detector = cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), cv2.aruco.DetectorParameters()
    )
    seen: dict[int, list[Floats]] = {marker: [] for marker in MARKERS}
    for image in images:
        corners, ids, _ = detector.detectMarkers(image)
        for marker, quad in zip(() if ids is None else np.ravel(ids), corners, strict=False):
            if int(marker) in seen:
                seen[int(marker)].append(as_points(quad))
    if images and not any(seen.values()):
        return as_float64(np.median([find_felt(image) for image in images[:_FELT_PICTURES]], axis=0))
    missing = [marker for marker in MARKERS if not seen[marker]]
    if missing:
        raise CalibrationError(f"expected markers 0, 1, 2, 3 of DICT_4X4_50 in the picture, got none of id {missing}")
    return _inner_corners([as_float64(np.median(seen[marker], axis=0)) for marker in MARKERS])


def _inner_corners(quads: Sequence[Floats]) -> Floats:
    middle = np.mean([quad.mean(axis=0) for quad in quads], axis=0)
    return np.stack([quad[int(np.argmin(np.linalg.norm(quad - middle, axis=1)))] for quad in quads])

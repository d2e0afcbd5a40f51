"""Calibrates a picture: from the table's corners, given or found by markers, to millimetres above the felt.

Corners are on the felt's plane, but a tile's face is higher by the tile's depth and appears displaced outward: by 2 mm
at a river and 7 mm at a hand under a camera 1.2 m up. The four corners of a square also give the approximate position
of the camera, and with it the true place of anything of known height.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.errors import CalibrationError
from vision.geometry.felt_finder import find_felt
from vision.geometry.markers import INSIDE, PLACES, RAIL
from vision.geometry.plane_geometry import (
    Lens,
    apply,
    as_float64,
    as_points,
    at_height,
    camera_position,
    homography_between,
    projection,
    square,
)

MARKERS: Final = range(RAIL.first, INSIDE.first + 4)
"""Ids of the ArUco DICT_4X4_50 markers: four on the rail, four inside the play surface, each in the corners' order."""
_LEAST_SHARE: Final = 0.02
"""A table smaller than this share of the picture cannot be read, and is probably a mistake in marking the corners."""
_MOST_OUTSIDE: Final = 2
"""How many times the picture's longer side a corner may lie outside the picture. Of a table that is nearer still, too
little is seen to be read; and a mistyped digit would make the table be blurred for minutes."""
_MOST_STRAIGHTENED: Final = 100
"""The same limit after a lens's distortion is undone, which moves corners much farther out."""
_PARTS: Final = 33
"""Points along each side of the table at which a lens is checked."""
_FELT_PICTURES: Final = 7
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """The relation between felt millimetres and a frame's raw pixels."""

    size: tuple[int, int]
    """Width and height of the frames."""
    side_mm: float
    """The play surface's side."""
    camera: Floats
    """Projects world millimetres to undistorted pixels, shape [3, 4]."""
    lens: Lens | None = None

    def to_pixels(self, points_mm: npt.ArrayLike, *, height_mm: float) -> Floats:
        """Returns where points [N, 2] that lie `height_mm` above the felt appear in a raw frame."""
        flat = apply(at_height(self.camera, height_mm), points_mm)
        return flat if self.lens is None else self.lens.bend(flat)

    def to_felt(self, pixels: npt.ArrayLike, *, height_mm: float) -> Floats:
        """Returns the points [N, 2] of the plane `height_mm` above the felt that appear at raw pixels [N, 2]."""
        flat = as_points(pixels) if self.lens is None else self.lens.straighten(pixels)
        return apply(as_float64(np.linalg.inv(at_height(self.camera, height_mm))), flat)

    def with_lens(self, lens: Lens | None) -> Calibration:
        """Returns the calibration of the same corners with this lens; itself if there is none."""
        return self if lens is None else calibrate(self.corners_px, size=self.size, side_mm=self.side_mm, lens=lens)

    @property
    def corners_px(self) -> Floats:
        """Where the play surface's corners appear in a raw frame, [4, 2], in the order that `calibrate` takes."""
        return self.to_pixels(square(self.side_mm), height_mm=0.0)

    @property
    def camera_mm(self) -> Floats:
        """The camera's position, shape [3]; its height is an estimate if the lens is unknown."""
        return camera_position(self.camera)


def calibrate(
    corners_px: npt.ArrayLike, *, size: tuple[int, int], side_mm: float, lens: Lens | None = None
) -> Calibration:
    """Returns the calibration with these corners of the play surface.

    `corners_px` are raw pixels of a frame of `size` (width, height): far left, far right, near right, near left.

    Raises:
        CalibrationError: they are not the corners of a square seen from above, in that order; they are far outside of
            the picture; or the lens cannot show the table.
    """
    try:
        corners = as_points(corners_px)
    except (TypeError, ValueError) as error:
        raise CalibrationError(f"expected four corners [x, y], got others: {error}") from error
    if len(corners) != 4 or not np.isfinite(corners).all():
        raise CalibrationError(f"expected four corners [x, y], got {corners.tolist()}")
    outside = np.maximum(-corners, corners - size).max()
    if outside > _MOST_OUTSIDE * max(size):
        raise CalibrationError(
            f"expected corners at most {_MOST_OUTSIDE * max(size)} pixels outside of a {size[0]} x {size[1]} picture, "
            f"got {corners.tolist()}"
        )
    flat = corners if lens is None else lens.straighten(corners)
    if lens is not None and not _are_near(flat, size, times=_MOST_STRAIGHTENED):
        raise _wrong_lens(lens, size)
    area = cv2.contourArea(flat.astype(np.float32).reshape(-1, 1, 2), True)
    if area < _LEAST_SHARE * size[0] * size[1]:
        raise CalibrationError(
            f"expected the corners far left, far right, near right, near left of a table that fills part of a "
            f"{size[0]} x {size[1]} picture, got {corners.tolist()}"
        )
    plane = homography_between(square(side_mm), flat)
    found = Calibration(
        size=size,
        side_mm=side_mm,
        camera=projection(plane, matrix=None if lens is None else lens.matrix, size=size, side_mm=side_mm),
        lens=lens,
    )
    if lens is not None and not _shows_table(found):
        raise _wrong_lens(lens, size)
    return found


def _wrong_lens(lens: Lens, size: tuple[int, int]) -> CalibrationError:
    return CalibrationError(
        f"expected a lens that shows the whole table in or near a {size[0]} x {size[1]} picture, got the matrix "
        f"{lens.matrix.tolist()} and the distortion {lens.distortion.ravel().tolist()}"
    )


def _are_near(pixels: Floats, size: tuple[int, int], *, times: float) -> bool:
    """Whether points lie outside the picture by at most this many times its longer side."""
    return bool(np.isfinite(pixels).all() and np.maximum(-pixels, pixels - size).max() <= times * max(size))


def _shows_table(calibration: Calibration) -> bool:
    """Whether the lens shows all parts of the table in or near the picture; its formula may place them anywhere."""
    across = np.linspace(-0.5, 0.5, _PARTS) * calibration.side_mm
    parts = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        return _are_near(calibration.to_pixels(parts, height_mm=0.0), calibration.size, times=_MOST_OUTSIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable:
    """A play surface that was found, and how."""

    corners: Floats
    """Its corners [4, 2] in raw pixels: far left, far right, near right, near left."""
    by: Literal["markers", "felt"]
    missing: tuple[str, ...] = ()
    """Corners without a marker, if other corners have one: the reason for using the felt's colour."""


def find_table(images: Iterable[Image]) -> FoundTable:
    """Finds the play surface, as the median over several pictures.

    Markers on the rail have a corner on each corner of the play surface; markers inside it have the corner of their
    paper there. Unless a marker is seen at all four corners, the felt's colour is used.

    Raises:
        CalibrationError: there is no picture, or neither four markers nor a felt are found; the message names the
            markers not seen.
    """
    images = list(images)
    markers = _seen_markers(images)
    by_corner = [markers.get(RAIL.first + n) or markers.get(INSIDE.first + n) or [] for n in range(4)]
    missing = tuple(place for place, quads in zip(PLACES, by_corner, strict=True) if not quads)
    if not missing:
        return FoundTable(corners=_marked_corners(markers), by="markers")
    if not images:
        raise CalibrationError("expected pictures of the table, got none")
    is_partly_marked = len(missing) < 4
    try:
        corners = as_float64(np.median([find_felt(image) for image in images[:_FELT_PICTURES]], axis=0))
    except CalibrationError as error:
        if not is_partly_marked:
            raise
        raise CalibrationError(
            f"expected a marker at each corner, got none {_places_text(missing)}: is the camera high enough and "
            f"straight? Nor is the felt found: {error}"
        ) from error
    if is_partly_marked:
        _log.warning(
            "expected a marker at each corner, got none %s: the table is found by its felt", _places_text(missing)
        )
    return FoundTable(corners=corners, by="felt", missing=missing if is_partly_marked else ())


def find_corners(images: Iterable[Image]) -> Floats:
    """Finds the play surface's corners [4, 2] in raw pixels, as `find_table` does.

    Raises:
        CalibrationError: neither four markers nor a felt are found.
    """
    return find_table(images).corners


def _places_text(places: Sequence[str]) -> str:
    return " and ".join(f"at the {place}" for place in places)


def _seen_markers(images: Sequence[Image]) -> dict[int, list[Floats]]:
    """Returns for each of our markers, by id, its corners [4, 2] in every picture that shows it."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    found: dict[int, list[Floats]] = {}
    for image in images:
        corners, ids, _ = detector.detectMarkers(image)
        for marker, quad in zip(() if ids is None else np.ravel(ids), corners, strict=False):
            if int(marker) in MARKERS:
                found.setdefault(int(marker), []).append(as_points(quad))
    return found


def _marked_corners(markers: Mapping[int, Sequence[Floats]]) -> Floats:
    """Returns the play surface's corners from a marker at each of them, preferring the one on the rail."""
    quads = {marker: as_float64(np.median(seen_quads, axis=0)) for marker, seen_quads in markers.items()}
    at_corner = [RAIL.first + n if RAIL.first + n in quads else INSIDE.first + n for n in range(4)]
    middle = np.mean([quads[marker].mean(axis=0) for marker in at_corner], axis=0)
    return np.stack([_table_corner(quads[marker], middle, is_inside=marker >= INSIDE.first) for marker in at_corner])


def _table_corner(quad: Floats, middle: Floats, *, is_inside: bool) -> Floats:
    """Returns the corner that a marker marks: its own nearest the middle, or, inside, its paper's farthest from it."""
    away = np.linalg.norm(quad - middle, axis=1)
    if not is_inside:
        return as_float64(quad[int(np.argmin(away))])
    far = int(np.argmax(away))
    diagonal = quad[far] - quad[(far + 2) % 4]
    return as_float64(quad[far] + diagonal * INSIDE.margin_mm / INSIDE.side_mm)

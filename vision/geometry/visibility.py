"""Whether a picture shows the table well enough to read its tiles, judged from the picture and the table's place alone.

Each limit is where reading deteriorated in 25 copies, each degraded in one way, of 11 drawn tables that were not used
in training (`models/README.md`, "What a camera must show").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.errors import CalibrationError
from vision.geometry.calibration import Calibration
from vision.geometry.place_checks import check_uncovered, check_within
from vision.geometry.plane_geometry import TileSize
from vision.geometry.sides import SIDES, shows_faces

Fault = Literal["border", "dark", "glare", "blurred", "far", "behind"]
"""What keeps a table from being read well: a corner at the picture's border, too little or too much light, a lens out
of focus, a camera too far away, or behind a player, whose hand is then never read."""
LEAST_PX_PER_MM: Final = 0.7
"""A tile of 20 mm is 14 pixels wide."""
DARK: Final = 27.0
"""Brightness, out of 255, of the lightest hundredth of an empty felt; at most half that of tiles in the same light."""
DARK_TILES: Final = 50.0
"""The same if something much lighter than the rest lies there: tiles."""
GLARE: Final = 0.1
"""Share of the table that is as bright as the camera can represent."""
BLUR_MM: Final = 1.1
"""Standard deviation of the blur, in millimetres on the felt."""
_LAID_MM: Final = 62.0
"""How far inside the play surface's edge the middle of a hand lies that was laid open where it stood."""
_LIGHTER: Final = 2.5
_SATURATED: Final = 250
_MOST_PX_PER_MM: Final = 2.0
"""Finer pictures are averaged down to this, since a finer blur is harmless."""
_SMOOTH_PX: Final = 0.7
_BLURRED_AGAIN_PX: Final = 1.5
_STRONGEST: Final = 0.02
"""Share of all edges, the strongest ones, at which the blur is measured."""
_LEAST_EDGES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """How well a picture shows the table."""

    px_per_mm: float
    """The smallest scale at which the felt is shown, in any place and direction."""
    brightness: float
    """That of the table's lightest hundredth, 0-255."""
    has_contrast: bool
    """Whether something much lighter than the rest lies there."""
    glare: float
    """Share of the table that is as bright as the camera can represent."""
    blur_mm: float
    """Standard deviation of the blur, in millimetres on the felt."""
    is_within: bool
    """Whether all corners of the play surface are well inside the picture."""
    is_behind: bool = False
    """Whether the camera is so far behind a player that nothing is read where that player's hand stands and is laid."""

    @property
    def is_dark(self) -> bool:
        """Whether there is too little light on the table."""
        return self.brightness < (DARK_TILES if self.has_contrast else DARK)

    @property
    def fault(self) -> Fault | None:
        """What to correct first; None if the table is seen well."""
        if not self.is_within:
            return "border"
        if self.is_dark:
            return "dark"
        if self.glare > GLARE:
            return "glare"
        if self.px_per_mm < LEAST_PX_PER_MM:
            return "far"
        if self.blur_mm > BLUR_MM:
            return "blurred"
        return "behind" if self.is_behind else None


def visibility(image: Image, calibration: Calibration) -> Visibility:
    """Judges a raw frame of the calibrated table."""
    corners = calibration.corners_px
    least, typical = scales(calibration)
    try:
        check_within(corners, calibration.size)
        is_within = True
    except CalibrationError:
        is_within = False
    shrink = min(1.0, _MOST_PX_PER_MM / typical)
    grey, on_table = _cut_out(image, corners.astype(np.float32), shrink)
    light = grey[on_table] if on_table.any() else np.zeros(1, np.float32)
    lightest = float(np.percentile(light, 99))
    return Visibility(
        px_per_mm=round(least, 3),
        brightness=round(lightest, 1),
        has_contrast=lightest > _LIGHTER * float(np.median(light)),
        glare=round(float((light >= _SATURATED).mean()), 4),
        blur_mm=round(_blur_px(grey, on_table) / (typical * shrink), 3),
        is_within=is_within,
        is_behind=is_behind(calibration.camera_mm, calibration.side_mm, TileSize()),
    )


def check_light(image: Image, calibration: Calibration) -> None:
    """Checks that a raw frame in which the table is not in its place could show it: else nobody knows that it moved.

    Raises:
        CalibrationError: the frame is dark, or dark on the table, or something covers the lens; `says` is `dark` or
            `even`.
    """
    check_uncovered(image)
    seen = visibility(image, calibration)
    if seen.is_dark:
        raise CalibrationError(
            f"expected light on the table, got {seen.brightness:g} of 255: switch the light on, or uncover the lens",
            says="dark",
        )


def is_behind(camera_mm: Floats, side_mm: float, size: TileSize) -> bool:
    """Returns whether some hand laid open where it stood is not read, since faces standing there would be recognisable.

    `camera_mm` is the camera's position, shape [3].
    """
    return any(shows_faces(side_mm / 2 - _LAID_MM, side, camera_mm, size) for side in SIDES)


def scales(calibration: Calibration) -> tuple[float, float]:
    """Returns the pixels per millimetre where the felt is smallest, and in its middle, each in the worse direction."""
    steps = np.linspace(-calibration.side_mm / 2, calibration.side_mm / 2, 5)
    points = np.array([[x, y] for x in steps for y in steps])
    here, right, up = (
        calibration.to_pixels(points + move, height_mm=0.0) for move in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    )
    scales = np.linalg.svd(np.stack([right - here, up - here], axis=2), compute_uv=False)[:, 1]
    return float(scales.min()), float(scales[len(scales) // 2])


def _cut_out(image: Image, corners: Floats32, shrink: float) -> tuple[Floats32, Mask]:
    """Returns the picture around the table in grey, averaged down, and where in it the table is."""
    height, width = image.shape[:2]
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), (left + 1, top + 1), (width, height))
    grey = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
    table = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(table, np.round(corners - (left, top)).astype(np.int32), 1)
    if shrink < 1:
        size = max(round(grey.shape[1] * shrink), 1), max(round(grey.shape[0] * shrink), 1)
        small, table_there = (cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (grey, table))
        return np.asarray(small, np.float32), np.asarray(table_there > 0, np.bool_)
    return grey.astype(np.float32), table > 0


def _blur_px(grey: Floats32, on_table: Mask) -> float:
    """Returns the standard deviation of the blur at the strongest edges, from how much a known blur weakens them."""
    steep, again = _steepness(grey, _SMOOTH_PX), _steepness(grey, float(np.hypot(_SMOOTH_PX, _BLURRED_AGAIN_PX)))
    crests = on_table & (steep > 0) & (steep >= cv2.dilate(steep, np.ones((3, 3), np.uint8)))
    found = steep[crests]
    count = min(len(found), max(_LEAST_EDGES, int(_STRONGEST * len(found))))
    if not count:
        return 0.0
    strongest = np.argpartition(found, -count)[-count:]
    ratio = np.maximum(found[strongest] / np.maximum(again[crests][strongest], 1e-3), 1.005)
    squared = _BLURRED_AGAIN_PX**2 / (ratio**2 - 1) - _SMOOTH_PX**2
    return float(np.sqrt(max(float(np.median(squared)), 0.0)))


def _steepness(grey: Floats32, blur_px: float) -> Floats32:
    """Returns how much the brightness changes from pixel to pixel after blurring the picture."""
    grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), blur_px), np.float32)
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way, ksize=3) for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)

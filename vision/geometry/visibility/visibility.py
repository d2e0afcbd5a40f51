"""Whether a picture shows the table well enough to read its tiles, judged from the picture and the table's place alone.

Pictures of drawn tables that were not used in training were degraded in one way at a time: each limit is where reading
deteriorated (`models/README.md`, "What a camera must show").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from vision.arrays import Floats, Image
from vision.errors import CalibrationError
from vision.geometry.calibration import Calibration
from vision.geometry.place_checks import check_uncovered, check_within
from vision.geometry.plane_geometry import TileSize
from vision.geometry.sides import SIDES, shows_faces
from vision.geometry.visibility.blur import blur_mm
from vision.geometry.visibility.table_cut import TableCut, cut_out, scales

Fault = Literal["border", "dark", "glare", "blurred", "far", "behind"]
"""What keeps a table from being read well: a corner at the picture's border, too little or too much light, a blurred
picture, a camera that is too far away, or one behind a player, whose hand is then never read."""
LEAST_PX_PER_MM: Final = 0.7
"""The smallest scale: a tile of 20 mm is then 14 pixels wide."""
DARK: Final = 27.0
"""The least brightness, out of 255, of an empty felt's lightest hundredth; tiles in this light are at least twice as
bright."""
DARK_TILES: Final = 50.0
"""The same limit if something much lighter than the rest lies on the felt, which is tiles."""
GLARE: Final = 0.1
"""The largest share of the table that may be as bright as the camera can represent."""
BLUR_MM: Final = 1.7
"""The largest standard deviation of the blur, in millimetres on the felt, including that of the pixels' own width."""
_OPEN_HAND_MM: Final = 62.0
"""How far inside the play surface's edge the middle of an opened hand lies if it is laid down where it stood."""
_LIGHTER: Final = 2.5
_SATURATED: Final = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """How well a picture shows the table."""

    px_per_mm: float
    """The smallest scale at which the felt is shown, in any place and direction."""
    brightness: float
    """The brightness of the table's lightest hundredth, 0-255."""
    has_contrast: bool
    """Whether something much lighter than the rest lies on the table, which is tiles."""
    glare: float
    """Share of the table that is as bright as the camera can represent."""
    blur_mm: float
    """Standard deviation of the blur, in millimetres on the felt, in the second most blurred of the table's parts."""
    is_within: bool
    """Whether all corners of the play surface are well inside the picture."""
    is_behind: bool = False
    """Whether the camera is so far behind a player that nothing is read where that player's hand stands or lies."""

    @property
    def is_dark(self) -> bool:
        """Whether there is too little light on the table."""
        return _is_dark(self.brightness, has_contrast=self.has_contrast)

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
    cut = cut_out(image, calibration)
    try:
        check_within(calibration.corners_px, calibration.size)
        is_within = True
    except CalibrationError:
        is_within = False
    brightness, has_contrast = _lightest(cut)
    return Visibility(
        px_per_mm=round(scales(calibration)[0], 3),
        brightness=brightness,
        has_contrast=has_contrast,
        glare=round(float((cut.grey[cut.on_table] >= _SATURATED).mean()), 4) if cut.on_table.any() else 0.0,
        blur_mm=round(blur_mm(cut, calibration), 3),
        is_within=is_within,
        is_behind=is_behind(calibration.camera_mm, calibration.side_mm, TileSize()),
    )


def _lightest(cut: TableCut) -> tuple[float, bool]:
    """Returns the brightness of the table's lightest hundredth, and whether that is much lighter than the rest."""
    light = cut.grey[cut.on_table] if cut.on_table.any() else np.zeros(1, np.float32)
    lightest = float(np.percentile(light, 99))
    return round(lightest, 1), lightest > _LIGHTER * float(np.median(light))


def _is_dark(brightness: float, *, has_contrast: bool) -> bool:
    return brightness < (DARK_TILES if has_contrast else DARK)


def check_light(image: Image, calibration: Calibration) -> None:
    """Checks that a raw frame could show the table; only then does the table's absence mean that it was moved.

    Raises:
        CalibrationError: the frame is dark, or dark on the table, or something covers the lens; `says` is `dark` or
            `even`.
    """
    check_uncovered(image)
    brightness, has_contrast = _lightest(cut_out(image, calibration))
    if _is_dark(brightness, has_contrast=has_contrast):
        raise CalibrationError(
            f"expected light on the table, got {brightness:g} of 255: switch the light on, or uncover the lens",
            says="dark",
        )


def is_behind(camera_mm: Floats, side_mm: float, size: TileSize) -> bool:
    """Returns whether a hand that is laid open where it stood is not read at some side of the table.

    There the camera could recognise the faces of a standing hand.

    `camera_mm` is the camera's position, shape [3].
    """
    return any(shows_faces(side_mm / 2 - _OPEN_HAND_MM, side, camera_mm, size) for side in SIDES)

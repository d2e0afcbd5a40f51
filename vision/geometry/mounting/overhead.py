"""Computes how high to hang a camera so that it sees everything needed even if the arm is not placed exactly.

A height is suitable if all four corner markers, with the white around them, are in the picture wherever the camera ends
up within `OFF_MM` and `OFF_DEG` of its planned place. The height determines how many pixels a millimetre of felt gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.geometry.markers import INSIDE, RAIL
from vision.geometry.plane_geometry import square

OFF_MM: Final = 20.0
"""How far the camera may hang beside, above or below its planned place."""
OFF_DEG: Final = 2.0
"""How far it may be tilted or rotated, each way."""
ENOUGH_PX_PER_MM: Final = 2.1
"""The scale that reading requires: a tile of 20 × 26.5 mm then has 42 × 56 pixels."""
_ALIGNMENT: Final = 64
"""`[camera] side_px` is used in multiples of this."""
_STEP_MM: Final = 50
_HIGHEST_MM: Final = 4000
_RAIL_TO_SEE_MM: Final = 10.0
"""Width of rail that must be visible around a felt whose corners are to be found."""


class Markers(Enum):
    """Where the printed markers are."""

    INSIDE = "inside"
    """The small ones, in the corners of the play surface; finding the felt without markers needs the same view."""
    RAIL = "rail"
    """The large ones, on the rail."""

    def reach_mm(self, side_mm: float) -> float:
        """Returns how far from the middle, along each axis, a play surface with sides of `side_mm` must be visible."""
        beyond = _RAIL_TO_SEE_MM if self is Markers.INSIDE else RAIL.side_mm + RAIL.cell_mm
        return side_mm / 2 + beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraModule:
    """A camera that can hang over the table."""

    name: str
    view_deg: float
    """Field of view along the picture's short side; a Pi camera's square picture has it in both directions."""
    rows: int
    """Maximum number of pixels along the short side."""
    is_square: bool = True
    """Whether it delivers a square picture of `[camera] side_px`, and not, as USB cameras do, its full picture."""

    @property
    def half(self) -> float:
        """Half the width of the view at a distance of 1."""
        return float(np.tan(np.radians(self.view_deg / 2)))


MODULES: Final = (
    CameraModule(name="Camera Module 3", view_deg=41, rows=2592),
    CameraModule(name="Camera Module 3 Wide", view_deg=67, rows=2592),
    CameraModule(name="HQ Camera, 6 mm lens", view_deg=43, rows=3040),
    CameraModule(name="AI Camera", view_deg=52, rows=3040),
    CameraModule(name="Global Shutter Camera, 6 mm lens", view_deg=35, rows=1088),
    CameraModule(name="USB camera, 3840 × 2160, 78° diagonal", view_deg=43, rows=2160, is_square=False),
    CameraModule(name="USB camera, 2560 × 1440, 78° diagonal", view_deg=43, rows=1440, is_square=False),
)
"""From the makers' data sheets; the USB cameras are typical examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A camera above the table's middle, looking down; angles in degrees."""

    height_mm: float
    x_mm: float = 0.0
    y_mm: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    yaw: float = 0.0

    def pose(self) -> Floats:
        """The transformation of world millimetres [x, y, up, 1] to the camera's right, down and away, shape [3, 4]."""
        (sp, cp), (sr, cr), (sy, cy) = (
            (np.sin(np.radians(deg)), np.cos(np.radians(deg))) for deg in (self.pitch, self.roll, self.yaw)
        )
        lean = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]]) @ np.array([[cr, 0, sr], [0, 1, 0], [-sr, 0, cr]])
        turn = lean @ np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.diag([1.0, -1.0, -1.0])
        return np.column_stack([turn, -turn @ np.array([self.x_mm, self.y_mm, self.height_mm])])

    def shows(self, points_mm: Floats, half: float) -> bool:
        """Returns whether points [N, 2] of the felt are in a square picture of half-width `half` at a distance of 1."""
        seen_from_camera = (
            np.column_stack([points_mm, np.zeros(len(points_mm)), np.ones(len(points_mm))]) @ self.pose().T
        )
        return bool((np.abs(seen_from_camera[:, :2]) <= half * seen_from_camera[:, 2:]).all())


def placements(height_mm: float) -> Iterator[Placement]:
    """Yields the worst placements within the tolerance of a camera planned for a height."""
    for up, x, y in product((-OFF_MM, OFF_MM), repeat=3):
        for pitch, roll, yaw in product((-OFF_DEG, OFF_DEG), repeat=3):
            yield Placement(height_mm=height_mm + up, x_mm=x, y_mm=y, pitch=pitch, roll=roll, yaw=yaw)


def lowest_height_mm(camera: CameraModule, side_mm: float, markers: Markers) -> int | None:
    """Returns the lowest height in steps of 5 cm with all in view at each placement; None if no arm is high enough."""
    reach = markers.reach_mm(side_mm)
    corners = square(2 * reach)
    first = int(reach / camera.half // _STEP_MM) * _STEP_MM  # from lower, not even a perfectly straight camera sees it
    for height in range(max(first, _STEP_MM), _HIGHEST_MM, _STEP_MM):
        if all(place.shows(corners, camera.half) for place in placements(height)):
            return height
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A suitable height, and the picture from there."""

    height_mm: int
    side_px: int
    """The value for `[camera] side_px`; for a USB camera, the picture's rows."""
    px_per_mm: float

    @property
    def is_fine_enough(self) -> bool:
        """Whether tiles can be read well."""
        return self.px_per_mm >= ENOUGH_PX_PER_MM


def mount(camera: CameraModule, side_mm: float, markers: Markers) -> Mount | None:
    """Returns the mount of a camera over a play surface, with its resolution; None if there is none."""
    height = lowest_height_mm(camera, side_mm, markers)
    if height is None:
        return None
    seen_mm = 2 * height * camera.half
    needed_px = int(np.ceil(ENOUGH_PX_PER_MM * seen_mm / _ALIGNMENT)) * _ALIGNMENT
    side_px = min(needed_px, camera.rows // _ALIGNMENT * _ALIGNMENT) if camera.is_square else camera.rows
    return Mount(height_mm=height, side_px=side_px, px_per_mm=side_px / seen_mm)


def mounting_table(side_mm: float, modules: tuple[CameraModule, ...] = MODULES) -> str:
    """Returns the table of heights as Markdown."""
    lines = [
        f"| camera over a play surface of {side_mm:g} mm | sees | markers of {INSIDE.side_mm:g} mm inside it, or none "
        f"| markers of {RAIL.side_mm:g} mm on the rail |",
        "|---|---|---|---|",
    ]
    for camera in modules:
        cells = [_cell(camera, mount(camera, side_mm, markers)) for markers in Markers]
        lines.append(f"| {camera.name} | {camera.view_deg:g}° | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"


def _cell(camera: CameraModule, found: Mount | None) -> str:
    if found is None:
        return "does not see it"
    fine = f"{found.px_per_mm:.1f} pixels a millimetre"
    settings = f", `side_px = {found.side_px}`, `focus = {1000 / found.height_mm:.2f}`" if camera.is_square else ""
    too_coarse = "" if found.is_fine_enough else ": **too coarse**"
    return f"{found.height_mm / 1000:.2f} m, {fine}{settings}{too_coarse}"

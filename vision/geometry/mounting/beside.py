"""Computes where a camera on an arm or tripod may stand beside a table, looking down aslant.

It stands as near as possible while it sees the whole table. A near camera is less far behind a player than a distant
one, so that more hands laid open are read (`vision.geometry.visibility.visibility.is_behind`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize, square
from vision.geometry.visibility.table_cut import scales
from vision.geometry.visibility.visibility import LEAST_PX_PER_MM, is_behind

LEANS_DEG: Final = (25, 35, 45)
"""The angles between the vertical and the line from the table's middle to the camera."""
PLACES: Final = {"beside a player": -90.0, "at a corner": -45.0}
"""Directions of the camera from the table's middle in degrees, counter-clockwise from +x."""
RAIL_MM: Final = 30.0
"""Width of rail that is seen around the play surface."""
_FREE: Final = 0.94
"""Share of the picture that the table may fill in each direction."""
_STEP_MM: Final = 20.0
_FARTHEST_MM: Final = 2500.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TripodCamera:
    """A camera that can stand beside a table."""

    name: str
    view_deg: tuple[float, float]
    """Field of view along the picture's long and short side."""
    columns: int
    """Pixels along the long side."""

    @property
    def half(self) -> Floats:
        """Half the width and half the height of the view at a distance of 1."""
        return np.asarray(np.tan(np.radians(self.view_deg) / 2))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures in pixels."""
        return self.columns, round(self.columns * self.half[1] / self.half[0])

    def pixels(self, rays: Floats) -> Floats:
        """Returns the pixels at which `rays` [N, 2], given at a distance of 1, appear."""
        return np.asarray((rays / self.half + 1) * np.array(self.size) / 2)


CAMERAS: Final = (
    TripodCamera(name="phone, 4032 × 3024", view_deg=(67, 53), columns=4032),
    TripodCamera(name="phone, 1920 × 1080", view_deg=(65, 40), columns=1920),
    TripodCamera(name="phone, wide lens (0.5 ×), 1920 × 1080", view_deg=(100, 68), columns=1920),
    TripodCamera(name="webcam, 1920 × 1080, 78° diagonal", view_deg=(70, 43), columns=1920),
    TripodCamera(name="Camera Module 3 Wide, 2304 × 1296", view_deg=(102, 67), columns=2304),
)
"""Typical examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """A place beside a table, and what is seen from it."""

    camera_mm: Floats
    """The lens, from the table's middle: x, y and the height above the play surface."""
    px_per_mm: float
    """The smallest scale at which the felt is shown, in any place and direction."""
    is_behind: bool
    """Whether some hand is not read from there even when it is laid open."""


def nearest_stand(camera: TripodCamera, *, lean_deg: float, direction_deg: float, side_mm: float) -> Stand | None:
    """Returns the nearest place in a direction from which the whole table is seen; None if it is too far away."""
    lean, direction = np.radians([lean_deg, direction_deg])
    along = np.array([np.cos(direction), np.sin(direction)])
    outline = square(side_mm + 2 * RAIL_MM)
    for distance in np.arange(300.0, _FARTHEST_MM, _STEP_MM):
        camera_mm = distance * np.array([*np.sin(lean) * along, np.cos(lean)])
        for aim in np.arange(0.0, 0.5 * distance, _STEP_MM):
            pose = _pose(camera_mm, aim * along)
            if (np.abs(_rays_to(outline, camera_mm, pose)) < _FREE * camera.half).all():
                place = calibrate(
                    camera.pixels(_rays_to(square(side_mm), camera_mm, pose)), size=camera.size, side_mm=side_mm
                )
                return Stand(
                    camera_mm=camera_mm, px_per_mm=scales(place)[0], is_behind=is_behind(camera_mm, side_mm, TileSize())
                )
    return None


def beside_table(side_mm: float) -> str:
    """Returns the places beside the table as Markdown."""
    leans = " | ".join(f"{lean}° from the vertical" for lean in LEANS_DEG)
    lines = [f"| camera beside a play surface of {side_mm:g} mm | stands | {leans} |", "|---|---|---|---|---|"]
    for camera in CAMERAS:
        for place, direction in PLACES.items():
            stands = (
                nearest_stand(camera, lean_deg=lean, direction_deg=direction, side_mm=side_mm) for lean in LEANS_DEG
            )
            lines.append(f"| {camera.name} | {place} | {' | '.join(map(_cell, stands))} |")
    return "\n".join(lines) + "\n"


def _pose(camera_mm: Floats, aim: Floats) -> Floats:
    """Returns the directions to the camera's right, down and ahead as rows, shape [3, 3]."""
    ahead = np.array([*aim, 0.0]) - camera_mm
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(ahead, right), ahead])


def _rays_to(points: Floats, camera_mm: Floats, pose: Floats) -> Floats:
    """Returns where points [N, 2] of the felt appear at a distance of 1, [N, 2]."""
    seen_from_camera = (np.column_stack([points, np.zeros(len(points))]) - camera_mm) @ pose.T
    return np.asarray(seen_from_camera[:, :2] / seen_from_camera[:, 2:])


def _cell(stand: Stand | None) -> str:
    if stand is None:
        return "does not see it"
    off_middle, height = np.hypot(*stand.camera_mm[:2]) / 1000, stand.camera_mm[2] / 1000
    faults = [
        *(["**not every hand**"] if stand.is_behind else []),
        *(["**too coarse**"] if stand.px_per_mm < LEAST_PX_PER_MM else []),
    ]
    remarks = ": " + ", ".join(faults) if faults else ""
    return (
        f"{height:.2f} m high, {off_middle:.2f} m from the middle, {stand.px_per_mm:.1f} pixels a millimetre{remarks}"
    )

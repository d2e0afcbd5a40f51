"""Places the camera over the table, or beside it on an arm or tripod, so that the picture contains the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.geometry.plane_geometry import square

VIEWS: Final = {"overhead": (0.0, 12.0), "25-35": (25.0, 35.0), "35-50": (35.0, 50.0)}
"""The angle between the line of sight and the vertical in degrees, by the name of the view."""
_SIZES: Final = ((1280, 720), (1600, 900), (1920, 1080))
_ASIDE_DEG: Final = 18.0
"""The standard deviation of the bearing of a camera beside the table from the middle of the near side, in degrees."""
_ROOM: Final = (1.02, 1.14)
"""The size of the picture relative to the play surface."""


def with_camera(appearance: Appearance, view: str, rng: np.random.Generator) -> Appearance:
    """Returns the appearance with a camera of this view; the near side stays at the picture's bottom edge.

    Raises:
        KeyError: there is no view with this name.
    """
    lean = np.radians(rng.uniform(*VIEWS[view]))
    distance = float(rng.uniform(800, 1400))
    bearing = (
        rng.uniform(0, 2 * np.pi)
        if view == "overhead"
        else np.radians(-90 + np.clip(rng.normal(0, _ASIDE_DEG), -45, 45))
    )
    width, height = _SIZES[rng.choice(len(_SIZES), p=[0.75, 0.2, 0.05])]
    placed = replace(
        appearance,
        width_px=int(width),
        height_px=int(height),
        camera_height_mm=distance * float(np.cos(lean)),
        turn_deg=float(0.0 if view == "overhead" else np.degrees(bearing) + 90) + float(rng.normal(0, 1.5)),
        distortion=(0.0, 0.0),
    )
    offset = distance * np.sin(lean) * np.array([np.cos(bearing), np.sin(bearing)])
    fits = [_fitted(placed, offset, share) for share in np.linspace(-0.25, 0.1, 15)]
    tightest = min(fits, key=lambda one: one.covered_mm)
    return replace(tightest, covered_mm=tightest.covered_mm * float(rng.uniform(*_ROOM)))


def _fitted(appearance: Appearance, offset: Floats, share: float) -> Appearance:
    """Returns the camera aimed beyond the table's centre by `share` of its offset, and zoomed out to fit the table."""
    aim = offset * share
    aimed = replace(
        appearance,
        aim_x_mm=float(aim[0]),
        aim_y_mm=float(aim[1]),
        camera_x_mm=float(offset[0] + aim[0]),
        camera_y_mm=float(offset[1] + aim[1]),
    )
    half = np.array([appearance.width_px - 1, appearance.height_px - 1]) / 2
    corners = lens_of(aimed).project_flat(square(appearance.felt_mm), 0.0)
    return replace(aimed, covered_mm=appearance.covered_mm * float((np.abs(corners - half) / half).max()))

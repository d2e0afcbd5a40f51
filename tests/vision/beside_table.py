"""Cameras beside a table: a phone, a webcam or a Pi on an arm or tripod, framed as a person would."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of

_MARGIN: Final = 0.03
"""Share of the picture that a person leaves free around the table."""
_STEP_MM: Final = 40.0


def seen_from(
    table: Appearance, *, lean: float, bearing: float, focal: float = 0.75, aside_mm: float = 0.0
) -> Appearance:
    """Returns a table before the nearest camera that shows all of it.

    Args:
        table: the table, and the size of the picture.
        lean: degrees from the vertical, at the table's middle.
        bearing: the direction in which the camera stands, counter-clockwise from +x; -90 is beside side 0.
        focal: the focal length over the picture's longer side.
        aside_mm: how far it looks past the middle.
    """
    along = np.array([np.cos(np.radians(bearing)), np.sin(np.radians(bearing))])
    across = aside_mm * np.array([-along[1], along[0]])
    for distance in np.arange(400.0, 3000.0, _STEP_MM):
        eye = distance * np.array([*np.sin(np.radians(lean)) * along, np.cos(np.radians(lean))])
        for aim in np.arange(0.0, 0.4 * distance, _STEP_MM):
            camera = _with_camera(table, eye, aim * along + across, focal)
            if _shows_all(camera):
                return camera
    raise AssertionError("expected a place from which the table is seen")


def lean_of_camera(camera: Appearance) -> float:
    """Returns the angle in degrees from the vertical at which a camera sees the table's middle."""
    return float(np.degrees(np.arctan2(np.hypot(camera.camera_x_mm, camera.camera_y_mm), camera.camera_height_mm)))


def _with_camera(table: Appearance, eye: Floats, aim: Floats, focal: float) -> Appearance:
    """Returns a table before a camera at `eye`, which looks at `aim` on the felt, the table's far end up."""
    distance = float(np.linalg.norm(eye - [*aim, 0.0]))
    return replace(
        table,
        camera_x_mm=float(eye[0]),
        camera_y_mm=float(eye[1]),
        camera_height_mm=float(eye[2]),
        aim_x_mm=float(aim[0]),
        aim_y_mm=float(aim[1]),
        turn_deg=float(np.degrees(np.arctan2(eye[0], -eye[1]))),
        covered_mm=distance * min(table.width_px, table.height_px) / (focal * max(table.width_px, table.height_px)),
    )


def _shows_all(camera: Appearance) -> bool:
    """Returns whether the rail's outer corners, and the standing hands' tops, are in the picture with its margin."""
    half = camera.felt_mm / 2 + min(camera.rail_mm, 30.0)
    corners = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
    pixels = np.concatenate([lens_of(camera).project_flat(corners, z) for z in (0.0, camera.tile_height_mm)])
    size = np.array([camera.width_px, camera.height_px])
    return bool(((pixels > _MARGIN * size) & (pixels < (1 - _MARGIN) * size)).all())

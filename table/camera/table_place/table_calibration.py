"""Where the table lies in the camera's pictures, as it was found and stored."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from table.camera.capture.configured_camera import locked_of
from table.config import Config
from table.runtime.clock import Clock
from vision.arrays import Image
from vision.errors import CalibrationError
from vision.frames import Camera
from vision.geometry.calibration import calibrate, find_corners
from vision.geometry.calibration_file import StoredCalibration, load, save

CALIBRATION: Final = "calibration.json"
DRAWN_CALIBRATION: Final = "calibration-drawn.json"
FRAMES_FOR_CORNERS: Final = 10
"""Number of frames searched for the table if its corners are not given."""
ELSEWHERE_MM: Final = 40.0
"""Distance from the stored place that is reported: the camera or the table was moved, or the corners are wrong."""
_log = logging.getLogger(__name__)


def calibration_file(config: Config) -> Path:
    """Returns the file that stores where the configured table lies; a drawn table has a file of its own."""
    return config.folder / (DRAWN_CALIBRATION if config.camera.source == "drawn" else CALIBRATION)


def calibrate_camera(camera: Camera, config: Config, clock: Clock) -> StoredCalibration:
    """Finds the table in a camera's first pictures, by markers or felt, and stores it for a person to confirm.

    Raises:
        CalibrationError: it is not found, or cannot be stored.
    """
    images = [frame.image for frame in islice(camera.frames(), FRAMES_FOR_CORNERS)]
    if not images:
        raise CalibrationError("expected pictures of the table, got none")
    corners = find_corners(images)
    height, width = images[0].shape[:2]
    place = StoredCalibration(
        corners_px=tuple((float(x), float(y)) for x, y in corners),
        size=(width, height),
        side_mm=config.table.side_mm,
        when=clock.utc(),
        by="picture",
        camera=locked_of(camera),
        agreed=False,
    )
    calibrate(place.corners_px, size=place.size, side_mm=place.side_mm)
    save(place, calibration_file(config))
    return place


def stored_calibration(config: Config) -> StoredCalibration | None:
    """Returns the stored calibration; None if there is none, or it cannot be used."""
    try:
        place = load(calibration_file(config))
        return None if place is None else replace(place, side_mm=config.table.side_mm)
    except CalibrationError as error:
        _log.warning("%s", error)
        return None


def far_off_mm(place: StoredCalibration, image: Image) -> float | None:
    """Returns the mean distance of the table's corners in a picture from their stored places.

    None if it is at most `ELSEWHERE_MM`, or if no table is found in the picture.
    """
    try:
        found = place.calibration.to_felt(find_corners([image]), height_mm=0.0)
    except CalibrationError:
        return None
    expected = place.calibration.to_felt(place.corners_px, height_mm=0.0)
    away_mm = float(np.linalg.norm(found - expected, axis=1).mean())
    return away_mm if away_mm > ELSEWHERE_MM else None

"""Finds a displaced table again after the camera was turned, lifted or pushed far.

The last view is matched with the present frame in any orientation. A place is accepted only if the table, rectified by
it, looks as before (`table_in_sight`): a mere resemblance must not decide where standing hands are masked.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Grey, Image
from vision.errors import CalibrationError
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.geometry.plane_geometry import apply, as_float64, square
from vision.watching.motion.motion_gate import MotionGate
from vision.watching.place.shift import ShiftDetector
from vision.watching.place.table_in_sight import TableInSight

SAME_PLACE_MM: Final = 8.0
"""A table found this near to its former place has not moved: everything on it has changed."""
_STEPS: Final = 3
"""Number of refinements of a place."""
_CLOSER: Final = 1.3
"""How much larger than the view, which shows less, the searched frame is."""
_POINTS: Final = 1500
"""The most points that are compared in each of the two pictures (ORB)."""
_FEWEST: Final = 40
"""The least number of points in each picture, of pairs that look alike, and of pairs that agree on one place."""
_AGREE_PX: Final = 3.0
"""The most that a pair may be off the place that it agrees on, in pixels of the searched frame."""


def find_table_again(image: Image, former: Calibration, *, height_mm: float, sight: TableInSight) -> Calibration | None:
    """Returns where the table lies in a raw frame; None if that cannot be proved.

    Args:
        image: the frame, of the calibration's size.
        former: where the table lay; returned unchanged if it is still there, under other things.
        height_mm: the height of the watched plane above the felt.
        sight: how the table looked.
    """
    found = _place_by_resemblance(image, former, height_mm, sight.picture)
    if found is not None and sight.shows(_top_view(image, found, height_mm)):
        return found
    return former if _is_still_there(image, former) else None


def away_mm(found: Calibration, former: Calibration) -> float:
    """Returns the mean distance of the table's corners from their former places."""
    corners = square(former.side_mm)
    corners_now = former.to_felt(found.to_pixels(corners, height_mm=0.0), height_mm=0.0)
    return float(np.linalg.norm(corners_now - corners, axis=1).mean())


def _place_by_resemblance(image: Image, former: Calibration, height_mm: float, before: Grey) -> Calibration | None:
    """Returns where the table seems to be now; None if too little of it is recognised."""
    shift_detector = ShiftDetector()
    shift_detector.remember(before)
    try:
        place = _matched(image, former, height_mm, before)
        if place is None:
            return None
        for _ in range(_STEPS):
            plane = shift_detector.motion_to(_top_view(image, place, height_mm))
            if plane is None:
                break
            place, _ = MotionGate(place, height_mm=height_mm).after_push(plane)
    except CalibrationError:
        return None
    return place


def _matched(image: Image, former: Calibration, height_mm: float, before: Grey) -> Calibration | None:
    scale = _CLOSER * len(before) / max(image.shape[:2])
    small = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    plane = _plane_between(before, np.asarray(small, dtype=np.uint8))
    if plane is None:
        return None
    corners = MotionGate(former, height_mm=height_mm).picture_of(square(former.side_mm))
    pixels = (apply(plane, corners) + 0.5) / scale - 0.5
    return calibrate(pixels, size=former.size, side_mm=former.side_mm, lens=former.lens)


def _plane_between(before: Grey, after: Grey) -> Floats | None:
    """Returns the homography [3, 3] from one picture's pixels to the other's, by points that look alike in both."""
    finder = cv2.ORB.create(_POINTS, scaleFactor=1.15, edgeThreshold=15, patchSize=25, fastThreshold=8)
    (points, descriptors), (other_points, other_descriptors) = (
        finder.detectAndCompute(picture, None) for picture in (before, after)
    )
    if len(points) < _FEWEST or len(other_points) < _FEWEST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(descriptors, other_descriptors)
    if len(pairs) < _FEWEST:
        return None
    matched_before = np.array([points[pair.queryIdx].pt for pair in pairs], dtype=np.float32)
    matched_after = np.array([other_points[pair.trainIdx].pt for pair in pairs], dtype=np.float32)
    plane, agree = cv2.findHomography(matched_before, matched_after, cv2.RANSAC, _AGREE_PX)
    return None if plane is None or int(agree.sum()) < _FEWEST else as_float64(plane)


def _is_still_there(image: Image, former: Calibration) -> bool:
    """Returns whether markers or felt are found where the table was."""
    try:
        found = calibrate(find_corners([image]), size=former.size, side_mm=former.side_mm, lens=former.lens)
    except (CalibrationError, cv2.error):
        return False
    return away_mm(found, former) < SAME_PLACE_MM


def _top_view(image: Image, place: Calibration, height_mm: float) -> Grey:
    gate = MotionGate(place, height_mm=height_mm)
    gate.see(image, 0)
    return gate.picture

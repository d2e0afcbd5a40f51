"""Detects that the camera or the table was pushed, and how far: most still objects have moved together.

A hand changes a few places; a bump moves all of them alike. Points of the last calm picture are therefore tracked into
the present one, and only a motion shared by most of them counts.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Grey, Mask
from vision.geometry.plane_geometry import apply, as_float64

_POINTS: Final = 240
"""The most points that are tracked."""
_FEWEST: Final = 24
"""The least number of points that must agree."""
_AGREEING_SHARE: Final = 0.6
"""Share of the tracked points that must move together."""
_LEAST_PX: Final = 0.6
"""Shorter moves are the sensor's noise."""
_AGREE_PX: Final = 0.6
"""The most that a point may be off the motion that it agrees on."""
_THERE_AND_BACK_PX: Final = 0.5
"""A point that ends farther from its start, tracked to the other picture and back, was confused with another."""
_WINDOW: Final = (21, 21)
"""The surroundings by which a point is tracked, in pixels."""
_LEVELS: Final = 3
"""How often pictures are halved in size, to track points in these too."""
_BEYOND: Final = np.ones((9, 9), np.uint8)
"""The smallest black area of a view that counts as lying beyond the frame."""
_BORDER: Final = np.ones((15, 15), np.uint8)
"""The surroundings of a point that must be in the frame."""

Points = npt.NDArray[np.float32]


class ShiftDetector:
    """Compares pictures with an earlier, calm one."""

    def __init__(self) -> None:
        """Starts without a calm picture."""
        self._grey: Grey | None = None
        self._points = np.zeros((0, 1, 2), dtype=np.float32)

    def remember(self, grey: Grey) -> None:
        """Stores a calm picture [H, W] to compare others with."""
        points = cv2.goodFeaturesToTrack(grey, _POINTS, 0.02, 5, mask=within_frame(grey))
        self._grey = grey
        self._points = np.zeros((0, 1, 2), np.float32) if points is None else np.asarray(points, np.float32)

    def motion_to(self, grey: Grey) -> Floats | None:
        """Returns the homography [3, 3] from the calm picture's pixels to this one's.

        None if nothing moved, if too few points agree on a motion, or if there is no calm picture.
        """
        if self._grey is None or len(self._points) < _FEWEST:
            return None
        before, after = self._tracked_points(self._grey, grey)
        if len(before) < _FEWEST:
            return None
        found, agree = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=_AGREE_PX)
        if found is None or agree.sum() < max(_FEWEST, _AGREEING_SHARE * len(before)):
            return None
        is_agreeing = agree.ravel() > 0
        plane, _ = cv2.findHomography(before[is_agreeing], after[is_agreeing])
        if plane is None or _distance(as_float64(plane), grey.shape) < _LEAST_PX:
            return None
        return as_float64(plane)

    def _tracked_points(self, old: Grey, new: Grey) -> tuple[Points, Points]:
        """Returns the points found in the new picture and, from there, again in the old: [N, 2] before and after."""
        points, found = _track(old, new, self._points)
        back, found_again = _track(new, old, points)
        strays = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1)
        is_tracked = found & found_again & (strays < _THERE_AND_BACK_PX)
        return self._points.reshape(-1, 2)[is_tracked], points.reshape(-1, 2)[is_tracked]


def within_frame(grey: Grey) -> Grey:
    """Returns 255 where a top view shows the frame, but not its border, and 0 elsewhere.

    The border stays in its place whatever moves, so that it proves nothing about the table.
    """
    beyond = cv2.morphologyEx((grey == 0).astype(np.uint8), cv2.MORPH_OPEN, _BEYOND)
    return np.asarray(255 * (1 - cv2.dilate(beyond, _BORDER)), dtype=np.uint8)


def _track(old: Grey, new: Grey, points: Points) -> tuple[Points, Mask]:
    """Returns where points of the old picture are in the new one, and whether they were found."""
    points_after, found, _ = cv2.calcOpticalFlowPyrLK(
        old, new, points, points.copy(), winSize=_WINDOW, maxLevel=_LEVELS
    )
    return np.asarray(points_after, np.float32), np.asarray(found).ravel() > 0


def _distance(plane: Floats, shape: tuple[int, ...]) -> float:
    """Returns the mean distance by which the picture's corners move, in pixels."""
    height, width = shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    return float(np.linalg.norm(apply(plane, corners) - corners, axis=1).mean())

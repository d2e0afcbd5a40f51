"""Which frames are looked at: all of them while people are at the table, one a second after ten minutes with nobody.

Each frame is held against the one before it in a few cells, which costs next to nothing: whoever comes is seen in the
next frame, not in the next second. What people do on a phone, and a look through the camera, count as people too.
Time is the frames' own.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.frames import Frame

AFTER_NS: Final = 600_000_000_000
"""So long nothing may move and nobody act before the table counts as left."""
STEP_NS: Final = 1_000_000_000
"""Between two looks at a table that was left."""
_CELLS: Final = 48
"""Cells along a side of the picture: of some 20 mm at a table, far smaller than a hand."""
_FINER: Final = 4
"""Points that are looked up in each cell, right and down; their mean quiets the sensor's noise."""
_MOVED: Final = 8.0
"""Grey levels by which a cell must change from one frame to the next …"""
_FEWEST: Final = 2
"""… and how many cells at once."""


class IdlePace:
    """One camera's pace. Frames come from one thread; any thread may call `wake`."""

    def __init__(self, *, after_ns: int = AFTER_NS) -> None:
        """Begins as if somebody had just come; the table counts as left after so long without anybody."""
        self._after_ns = after_ns
        self._before: Floats32 | None = None
        self._is_woken = True
        self._busy_ns = self._looked_ns = 0
        self.is_idle = False
        """Whether the table counts as left."""

    def wake(self) -> None:
        """Somebody is there: the next frames are all looked at."""
        self._is_woken = True

    def wants(self, frame: Frame) -> bool:
        """Whether the next frame is to be looked at."""
        if self._has_moved(frame.image) or self._is_woken or frame.t_ns < self._looked_ns:
            self._is_woken, self._busy_ns = False, frame.t_ns
        self.is_idle = frame.t_ns - self._busy_ns >= self._after_ns
        if self.is_idle and frame.t_ns - self._looked_ns < STEP_NS:
            return False
        self._looked_ns = frame.t_ns
        return True

    def _has_moved(self, image: Image) -> bool:
        now, before = _cells(image), self._before
        self._before = now
        if before is None or before.shape != now.shape:
            return True
        return int((np.abs(now - before) > _MOVED).sum()) >= _FEWEST


def _cells(image: Image) -> Floats32:
    """The mean brightness of the picture's cells, of a few points each."""
    height, width = image.shape[:2]
    by = max(1, min(height, width) // (_CELLS * _FINER))
    points = np.ascontiguousarray(image[by // 2 :: by, by // 2 :: by, 1])
    size = max(1, points.shape[1] // _FINER), max(1, points.shape[0] // _FINER)
    return np.asarray(cv2.resize(points, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

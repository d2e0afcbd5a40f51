"""Decides which frames are processed: all while people are at the table, one per second after ten minutes without.

Each frame is compared with the one before it in a few cells, which costs almost nothing, so whoever comes is noticed in
the next frame. Using a phone and looking through the camera count as presence too. Time is that of the frames.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.frames import Frame

IDLE_AFTER_NS: Final = 600_000_000_000
"""Time without motion and without commands after which the table counts as left."""
STEP_NS: Final = 1_000_000_000
"""Time between two processed frames of a table that was left."""
_CELLS: Final = 48
"""Cells along a side of the picture: some 20 mm of a table, far smaller than a hand."""
_POINTS_PER_CELL: Final = 4
"""Sampled points of a cell in each direction; their mean reduces the sensor's noise."""
_LEAST_CHANGE: Final = 8.0
"""Grey levels by which a cell must change from one frame to the next to count as changed."""
_LEAST_CELLS: Final = 2
"""The least number of cells that must change at once."""


class IdlePace:
    """One camera's pace. Frames come from one thread; any thread may call `wake`."""

    def __init__(self, *, after_ns: int = IDLE_AFTER_NS) -> None:
        """Starts as if somebody had just come; the table counts as left after `after_ns` without anybody."""
        self._after_ns = after_ns
        self._last_cells: Floats32 | None = None
        self._is_woken = True
        self._busy_ns = self._processed_ns = 0
        self.is_idle = False
        """Whether the table counts as left."""

    def wake(self) -> None:
        """Notes that somebody is there: all following frames are processed."""
        self._is_woken = True

    def wants(self, frame: Frame) -> bool:
        """Returns whether the next frame is to be processed."""
        if self._has_moved(frame.image) or self._is_woken or frame.t_ns < self._processed_ns:
            self._is_woken, self._busy_ns = False, frame.t_ns
        self.is_idle = frame.t_ns - self._busy_ns >= self._after_ns
        if self.is_idle and frame.t_ns - self._processed_ns < STEP_NS:
            return False
        self._processed_ns = frame.t_ns
        return True

    def _has_moved(self, image: Image) -> bool:
        now, before = _cells(image), self._last_cells
        self._last_cells = now
        if before is None or before.shape != now.shape:
            return True
        return int((np.abs(now - before) > _LEAST_CHANGE).sum()) >= _LEAST_CELLS


def _cells(image: Image) -> Floats32:
    """Returns the mean brightness of the picture's cells, each from a few points, shape [cells, cells]."""
    height, width = image.shape[:2]
    step = max(1, min(height, width) // (_CELLS * _POINTS_PER_CELL))
    points = np.ascontiguousarray(image[step // 2 :: step, step // 2 :: step, 1])
    size = max(1, points.shape[1] // _POINTS_PER_CELL), max(1, points.shape[0] // _POINTS_PER_CELL)
    return np.asarray(cv2.resize(points, size, interpolation=cv2.INTER_AREA), dtype=np.float32)

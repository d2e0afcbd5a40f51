"""Brightens the frames of a table with too little light, by a factor that stays until the light changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Grey
from vision.frames import Frame
from vision.reading.brightening import ENOUGH, brightened, factor_for
from vision.watching.motion.motion_gate import MotionGate

_SPOT_PX: Final = 6
"""Side of a spot in the gate's picture: 12 mm, over which noise averages out."""
_SPOTS: Final = 8
"""The number of spots, each 4 mm from the next, that a single face contains."""
_SAME_FACTOR: Final = 1.25
"""The factor stays while the brightened table is less than this many times as light, or as dark, as reading needs."""
_DARKER_NS: Final = 2_000_000_000
"""How long the table must look darker before the factor is raised: a hand may cover the lightest things."""


class DimTable:
    """Follows how light the lightest things on one table are."""

    def __init__(self) -> None:
        self._factor = 1.0
        self._darker_since_ns: int | None = None
        self._is_known = False

    def brightened(self, frame: Frame, gate: MotionGate) -> Frame:
        """Returns a frame, the last that `gate` has seen, as bright as reading needs; itself if it is bright enough."""
        self._follow(_lightest(gate.picture, gate.table_px), frame.t_ns)
        return frame if self._factor == 1 else replace(frame, image=brightened(frame.image, self._factor))

    def _follow(self, lightest: float, now_ns: int) -> None:
        brightness = lightest * self._factor
        if brightness > ENOUGH / _SAME_FACTOR:
            self._darker_since_ns = None
        elif self._darker_since_ns is None:
            self._darker_since_ns = now_ns
        since_ns = self._darker_since_ns
        is_darker = since_ns is not None and (now_ns - since_ns >= _DARKER_NS or not self._is_known)
        self._is_known = True
        if is_darker or (brightness > ENOUGH * _SAME_FACTOR and self._factor > 1):
            self._factor = factor_for(lightest) if lightest < ENOUGH / _SAME_FACTOR else 1.0
            self._darker_since_ns = None


def _lightest(picture: Grey, table_px: float) -> float:
    """Returns the brightness of the lightest area as large as a tile's face, in a table's grey top view."""
    margin = round((len(picture) - table_px) / 2)
    table = picture[margin : len(picture) - margin, margin : len(picture) - margin]
    spots = np.asarray(cv2.blur(table, (_SPOT_PX, _SPOT_PX)))[::2, ::2].ravel()
    return float(np.partition(spots, -_SPOTS)[-_SPOTS])

"""Measures how long an object lay still before it was reported, from small pictures of the last seconds."""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.frames import Frame

DOWNSCALE: Final = 4
"""Scale-down factor of the kept pictures."""
HISTORY_NS: Final = 6_000_000_000
MOST_PICTURES: Final = 200
"""Limit of kept pictures."""
_UNCHANGED_LEVELS: Final = 9.0
"""Mean difference in grey levels of an unchanged place, from noise and flickering light."""


class RestTimer:
    """Keeps the last seconds of a camera."""

    def __init__(self) -> None:
        self._pictures: deque[tuple[int, Image]] = deque(maxlen=MOST_PICTURES)

    def add_frame(self, frame: Frame) -> None:
        """Adds the next frame; one of another camera, or of another size, begins anew."""
        height, width = frame.image.shape[:2]
        small = cv2.resize(frame.image, (width // DOWNSCALE, height // DOWNSCALE), interpolation=cv2.INTER_AREA)
        picture: Image = np.ascontiguousarray(small[:, :, 1])
        if self._pictures and (frame.t_ns < self._pictures[-1][0] or picture.shape != self._pictures[-1][1].shape):
            self._pictures.clear()
        self._pictures.append((frame.t_ns, picture))
        while frame.t_ns - self._pictures[0][0] > HISTORY_NS:
            self._pictures.popleft()

    def still_since(self, quad: Floats) -> int | None:
        """Returns since when a place [4, 2], in frame pixels, has looked as in the last frame; None if always."""
        if not self._pictures:
            return None
        low = np.maximum(np.floor(quad.min(axis=0) / DOWNSCALE).astype(int), 0)
        high = np.ceil(quad.max(axis=0) / DOWNSCALE).astype(int) + 1
        place = slice(low[1], high[1]), slice(low[0], high[0])
        places = [(t_ns, image[place].astype(np.float32)) for t_ns, image in self._pictures]
        now = places[-1][1]
        if now.size == 0:
            return None
        since = places[-1][0]
        for t_ns, before in reversed(places):
            if float(np.abs(before - now).mean()) > _UNCHANGED_LEVELS:
                return since
            since = t_ns
        return None

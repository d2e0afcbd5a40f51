"""The time of a camera's frames, which continues even if the reopened camera starts at zero again."""

from __future__ import annotations

from typing import Final

from vision.frames import Frame

GAP_NS: Final = 1_000_000_000
"""Time between the last frame and the first of a source whose time starts again."""


class ContinuousTime:
    """Times the frames of one camera, however often it is reopened."""

    def __init__(self) -> None:
        """Starts before the first frame."""
        self._ahead_ns, self._last_ns = 0, -1

    def of(self, frame: Frame) -> int:
        """Returns the next frame's time in nanoseconds, later than all before."""
        if frame.t_ns + self._ahead_ns <= self._last_ns:
            self._ahead_ns = self._last_ns + GAP_NS - frame.t_ns
        self._last_ns = frame.t_ns + self._ahead_ns
        return self._last_ns

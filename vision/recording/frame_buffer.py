"""Buffers a camera's last minutes in memory: compressed, and limited in both seconds and bytes."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from vision.arrays import Image
from vision.geometry.calibration import Calibration
from vision.recording.recording import as_jpeg

_QUALITY: Final = 80
"""The quality of the JPEGs, 1-100; low, since many have to fit into memory."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BufferedFrame:
    """One buffered frame, compressed."""

    t_ns: int
    jpeg: bytes
    calibration: Calibration
    """The table's place when the frame was taken."""


class FrameBuffer:
    """A ring buffer of the newest frames; one thread adds, any thread reads or forgets."""

    def __init__(self, *, seconds: float, most_bytes: int, fps: float) -> None:
        """Takes the limits.

        Args:
            seconds: the maximum age of frames.
            most_bytes: the maximum size of all JPEGs together; the oldest are dropped first.
            fps: the maximum number of frames per second.
        """
        self._most_age_ns = round(seconds * 1e9)
        self._most_bytes = most_bytes
        self._step_ns = round(1e9 / fps)
        self._frames: deque[BufferedFrame] = deque()
        self._bytes = 0
        self._due_ns: int | None = None
        self._lock = threading.Lock()

    @property
    def frames(self) -> tuple[BufferedFrame, ...]:
        """The frames, oldest first."""
        with self._lock:
            return tuple(self._frames)

    def frames_at(self, now_ns: int) -> tuple[BufferedFrame, ...]:
        """Returns the frames within the maximum age at that time, oldest first: fewer or none if no more came since."""
        return tuple(frame for frame in self.frames if now_ns - frame.t_ns <= self._most_age_ns)

    @property
    def size_bytes(self) -> int:
        """The size of all frames in bytes."""
        return self._bytes

    def wants(self, t_ns: int) -> bool:
        """Whether another frame is due; called once for every frame.

        If time runs backwards, a new stream has started: the frames of the previous one are dropped.
        """
        due_ns = self._due_ns
        if due_ns is not None and t_ns < due_ns - 2 * self._step_ns:
            self.forget(0)
            due_ns = None
        if due_ns is not None and t_ns < due_ns:
            return False
        late_ns = 0 if due_ns is None else t_ns - due_ns
        self._due_ns = t_ns + self._step_ns - min(late_ns, self._step_ns // 2)
        return True

    def add(self, image: Image, *, t_ns: int, calibration: Calibration) -> None:
        """Adds a BGR picture, and drops frames beyond the limits."""
        jpeg = as_jpeg(image, quality=_QUALITY)
        with self._lock:
            self._frames.append(BufferedFrame(t_ns=t_ns, jpeg=jpeg, calibration=calibration))
            self._bytes += len(jpeg)
            while self._bytes > self._most_bytes or t_ns - self._frames[0].t_ns > self._most_age_ns:
                self._bytes -= len(self._frames.popleft().jpeg)
                if not self._frames:
                    return

    def forget(self, since_ns: int) -> None:
        """Drops every frame taken at that time or later."""
        with self._lock:
            while self._frames and self._frames[-1].t_ns >= since_ns:
                self._bytes -= len(self._frames.pop().jpeg)
            if not self._frames:
                self._due_ns = None

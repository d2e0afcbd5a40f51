"""Films for a given time with a camera that is reopened whenever it is lost, as a watched table's is."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Final

from table.camera.capture.camera_thread import RETRY_S
from table.camera.capture.continuous_time import ContinuousTime
from vision.errors import CameraError
from vision.frames import Camera, Frame

FINITE_SOURCES: Final = ("video", "recording", "drawn")
"""Sources that end by themselves, which is not a loss."""


class ReopenedCamera:
    """A camera that films for a given time, however often it is lost meanwhile."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        *,
        duration_s: float,
        can_end: bool,
        say: Callable[[str], None],
        retry_s: tuple[float, ...] = RETRY_S,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Takes the function that opens the camera, without calling it.

        Args:
            open_camera: returns the camera; entering it opens it at the latest. Raises `VisionError` if there is none.
            duration_s: how long to film, counted from the first frame.
            can_end: whether the camera's end is the end of the film, not a loss.
            say: receives a sentence when the camera is lost, and when it is back.
            retry_s: pauses before a lost camera is retried; the last one is repeated.
            now: returns monotonic seconds.
            sleep: waits for so many seconds.
        """
        self._open, self._duration_s, self._can_end, self._say = open_camera, duration_s, can_end, say
        self._retry_s, self._now, self._sleep = retry_s, now, sleep
        self._time = ContinuousTime()
        self._first_ns: int | None = None
        self._is_over = False
        self._began = 0.0
        self._lost_at: float | None = None
        self._failures = 0

    def frames(self) -> Generator[Frame, None, None]:
        """Yields the frames, timed from the first one.

        Raises:
            CameraError: the camera does not open at first, or it was lost and not back before the time was over; also
                any error of a camera that can end.
        """
        while True:
            reason = "no more frames"
            try:
                yield from self._frames_until_loss()
            except CameraError as error:
                if self._first_ns is None or self._can_end:
                    raise
                reason = str(error)
            if self._lost_at is None and (self._can_end or self._first_ns is None or self._is_over):
                return
            self._wait(reason)

    def _frames_until_loss(self) -> Iterator[Frame]:
        """Opens the camera, and yields its frames until it ends or the time is over."""
        with self._open() as camera:
            for frame in camera.frames():
                t_ns = self._time.of(frame)
                if self._first_ns is None:
                    self._first_ns, self._began = t_ns, self._now()
                if t_ns - self._first_ns > self._duration_s * 1e9:
                    self._is_over = True
                    return
                if self._lost_at is not None:
                    self._say(f"the camera is back after {self._now() - self._lost_at:.0f} s")
                    self._lost_at, self._failures = None, 0
                yield replace(frame, t_ns=t_ns - self._first_ns)

    def _wait(self, reason: str) -> None:
        """Waits until the camera may be tried again.

        Raises:
            CameraError: the time is over.
        """
        if self._lost_at is None:
            self._lost_at = self._now()
            self._say(f"the camera is lost, and tried again: {reason}")
        left_s = self._began + self._duration_s - self._now()
        if left_s <= 0 or self._is_over:
            after_s = self._lost_at - self._began
            raise CameraError(f"expected pictures for {self._duration_s:g} s, got none after {after_s:.0f} s: {reason}")
        self._sleep(min(left_s, self._retry_s[min(self._failures, len(self._retry_s) - 1)]))
        self._failures += 1

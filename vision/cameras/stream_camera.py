"""A network camera: the newest picture of an RTSP or HTTP stream.

A stream that is read more slowly than it is sent accumulates a delay. A separate thread therefore reads all pictures,
and only the newest is delivered.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.arrays import Image
from vision.cameras.video_camera import Capture
from vision.errors import CameraError
from vision.frames import Camera, Frame

SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
PATIENCE_S: Final = 10.0
"""Time without a picture after which the stream counts as ended."""
_FAILURES: Final = 50
"""Number of consecutive reads that may fail."""
_log = logging.getLogger(__name__)


def is_stream(address: str) -> bool:
    """Whether this is the address of a stream: `rtsp://…` or `http://…` with a host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.hostname) and address.isprintable()


def without_secrets(address: str) -> str:
    """Returns an address fit for messages: without user, password and query."""
    return re.sub(r"[?#].*", "", re.sub(r"//[^/]*@", "//", address))


class StreamCamera(Camera):
    """Delivers the newest frames of a stream."""

    def __init__(
        self,
        address: str,
        *,
        open_camera: Callable[[Any], Capture] = cv2.VideoCapture,
        now_ns: Callable[[], int] = time.monotonic_ns,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Opens the stream.

        Raises:
            CameraError: the address is invalid, or nothing answers there.
        """
        if not is_stream(address):
            raise CameraError(f"expected an address like rtsp://… or http://…, got {without_secrets(address)!r}")
        self._where = without_secrets(address)
        self._now_ns, self._patience_s = now_ns, patience_s
        self._newest: tuple[int, int, Image] | None = None
        self._is_over = False
        self._changed = threading.Condition()
        self._capture = open_camera(address)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(f"expected a stream that gives pictures, got none, at {self._where}")
        self._thread = threading.Thread(target=self._read, name="camera stream", daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame]:
        """Yields the newest frame each time, until the stream ends or the camera is closed."""
        given = -1
        size: tuple[int, ...] | None = None
        while True:
            newest = self._after(given)
            if newest is None:
                return
            given, t_ns, image = newest
            if size is not None and image.shape != size:
                _log.warning("expected a picture of %s, got %s, as frame %d: left out", size, image.shape, given)
                continue
            size = image.shape
            yield Frame(k=given, t_ns=t_ns, image=image)

    def _after(self, given: int) -> tuple[int, int, Image] | None:
        """Waits for a picture newer than the given number; None if the stream has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over or self._k > given, self._patience_s)
            return self._newest if self._k > given else None

    @property
    def _k(self) -> int:
        return -1 if self._newest is None else self._newest[0]

    def close(self) -> None:
        """Ends the frames; the stream is released as soon as its last read ends."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def _read(self) -> None:
        """Reads every picture and keeps the newest."""
        k, failures = 0, 0
        while not self._is_over and failures < _FAILURES:
            done, image = self._capture.read()
            if not done or image is None:
                failures += 1
                continue
            failures = 0
            with self._changed:
                self._newest = k, self._now_ns(), np.asarray(image, dtype=np.uint8)
                self._changed.notify_all()
            k += 1
        self._capture.release()
        self.close()

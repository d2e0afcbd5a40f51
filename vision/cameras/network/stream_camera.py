"""A network camera: the newest picture of an RTSP or HTTP stream.

A stream that is read more slowly than it is sent accumulates a delay. A separate thread therefore reads all pictures,
and only the newest is delivered.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.addresses import without_secrets
from vision.arrays import Image
from vision.cameras.network.stream_refusal import NONE, refusal_of
from vision.cameras.video_camera import Capture
from vision.errors import CameraError
from vision.frames import Camera, Frame

SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
PATIENCE_S: Final = 10.0
"""Time without a picture after which the stream counts as ended."""
CLOSING_S: Final = 2.0
"""Time limit for the last read when the stream is closed."""
_FAILURES: Final = 50
"""Number of consecutive reads that may fail."""
_OPTIONS: Final = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""The environment variable with OpenCV's options for reading a stream."""
_JPEGS: Final = "input_format;mjpeg"
_OPEN_LOCK: Final = threading.Lock()
_log = logging.getLogger(__name__)


def is_stream(address: str) -> bool:
    """Whether this is the address of a stream: `rtsp://…` or `http://…` with a host."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme.lower() in SCHEMES and bool(parts.hostname) and address.isprintable()


class StreamCamera(Camera):
    """Delivers the newest frames of a stream."""

    def __init__(
        self,
        address: str,
        *,
        open_camera: Callable[[str], Capture] | None = None,
        patience_s: float = PATIENCE_S,
        closing_s: float = CLOSING_S,
    ) -> None:
        """Opens the stream.

        Args:
            address: `rtsp://…` or `http://…`.
            open_camera: makes a `cv2.VideoCapture` by address.
            patience_s: how long a picture may take.
            closing_s: how long closing waits for the last read.

        Raises:
            CameraError: the address is invalid, or nothing answers there.
        """
        if not is_stream(address):
            raise CameraError(f"expected an address like rtsp://… or http://…, got {without_secrets(address)!r}")
        self._public_address = without_secrets(address)
        self._patience_s, self._closing_s = patience_s, closing_s
        self._newest: tuple[int, int, Image] | None = None
        self._is_over = False
        self._change = threading.Condition()
        self._first_image: Any = None
        self._capture = self._open(open_camera or _with_ffmpeg, address)
        self._thread = threading.Thread(target=self._read, name="camera stream", daemon=True)
        self._thread.start()

    def _open(self, open_camera: Callable[[str], Capture], address: str) -> Capture:
        """Opens the stream. If HTTP delivers no picture, it is read as a series of JPEGs with anything between them.

        Raises:
            CameraError: it gives no picture; the message says why, if that can be found out.
        """
        capture = open_camera(address)
        if not address.lower().startswith("http"):
            if capture.isOpened():
                return capture
        elif self._has_first(capture):
            return capture
        else:
            capture.release()
            with _stream_option(_JPEGS):
                capture = open_camera(address)
            if self._has_first(capture):
                return capture
        capture.release()
        refusal, says = refusal_of(address) if open_camera is _with_ffmpeg else NONE
        raise CameraError(f"expected a stream of pictures, got {refusal}, at {self._public_address}", says=says)

    def _has_first(self, capture: Capture) -> bool:
        """Returns whether a first picture arrives, and keeps it."""
        done, image = capture.read() if capture.isOpened() else (False, None)
        self._first_image = image if done else None
        return self._first_image is not None

    def frames(self) -> Iterator[Frame]:
        """Yields the newest frame each time, until the stream ends or the camera is closed.

        OpenCV itself stretches the pictures of a stream that changes size to the size of the first one.
        """
        last_k = -1
        size: tuple[int, ...] | None = None
        while True:
            newest = self._newer_than(last_k)
            if newest is None:
                return
            last_k, t_ns, image = newest
            if size is not None and image.shape != size:
                _log.warning("expected a picture of %s, got %s, as frame %d: skipped", size, image.shape, last_k)
                continue
            size = image.shape
            yield Frame(k=last_k, t_ns=t_ns, image=image)

    def _newer_than(self, k: int) -> tuple[int, int, Image] | None:
        """Waits for a picture newer than the given number; None if none arrives in time, or the stream has ended."""
        with self._change:
            self._change.wait_for(lambda: self._is_over or self._k > k, self._patience_s)
            return self._newest if self._k > k else None

    @property
    def _k(self) -> int:
        return -1 if self._newest is None else self._newest[0]

    def close(self) -> None:
        """Ends the frames, and waits a moment until the last read has ended and the stream is released.

        The wait is needed since a read that returns while Python exits would abort the program. A read that still
        hangs after it is left alone.
        """
        self._end()
        self._thread.join(self._closing_s)

    def _end(self) -> None:
        with self._change:
            self._is_over = True
            self._change.notify_all()

    def _read(self) -> None:
        """Reads every picture and keeps the newest."""
        k, failures = 0, 0
        while not self._is_over and failures < _FAILURES:
            done, image = (True, self._first_image) if self._first_image is not None else self._capture.read()
            self._first_image = None
            if not done or image is None:
                failures += 1
                continue
            failures = 0
            with self._change:
                self._newest = k, time.monotonic_ns(), np.asarray(image, dtype=np.uint8)
                self._change.notify_all()
            k += 1
        self._capture.release()
        self._end()


def _with_ffmpeg(address: str) -> Capture:
    """Opens a stream with FFmpeg only: on failure, OpenCV's other readers print the whole address with its password."""
    return cv2.VideoCapture(address, cv2.CAP_FFMPEG)


@contextmanager
def _stream_option(option: str) -> Iterator[None]:
    """Makes OpenCV open streams with this additional option during the context."""
    with _OPEN_LOCK:
        before = os.environ.get(_OPTIONS)
        os.environ[_OPTIONS] = option if before is None else f"{before}|{option}"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_OPTIONS]
            else:
                os.environ[_OPTIONS] = before

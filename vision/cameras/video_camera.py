"""A video file or a USB camera as a camera."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.addresses import quoted, without_secrets
from vision.errors import CameraError
from vision.frames import Camera, Frame

_NANOSECONDS: Final = 1_000_000_000
_USUAL_FPS: Final = 30.0
_PATIENCE: Final = 50
"""Number of consecutive failed reads after which a live camera counts as gone."""

_log = logging.getLogger(__name__)


Device = int | str
"""The number of a camera, or the path of a camera or a file."""


class Capture(Protocol):
    """The part of cv2.VideoCapture that is used here."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether the source is open."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Returns the next picture, if there is one."""
        ...

    def get(self, prop: int, /) -> float:
        """Returns a property."""
        ...

    def release(self) -> None:
        """Releases the source."""
        ...


def _open_device(device: Device) -> Capture:
    return cv2.VideoCapture(device)


class VideoCamera(Camera):
    """Delivers the frames of a video file in logical time, or of a USB camera as they arrive."""

    def __init__(
        self,
        source: str | Path | int,
        *,
        real_time: bool = False,
        is_live: bool = False,
        now_ns: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        open_camera: Callable[[Device], Capture] = _open_device,
    ) -> None:
        """Opens a file by path, or a camera by number; with `is_live` also a camera by its device path.

        With `real_time`, a file's frames arrive no faster than they were taken; else at full speed.

        Raises:
            CameraError: there is no such file or camera, or it cannot be read.
        """
        self._live = is_live or isinstance(source, int)
        if not self._live and not Path(source).is_file():  # type: ignore[arg-type]
            raise CameraError(f"expected a video file, got none, at {without_secrets(str(source))}")
        self._is_paced = real_time and not self._live
        self._now_ns, self._sleep = now_ns, sleep
        self._capture = open_camera(source if isinstance(source, int) else str(source))
        self._closed = False
        if not self._capture.isOpened():
            self.close()
            raise CameraError(f"expected a source of pictures, got one that cannot be opened: {quoted(source)}")

    def frames(self) -> Iterator[Frame]:
        """Yields frames until the file ends or the camera stops answering."""
        size: tuple[int, ...] | None = None
        fps = self._capture.get(cv2.CAP_PROP_FPS) or _USUAL_FPS
        k, failures = -1, 0
        start_ns = self._now_ns() if self._is_paced else 0
        while not self._closed:
            done, image = self._capture.read()
            k += 1
            if not done or image is None:
                failures += 1
                if not self._live or failures >= _PATIENCE:
                    return
                continue
            failures = 0
            picture = np.asarray(image, dtype=np.uint8)
            if size is not None and picture.shape != size:
                _log.warning("expected a picture of %s, got %s, as frame %d: skipped", size, picture.shape, k)
                continue
            size = picture.shape
            t_ns = self._now_ns() if self._live else round(k / fps * _NANOSECONDS)
            if self._is_paced:
                self._sleep(max(0.0, (start_ns + t_ns - self._now_ns()) / 1e9))
            yield Frame(k=k, t_ns=t_ns, image=picture)

    def close(self) -> None:
        """Releases the file or camera."""
        if not self._closed:
            self._closed = True
            self._capture.release()

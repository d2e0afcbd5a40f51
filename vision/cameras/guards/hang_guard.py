"""Guards against a hanging camera: it runs in its own thread, and the caller waits for a limited time.

Drivers can hang in every step: while a camera is opened, delivers a frame, or is closed. A hanging step is abandoned:
its thread is a daemon and releases the camera if the step ever ends.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Final, Self

from vision.cameras.guards.frozen_picture import FrozenPicture
from vision.errors import CameraError
from vision.frames import Camera, Frame

PATIENCE_S: Final = 45.0
"""Time limit of a step. The longest legitimate one: a Pi camera at one frame per second settles for 30 frames."""
CLOSING_S: Final = 10.0
"""Time limit for closing a camera."""
_log = logging.getLogger(__name__)


class PatientCamera(Camera):
    """Delivers the frames of another camera while it answers in time. Entering the context opens the camera."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        *,
        patience_s: float = PATIENCE_S,
        closing_s: float = CLOSING_S,
        frozen: FrozenPicture | None = None,
    ) -> None:
        """Opens nothing yet.

        Args:
            open_camera: opens the other camera.
            patience_s: how long opening it, and each frame, may take.
            closing_s: how long closing it may take.
            frozen: detects a repeated picture; None if the other camera does so itself, or may repeat one.
        """
        self._open_camera, self._frozen_picture = open_camera, frozen
        self._patience_s, self._closing_s = patience_s, closing_s
        self._requests: SimpleQueue[bool] = SimpleQueue()
        """True: the next frame; False: the end."""
        self._answers: SimpleQueue[Camera | Frame | Exception | None] = SimpleQueue()
        self._is_closed = False
        self.device: Camera | None = None
        """The other camera, once open."""
        self._thread = threading.Thread(target=self._work, name="camera device", daemon=True)

    @property
    def hangs(self) -> bool:
        """Whether the camera was closed or abandoned, but the device is not released yet."""
        return self._is_closed and self._thread.is_alive()

    def frames(self) -> Iterator[Frame]:
        """Yields the frames.

        Raises:
            CameraError: a frame does not arrive in time, or the same one arrives for too long; also any error of the
                other camera.
        """
        while not self._is_closed:
            self._requests.put(True)
            found = self._answer("gives a frame")
            if not isinstance(found, Frame):
                return
            if self._frozen_picture is not None:
                self._frozen_picture.check(found)
            yield found

    def close(self) -> None:
        """Releases the camera, or abandons it if that takes too long; closing twice does nothing."""
        if self._is_closed:
            return
        self._end()
        if self._thread.ident is not None:
            self._thread.join(self._closing_s)
        if self._thread.is_alive():
            _log.warning("expected the camera to close within %g s, but it hangs: abandoned", self._closing_s)

    def __enter__(self) -> Self:
        """Opens the camera.

        Raises:
            CameraError: it does not open in time; also any error of `open_camera`.
        """
        self._thread.start()
        found = self._answer("opens")
        self.device = found if isinstance(found, Camera) else None
        return self

    def _end(self) -> None:
        self._is_closed = True
        self._requests.put(False)

    def _answer(self, does: str) -> Camera | Frame | None:
        try:
            found = self._answers.get(timeout=self._patience_s)
        except Empty:
            self._end()
            raise CameraError(
                f"expected a camera that {does} within {self._patience_s:g} s, got one that hangs", says="hangs"
            ) from None
        if isinstance(found, Exception):
            raise found
        return found

    def _work(self) -> None:
        """Runs the device in its thread; errors are passed on as answers."""
        try:
            with self._open_camera() as camera:
                self._answers.put(camera)
                frames = camera.frames()
                while self._requests.get():
                    self._answers.put(_next(frames))
        except Exception as error:
            self._answers.put(error)


def _next(frames: Iterator[Frame]) -> Frame | Exception | None:
    try:
        return next(frames, None)
    except Exception as error:  # raised again for the caller who waits for the frame
        return error

"""A camera that may hang: it is worked in a thread of its own, and who watches waits only so long for it.

Drivers hang in every step: while a camera is opened, gives a frame, or is closed. What hangs is given up: its thread is
a daemon, and lets the camera go by itself if the step ever ends.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from typing import Final, Self

from vision.errors import CameraError
from vision.frames import Camera, Frame

PATIENCE_S: Final = 45.0
"""How long a step may take. The longest one that is right: a Pi camera of one frame a second settles for 30 of them."""
CLOSING_S: Final = 10.0
"""How long a camera may take to be closed."""
_log = logging.getLogger(__name__)


class PatientCamera(Camera):
    """Gives the frames of another camera for as long as that answers in time. It is opened when this is entered."""

    def __init__(
        self, open_camera: Callable[[], Camera], *, patience_s: float = PATIENCE_S, closing_s: float = CLOSING_S
    ) -> None:
        """Opens nothing yet.

        Args:
            open_camera: opens the other camera.
            patience_s: how long opening it, and each frame, may take.
            closing_s: how long closing it may take.
        """
        self._opened = open_camera
        self._patience_s, self._closing_s = patience_s, closing_s
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        """True: the next frame; False: the end."""
        self._answers: SimpleQueue[Camera | Frame | Exception | None] = SimpleQueue()
        self._is_closed = False
        self.camera: Camera | None = None
        """The other camera, once it is open."""
        self._thread = threading.Thread(target=self._work, name="camera device", daemon=True)

    @property
    def hangs(self) -> bool:
        """Whether it was closed or given up, and the device is not let go yet."""
        return self._is_closed and self._thread.is_alive()

    def frames(self) -> Iterator[Frame]:
        """Gives the frames.

        Raises:
            CameraError: one does not come in time; else what the other camera raises.
        """
        while not self._is_closed:
            self._wanted.put(True)
            found = self._answer("gives a frame")
            if not isinstance(found, Frame):
                return
            yield found

    def close(self) -> None:
        """Lets the camera go, or gives it up where that takes too long; closing twice does nothing."""
        if self._is_closed:
            return
        self._end()
        if self._thread.ident is not None:
            self._thread.join(self._closing_s)
        if self._thread.is_alive():
            _log.warning("expected a camera that closes within %g s, got one that hangs: given up", self._closing_s)

    def __enter__(self) -> Self:
        """Opens the camera.

        Raises:
            CameraError: it does not open in time; else what `opened` raises.
        """
        self._thread.start()
        found = self._answer("opens")
        self.camera = found if isinstance(found, Camera) else None
        return self

    def _end(self) -> None:
        self._is_closed = True
        self._wanted.put(False)

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
        """Works the device; whatever goes wrong is an answer."""
        try:
            with self._opened() as camera:
                self._answers.put(camera)
                frames = camera.frames()
                while self._wanted.get():
                    self._answers.put(_next(frames))
        except Exception as error:
            self._answers.put(error)


def _next(frames: Iterator[Frame]) -> Frame | Exception | None:
    try:
        return next(frames, None)
    except Exception as error:  # raised again by who waits for the frame
        return error

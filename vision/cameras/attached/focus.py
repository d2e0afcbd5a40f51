"""Focusing a camera once: the interface, the pending requests, and the sharpness of a picture."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol, runtime_checkable

import cv2

from vision.arrays import Image

FocusAnswer = Callable[[float | None], object]
"""Called with the focus found, in the camera's unit; None if nothing was sharp."""


@runtime_checkable
class FocusCamera(Protocol):
    """A camera whose lens can be moved."""

    @property
    def has_autofocus(self) -> bool:
        """Whether the focus can be found without turning the lens by hand."""

    def ask_for_focus(self, answer: FocusAnswer) -> None:
        """Requests that the focus be found once, before the next frame, and locked. Thread-safe."""


class FocusRequests:
    """Requests from any thread, which the camera's own thread carries out."""

    def __init__(self) -> None:
        self._requests: SimpleQueue[FocusAnswer] = SimpleQueue()

    def add(self, answer: FocusAnswer) -> None:
        """Adds a request."""
        self._requests.put(answer)

    def take(self) -> list[FocusAnswer]:
        """Returns all new requests; a single search answers them all."""
        found = list[FocusAnswer]()
        while True:
            try:
                found.append(self._requests.get_nowait())
            except Empty:
                return found


def sharpness_of(image: Image) -> int:
    """Returns the sharpness of a picture's middle, higher is sharper; comparable only for the same scene."""
    height, width = image.shape[:2]
    middle = image[height // 4 : -height // 4, width // 4 : -width // 4]
    return round(float(cv2.Laplacian(cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var()))

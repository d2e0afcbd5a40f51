"""A camera whose driver hangs in one of its steps, until it is let on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, Self

import numpy as np

from tests.fakes.waiting import PATIENCE_S, wait_for
from vision.cameras.guards.frozen_picture import FrozenPicture
from vision.cameras.guards.hang_guard import PatientCamera
from vision.frames import Camera, Frame

STEPS: Final = ("opening", "the first frame", "a later frame", "closing")
ENDLESS: Final = 10**9
"""More frames than are ever taken from a camera."""
IMAGE = np.zeros((4, 4, 3), np.uint8)


class Device:
    """A camera that hangs in one step until it is let on."""

    def __init__(self, hangs_in: str = "", *, frames: int = ENDLESS, cameras: list[Device] | None = None) -> None:
        """Opens it; `cameras` takes it in before that can hang."""
        self.on = threading.Event()
        self.hangs_in, self.frame_count = hangs_in, frames
        self.is_hanging = False
        self.is_closed = False
        if cameras is not None:
            cameras.append(self)
        self.step("opening")

    def step(self, name: str) -> None:
        if name == self.hangs_in:
            self.is_hanging = True
            assert self.on.wait(PATIENCE_S)

    def frames(self) -> Iterator[Frame]:
        for k in range(self.frame_count):
            self.step("the first frame" if k == 0 else "a later frame")
            yield Frame(k=k, t_ns=k, image=IMAGE)

    def close(self) -> None:
        self.step("closing")
        self.is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class HastyCamera(PatientCamera):
    """A patient camera that gives its device up a moment after that began to hang, however slow the machine is."""

    def __init__(
        self, open_camera: Callable[[], Camera], *, devices: list[Device], frozen: FrozenPicture | None = None
    ) -> None:
        """Opens nothing yet; the device adds itself to `devices`."""
        super().__init__(open_camera, patience_s=0.1, closing_s=0.1, frozen=frozen)
        self._devices, self._before = devices, len(devices)

    def _answer(self, does: str) -> Camera | Frame | None:
        wait_for(lambda: not self._answers.empty() or any(each.is_hanging for each in self._devices[self._before :]))
        return super()._answer(does)

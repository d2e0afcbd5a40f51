"""A USB camera: the central square of its picture, with exposure, white balance and focus locked.

The camera measures the light by itself at the start, and again between hands after a lasting change; then its values
are locked, since a picture that brightens by itself looks like a change everywhere. Its focus is found once on
request, where the picture is sharpest, independently of the camera's own autofocus.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

import cv2

from vision.arrays import Image
from vision.cameras.attached.focus import FocusAnswer, FocusRequests, sharpness_of
from vision.cameras.attached.light_watch import LightWatch
from vision.cameras.attached.v4l2_controls import AUTOFOCUS, FOCUS, MAINS, V4l2Controls
from vision.cameras.video_camera import Capture, Device, VideoCamera
from vision.errors import reason_and_place
from vision.frames import Camera, Frame

WIDTH_PX: Final = 2560
HEIGHT_PX: Final = 1440
"""The requested size; a camera that lacks it delivers the nearest one."""
SETTLE_FRAMES: Final = 30
"""Frames until the camera has measured exposure and white balance."""
COARSE: Final = 10
FINE: Final = 6
"""How many lens positions are compared over the whole range, and then around the best one."""
STEADY_FRAMES: Final = 2
"""Frames until a moved lens is at rest."""
SHARPER: Final = 1.2
"""How many times sharper the best position must be than the worst."""
_AUTO_EXPOSURE: Final = 3
_MANUAL_EXPOSURE: Final = 1
"""V4L2's values for automatic and manual exposure."""
_EXPOSURE_STEP_US: Final = 100
"""V4L2's unit of exposure times is a tenth of a millisecond."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsbSettings:
    """The camera's settings."""

    fps: float = 10.0
    exposure_us: int = 0
    """In microseconds; 0 to measure it once."""
    gain: float = 0.0
    """In the camera's own steps; 0 to measure it once."""
    mains_hz: int = 50
    """The lamps' mains frequency, 50 or 60, to avoid flicker."""
    focus: int = -1
    """In the camera's own steps; -1 to leave it unchanged."""


class SettableCapture(Capture, Protocol):
    """The part of cv2.VideoCapture that is used for a USB camera."""

    def set(self, prop: int, value: float, /) -> bool:
        """Requests a property's value; returns whether the driver accepted it."""
        ...


class UsbCamera(Camera):
    """Delivers frames of a USB camera. Owned by one thread."""

    def __init__(
        self,
        device: Device,
        settings: UsbSettings,
        *,
        may_measure: Callable[[], bool] = lambda: False,
        open_camera: Callable[[Device], SettableCapture] | None = None,
    ) -> None:
        """Opens the camera.

        Args:
            device: the camera's number N, or its path.
            settings: the requested settings.
            may_measure: returns whether it may adapt to changed light now, as between hands.
            open_camera: makes a `cv2.VideoCapture` by number or path.

        Raises:
            CameraError: there is no such camera, or it delivers no pictures.
        """
        self._settings, self._may_measure = settings, may_measure
        self._controls = V4l2Controls(device)
        self._focus_requests = FocusRequests()
        self._camera = VideoCamera(device, is_live=True, open_camera=lambda name: self._open(name, open_camera))
        self._frames = self._camera.frames()
        self._set_control(MAINS, 2 if settings.mains_hz == 60 else 1, "mains frequency")
        self._set_control(AUTOFOCUS, 0, "autofocus")
        if settings.focus >= 0:
            self._set_control(FOCUS, settings.focus, "focus")

    def _open(self, device: Device, open_camera: Callable[[Device], SettableCapture] | None) -> Capture:
        """Opens the device through V4L2 only, and requests size and frame rate."""
        capture = cv2.VideoCapture(device, cv2.CAP_V4L2) if open_camera is None else open_camera(device)
        self._capture: SettableCapture = capture
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for name, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, WIDTH_PX),
            (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT_PX),
            (cv2.CAP_PROP_FPS, self._settings.fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
        ):
            self._capture.set(name, value)
        return self._capture

    @property
    def has_autofocus(self) -> bool:
        """Whether the lens can be moved, so that the focus can be found."""
        return self._controls.range_of(FOCUS) is not None

    def ask_for_focus(self, answer: FocusAnswer) -> None:
        """Requests that the focus be found once, before the next frame, and locked. Thread-safe.

        `answer` is called with the focus in the camera's own steps, or with None if nothing was sharp; then the lens
        returns to its former focus.
        """
        self._focus_requests.add(answer)

    def frames(self) -> Iterator[Frame]:
        """Yields frames, cropped to a square, until the camera stops answering.

        The first frames, in which the camera measures the light, are skipped.
        """
        self._measure()
        light = LightWatch()
        while True:
            if requests := self._focus_requests.take():
                found = self._found_focus()
                for answer in requests:
                    answer(found)
                light = LightWatch()
            frame = next(self._frames, None)
            if frame is None:
                return
            yield replace(frame, image=_square(frame.image))
            if light.has_changed_for_good(frame.image, frame.t_ns) and self._may_measure():
                _log.info("the light has changed: exposure and white balance are measured again")
                self._measure()
                light = LightWatch()

    def _measure(self) -> None:
        """Lets the camera measure exposure and white balance, and locks them; configured values take precedence.

        The measured values are read before it is set to manual, since then it would return to its old values.
        """
        settings, capture = self._settings, self._capture
        capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        if not settings.exposure_us:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO_EXPOSURE)
        for _ in islice(self._frames, SETTLE_FRAMES):
            pass
        measured = {name: capture.get(name) for name in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)}
        configured = {
            cv2.CAP_PROP_EXPOSURE: settings.exposure_us / _EXPOSURE_STEP_US,
            cv2.CAP_PROP_GAIN: settings.gain,
        }
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
        for name, value in measured.items():
            if configured[name] or value > 0:
                capture.set(name, configured[name] or value)

    def _found_focus(self) -> float | None:
        """Moves the lens to where the picture is sharpest; returns that position, or None if none is clearly best."""
        positions = self._controls.range_of(FOCUS)
        if positions is None or len(positions) < 2:
            return None
        before = self._present_focus()
        step = _step(positions, COARSE)
        sharpness = self._sharpness_at(positions[::step])
        best = max(sharpness, key=lambda place: sharpness[place], default=None)
        if best is None or sharpness[best] < SHARPER * max(1, min(sharpness.values())):
            if before >= 0:
                self._set_control(FOCUS, before, "focus")
            return None
        index = positions.index(best)
        nearby = positions[max(0, index - step) : index + step + 1]
        sharpness |= self._sharpness_at(nearby[:: _step(nearby, FINE)])
        best = max(sharpness, key=lambda place: sharpness[place])
        self._set_control(FOCUS, best, "focus")
        self._settings = replace(self._settings, focus=best)
        _log.info("the picture is sharpest at %d; the focus is locked there", best)
        return float(best)

    def _present_focus(self) -> int:
        """Returns the lens's position; the configured one if the camera does not report it, which may be -1."""
        try:
            return self._controls.get(FOCUS)
        except OSError:
            return self._settings.focus

    def _sharpness_at(self, places: range) -> dict[int, int]:
        """Moves the lens to these positions; returns the sharpness of the picture at each."""
        found = dict[int, int]()
        for place in places:
            if not self._set_control(FOCUS, place, "focus"):
                break
            frame = next(islice(self._frames, STEADY_FRAMES, None), None)
            if frame is None:
                break
            found[place] = sharpness_of(_square(frame.image))
        return found

    def _set_control(self, control: int, value: int, name: str) -> bool:
        try:
            self._controls.set(control, value)
        except OSError as error:
            _log.info("the camera's %s could not be set: %s", name, reason_and_place(error))
            return False
        return True

    def close(self) -> None:
        """Releases the camera."""
        self._camera.close()


def _step(positions: range, count: int) -> int:
    """Returns the step that picks at most `count` positions of a range."""
    return -(-len(positions) // count)


def _square(image: Image) -> Image:
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return image[top : top + side, left : left + side]

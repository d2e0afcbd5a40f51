"""A USB camera: the central square of its picture, with exposure, white balance and focus fixed."""

from __future__ import annotations

import fcntl
import logging
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import cv2

from vision.cameras.video_camera import Capture, VideoCamera
from vision.frames import Camera, Frame

WIDTH_PX: Final = 2560
HEIGHT_PX: Final = 1440
"""The requested size; a camera without it delivers the nearest one."""
_MANUAL_EXPOSURE: Final = 1
"""V4L2's number of manual exposure."""
_EXPOSURE_STEP_US: Final = 100
"""V4L2's unit of exposure times is a tenth of a millisecond."""
_SET_CONTROL: Final = 0xC008561C
"""VIDIOC_S_CTRL of videodev2.h."""
_MAINS: Final = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY, which OpenCV does not name; 1 is 50 Hz, 2 is 60 Hz."""
_log = logging.getLogger(__name__)


class UsbCamera(Camera):
    """Delivers frames of a USB camera."""

    def __init__(
        self,
        device: int | str,
        *,
        fps: float,
        exposure_us: int = 0,
        gain: float = 0.0,
        mains_hz: int = 50,
        open_camera: Callable[[Any], Any] = cv2.VideoCapture,
        set_control: Callable[[int | str, int, int], None] | None = None,
    ) -> None:
        """Opens the camera `/dev/videoN` by its number, or any device by its path.

        Args:
            device: the camera's number N, or its path.
            fps: the requested frames per second.
            exposure_us: the exposure time in microseconds; 0 keeps the camera's own.
            gain: in the camera's own steps; 0 keeps the camera's own.
            mains_hz: the lamps' mains frequency, 50 or 60, to avoid flicker.
            open_camera: makes a `cv2.VideoCapture` by number or path.
            set_control: sets a control that OpenCV does not name: camera, number of the control, value.

        Raises:
            CameraError: there is no such camera, or it delivers no pictures.
        """
        asked = {
            cv2.CAP_PROP_EXPOSURE: exposure_us / _EXPOSURE_STEP_US,
            cv2.CAP_PROP_GAIN: gain,
        }
        self._camera = VideoCamera(
            device, is_live=True, open_camera=lambda source: _set(open_camera(source), fps, asked)
        )
        try:
            (set_control or _set_control)(device, _MAINS, 2 if mains_hz == 60 else 1)
        except OSError as error:
            _log.info("the camera's mains frequency could not be set: %s", error)

    def frames(self) -> Iterator[Frame]:
        """Yields frames, cropped to a square, until the camera stops answering."""
        for frame in self._camera.frames():
            height, width = frame.image.shape[:2]
            side = min(height, width)
            top, left = (height - side) // 2, (width - side) // 2
            yield replace(frame, image=frame.image[top : top + side, left : left + side])

    def close(self) -> None:
        """Releases the camera."""
        self._camera.close()


def _set_control(device: int | str, control: int, value: int) -> None:
    path = f"/dev/video{device}" if isinstance(device, int) else device
    opened = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.ioctl(opened, _SET_CONTROL, struct.pack("Ii", control, value))
    finally:
        os.close(opened)


def _set(capture: Any, fps: float, asked: Mapping[int, float]) -> Capture:
    """Applies the settings that the driver supports; it ignores the rest."""
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    for name, value in (
        (cv2.CAP_PROP_FRAME_WIDTH, WIDTH_PX),
        (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT_PX),
        (cv2.CAP_PROP_FPS, fps),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
        (cv2.CAP_PROP_AUTOFOCUS, 0),
        (cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE),
        (cv2.CAP_PROP_AUTO_WB, 0),
    ):
        capture.set(name, value)
    for name, value in asked.items():
        if value:
            capture.set(name, value)
    used: Capture = capture
    return used

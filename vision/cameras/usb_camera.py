"""A USB camera: the square in the middle of its picture, with exposure, white balance and focus held still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import cv2

from vision.cameras.video_camera import Capture, VideoCamera
from vision.frames import Camera, Frame

WIDTH_PX: Final = 2560
HEIGHT_PX: Final = 1440
"""What is asked for; a camera that has less gives the nearest that it has."""
_MANUAL_EXPOSURE: Final = 1
"""V4L2's number for it."""


class UsbCamera(Camera):
    """Gives frames of a USB camera."""

    def __init__(self, device: int | str, *, fps: float, open_camera: Callable[[Any], Any] = cv2.VideoCapture) -> None:
        """Opens the camera `/dev/videoN` by its number, or any device by its path.

        Raises:
            CameraError: there is none, or it gives no pictures.
        """
        self._camera = VideoCamera(device, is_live=True, open_camera=lambda source: _set(open_camera(source), fps))

    def frames(self) -> Iterator[Frame]:
        """Gives frames, cut to a square, until the camera stops answering."""
        for frame in self._camera.frames():
            height, width = frame.image.shape[:2]
            side = min(height, width)
            top, left = (height - side) // 2, (width - side) // 2
            yield replace(frame, image=frame.image[top : top + side, left : left + side])

    def close(self) -> None:
        """Lets the camera go."""
        self._camera.close()


def _set(capture: Any, fps: float) -> Capture:
    """Sets what the driver lets set; the rest it ignores."""
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
    used: Capture = capture
    return used

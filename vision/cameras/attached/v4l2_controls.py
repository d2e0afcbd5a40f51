"""The controls of a video device (V4L2): which exist, their values, and setting them.

OpenCV does not name some of them, nor report whether a camera has one. Another program, or another part of this one,
may use the camera at the same time.
"""

from __future__ import annotations

import fcntl
import os
import struct
from typing import Final

MAINS: Final = 0x00980918
"""V4L2_CID_POWER_LINE_FREQUENCY: 1 is 50 Hz, 2 is 60."""
FOCUS: Final = 0x009A090A
"""V4L2_CID_FOCUS_ABSOLUTE, in the camera's own steps."""
AUTOFOCUS: Final = 0x009A090C
"""V4L2_CID_FOCUS_AUTO: 1 lets the lens move by itself."""
_QUERY: Final = 0xC0445624
"""VIDIOC_QUERYCTRL of videodev2.h."""
_GET: Final = 0xC008561B
"""VIDIOC_G_CTRL."""
_SET: Final = 0xC008561C
"""VIDIOC_S_CTRL."""
_CONTROL: Final = struct.Struct("Ii")
"""A control's number and value."""
_DESCRIPTION: Final = struct.Struct("II32siiiiI8x")
"""A control's number, type, name, minimum, maximum, step, default and flags."""
_DISABLED: Final = 0x0001


class V4l2Controls:
    """The controls of one device; opens it for each request, so that nothing stays open."""

    def __init__(self, device: int | str) -> None:
        """Takes the number N of `/dev/videoN`, or a path."""
        self._path = f"/dev/video{device}" if isinstance(device, int) else device

    def range_of(self, control: int) -> range | None:
        """Returns the values that a control can take; None if the camera lacks it, or does not answer."""
        request = bytearray(_DESCRIPTION.pack(control, 0, b"", 0, 0, 0, 0, 0))
        try:
            self._ask(_QUERY, request)
        except OSError:
            return None
        _, _, _, minimum, maximum, step, _, flags = _DESCRIPTION.unpack(request)
        return None if flags & _DISABLED else range(minimum, maximum + 1, max(step, 1))

    def get(self, control: int) -> int:
        """Returns a control's value.

        Raises:
            OSError: the camera lacks it, or is gone.
        """
        request = bytearray(_CONTROL.pack(control, 0))
        self._ask(_GET, request)
        value: int = _CONTROL.unpack(request)[1]
        return value

    def set(self, control: int, value: int) -> None:
        """Sets a control.

        Raises:
            OSError: the camera lacks it, is gone, or refuses the value.
        """
        self._ask(_SET, bytearray(_CONTROL.pack(control, value)))

    def _ask(self, request: int, memory: bytearray) -> None:
        descriptor = os.open(self._path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, request, memory)
        finally:
            os.close(descriptor)

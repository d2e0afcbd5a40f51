"""Detects a live camera that delivers one picture over and over: its driver or its sender hangs.

Noise makes every picture of a live sensor differ from the one before. Drawn and recorded cameras, whose picture may
stay the same by design, are not judged; nor are uniform pictures, as of a covered lens: compression removes their
noise.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.errors import CameraError
from vision.frames import Frame

DEVICE_S: Final = 10.0
"""How long a camera on a cable may deliver the same picture."""
STREAM_S: Final = 30.0
"""The same limit for a network stream: a codec may repeat a quiet picture until the next key frame."""
_EVEN: Final = 16
"""The range of a picture's values below which it shows nothing."""
_STEP: Final = 16
"""Every how many rows and columns are compared."""


class FrozenPicture:
    """Compares one camera's pictures; it is kept while the camera is reopened, to recognise the same picture again."""

    def __init__(self, patience_s: float) -> None:
        """Takes how long the same picture may be delivered."""
        self._patience_s = patience_s
        self._last = b""
        self._since_ns = 0

    def check(self, frame: Frame) -> None:
        """Compares a frame with the one before.

        Raises:
            CameraError: the picture has been the same for too long.
        """
        sample = frame.image[::_STEP, ::_STEP]
        now = sample.tobytes()
        if now != self._last or frame.t_ns < self._since_ns or int(np.ptp(sample)) < _EVEN:
            self._last, self._since_ns = now, frame.t_ns
        elif frame.t_ns - self._since_ns >= self._patience_s * 1e9:
            raise CameraError(
                f"expected new pictures from the camera, got the same one for {self._patience_s:g} s", says="frozen"
            )

"""Detects a live camera that delivers one picture over and over: its driver or its sender hangs.

Noise makes every picture of a live sensor differ from the one before. A drawn or recorded picture may stay the same by
design, and a dark or covered lens has nothing that noise would change after compression: neither is judged.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.errors import CameraError
from vision.frames import Frame

DEVICE_S: Final = 10.0
"""How long a camera at a cable may deliver the same picture."""
STREAM_S: Final = 30.0
"""The same for a network stream: video codecs may repeat a quiet picture until the next whole one."""
_EVEN: Final = 16
"""Span of brightness below which a picture shows nothing."""
_STEP: Final = 16
"""Step of the compared rows and columns."""


class FrozenPicture:
    """Compares one camera's pictures; kept while the camera is reopened, it still knows the repeated picture."""

    def __init__(self, patience_s: float = DEVICE_S) -> None:
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

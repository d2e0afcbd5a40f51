"""Tells when the light over a table has changed for good: the lamp was switched on, the sun went down.

A shadow, an arm or a cloud is over in less than a minute. Everything before that is measured against the picture as it
was when the exposure was locked.
"""

from __future__ import annotations

from typing import Final

from vision.arrays import Image

FOR_GOOD_NS: Final = 60_000_000_000
"""So long the light has to be another before it counts."""
OTHER: Final = 0.15
"""By such a share it has to differ."""
EVERY_NS: Final = 1_000_000_000
"""How often it is looked at."""
_STEP: Final = 16
"""Every so many rows and columns are looked at."""


class LightWatch:
    """One camera's light since its exposure was locked."""

    def __init__(self) -> None:
        """Begins with the next picture as the measure."""
        self._locked: float | None = None
        self._other_since_ns: int | None = None
        self._due_ns = 0

    def has_changed_for_good(self, image: Image, t_ns: int) -> bool:
        """Takes in a picture; returns whether the light has been another for a minute."""
        if t_ns < self._due_ns:
            return self._is_over(t_ns)
        self._due_ns = t_ns + EVERY_NS
        now = float(image[::_STEP, ::_STEP].mean()) + 1.0
        if self._locked is None:
            self._locked = now
        if abs(now / self._locked - 1) < OTHER:
            self._other_since_ns = None
        elif self._other_since_ns is None:
            self._other_since_ns = t_ns
        return self._is_over(t_ns)

    def _is_over(self, t_ns: int) -> bool:
        return self._other_since_ns is not None and t_ns - self._other_since_ns >= FOR_GOOD_NS

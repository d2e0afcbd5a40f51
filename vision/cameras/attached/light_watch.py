"""Detects lasting changes of the light over a table, such as a lamp switched on or the sun going down.

A shadow, an arm or a cloud passes in less than a minute. The light is compared with the picture at the time when the
exposure was locked.
"""

from __future__ import annotations

from typing import Final

from vision.arrays import Image

FOR_GOOD_NS: Final = 60_000_000_000
"""How long the light must differ to count as changed."""
LEAST_DIFFERENCE: Final = 0.15
"""The relative difference from which light counts as changed."""
EVERY_NS: Final = 1_000_000_000
"""Interval of the measurements."""
_STEP: Final = 16
"""Every how many rows and columns are sampled."""


class LightWatch:
    """Watches one camera's light since its exposure was locked."""

    def __init__(self) -> None:
        """Uses the next picture as the reference."""
        self._locked_light: float | None = None
        self._other_since_ns: int | None = None
        self._due_ns = 0

    def has_changed_for_good(self, image: Image, t_ns: int) -> bool:
        """Adds a picture; returns whether the light has differed from the reference for a minute."""
        if t_ns < self._due_ns:
            return self._is_over(t_ns)
        self._due_ns = t_ns + EVERY_NS
        light = float(image[::_STEP, ::_STEP].mean()) + 1.0
        if self._locked_light is None:
            self._locked_light = light
        if abs(light / self._locked_light - 1) < LEAST_DIFFERENCE:
            self._other_since_ns = None
        elif self._other_since_ns is None:
            self._other_since_ns = t_ns
        return self._is_over(t_ns)

    def _is_over(self, t_ns: int) -> bool:
        return self._other_since_ns is not None and t_ns - self._other_since_ns >= FOR_GOOD_NS

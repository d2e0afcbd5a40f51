"""Keeps a log short where others decide how often something goes wrong: one line a minute for each kind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from traceback import walk_tb
from typing import Final

MINUTE_S: Final = 60.0
_MOST_KINDS: Final = 100
"""Kinds that are remembered; the names of some come from others, too."""


class LogThrottle:
    """Decides whether something may be logged once more. Thread-safe."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """Takes a function that counts seconds evenly."""
        self._seconds = seconds
        self._logged_at: dict[str, float] = {}
        self._lock = threading.Lock()

    def is_due_for(self, error: BaseException) -> bool:
        """Returns whether an error may be logged; those of one type that come from the same line are of one kind."""
        lines = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(error.__traceback__)]
        return self.is_due(" ".join((type(error).__name__, *lines[-1:])))

    def is_due(self, kind: str) -> bool:
        """Returns whether nothing of this kind was due within the last minute; then it is now."""
        with self._lock:
            now = self._seconds()
            if now - self._logged_at.get(kind, -MINUTE_S) < MINUTE_S:
                return False
            self._logged_at.pop(kind, None)
            self._logged_at[kind] = now
            if len(self._logged_at) > _MOST_KINDS:
                del self._logged_at[next(iter(self._logged_at))]
            return True

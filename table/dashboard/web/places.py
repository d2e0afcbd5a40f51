"""So many may do something at once or wait for it, and whoever comes then is told so instead of waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Places:
    """A number of places. May be used by several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0
        self._lock = threading.Lock()

    @property
    def are_taken(self) -> bool:
        """Whether nobody else finds one now."""
        with self._lock:
            return self._taken >= self._most

    @contextmanager
    def one(self) -> Iterator[bool]:
        """Holds a place while the context is open; yields False where all are taken."""
        with self._lock:
            has_place = self._taken < self._most
            self._taken += has_place
        try:
            yield has_place
        finally:
            with self._lock:
                self._taken -= has_place

"""A limit on how many may do or await something at the same time; those beyond it are refused instead of waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ConcurrencyLimit:
    """Admits a limited number at the same time. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._count = 0
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        """Whether all places are taken now."""
        with self._lock:
            return self._count >= self._limit

    @contextmanager
    def enter(self) -> Iterator[bool]:
        """Holds a place while the context is open; yields False if none is free."""
        with self._lock:
            has_place = self._count < self._limit
            self._count += has_place
        try:
            yield has_place
        finally:
            with self._lock:
                self._count -= has_place

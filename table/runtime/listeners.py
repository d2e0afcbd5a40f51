"""Functions that are called when something changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack


class Listeners:
    """Functions in the order in which they were added. Thread-safe."""

    def __init__(self) -> None:
        self._all: tuple[Callable[[], None], ...] = ()
        self._lock = threading.Lock()

    def add(self, hear: Callable[[], None]) -> ExitStack:
        """Adds a function; leaving the returned context removes it."""
        with self._lock:
            self._all += (hear,)
        context = ExitStack()
        context.callback(self._remove, hear)
        return context

    def _remove(self, hear: Callable[[], None]) -> None:
        with self._lock:
            others = list(self._all)
            others.remove(hear)
            self._all = tuple(others)

    def call(self) -> None:
        """Calls all functions, in this thread."""
        for hear in self._all:
            hear()

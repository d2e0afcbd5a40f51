"""Functions that are called when something changes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack


class Listeners:
    """Functions in the order in which they were added. Thread-safe."""

    def __init__(self) -> None:
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._lock = threading.Lock()

    def add(self, listener: Callable[[], None]) -> ExitStack:
        """Adds a function; leaving the returned context removes it."""
        with self._lock:
            self._listeners += (listener,)
        context = ExitStack()
        context.callback(self._remove, listener)
        return context

    def _remove(self, listener: Callable[[], None]) -> None:
        with self._lock:
            others = list(self._listeners)
            others.remove(listener)
            self._listeners = tuple(others)

    def call(self) -> None:
        """Calls all functions, in this thread."""
        for listener in self._listeners:
            listener()

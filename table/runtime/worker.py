"""A context manager that works in its own thread."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Self

from table.runtime.thread_end import wait_until_ended


class Worker(ABC):
    """Runs its work in a thread while the context is open."""

    def __init__(self, name: str, *, patience_s: float | None = None) -> None:
        """Names the thread; leaving waits for its end as `wait_until_ended` does."""
        self._patience_s = patience_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def _run(self) -> None:
        """Works until `_stopping` is set."""

    def __enter__(self) -> Self:
        """Starts the work; returns itself."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops the work."""
        self._stopping.set()
        wait_until_ended(self._thread, self._patience_s)

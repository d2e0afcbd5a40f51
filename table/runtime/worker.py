"""What works in a thread of its own while it is entered."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Self


class Worker(ABC):
    """A context manager whose work runs beside the caller's until it is left."""

    def __init__(self, name: str, *, patience_s: float | None = None) -> None:
        """Names the thread; leaving waits `patience_s` for it at most (None: until it ends)."""
        self._patience_s = patience_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @abstractmethod
    def _run(self) -> None:
        """Works until `_stopping` is set."""

    def __enter__(self) -> Self:
        """Begins the work; returns itself."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the work."""
        self._stopping.set()
        self._thread.join(self._patience_s)

"""Reads the games of a long history in the background, one at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from time import monotonic
from typing import Final, Self

from table.runtime.table_errors import TachiaiError

PAUSE_FACTOR: Final = 3
"""Pauses between two games are this many times as long as the work, to spare a Pi."""
PATIENCE_S: Final = 5.0
"""How long closing waits for a game being read."""
_log = logging.getLogger(__name__)


class BackgroundReader:
    """A thread that reads games while any are left to read. A context manager: reading ends with it."""

    def __init__(self, name: str, read: Callable[[], Generator[None, None, None]]) -> None:
        """Takes the thread's name, and a function that returns a generator.

        The generator reads one game before each `yield`; it is closed if reading ends early.
        """
        self._name, self._read = name, read
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Starts reading, unless games are already being read or the reader was closed."""
        with self._lock:
            if self._ending.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    @property
    def is_reading(self) -> bool:
        """Whether games are being read."""
        with self._lock:
            return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        started_s = monotonic()
        try:
            with closing(self._read()) as games:
                for _ in games:
                    if self._ending.wait(PAUSE_FACTOR * (monotonic() - started_s)):
                        return
                    started_s = monotonic()
        except TachiaiError as error:
            _log.warning("earlier games cannot be read now: %s", error)

    def __enter__(self) -> Self:
        """Returns itself; reading begins with `start`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends reading after the present game."""
        with self._lock:
            self._ending.set()
            thread = self._thread
        if thread is not None:
            thread.join(PATIENCE_S)

"""Threads that never keep the program from ending: workers, threads that do jobs in order, and an end within a limit.

One that is stuck, as on a disk that hangs, is left behind.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")
PATIENCE_S: Final = 5.0
"""How long a thread may take to end: several of them within the 20 seconds that the service manager waits."""
_log = logging.getLogger(__name__)


def wait_until_ended(thread: threading.Thread, patience_s: float | None = None) -> None:
    """Waits until a thread that was told to end has ended; names it in the log if it has not in time.

    It must be a daemon, so that the program can end without it.

    Args:
        thread: the thread.
        patience_s: the seconds that it may take (None: `PATIENCE_S`).
    """
    patience_s = PATIENCE_S if patience_s is None else patience_s
    thread.join(patience_s)
    if thread.is_alive():
        _log.warning("expected the thread %s to end within %g s, got none: it is left behind", thread.name, patience_s)


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


class JobThread:
    """Does jobs one after another, from the first until it is closed."""

    def __init__(self, name: str) -> None:
        """Names the thread, which starts at once."""
        self._is_closed = False
        self._end_lock = threading.Lock()
        """Held while a job is taken, so that none lies behind the end."""
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """Takes a job; the future holds its result or its error. After `close` it is cancelled.

        A job whose future is cancelled before it begins is left out.
        """
        done: Future[T] = Future()
        with self._end_lock:
            if self._is_closed:
                done.cancel()
            else:
                self._jobs.put((job, done))
        return done

    def close(self, patience_s: float | None = None) -> None:
        """Ends the thread after the jobs that it has, waiting as `wait_until_ended` does."""
        with self._end_lock:
            self._is_closed = True
            self._jobs.put(None)
        wait_until_ended(self._thread, patience_s)

    def _run(self) -> None:
        while (item := self._jobs.get()) is not None:
            job, done = item
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(job())
            except Exception as error:  # it belongs to whoever asked for the job
                done.set_exception(error)

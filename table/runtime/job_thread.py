"""One thread that does jobs in order; unlike an executor's, it never keeps the program from ending."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from table.runtime.thread_end import wait_until_ended

T = TypeVar("T")


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

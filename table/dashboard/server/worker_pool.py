"""A few threads that do the pages' work and never wait for a client; no range of addresses can occupy all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import TypeVar

from table.dashboard.web.addresses.network_address import address_range

T = TypeVar("T")


class WorkerPool:
    """Threads that make one call after another; callers wait for the results in an event loop."""

    def __init__(self, threads: int, name: str, *, most_each: int) -> None:
        """Starts the threads, which never keep the program from ending; `most_each` limits the calls of one address."""
        self._most_each, self._most_of_range = most_each, max(most_each, threads - 1)
        self._turns: dict[str, asyncio.Semaphore] = {}
        self._callers: Counter[str] = Counter()
        """How many callers from each address, and from each range, have a turn or wait for one."""
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"{name} {n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    async def run(self, call: Callable[[], T]) -> T:
        """Makes the call in one of the threads; returns its result or raises its error."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._calls.put(partial(_run, call, done, loop))
        return await done

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Waits for one of the `most_each` turns of this address, and for one of its range; holds both meanwhile.

        Used by one loop.
        """
        range_ = address_range(address)
        of_range = nullcontext() if range_ == address else self._turn(range_, self._most_of_range)
        async with self._turn(address, self._most_each), of_range:
            yield

    @asynccontextmanager
    async def _turn(self, caller: str, limit: int) -> AsyncIterator[None]:
        self._callers[caller] += 1
        try:
            async with self._turns.setdefault(caller, asyncio.Semaphore(limit)):
                yield
        finally:
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller], self._turns[caller]

    def close(self, patience_s: float) -> None:
        """Ends the threads once all calls are done, waiting at most `patience_s` seconds."""
        until = monotonic() + patience_s
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()


def _run(call: Callable[[], T], done: asyncio.Future[T], loop: asyncio.AbstractEventLoop) -> None:
    try:
        report = partial(_set_result, done, call())
    except BaseException as error:  # the error belongs to the caller
        report = partial(_set_exception, done, error)
    with suppress(RuntimeError):  # the loop has ended, and nobody is waiting any more
        loop.call_soon_threadsafe(report)


def _set_result(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _set_exception(done: asyncio.Future[T], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)

"""Progress bars for work of more than two seconds, drawn by tqdm on stderr if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final, TextIO, TypeVar

T = TypeVar("T")
QUIET_S: Final = 2.0
"""Seconds before a bar is shown."""
TICK_S: Final = 0.5
"""Seconds between two updates of the time."""
_WAITING: Final = "{desc} {elapsed}"
"""The bar's form if there is nothing to count."""
_open_bars: list[Any] = []
"""The bars on the terminal."""


def progress(items: Collection[T], activity: str) -> Iterator[T]:
    """Yields the items; shows on a terminal how many are done."""
    yield from progress_of(items, activity, len(items))


def progress_of(items: Iterable[T], activity: str, total: int | None = None) -> Iterator[T]:
    """Yields the items of a stream whose length may be unknown."""
    with _bar(activity, total=total) as done:
        for item in items:
            yield item
            done()


@contextmanager
def progress_counter(activity: str, total: int | None = None) -> Iterator[Callable[..., bool]]:
    """Counts on a terminal what is done, whether or not the total is known; shows nothing elsewhere.

    Yields the function to call after each item, whose arguments are ignored; it returns False, meaning go on.
    """
    with _bar(activity, total=total) as done:

        def count(*_: object) -> bool:
            done()
            return False

        yield count


@contextmanager
def waiting(activity: str) -> Iterator[None]:
    """Shows on a terminal what is being done while the context is open, if there is nothing to count."""
    with _bar(activity, total=None, bar_format=_WAITING):
        yield


def say(text: str, *, file: TextIO | None = None) -> None:
    """Prints a line at once; a bar on the terminal makes room for it."""
    for bar in _open_bars:
        bar.clear()
    print(text, file=file, flush=True)


def remove_bar() -> None:
    """Removes the bar from the terminal if an error left it there."""
    for bar in _open_bars:
        bar.close()


@contextmanager
def _bar(activity: str, **options: Any) -> Iterator[Callable[[], object]]:
    """Yields a function to call after each item."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm  # noqa: PLC0415 - only for terminals

    with tqdm(desc=activity, delay=QUIET_S, leave=False, file=sys.stderr, **options) as bar:
        is_over = Event()
        ticker = Thread(target=_tick, args=(bar, is_over), name="progress", daemon=True)
        ticker.start()
        _open_bars.append(bar)
        try:
            yield bar.update
        finally:
            _open_bars.remove(bar)
            is_over.set()
            ticker.join()


def _tick(bar: Any, is_over: Event) -> None:
    """Updates the elapsed time, even during one long item."""
    pause = QUIET_S
    while not is_over.wait(pause):
        bar.refresh()
        pause = TICK_S

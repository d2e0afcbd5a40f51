"""A progress line on stderr for what takes more than two seconds, where somebody looks at a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")
QUIET_S: Final = 2.0
"""What takes less says nothing."""
EVERY_S: Final = 0.2


def progress(items: Collection[T], doing: str) -> Iterator[T]:
    """Yields the items; says on a terminal how many of them are done."""
    begun = printed = time.monotonic()
    shown = False
    for done, item in enumerate(items):
        now = time.monotonic()
        if sys.stderr.isatty() and now - begun > QUIET_S and now - printed > EVERY_S:
            print(f"\r{doing} {done}/{len(items)}", end="", file=sys.stderr, flush=True)
            printed, shown = now, True
        yield item
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def counted(doing: str) -> Iterator[Callable[[float], bool]]:
    """Counts on a terminal what is done, where nobody knows how much there is; nothing is shown elsewhere.

    Yields what is called after each thing, with the seconds that it took; it returns False: go on.
    """
    begun = printed = time.monotonic()
    done, shown = 0, False

    def count(_: float) -> bool:
        nonlocal done, printed, shown
        done, now = done + 1, time.monotonic()
        if sys.stderr.isatty() and now - begun > QUIET_S and now - printed > EVERY_S:
            print(f"\r{doing} {done}", end="", file=sys.stderr, flush=True)
            printed, shown = now, True
        return False

    yield count
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)

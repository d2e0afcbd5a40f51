"""Progress bars for work of more than two seconds, drawn by tqdm on stderr if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")
QUIET_S: Final = 2.0
"""Seconds before a bar is shown."""


def progress(items: Collection[T], doing: str) -> Iterator[T]:
    """Yields the items; shows on a terminal how many are done."""
    yield from _bar(items, doing, total=len(items))


def progress_of(items: Iterable[T], doing: str, total: int | None = None) -> Iterator[T]:
    """Yields the items of a stream whose length may be unknown."""
    yield from _bar(items, doing, total=total)


@contextmanager
def counted(doing: str) -> Iterator[Callable[[float], bool]]:
    """Counts on a terminal what is done when the total is unknown; shows nothing elsewhere.

    Yields the function to call after each item, with the seconds it took; it returns False, meaning go on.
    """
    with _bar(None, doing, total=None) as bar:

        def count(_: float) -> bool:
            bar.update()
            return False

        yield count


def _bar(items: Iterable[Any] | None, doing: str, *, total: int | None) -> Any:
    from tqdm import tqdm  # noqa: PLC0415 - help needs none

    hidden = sys.stderr is None or not sys.stderr.isatty()
    return tqdm(items, desc=doing, total=total, delay=QUIET_S, disable=hidden, leave=False, file=sys.stderr)

"""Progress bars on stderr for what takes more than two seconds, where somebody looks at a terminal; tqdm draws them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")
QUIET_S: Final = 2.0
"""What takes less says nothing."""


def progress(items: Collection[T], doing: str) -> Iterator[T]:
    """Yields the items; shows on a terminal how many of them are done."""
    yield from _bar(items, doing, total=len(items))


def progress_of(items: Iterable[T], doing: str, total: int | None = None) -> Iterator[T]:
    """Yields the items of a stream, of which it may be known how many there are."""
    yield from _bar(items, doing, total=total)


@contextmanager
def counted(doing: str) -> Iterator[Callable[[float], bool]]:
    """Counts on a terminal what is done, where nobody knows how much there is; nothing is shown elsewhere.

    Yields what is called after each thing, with the seconds that it took; it returns False: go on.
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

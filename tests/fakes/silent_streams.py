"""Streams to which nothing can be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def taking_nothing(*, is_full: bool) -> Iterator[int]:
    """Yields the descriptor of a full disk, or of a pipe that nobody reads."""
    if is_full:
        stream = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, stream = os.pipe()
        os.close(reader)
    try:
        yield stream
    finally:
        os.close(stream)

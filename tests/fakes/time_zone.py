"""The machine's time zone, as a test needs it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager


def set_time_zone(name: str) -> None:
    """Moves this process to a time zone."""
    os.environ["TZ"] = name
    time.tzset()


@contextmanager
def time_zone(name: str) -> Iterator[None]:
    """Moves this process to a time zone for the context."""
    before = os.environ["TZ"]
    set_time_zone(name)
    try:
        yield
    finally:
        set_time_zone(before)

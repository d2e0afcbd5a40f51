"""Has freed memory go back to the system at once, which the C library does not do by itself for large pieces.

glibc raises its own limit for what it gives back each time a large piece is freed, and has an arena a thread: pictures
and models then leave holes of hundreds of megabytes, which a small computer needs.
"""

from __future__ import annotations

import ctypes
from typing import Final

GIVEN_BACK: Final = 256 * 1024
"""Bytes of the smallest piece that is taken from the system by itself, and given back by itself."""
ARENAS: Final = 4
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8


def give_back_freed_memory() -> bool:
    """Asks the C library for it, for the whole program; returns whether there is one that does it (mallopt(3))."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, GIVEN_BACK) and mallopt(_M_ARENA_MAX, ARENAS))

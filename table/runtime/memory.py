"""Makes the C library return freed memory to the system at once.

By default glibc raises its threshold for returning memory whenever a large block is freed, and keeps an arena per
thread. Pictures and models then leave hundreds of megabytes unused but allocated, too much for a small computer.
"""

from __future__ import annotations

import ctypes
from typing import Final

LARGE_BLOCK_BYTES: Final = 256 * 1024
"""Size in bytes from which a block is allocated from the system and returned to it on its own."""
ARENAS: Final = 4
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8


def give_back_freed_memory() -> bool:
    """Applies this to the whole program; returns whether the C library supports it (mallopt(3))."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES) and mallopt(_M_ARENA_MAX, ARENAS))

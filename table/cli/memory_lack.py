"""Recognises a lack of memory, and reports it in one sentence.

The libraries for pictures and models fail in ways of their own; with very little memory, even without a message.
"""

from __future__ import annotations

import errno
import resource
from typing import Final

from table.runtime.table_errors import TachiaiError

LEAST_ADDRESSES: Final = 640 * 1024 * 1024
"""Bytes of address space that those libraries need in order to load, and to report a later lack of memory."""
OPENCV_NO_MEMORY: Final = -4
"""OpenCV's error code for a lack of memory."""
_WORDS: Final = (
    "can't start new thread",
    "failed to map segment from shared object",
    "annot allocate memory",
    "bad allocation",
    "bad_alloc",
    "Failed to allocate memory",
)
"""What Python, the system's loader and onnxruntime say when they have no memory."""


class MemoryLackError(TachiaiError, MemoryError):
    """The program may use too little memory."""


def check_addresses() -> None:
    """Checks that this process may use enough address space to load the libraries for pictures and models.

    Raises:
        MemoryLackError: it may not.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < LEAST_ADDRESSES:
        least, found = LEAST_ADDRESSES // 2**20, limit // 2**20
        raise MemoryLackError(f"expected at least {least} MiB of address space, got {found} MiB: raise `ulimit -v`")


def is_lack(error: Exception) -> bool:
    """Returns whether an error of Python or of a library means that there is too little memory."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    is_opencv = type(error).__module__ == "cv2" and getattr(error, "code", None) == OPENCV_NO_MEMORY
    is_library_error = isinstance(error, RuntimeError | ImportError) or type(error).__module__.startswith("onnxruntime")
    return is_opencv or (is_library_error and any(words in str(error) for words in _WORDS))


def lack_text(error: Exception) -> str:
    """Returns one sentence about an error that means a lack of memory."""
    return f"expected enough memory and threads for the program, got too little: {error or type(error).__name__}"

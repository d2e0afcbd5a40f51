"""Keeps what decoders say about a damaged picture off standard error, where our own sentence says it.

OpenCV logs it, and libpng and libjpeg print it with C's `stderr`. Only these are silenced: OpenCV's level of logging,
and that variable, which programs may set in glibc ("Standard Streams" in its manual). File descriptor 2 stays as it is,
so that nothing is lost that Python or other libraries write meanwhile in other threads.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import cv2

_lock: Final = threading.Lock()
_undo: Final[list[tuple[int, int | None]]] = []
"""For each decoding under way, the level of logging and the stream that were there before the first."""


@contextmanager
def without_decoder_messages() -> Iterator[None]:
    """Silences OpenCV's log and its decoders while the context is open, in any number of threads."""
    with _lock:
        _undo.append(_undo[0] if _undo else (_set_level(cv2.utils.logging.LOG_LEVEL_SILENT), _set_stream(_nowhere())))
    try:
        yield
    finally:
        with _lock:
            level, stream = _undo.pop()
            if not _undo:
                _set_level(level)
                _set_stream(stream)


def _set_level(level: int) -> int:
    """Sets OpenCV's level of logging, and returns the one before."""
    return int(cv2.utils.logging.setLogLevel(level))


def _set_stream(stream: int | None) -> int | None:
    """Sets C's `stderr`, and returns the one before; None for none, where it may not be set."""
    variable = _variable()
    if variable is None or stream is None:
        return None
    before, variable.value = variable.value, stream
    return before


@cache
def _variable() -> ctypes.c_void_p | None:
    """Returns C's variable `stderr`; None without glibc, where it may be no variable."""
    try:
        libc = ctypes.CDLL(None)
        return ctypes.c_void_p.in_dll(libc, "stderr") if hasattr(libc, "gnu_get_libc_version") else None
    except (OSError, TypeError, ValueError):
        return None


@cache
def _nowhere() -> int | None:
    """Returns a stream of C's library that loses its text; None without glibc."""
    if _variable() is None:
        return None
    fopen = ctypes.CDLL(None).fopen
    fopen.restype, fopen.argtypes = ctypes.c_void_p, (ctypes.c_char_p, ctypes.c_char_p)
    opened: int | None = fopen(os.devnull.encode(), b"w")
    return opened

"""Standard error that never fails: on a full disk, or once its reader has gone, what is written there is lost."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from typing import Any


class _LossyFile(io.FileIO):
    """A file that drops what cannot be written to it."""

    def write(self, data: Any, /) -> int:
        with suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


def outlive_standard_error() -> None:
    """Lets a command finish its work, with its own exit code, even if standard error cannot be written.

    For example, a table runs on while its log is on a full disk. A standard error that Python code has replaced stays
    as it is.
    """
    if sys.stderr is not sys.__stderr__ or not isinstance(sys.stderr, io.TextIOWrapper):
        return
    file = io.BufferedWriter(_LossyFile(sys.stderr.fileno(), "w", closefd=False))
    sys.stderr = io.TextIOWrapper(file, sys.stderr.encoding, sys.stderr.errors, line_buffering=True)

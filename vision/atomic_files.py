"""Writes files whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: str | bytes, *, mode: int = 0o666) -> None:
    """Writes, flushes and renames a temporary file, so that a power cut leaves either the old or the new file.

    `mode` is the new file's mode, subject to the process's umask. Text is written as UTF-8.

    Raises:
        OSError: the file cannot be written; the old one stays.
    """
    beside = path.with_name(f"{path.name}.new")
    written = content.encode() if isinstance(content, str) else content
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise

"""Files that are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: str | bytes, *, mode: int = 0o666) -> None:
    """Writes beside the file, onto the disk, and swaps it in: a power cut leaves the old one or the new one.

    `mode` is the access of the new file, less what the process masks. Text is written as UTF-8.

    Raises:
        OSError: it cannot be written; the old file stays.
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

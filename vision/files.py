"""Files that are written whole or not at all."""

import os
from pathlib import Path


def write_whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Writes beside the file, onto the disk, and swaps it in: a power cut leaves the old one or the new one.

    `mode` is the access of the new file, less what the process masks.

    Raises:
        OSError: it cannot be written; the old file stays.
    """
    beside = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)

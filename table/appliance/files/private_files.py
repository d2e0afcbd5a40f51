"""Keeps the table's secrets and settings private: closes files that others could read, and reports it."""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from vision.atomic_files import files_in
from vision.errors import reason

PRIVATE: Final = "*.json"
"""The names of the private files of the data folder: secrets, choices, calibration."""
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_log = logging.getLogger(__name__)


def closed_files(folder: Path, *, secrets: str) -> Iterator[str]:
    """Removes other users' access to the private files of a data folder, and logs it.

    No link is followed: whoever may write in the folder could close any of this user's files by it.

    Yields messages for people: others could read the file named `secrets`, or a file cannot be closed.
    """
    try:
        paths = [path for path in files_in(folder) if path.match(PRIVATE)]
    except OSError as error:
        yield f"expected to see who may read the table's own files, got: {reason(error)}, at {folder}"
        return
    for path in sorted(paths):
        try:
            found = path.stat().st_mode
            mode = stat.S_IMODE(found)
            if not stat.S_ISREG(found) or not mode & _OTHERS:
                continue
            _close(path)
        except OSError as error:
            yield f"expected a file for the table's own user alone, got {path} open to others: {reason(error)}"
            continue
        message = f"expected {path} with mode 0600, got {mode:04o}: it is closed now"
        _log.warning("%s", message)
        if path.name == secrets:
            yield f"{message}; others on this machine may have read it: choose another PIN"


def _close(path: Path) -> None:
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link to a file elsewhere")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)

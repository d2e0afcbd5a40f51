"""The folder of a table's data: what its files are called, and whose they are."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from vision.atomic_files import give
from vision.errors import reason

JOURNAL: Final = "table.journal"
SECRETS: Final = "secrets.json"
CLIPS: Final = "clips"
_log = logging.getLogger(__name__)


def create_folder(folder: Path) -> Path:
    """Returns the folder, created if it was missing and can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _log.error("expected to create the folder for the journal, got: %s, at %s", reason(error), folder)
    return folder


@contextmanager
def hand_over_new_files(folder: Path) -> Iterator[None]:
    """Gives files that root creates in a table's folder to the folder's owner, who could not use them otherwise.

    They change hands when the context ends. The owner may change the folder meanwhile, so no link is followed, and no
    file that has a second name is given away.
    """
    if os.geteuid() != 0:
        yield
        return
    before = {_identity(found) for _, _, found in _files_of_root(folder)}
    try:
        yield
    finally:
        for folder_fd, name, found in _files_of_root(folder):
            if _identity(found) not in before:
                _give_to_owner(folder_fd, name, folder.stat())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _files_of_root(folder: Path) -> Iterator[tuple[int, str, os.stat_result]]:
    """Yields root's files and folders in a folder of somebody else: the open folder, the name in it, its state."""
    if not folder.is_dir() or folder.stat().st_uid == 0:
        return
    for _, folders, files, folder_fd in os.fwalk(folder):
        for name in (*folders, *files):
            with suppress(OSError):
                found = os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
                if found.st_uid == 0:
                    yield folder_fd, name, found


def _give_to_owner(folder_fd: int, name: str, owner: os.stat_result) -> None:
    with suppress(OSError):
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder_fd)
        try:
            found = os.fstat(file)
            if stat.S_ISDIR(found.st_mode) or (stat.S_ISREG(found.st_mode) and found.st_nlink == 1):
                give(file, owner)
        finally:
            os.close(file)

"""Writes files whole or not at all, and reads whole files."""

import errno
import fcntl
import os
import stat
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors for a full disk, an exceeded quota, and a file larger than the program may write."""
LARGEST_TEXT: Final = 16 * 1024 * 1024
"""The most bytes of a text file that somebody names: a configuration, a rule set, a list of players, a tile set."""
_LONGEST_WAIT_S: Final = 10.0
_WAIT_S: Final = 0.01


class _LockedFolders(threading.local):
    """The folders that the current thread has locked, by device and inode."""

    def __init__(self) -> None:
        self.folders: set[tuple[int, int]] = set()


_locked_folders: Final = _LockedFolders()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Adds the file's name to the system's errors, which lack it once a file is open."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:  # an error that a library raised has no number
            error.filename = str(path)
        raise


def read_whole(path: Path) -> bytes:
    """Returns the content of one of the program's own files.

    Raises:
        OSError: there is no such file, it cannot be read, or it is a pipe or a device, which might never end.
    """
    check_regular(path)
    descriptor = os.open(
        path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    )  # not blocking, so that a pipe put there in the meantime reads as empty
    with naming(path), os.fdopen(descriptor, "rb") as file:
        return file.read()


def read_at_most(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """Returns the content of a file that somebody named, or of a pipe or device, which might never end.

    Raises:
        OSError: it cannot be read, or has more than `most` bytes.
    """
    with naming(path), path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EOVERFLOW, f"more than {most} bytes", str(path))
    return content


def files_in(folder: Path) -> list[Path]:
    """Returns what is in a folder, in any order; nothing if there is no such folder.

    Raises:
        OSError: it cannot be listed. `Path.glob` would hide that, or not, depending on Python's version.
    """
    try:
        return [folder / name for name in os.listdir(folder)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def check_regular(path: Path) -> None:
    """Checks that a path leads to a regular file.

    Raises:
        OSError: it leads to a folder, a pipe or a device, or nothing is there.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "a pipe or a device in place of a file", str(path))


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Creates a folder and those above it where they are missing; an error in the context removes the empty ones again.

    Raises:
        OSError: it cannot be created.
    """
    missing = missing_folders(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        remove_empty(missing)
        raise


def missing_folders(path: Path) -> list[Path]:
    """Returns which of a folder and those above it do not exist, the innermost first."""
    return [each for each in (path, *path.parents) if not each.exists()]


def remove_empty(folders: Iterable[Path]) -> None:
    """Removes these folders, except those that are not empty or cannot be removed."""
    for each in folders:
        with suppress(OSError):
            each.rmdir()


@contextmanager
def alone_in(folder: Path, *, longest_wait_s: float = _LONGEST_WAIT_S) -> Iterator[bool]:
    """Locks a folder against the program's other writers, in any process, for the duration of the context.

    Gives whether they are kept out: False if one of them still writes there after the longest wait. There is no wait
    for a folder that cannot be locked, nor for one that the same thread has locked already.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # the folder is missing, or may be written to but not read
        yield True
        return
    found = os.fstat(descriptor)
    is_own = (found.st_dev, found.st_ino) in _locked_folders.folders
    added = set() if is_own else {(found.st_dev, found.st_ino)}
    try:
        is_alone = is_own or _lock_within(descriptor, longest_wait_s)
        _locked_folders.folders |= added
        yield is_alone
    finally:
        _locked_folders.folders -= added
        os.close(descriptor)


def _lock_within(descriptor: int, longest_wait_s: float) -> bool:
    """Locks an open folder as soon as nobody else holds the lock; returns False if somebody still does at the end."""
    until = time.monotonic() + longest_wait_s
    while not (is_locked := _try_lock(descriptor)) and time.monotonic() < until:
        time.sleep(_WAIT_S)
    return is_locked


def _try_lock(descriptor: int) -> bool:
    """Locks an open folder; returns False if somebody else holds the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True


def write_whole(path: Path, content: str | bytes, *, mode: int = 0o666) -> None:
    """Writes, flushes and renames a temporary file, so that a power cut leaves either the old or the new file.

    `mode` is the new file's mode, subject to the process's umask. Text is written as UTF-8. A file that root writes
    belongs to the owner of its folder. No link is followed: somebody else may have put it there.

    Raises:
        OSError: the file cannot be written; the old one stays.
    """
    temporary = path.with_name(f"{path.name}.new")
    data = content.encode() if isinstance(content, str) else content
    with alone_in(path.parent):
        _write(temporary, path, data, mode)


def _write(temporary: Path, path: Path, data: bytes, mode: int) -> None:
    try:
        temporary.unlink(missing_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with naming(path), os.fdopen(descriptor, "wb") as file:
            if os.geteuid() == 0:
                give(descriptor, path.parent.stat())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def give(descriptor: int, folder: os.stat_result) -> None:
    """Gives an open file to the owner of a folder, where the file system has owners."""
    with suppress(OSError):
        os.fchown(descriptor, folder.st_uid, folder.st_gid)

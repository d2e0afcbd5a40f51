"""Locks a journal for one program: two programs that write to the same journal would lose each other's entries."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table.runtime.table_errors import JournalError
from vision.errors import reason

_log = logging.getLogger(__name__)


@contextmanager
def lock_journal(journal: Path) -> Iterator[None]:
    """Locks a journal for this program during the context; the lock ends with the program, even if it is killed.

    If its folder cannot be written to, the journal stays unlocked, with a warning in the log. No file is made where a
    link leads.

    Raises:
        JournalError: another program holds the lock.
    """
    path = journal.with_name(f"{journal.name}.lock")
    try:
        file = os.open(path, os.O_RDWR | (0 if path.is_symlink() else os.O_CREAT | os.O_NOFOLLOW), 0o600)
    except OSError as error:
        _log.warning("the journal %s cannot be locked: %s", journal, reason(error))
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise JournalError(f"expected a journal that no other program uses, got one in use: {journal}") from error
    try:
        yield
    finally:
        os.close(file)


def is_in_use(journal: Path) -> bool:
    """Whether a program holds the lock of a journal; nothing is written."""
    try:
        file = os.open(journal.with_name(f"{journal.name}.lock"), os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False

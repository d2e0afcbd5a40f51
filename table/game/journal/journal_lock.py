"""Holds a journal for one program: two that write the same one would each lose what the other wrote."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table.runtime.table_errors import JournalError

_log = logging.getLogger(__name__)


@contextmanager
def lock_journal(journal: Path) -> Iterator[None]:
    """Holds a journal for one program while the context is open; a killed one lets it go.

    Raises:
        JournalError: another program has it.
    """
    try:
        file = os.open(journal.with_name(f"{journal.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        _log.warning("the journal %s cannot be locked: %s", journal, error)
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
    """Whether a program holds a journal; nothing is written."""
    try:
        file = os.open(journal.with_name(f"{journal.name}.lock"), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False

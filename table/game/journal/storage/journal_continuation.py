"""Finds the database in which a journal goes on that could not be written to where it was.

A journal that could not be written to at the start is shown from a copy in memory, and a disk may be taken away and put
back: either goes on only in a database that ends with the same entry.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from table.game.journal.storage.journal_database import JournalDatabase
from table.game.journal.storage.journal_format import FORMAT
from table.runtime.table_errors import JournalError

OpenDatabase = Callable[[], JournalDatabase]
"""Opens a database; raises `JournalError` if that is not possible now."""
_abandoned: Final[list[JournalDatabase]] = []
"""Databases of files that were taken away: closing one would delete the log of the file that lies there now."""
_log = logging.getLogger(__name__)


class StandIn:
    """A copy in memory, in place of a journal that cannot be written to."""

    def __init__(self, reason: str, open_original: OpenDatabase | None) -> None:
        """Takes the reason, and what opens the original; None if the original must not be continued."""
        self.reason = reason
        self._open_original = open_original

    def original(self, copy: JournalDatabase) -> JournalDatabase | None:
        """Returns the original if it takes entries now and ends as its copy does, which is then closed."""
        if self._open_original is None:
            return None
        original = _open_continuation(copy, self._open_original)
        if original is not None:
            copy.close()
        return original


def database_in_place(database: JournalDatabase) -> JournalDatabase | None:
    """Returns the database in the place where one was opened: the same, or one put there that ends with the same entry.

    None if nothing or something else lies there.
    """
    if database.is_in_place:
        return database
    if database.is_missing:
        return None
    other = _open_continuation(database, partial(JournalDatabase, database.path))
    if other is not None:
        _log.warning("the journal %s was taken away and put back: it is written to again", database.location)
        database.close_mark()
        _abandoned.append(database)
    return other


def _open_continuation(database: JournalDatabase, open_other: OpenDatabase) -> JournalDatabase | None:
    """Returns another database if it can be opened, and ends with the last entry that was written to the first."""
    try:
        other = open_other()
    except JournalError:
        return None
    if other.format == FORMAT and other.end == database.end:
        return other
    other.close()
    return None

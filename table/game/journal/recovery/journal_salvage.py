"""Salvages a damaged journal if no intact backup has more of it: its entries up to the first altered one."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_files import copied_to_memory
from table.game.journal.storage.entry_chain import START, checked_links, last_link, link_of
from table.game.journal.storage.journal_format import CHAINED, format_of
from table.game.journal.storage.opened_database import READ_WRITE, open_database
from table.game.journal.storage.stored_entries import stored_entries
from vision.errors import reason

_log = logging.getLogger(__name__)


def readable_part(path: Path) -> Journal:
    """Returns a journal in memory with the intact first entries of a damaged one, which may be none.

    Args:
        path: the damaged journal, which must not be in use; it is only read.
    """
    journal = Journal(None)
    try:
        with (
            copied_to_memory(path) as copy_path,
            open_database(copy_path, READ_WRITE) as database,
            journal.transaction(),
        ):
            is_chained = format_of(database, str(path)) >= CHAINED
            for entry in _intact_entries(database, str(path)) if is_chained else stored_entries(database):
                if entry.number != journal.last + 1:
                    break
                journal.append(entry.envelope, entry.body)
    except (OSError, sqlite3.Error) as error:
        _log.warning("the journal %s can be read up to entry %d: %s", path, journal.last, reason(error))
    return journal


def has_more_than_backup(path: Path, part: Journal, backup: Path) -> bool:
    """Returns whether the readable part of a damaged journal has everything in an intact backup, and more.

    False if one of them has no hashes, since only hashes show what is intact, or if the backup is another journal's.
    """
    try:
        with (
            open_database(backup) as backup_database,
            copied_to_memory(path) as copy_path,
            open_database(copy_path, READ_WRITE) as damaged_database,
        ):
            if min(format_of(backup_database, str(backup)), format_of(damaged_database, str(path))) < CHAINED:
                return False
            last, head = last_link(backup_database)
            return last < part.last and link_of(damaged_database, last) == head
    except (OSError, sqlite3.Error):
        return False


def _intact_entries(database: sqlite3.Connection, location: str) -> Iterator[Entry]:
    """Yields the entries up to the first with a wrong hash.

    Raises:
        JournalError: an entry was altered, or cannot be read.
        sqlite3.Error: the file cannot be read any further.
    """
    last = (0, START)
    while found := list(checked_links(database, location, after=last, limit=1)):
        (last,) = found
        yield from stored_entries(database, after=last[0] - 1, limit=1)

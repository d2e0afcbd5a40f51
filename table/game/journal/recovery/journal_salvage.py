"""Salvages a damaged journal of which no intact backup has more: its entries up to the first altered one."""

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
from table.game.journal.storage.opened_database import WRITING, opened
from table.game.journal.storage.stored_entries import stored_entries

_log = logging.getLogger(__name__)


def readable_part(path: Path) -> Journal:
    """Returns a journal in memory with the intact first entries of a damaged one, which may be none.

    Args:
        path: the damaged journal, which must not be in use; it is only read.
    """
    journal = Journal(None)
    try:
        with copied_to_memory(path) as copied, opened(copied, WRITING) as database, journal.together():
            is_chained = format_of(database, str(path)) >= CHAINED
            for entry in _holding(database, str(path)) if is_chained else stored_entries(database):
                if entry.number != journal.last + 1:
                    break
                journal.append(entry.envelope, entry.body)
    except (OSError, sqlite3.Error) as error:
        _log.warning("the journal %s can be read up to entry %d: %s", path, journal.last, error)
    return journal


def part_goes_on(path: Path, part: Journal, backup: Path) -> bool:
    """Returns whether the readable part of a damaged journal has everything in an intact backup, and more.

    False without hashes in one of them, since only these tell what is intact, and for a backup of another journal.
    """
    try:
        with opened(backup) as copy, copied_to_memory(path) as copied, opened(copied, WRITING) as damaged:
            if min(format_of(copy, str(backup)), format_of(damaged, str(path))) < CHAINED:
                return False
            last, head = last_link(copy)
            return last < part.last and link_of(damaged, last) == head
    except (OSError, sqlite3.Error):
        return False


def take_up(journal: Journal, part: Journal) -> None:
    """Writes the salvaged entries of a damaged journal into the empty one that replaces it."""
    with journal.together():
        for entry in part.entries():
            journal.append(entry.envelope, entry.body)


def _holding(database: sqlite3.Connection, where: str) -> Iterator[Entry]:
    """Yields the entries up to the first with a wrong hash.

    Raises:
        JournalError: an entry was altered, or cannot be read.
        sqlite3.Error: the file cannot be read any further.
    """
    last = (0, START)
    while found := list(checked_links(database, where, after=last, most=1)):
        (last,) = found
        yield from stored_entries(database, after=last[0] - 1, most=1)

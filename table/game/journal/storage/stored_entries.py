"""Reads the entries of a journal's database, of any format."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

from table.game.journal.entries import AFTER_ALL, Body, Entry, Envelope
from table.game.journal.storage.journal_codec import decode, parse_stored
from table.game.journal.storage.stored_rules import with_rules
from table.runtime.table_errors import JournalError

ENTRIES: Final = "SELECT number, CAST(envelope AS TEXT), CAST(body AS TEXT) FROM entry WHERE number > ?"
"""SQL: the entries above a number; one flipped bit makes a text bytes to SQLite, with the same content and hash."""


def stored_entries(
    database: sqlite3.Connection, *, after: int = 0, upto: int = AFTER_ALL, limit: int = -1
) -> Iterator[Entry]:
    """Yields at most `limit` entries of a journal's file with numbers above `after` up to `upto`, in order; -1 for all.

    The file may be of any format.

    Raises:
        JournalError: an entry cannot be read; the message names its number.
        sqlite3.Error: the file cannot be read.
    """
    with closing(database.execute(f"{ENTRIES} AND number <= ? ORDER BY number LIMIT ?", (after, upto, limit))) as rows:
        for row in rows:
            yield entry_of(row, database)


def entry_of(row: tuple[Any, ...], database: sqlite3.Connection) -> Entry:
    """Returns the entry of a row (number, envelope and body), with the rule set that it may refer to.

    Raises:
        JournalError: the entry cannot be read; the message names its number.
        sqlite3.Error: the file cannot be read.
    """
    number, envelope, body = row
    try:
        data = with_rules(parse_stored(body), database)
        return Entry(number=number, envelope=decode(Envelope, parse_stored(envelope)), body=decode(Body, data))
    except (JournalError, TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"entry {number}: {error}") from error

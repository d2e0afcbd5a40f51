"""What a backup holds besides the journal: texts by name, in a table that earlier versions restore but never read.

The names and what the texts mean are the table's own: see `table.appliance.files.club_files`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from table.game.journal.storage.opened_database import IMMUTABLE, open_database
from table.runtime.table_errors import JournalError

LONGEST_TEXT: Final = 1_000_000
"""The length of the longest text that is read, in letters."""
MOST_TEXTS: Final = 500
"""The largest number of texts that are read."""


def store_texts(database: sqlite3.Connection, texts: Mapping[str, str]) -> None:
    """Replaces the texts of an open copy of a journal; even without texts, their table is created."""
    drop_texts(database)
    database.execute("CREATE TABLE beside (name TEXT PRIMARY KEY, text TEXT NOT NULL)")
    database.executemany("INSERT INTO beside VALUES (?, ?)", texts.items())
    database.commit()


def drop_texts(database: sqlite3.Connection) -> None:
    """Deletes the texts, since a journal in use has none."""
    database.execute("DROP TABLE IF EXISTS beside")
    database.commit()


def texts_in(backup: Path) -> dict[str, str] | None:
    """Returns the texts of a backup by name; None if it is of a version that kept the journal alone.

    Raises:
        JournalError: they cannot be read.
    """
    try:
        with open_database(backup, IMMUTABLE) as database:
            if database.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'beside'").fetchone():
                rows = database.execute(
                    "SELECT name, text FROM beside "
                    "WHERE typeof(name) = 'text' AND typeof(text) = 'text' AND length(text) <= ? LIMIT ?",
                    (LONGEST_TEXT, MOST_TEXTS),
                )
                return dict(rows.fetchall())
    except sqlite3.Error as error:
        raise JournalError(f"expected what belongs to a journal in {backup}, got: {error}") from error
    return None

"""The number of the journal's format, the tables of a file of it, and how an older file becomes one of it.

| format | holds |
|---|---|
| 1 | the entries alone |
| 2 | with each entry, a hash of it and of the one before; each rule set once; where the games begin |
| 3 | the mark of the post that an entry came by; scores that people set by hand |
| 4 | with each game, whether a missing stick is asked for in play |

A file says its format in SQLite's ``user_version``. Each version reads every format up to its own and writes its own
alone: `table.game.journal.journal_opening.open_journal` copies an older journal and then brings it up.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from table.game.journal.entry_chain import START, entry_hash
from table.game.journal.stored_rules import GAMES_INDEX, RULES_TABLE
from table.runtime.table_errors import JournalError, NewerJournalError

FORMAT: Final = 4
CHAINED: Final = 2
"""The first format whose entries carry hashes."""
_CHAINED_COLUMNS: Final = ["number", "envelope", "body", "hash"]
_COLUMNS: Final = {1: ["number", "envelope", "body"], **dict.fromkeys((2, 3, FORMAT), _CHAINED_COLUMNS)}
"""What an entry's row holds, by format."""
_SCHEMA: Final = (
    "CREATE TABLE entry "
    "(number INTEGER PRIMARY KEY AUTOINCREMENT, envelope TEXT NOT NULL, body TEXT NOT NULL, hash BLOB)",
    RULES_TABLE,
    GAMES_INDEX,
)
_AT_ONCE: Final = 5000
"""How many entries are read at once while a journal is brought up."""


def format_of(database: sqlite3.Connection, where: str) -> int:
    """Returns the format of a journal that this version reads.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is no journal; an empty file is none either.
    """
    (found,) = database.execute("PRAGMA user_version").fetchone()
    if found > FORMAT:
        raise NewerJournalError(where, found=found, read=FORMAT)
    if found not in _COLUMNS:
        raise JournalError(f"expected a journal of format {FORMAT} in {where}, got format {found}")
    columns = [name for _, name, *_ in database.execute("PRAGMA table_info(entry)")]
    if columns != _COLUMNS[found]:
        raise JournalError(f"expected a journal of format {found} in {where}, got entries of {', '.join(columns)}")
    return int(found)


def is_blank(database: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to a file: it is new, or a power cut ended the making of it."""
    (found,) = database.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if found or tables - {"entry", "sqlite_sequence"}:
        return False
    return not tables or database.execute("SELECT number FROM entry").fetchone() is None


def make_tables(database: sqlite3.Connection) -> None:
    """Makes a blank file a journal of this version's format, at once or not at all."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DROP TABLE IF EXISTS entry")
        for table in _SCHEMA:
            database.execute(table)
        database.execute(f"PRAGMA user_version={FORMAT}")


def upgrade(database: sqlite3.Connection) -> None:
    """Brings a journal of an older format up to this version's, at once or not at all; its entries stay as they are.

    Raises:
        sqlite3.Error: the disk does not take it; the journal is as it was.
    """
    with database:
        database.execute("BEGIN IMMEDIATE")
        if format_of(database, "the journal") < CHAINED:
            _chain(database)
        database.execute(f"PRAGMA user_version={FORMAT}")


def _chain(database: sqlite3.Connection) -> None:
    """Gives every entry its hash, and makes the tables of a journal that has them."""
    database.execute("ALTER TABLE entry ADD COLUMN hash BLOB")
    database.execute(RULES_TABLE)
    database.execute(GAMES_INDEX)
    before = START
    for rows in _batches(database):
        hashes = []
        for number, envelope, body in rows:
            before = entry_hash(before, number, envelope, body)
            hashes.append((before, number))
        database.executemany("UPDATE entry SET hash = ? WHERE number = ?", hashes)


def _batches(database: sqlite3.Connection) -> Iterator[list[tuple[int, bytes, bytes]]]:
    """The entries as they are written, some at a time."""
    last = -1
    while rows := database.execute(
        "SELECT number, CAST(envelope AS BLOB), CAST(body AS BLOB) FROM entry WHERE number > ? ORDER BY number LIMIT ?",
        (last, _AT_ONCE),
    ).fetchall():
        yield rows
        last = rows[-1][0]

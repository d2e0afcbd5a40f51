"""The journal's format: its number, its tables, and the upgrade of older files.

| format | holds |
|---|---|
| 1 | the entries alone |
| 2 | with each entry, a hash of it and of the one before; each rule set once; where the games begin |
| 3 | the mark of the request that caused an entry; scores corrected by people |
| 4 | for each game, whether a missing stick is asked for during play |
| 5 | openings of games that are undone, and what undoes and redoes; melds of hands entered tile by tile |
| 6 | whether a camera followed a hand that was drawn |
| 7 | from where on discards may have gone unseen |
| 8 | that no discard went unseen |
| 9 | whether a game counts for the season |
| 10 | which entry ended a hand whose settlement is recorded; whether a hand that a chombo ended counts |

The format of a file is its ``user_version`` in SQLite. Each version reads every format up to its own, but only writes
its own: `table.game.journal.recovery.journal_opening.open_journal` copies an older journal and then upgrades it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from table.game.journal.storage.entry_chain import START, entry_hash
from table.game.journal.storage.stored_rules import GAMES_INDEX, RULES_TABLE, UNDOING_INDEX
from table.runtime.table_errors import JournalError, NewerJournalError

FORMAT: Final = 10
CHAINED: Final = 2
"""The first format whose entries carry hashes."""
_CHAINED_COLUMNS: Final = ["number", "envelope", "body", "hash"]
_COLUMNS: Final = {
    1: ["number", "envelope", "body"],
    **dict.fromkeys(range(CHAINED, FORMAT + 1), _CHAINED_COLUMNS),
}
"""The columns of an entry's row, by format."""
_SCHEMA: Final = (
    "CREATE TABLE entry "
    "(number INTEGER PRIMARY KEY AUTOINCREMENT, envelope TEXT NOT NULL, body TEXT NOT NULL, hash BLOB)",
    RULES_TABLE,
    GAMES_INDEX,
    UNDOING_INDEX,
)
_BATCH_SIZE: Final = 5000
"""The number of entries read at once while a journal is upgraded."""


def format_of(database: sqlite3.Connection, location: str) -> int:
    """Returns the format of a journal that this version can read.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is not a journal, or has no entries.
    """
    (found,) = database.execute("PRAGMA user_version").fetchone()
    if found > FORMAT:
        raise NewerJournalError(location, found=found, newest=FORMAT)
    if not found and is_blank(database):
        raise JournalError(
            f"expected a journal in {location}, got a file without entries; if it is a copy, its entries are in the "
            "file with -wal after its name, which was not copied with it"
        )
    if found not in _COLUMNS:
        raise JournalError(f"expected a journal of format {FORMAT} in {location}, got format {found}")
    columns = [name for _, name, *_ in database.execute("PRAGMA table_info(entry)")]
    if columns != _COLUMNS[found]:
        raise JournalError(f"expected a journal of format {found} in {location}, got entries of {', '.join(columns)}")
    return int(found)


def check_only_keeps_entries(database: sqlite3.Connection, location: str) -> None:
    """Checks that nothing else happens when a journal is written to: it has no triggers, and no views.

    Raises:
        JournalError: it has one.
    """
    found = database.execute("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')").fetchone()
    if found is not None:
        raise JournalError(f"expected a journal that only keeps entries in {location}, got one with {found[0]!r}")


def is_blank(database: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to a file: it is new, or its creation was interrupted."""
    (found,) = database.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if found or tables - {"entry", "sqlite_sequence"}:
        return False
    return not tables or database.execute("SELECT number FROM entry").fetchone() is None


def make_tables(database: sqlite3.Connection) -> None:
    """Makes a blank file a journal of this version's format, completely or not at all."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DROP TABLE IF EXISTS entry")
        for table in _SCHEMA:
            database.execute(table)
        database.execute(f"PRAGMA user_version={FORMAT}")


def upgrade(database: sqlite3.Connection) -> None:
    """Upgrades a journal to this version's format, completely or not at all; its entries do not change.

    Raises:
        sqlite3.Error: the disk cannot be written to; the journal was not changed.
    """
    with database:
        database.execute("BEGIN IMMEDIATE")
        if format_of(database, "the journal") < CHAINED:
            _add_hashes(database)
        database.execute(UNDOING_INDEX)
        database.execute(f"PRAGMA user_version={FORMAT}")


def _add_hashes(database: sqlite3.Connection) -> None:
    """Adds the hash of every entry, and creates the tables of a journal with hashes."""
    database.execute("ALTER TABLE entry ADD COLUMN hash BLOB")
    database.execute(RULES_TABLE)
    database.execute(GAMES_INDEX)
    last_hash = START
    for rows in _batches(database):
        hashes = []
        for number, envelope, body in rows:
            last_hash = entry_hash(last_hash, number, envelope, body)
            hashes.append((last_hash, number))
        database.executemany("UPDATE entry SET hash = ? WHERE number = ?", hashes)


def _batches(database: sqlite3.Connection) -> Iterator[list[tuple[int, bytes, bytes]]]:
    """Yields the entries as stored, in batches."""
    last = -1
    while rows := database.execute(
        "SELECT number, CAST(envelope AS BLOB), CAST(body AS BLOB) FROM entry WHERE number > ? ORDER BY number LIMIT ?",
        (last, _BATCH_SIZE),
    ).fetchall():
        yield rows
        last = rows[-1][0]

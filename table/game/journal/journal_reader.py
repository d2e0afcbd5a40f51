"""Reads a journal in any thread, without blocking the thread that writes it.

A journal on the disk is read through separate connections: SQLite's write-ahead log allows one writer and any number of
readers at the same time. A journal in memory has only one connection, so it is read in small parts, and a reader could
see what the writer has not committed yet: entries are read only up to the last whole action.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from table.game.journal.entries import AFTER_ALL, Entry, GameOpened
from table.game.journal.journal import Journal
from table.game.journal.storage.journal_format import CHAINED
from table.game.journal.storage.opened_database import open_database
from table.game.journal.storage.stored_entries import ENTRIES, entry_of
from table.game.journal.storage.stored_rules import GAME_STARTS, GAMES
from table.runtime.table_errors import JournalError

BATCH_SIZE: Final = 200
"""The number of rows read at once, and so the longest wait of the writer of a journal in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStart:
    """The place in the journal where a game starts."""

    number: int
    """The number of the entry that opens it."""
    previous_hash: bytes = b""
    """The hash of the entry before it, which covers every byte of all earlier games; empty if unknown."""


class JournalReader:
    """Access to an open journal for threads that do not own it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        """Returns the entries with numbers above `after`, up to and including `upto`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        end = min(AFTER_ALL if upto is None else upto, self._journal.last_complete)
        waiting_entries = self._journal.waiting_entries  # before the file, where entries written meanwhile are found
        with self._database() as database:
            entries = [entry_of(row, database) for row in _rows_in_batches(database, ENTRIES, after, end)]
        last = entries[-1].number if entries else after
        return (*entries, *(entry for entry in waiting_entries if last < entry.number <= end))

    def games(self, after: int = 0) -> tuple[GameStart, ...]:
        """Returns the starts of the games opened by entries with numbers above `after`, in order.

        Raises:
            JournalError: the journal cannot be read.
        """
        end, waiting_entries = self._journal.last_complete, self._journal.waiting_entries
        query = GAMES if self._journal.format >= CHAINED else GAME_STARTS
        with self._database() as database:
            rows = _rows_in_batches(database, query, after, end)
            starts = [
                GameStart(number=number, previous_hash=b"".join(filter(None, hashes))) for number, *hashes in rows
            ]
        last = starts[-1].number if starts else after
        waiting_openings = [
            entry.number
            for entry in waiting_entries
            if isinstance(entry.body, GameOpened) and last < entry.number <= end
        ]
        return (*starts, *(GameStart(number=number) for number in waiting_openings))

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        path = self._journal.path
        try:
            if path is None:
                yield self._journal.memory
            else:
                with open_database(path) as database:
                    yield database
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {path or 'memory'}: {error}") from error


def _rows_in_batches(database: sqlite3.Connection, query: str, after: int, end: int) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a query for numbers above `after`, up to `end`, reading them in batches."""
    while True:
        rows = database.execute(f"{query} AND number <= ? ORDER BY number LIMIT {BATCH_SIZE}", (after, end)).fetchall()
        yield from rows
        if len(rows) < BATCH_SIZE:
            return
        after = rows[-1][0]

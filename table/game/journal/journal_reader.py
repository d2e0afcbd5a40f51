"""Reads a journal beside the thread that writes it: in any thread, of any length, and nobody waits for it.

A journal on the disk is read by connections of the reader's own: SQLite's write-ahead log lets one writer and any
number of readers go on beside each other. One in memory has but one connection, so it is read a little at a time. Only
whole acts are read: never half of what somebody does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from table.game.journal.entries import Entry, GameOpened
from table.game.journal.journal import ENTRIES, Journal, entry_of
from table.game.journal.journal_format import CHAINED
from table.game.journal.opened_database import opened
from table.game.journal.stored_rules import GAME_STARTS, GAMES
from table.runtime.table_errors import JournalError

AT_ONCE: Final = 200
"""How many rows are read together: what the writer of a journal in memory waits for at most."""
_END: Final = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStart:
    """Where a game begins."""

    number: int
    """The entry that opens it."""
    before: bytes = b""
    """The hash of the entry before it, which says of every byte of all games before; empty where it is not known."""


class JournalReader:
    """What may be asked of one open journal by threads that do not own it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        """Returns the entries with a number above `after`, up to and with `upto`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        end = _END if upto is None else upto
        waiting = self._journal.waiting_entries  # first: what is written meanwhile is found in the file, too
        with self._database() as database:
            written = [entry_of(row, database) for row in _in_parts(database, ENTRIES, after, end)]
        last = written[-1].number if written else after
        return (*written, *(each for each in waiting if last < each.number <= end))

    def games(self, after: int = 0) -> tuple[GameStart, ...]:
        """Returns where the games begin that entries with a number above `after` open, in order.

        Raises:
            JournalError: the journal cannot be read.
        """
        waiting = self._journal.waiting_entries
        with self._database() as database:
            rows = _in_parts(database, GAMES if self._journal.format >= CHAINED else GAME_STARTS, after, _END)
            found = [GameStart(number=number, before=b"".join(filter(None, hashes))) for number, *hashes in rows]
        last = found[-1].number if found else after
        opened = [each.number for each in waiting if isinstance(each.body, GameOpened) and each.number > last]
        return (*found, *(GameStart(number=number) for number in opened))

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        path = self._journal.path
        try:
            if path is None:
                yield self._journal.memory
            else:
                with opened(path) as database:
                    yield database
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {path or 'memory'}: {error}") from error


def _in_parts(database: sqlite3.Connection, query: str, after: int, end: int) -> Iterator[tuple[Any, ...]]:
    """The rows of a query for what is above a number, as far as another, some at a time."""
    while True:
        rows = database.execute(f"{query} AND number <= ? ORDER BY number LIMIT {AT_ONCE}", (after, end)).fetchall()
        yield from rows
        if len(rows) < AT_ONCE:
            return
        after = rows[-1][0]

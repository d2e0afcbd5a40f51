"""Lists the games in a journal's file, each with a unique identity. The file is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from table.game.journal.storage.entry_chain import link_of
from table.game.journal.storage.journal_format import FORMAT, check_only_keeps_entries, format_of
from table.game.journal.storage.opened_database import IMMUTABLE, READ_ONLY, check_pages, open_database
from table.game.journal.storage.stored_entries import ENTRIES, entry_of
from table.game.journal.storage.stored_rules import GAME_STARTS, OPENINGS
from table.runtime.table_errors import JournalError


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalGame:
    """A game's place in the journal."""

    opening: str
    """The hash of its opening entry: the same in every copy of the journal."""
    key: str
    """The hash of its last entry, which covers every byte of the journal up to there."""
    first: int
    last: int
    """The numbers of its first and last entry."""
    is_closed: bool
    """Whether a later game exists, so that this one no longer changes, unless the later one's opening is undone."""
    is_undone: bool = False
    """Whether its opening is undone, so that this copy of the journal has no such game."""


@contextmanager
def open_games(path: Path) -> Iterator[sqlite3.Connection]:
    """Opens a journal for reading its games; an older format is upgraded in memory.

    Raises:
        JournalError: it cannot be read.
    """
    # If nobody writes, SQLite need not create its side files, which another user could not create either.
    mode = READ_ONLY if path.with_name(f"{path.name}-wal").exists() else IMMUTABLE
    try:
        with open_database(path, mode) as database:
            if format_of(database, str(path)) == FORMAT:
                yield database
                return
            check_only_keeps_entries(database, str(path))
            check_pages(database)
            with Journal(None) as journal:
                journal.take_over(database)
                yield journal.memory
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def games_in(database: sqlite3.Connection) -> list[JournalGame]:
    """Returns the games of an open journal, oldest first, and then those whose openings are undone."""
    starts = [number for (number,) in database.execute(f"{GAME_STARTS} ORDER BY number", (0,))]
    (last,) = database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
    head = hash_of(database, last)
    undone_starts = sorted({number for (number,) in database.execute(OPENINGS, (0,))}.difference(starts))
    return [
        JournalGame(
            opening=hash_of(database, start),
            key=hash_of(database, next_start - 1),
            first=start,
            last=next_start - 1,
            is_closed=next_start <= last,
        )
        for start, next_start in pairwise([*starts, last + 1])
    ] + [
        JournalGame(
            opening=hash_of(database, number), key=head, first=number, last=last, is_closed=False, is_undone=True
        )
        for number in undone_starts
    ]


def hash_of(database: sqlite3.Connection, number: int) -> str:
    """Returns the hexadecimal hash of an entry; empty if there is no entry of that number."""
    return (link_of(database, number) or b"").hex()


def entries_of(database: sqlite3.Connection, game: JournalGame) -> tuple[Entry, ...]:
    """Returns a game's entries.

    Raises:
        JournalError: an entry cannot be read.
    """
    rows = database.execute(f"{ENTRIES} AND number <= ? ORDER BY number", (game.first - 1, game.last)).fetchall()
    return tuple(entry_of(row, database) for row in rows)

"""The games in a journal's file, each read separately; nothing is written, even while a table uses the journal."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from table.game.journal.entries import AFTER_ALL, Entry
from table.game.journal.storage.journal_format import format_of
from table.game.journal.storage.opened_database import IMMUTABLE, READ_ONLY, check_pages, open_database
from table.game.journal.storage.stored_entries import ENTRIES, entry_of
from table.game.journal.storage.stored_rules import GAME_STARTS
from table.runtime.table_errors import JournalError

_COPY_ATTEMPTS: Final = 5
"""How often a journal is copied again if its file changes during the copy."""


class StoredGames:
    """Access to the games in one journal's file."""

    def __init__(self, database: sqlite3.Connection, location: str) -> None:
        self._database, self._location = database, location

    @property
    def numbers(self) -> list[int]:
        """Returns the number of the entry that opens each game, oldest first, which is also the number of its page.

        Raises:
            JournalError: the journal cannot be read.
        """
        try:
            return [number for (number,) in self._database.execute(f"{GAME_STARTS} ORDER BY number", (0,))]
        except sqlite3.Error as error:
            raise JournalError(f"expected a journal in {self._location}, got: {error}") from error

    def entries(self, number: int) -> tuple[Entry, ...]:
        """Returns the entries of the game with that number, from its opening; no other game is decoded.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        end = next((later for later in self.numbers if later > number), AFTER_ALL)
        try:
            rows = self._database.execute(f"{ENTRIES} AND number < ? ORDER BY number", (number - 1, end))
            return tuple(entry_of(row, self._database) for row in rows)
        except sqlite3.Error as error:
            raise JournalError(f"expected a journal in {self._location}, got: {error}") from error


@contextmanager
def stored_games(path: Path) -> Iterator[StoredGames]:
    """Opens a journal for reading; one with a write-ahead log is read from a copy, since SQLite needs files beside it.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is not a journal, or cannot be read.
    """
    if not path.is_file():
        raise JournalError(f"expected a journal, got none, at {path}")
    with TemporaryDirectory(prefix="tachiai-") as folder:
        try:
            source, mode = _readable_file(path, Path(folder))
            with open_database(source, mode) as database:
                format_of(database, str(path))
                check_pages(database)
                yield StoredGames(database, str(path))
        except sqlite3.Error as error:
            raise JournalError(f"expected a journal in {path}, got: {error}") from error


def _readable_file(path: Path, folder: Path) -> tuple[Path, str]:
    """Returns the file to open, and how: the journal itself if it is one complete file, else a copy."""
    log = path.with_name(f"{path.name}-wal")
    copy = folder / path.name
    for _ in range(_COPY_ATTEMPTS):
        if not log.exists() or not log.stat().st_size:
            return path, IMMUTABLE
        before = _stamp(path)
        shutil.copyfile(path, copy)
        try:
            shutil.copyfile(log, copy.with_name(log.name))
        except FileNotFoundError:  # the table that used it has just closed it
            continue
        if _stamp(path) == before:
            return copy, READ_ONLY
    return path, READ_ONLY


def _stamp(path: Path) -> tuple[int, int]:
    """Returns values that change whenever the log is merged into the file."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns

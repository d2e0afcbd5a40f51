"""The append-only journal in SQLite: every entry is on the disk before anybody hears of it.

Write-ahead log with ``synchronous=FULL``: a power cut loses at most the entry being written. Entries are never changed
or deleted; a correction is an entry too.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from table.errors import JournalError
from table.ledger.codec import decode, encode
from table.ledger.entries import Body, Entry, Envelope

FORMAT: Final = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entry (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    envelope TEXT NOT NULL,
    body TEXT NOT NULL
);
"""


class Journal:
    """One journal file, or one in memory (`path` None). A context manager; `close` may be called twice."""

    def __init__(self, path: Path | None) -> None:
        """Opens the journal and makes it where it is missing.

        Raises:
            JournalError: the file is no journal, is of another format, or cannot be opened.
        """
        self.path = path
        try:
            self._database = sqlite3.connect(":memory:" if path is None else path, check_same_thread=False)
        except sqlite3.Error as error:
            raise JournalError(f"cannot open the journal {self._where}: {error}") from error
        try:
            self._prepare()
        except JournalError:
            self._database.close()
            raise
        except sqlite3.Error as error:
            self._database.close()
            raise JournalError(f"expected a journal in {self._where}, got: {error}") from error

    @property
    def _where(self) -> str:
        return "memory" if self.path is None else str(self.path)

    def _prepare(self) -> None:
        self._database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000;")
        (found,) = self._database.execute("PRAGMA user_version").fetchone()
        if found not in (0, FORMAT):
            raise JournalError(f"expected a journal of format {FORMAT} in {self._where}, got format {found}")
        self._database.executescript(_SCHEMA + f"PRAGMA user_version={FORMAT};")

    def append(self, envelope: Envelope, body: Body) -> Entry:
        """Writes one entry durably and returns it with its number.

        Raises:
            JournalError: it could not be written; nothing was changed.
        """
        row = (json.dumps(encode(envelope)), json.dumps(encode(body)))
        try:
            with self._database:
                cursor = self._database.execute("INSERT INTO entry (envelope, body) VALUES (?, ?)", row)
        except sqlite3.Error as error:
            raise JournalError(f"cannot write to the journal in {self._where}: {error}") from error
        if cursor.lastrowid is None:
            raise JournalError(f"expected a number for the new entry in {self._where}, got none")
        return Entry(number=cursor.lastrowid, envelope=envelope, body=body)

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        try:
            with closing(
                self._database.execute("SELECT * FROM entry WHERE number > ? ORDER BY number", (after,))
            ) as rows:
                return tuple(_entry(row) for row in rows)
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error

    @property
    def last(self) -> int:
        """The number of the newest entry; 0 in an empty journal."""
        (number,) = self._database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
        return int(number)

    @property
    def durability(self) -> tuple[str, str]:
        """SQLite's journal mode and how hard it syncs, e.g. ``("wal", "full")``."""
        (mode,) = self._database.execute("PRAGMA journal_mode").fetchone()
        (level,) = self._database.execute("PRAGMA synchronous").fetchone()
        return mode, ("off", "normal", "full", "extra")[level]

    def close(self) -> None:
        """Closes the file; the write-ahead log is folded into it."""
        self._database.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _entry(row: tuple[Any, ...]) -> Entry:
    number, envelope, body = row
    try:
        return Entry(
            number=number, envelope=decode(Envelope, json.loads(envelope)), body=decode(Body, json.loads(body))
        )
    except (JournalError, ValueError) as error:
        raise JournalError(f"entry {number}: {error}") from error

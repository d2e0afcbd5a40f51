"""The append-only journal in SQLite: every entry is on the disk before anybody hears of it.

Write-ahead log with ``synchronous=FULL``: a power cut loses at most the entry being written. Entries are never changed
or deleted; a correction is an entry too. Where the disk is full or takes no writes, what cannot be written waits in
memory, in order, and is tried again with every entry; `trouble` says so meanwhile. What a camera saw may wait; what
people did is withdrawn by the table, which refuses it.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from table.game.journal.entries import Body, Entry, Envelope
from table.game.journal.journal_codec import decode, encode
from table.runtime.table_errors import JournalError

FORMAT: Final = 1
_log = logging.getLogger(__name__)
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
        self._waiting: list[Entry] = []
        self._trouble = ""
        self._shut_out = ""
        self._file: Path | None = None
        self._together = 0
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
        self._last = self._newest()

    def append(self, envelope: Envelope, body: Body) -> Entry:
        """Writes one entry durably and returns it with its number; a disk that fails makes it wait in memory.

        Raises:
            JournalError: the journal is closed; nothing was changed.
        """
        entry = Entry(number=self._last + 1, envelope=envelope, body=body)
        self._waiting.append(entry)
        try:
            if not self._together:
                self.flush()
        except JournalError:
            self._waiting.remove(entry)
            raise
        self._last = entry.number
        return entry

    @contextmanager
    def together(self) -> Iterator[None]:
        """Writes all entries of a context at once at its end: a power cut leaves all of them or none."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            if not self._together and self._waiting:
                self.flush()

    def withdraw(self, *, after: int) -> None:
        """Forgets the entries above the number `after` that still wait for the end of `together`: they never were."""
        self._waiting = [each for each in self._waiting if each.number <= after]
        self._last = max([after, *(each.number for each in self._waiting)])

    def flush(self) -> None:
        """Tries to write what waits in memory; where the disk still fails, it goes on waiting.

        Raises:
            JournalError: the journal is closed.
        """
        if self._shut_out and not self._is_let_in():
            self._trouble = self._shut_out
            return
        rows = [
            (each.number, json.dumps(encode(each.envelope)), json.dumps(encode(each.body))) for each in self._waiting
        ]
        try:
            with self._database:
                if rows:
                    self._database.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
                elif self._trouble:  # whether anything is taken again
                    self._database.execute(f"PRAGMA user_version={FORMAT}")
        except sqlite3.ProgrammingError as error:
            raise JournalError(f"cannot write to the journal in {self._where}: {error}") from error
        except sqlite3.Error as error:
            if not self._trouble:
                _log.error("cannot write to the journal in %s: %s", self._where, error)
            self._trouble = f"cannot write to the journal in {self._where}: {error}"
            return
        self._waiting.clear()
        self._trouble = ""

    def take_over(self, other: sqlite3.Connection) -> None:
        """Takes over everything of another database, in the place of what is there."""
        other.backup(self._database)
        self._last = self._newest()

    def shut_out(self, why: str, file: Path | None = None) -> None:
        """Writes nothing from now on: this is a copy in memory of a journal whose disk takes no writes.

        Args:
            why: what `trouble` says meanwhile.
            file: the journal that it is a copy of, which it goes on in once the disk takes writes again; None: never.
        """
        self._shut_out = self._trouble = why
        self._file = file

    def _is_let_in(self) -> bool:
        """Goes on in the file that it is a copy of, if that can be written to and holds the same."""
        if self._file is None:
            return False
        try:
            journal = Journal(self._file)
        except JournalError:
            return False
        if journal.last != self._newest():
            journal.close()
            return False
        self._database.close()
        self._database, self.path, self._shut_out = journal._database, self._file, ""
        return True

    def _newest(self) -> int:
        (number,) = self._database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
        return int(number)

    @property
    def trouble(self) -> str:
        """Why the disk takes nothing now; empty where all is written."""
        return self._trouble

    def is_waiting(self, *, after: int) -> bool:
        """Whether an entry above the number `after` waits in memory for the disk."""
        return any(each.number > after for each in self._waiting)

    @property
    def waiting(self) -> int:
        """How many entries wait in memory for the disk."""
        return len(self._waiting)

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        try:
            with closing(
                self._database.execute("SELECT * FROM entry WHERE number > ? ORDER BY number", (after,))
            ) as rows:
                written = tuple(_entry(row) for row in rows)
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error
        return written + tuple(each for each in self._waiting if each.number > after)

    @property
    def last(self) -> int:
        """The number of the newest entry; 0 in an empty journal."""
        return self._last

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

    def __exit__(self, *_: object) -> None:
        self.close()


def _entry(row: tuple[Any, ...]) -> Entry:
    number, envelope, body = row
    try:
        return Entry(
            number=number, envelope=decode(Envelope, json.loads(envelope)), body=decode(Body, json.loads(body))
        )
    except (JournalError, ValueError) as error:
        raise JournalError(f"entry {number}: {error}") from error

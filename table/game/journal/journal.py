"""The append-only journal in SQLite: every entry is on the disk before anybody hears of it.

Write-ahead log with ``synchronous=FULL``: a power cut loses at most the entry being written. Entries are never changed
or deleted; a correction is an entry too. Where the disk is full or takes no writes, play goes on: what cannot be
written waits in memory, in order, is tried again with every entry, and `trouble` says so meanwhile.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from table.game.journal.entries import Body, Entry, Envelope, GameOpened
from table.game.journal.journal_codec import decode, encode
from table.runtime.table_errors import JournalError

FORMAT: Final = 1
ENTRIES: Final = "SELECT number, envelope, body FROM entry WHERE number > ?"
"""SQL: the entries above a number."""
GAME_STARTS: Final = """SELECT number FROM entry WHERE substr(body, 1, 19) = '{"is": "GameOpened"' AND number > ?"""
"""SQL: the entries above a number that open games."""
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
        self._complete = 0
        """The last entry that belongs to no act that is still being written."""
        self._trouble = ""
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
        self._settle()
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
            self._settle()

    def _settle(self) -> None:
        """Notes that all entries may be read, once no act is being written."""
        if not self._together:
            self._complete = self._last

    def withdraw(self, *, after: int) -> None:
        """Forgets the entries above the number `after` that still wait for the end of `together`: they never were."""
        self._waiting = [each for each in self._waiting if each.number <= after]
        self._last = max([after, *(each.number for each in self._waiting)])
        self._complete = min(self._complete, self._last)

    def flush(self) -> None:
        """Tries to write what waits in memory; where the disk still fails, it goes on waiting.

        Raises:
            JournalError: the journal is closed.
        """
        rows = [
            (each.number, json.dumps(encode(each.envelope)), json.dumps(encode(each.body))) for each in self._waiting
        ]
        try:
            with self._database:
                self._database.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        except sqlite3.ProgrammingError as error:
            raise JournalError(f"cannot write to the journal in {self._where}: {error}") from error
        except sqlite3.Error as error:
            self._trouble = f"cannot write to the journal in {self._where}: {error}"
            _log.error("%s; %d entries wait in memory", self._trouble, len(self._waiting))
            return
        self._waiting.clear()
        self._trouble = ""

    def take_over(self, other: sqlite3.Connection) -> None:
        """Takes over everything of another database, in the place of what is there."""
        other.backup(self._database)
        self._last = self._newest()

    def _newest(self) -> int:
        (number,) = self._database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
        return int(number)

    @property
    def trouble(self) -> str:
        """Why the disk takes nothing now; empty where all is written."""
        return self._trouble

    @property
    def waiting(self) -> int:
        """How many entries wait in memory for the disk."""
        return len(self._waiting)

    @property
    def waiting_entries(self) -> tuple[Entry, ...]:
        """What waits in memory for the disk, in order, without an act that is still being written; for any thread."""
        complete, waiting = self._complete, tuple(self._waiting)
        return tuple(each for each in waiting if each.number <= complete)

    @property
    def memory(self) -> sqlite3.Connection:
        """The database of a journal in memory, for those who read it."""
        return self._database

    def last_game(self) -> tuple[Entry, ...]:
        """Returns the entries of the last game, its opening first; none where no game was opened.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        waiting = [each.number for each in self._waiting if isinstance(each.body, GameOpened)]
        if waiting:
            return self.entries(waiting[-1] - 1)
        try:
            found = self._database.execute(f"{GAME_STARTS} ORDER BY number DESC LIMIT 1", (0,)).fetchone()
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error
        return () if found is None else self.entries(found[0] - 1)

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        try:
            with closing(
                self._database.execute(
                    "SELECT number, envelope, body FROM entry WHERE number > ? ORDER BY number", (after,)
                )
            ) as rows:
                written = tuple(entry_of(row) for row in rows)
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


def entry_of(row: tuple[Any, ...]) -> Entry:
    """Reads a row of the table: number, envelope and body.

    Raises:
        JournalError: it cannot be read; the message names its number.
    """
    number, envelope, body = row
    try:
        return Entry(
            number=number, envelope=decode(Envelope, json.loads(envelope)), body=decode(Body, json.loads(body))
        )
    except (JournalError, ValueError) as error:
        raise JournalError(f"entry {number}: {error}") from error

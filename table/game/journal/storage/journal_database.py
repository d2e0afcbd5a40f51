"""A journal's SQLite database, in a file or in memory: its entries are written durably, and read.

It uses a write-ahead log with ``synchronous=FULL``: a power cut loses at most the entries being written. Entries are
never changed or deleted.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from table.game.journal.entries import Entry
from table.game.journal.storage.entry_chain import START, entry_hash, last_link, last_number
from table.game.journal.storage.journal_codec import encode
from table.game.journal.storage.journal_format import CHAINED, FORMAT, format_of, is_blank, make_tables, upgrade
from table.game.journal.storage.journal_mark import MarkFile
from table.game.journal.storage.opened_database import check_file, check_tables
from table.game.journal.storage.stored_entries import stored_entries
from table.game.journal.storage.stored_rules import GAME_STARTS, STORE_RULES, body_and_rules
from table.runtime.table_errors import JournalError

_log = logging.getLogger(__name__)


class JournalDatabase:
    """An open database of entries; `close` may be called twice."""

    def __init__(self, path: Path | None) -> None:
        """Opens the database, or creates it if it is missing; in memory if `path` is None.

        Raises:
            NewerJournalError: a newer version wrote it.
            JournalError: the file is not a journal, or cannot be opened.
        """
        self.path = path
        self.location = "memory" if path is None else str(path)
        """Its place, for messages."""
        self._mark = None if path is None else MarkFile(path)
        self._last_merged = 0
        """The number of the last entry that is known to be in the file itself."""
        try:
            if path is not None:
                check_file(path)
            self.connection = sqlite3.connect(":memory:" if path is None else path, check_same_thread=False)
        except sqlite3.Error as error:
            raise JournalError(f"cannot open the journal {self.location}: {error}") from error
        try:
            self._prepare()
        except JournalError:
            self.connection.close()
            raise
        except sqlite3.Error as error:
            self.connection.close()
            raise JournalError(f"expected a journal in {self.location}, got: {error}") from error
        self._file = _file_at(path)

    def _prepare(self) -> None:
        self.connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000;")
        check_tables(self.connection)
        if is_blank(self.connection):
            make_tables(self.connection)
        self._find_end()

    def _find_end(self) -> None:
        self.format = format_of(self.connection, self.location)
        """The number of its format; only one of this version's format can be written to."""
        is_chained = self.format >= CHAINED
        self.end = last_link(self.connection) if is_chained else (last_number(self.connection), START)
        """The number of its newest entry, and that entry's hash; 0 and `START` if it is empty."""

    def store(self, entries: Sequence[Entry]) -> None:
        """Writes entries durably, all or none.

        Raises:
            JournalError: the database is closed.
            sqlite3.Error: the disk cannot be written to.
        """
        rows, rules = _rows(entries, self.end[1])
        with self._write_access():
            self.connection.executemany(STORE_RULES, rules)
            self.connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", rows)
        for number, _, _, head in rows[-1:]:
            self.end = number, head
            if self._mark is not None:
                self._mark.write(number, head)

    def try_write(self) -> None:
        """Makes a write that changes nothing, to find out whether the disk works.

        Raises:
            JournalError, sqlite3.Error: as for `store`.
        """
        with self._write_access():
            self.connection.execute(f"PRAGMA user_version={FORMAT}")

    @contextmanager
    def _write_access(self) -> Iterator[None]:
        try:
            with self.connection:
                yield
        except sqlite3.ProgrammingError as error:
            raise JournalError(f"cannot write to the journal in {self.location}: {error}") from error

    def merge(self) -> None:
        """Merges the write-ahead log into the file, so that a copy of the file alone has every entry.

        If it is not possible now, nothing is lost; the next call tries again.
        """
        if self._last_merged == self.end[0]:
            return
        try:
            _, log_pages, merged_pages = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            _log.debug("cannot merge the log of the journal in %s: %s", self.location, error)
            return
        if merged_pages == log_pages:
            self._last_merged = self.end[0]

    def take_over(self, other: sqlite3.Connection) -> None:
        """Replaces the content of this database in memory by that of another one, and upgrades its format.

        Raises:
            NewerJournalError: a newer version wrote the other one.
            JournalError: the other one is not a journal.
        """
        other.backup(self.connection)
        if is_blank(self.connection):
            make_tables(self.connection)
        if format_of(self.connection, self.location) != FORMAT:
            upgrade(self.connection)
        self._find_end()

    @property
    def is_in_place(self) -> bool:
        """Whether its file still lies where it was opened; True in memory."""
        return _file_at(self.path) == self._file

    @property
    def is_missing(self) -> bool:
        """Whether no file lies where it was opened."""
        return self.path is not None and _file_at(self.path) is None

    def entries(self, after: int, upto: int) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, up to and including `upto`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        with self._read_access():
            return tuple(stored_entries(self.connection, after=after, upto=upto))

    def opening_before(self, number: int) -> int | None:
        """Returns the number of the entry that opened the last game before that entry; None if there is no game.

        Raises:
            JournalError: the journal cannot be read.
        """
        query = f"{GAME_STARTS} AND number < ? ORDER BY number DESC LIMIT 1"
        with self._read_access():
            found = self.connection.execute(query, (0, number)).fetchone()
        return None if found is None else int(found[0])

    def has_actions_before(self, number: int) -> bool:
        """Whether anything was played before that entry: something besides games opened and players named.

        An entry that cannot be read counts as something.

        Raises:
            JournalError: the journal cannot be read.
        """
        query = """SELECT 1 FROM entry WHERE number < ? AND
            CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.is'), '') ELSE '' END
            NOT IN ('GameOpened', 'Named') LIMIT 1"""
        with self._read_access():
            return self.connection.execute(query, (number,)).fetchone() is not None

    @contextmanager
    def _read_access(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self.location}: {error}") from error

    def close(self) -> None:
        """Closes the file, after merging the write-ahead log into it."""
        self.connection.close()
        self.close_mark()

    def close_mark(self) -> None:
        """Closes only its mark."""
        if self._mark is not None:
            self._mark.close()


def _rows(entries: Sequence[Entry], head: bytes) -> tuple[list[tuple[int, str, str, bytes]], list[tuple[str, str]]]:
    """Returns entries that follow the one with the hash `head` as rows, and the rule sets that they refer to."""
    rows, rule_sets = [], []
    for entry in entries:
        envelope, (body, rules) = json.dumps(encode(entry.envelope)), body_and_rules(entry.body)
        head = entry_hash(head, entry.number, envelope.encode(), body.encode())
        rows.append((entry.number, envelope, body, head))
        rule_sets += [] if rules is None else [rules]
    return rows, rule_sets


def _file_at(path: Path | None) -> tuple[int, int] | None:
    """Returns the numbers of device and file, which differ once another file lies there; None if there is none."""
    try:
        found = None if path is None else path.stat()
    except OSError:
        return None
    return None if found is None else (found.st_dev, found.st_ino)

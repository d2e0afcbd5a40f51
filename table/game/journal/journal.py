"""The append-only journal in SQLite: every entry is on the disk before it is announced.

It uses a write-ahead log with ``synchronous=FULL``: a power cut loses at most the entry being written. Entries are
never changed or deleted; a correction is a further entry. If the disk is full or cannot be written to, entries wait in
memory, in order, and are retried with every entry; meanwhile `trouble` has the reason. Only the camera's entries may
wait: the table withdraws and refuses the actions of people. A disk that is taken away and put back with the same
entries is written on.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from table.game.journal.entries import AFTER_ALL, Body, Entry, Envelope, GameOpened
from table.game.journal.storage.entry_chain import entry_hash, last_link, last_number
from table.game.journal.storage.journal_codec import decode, encode, parse_stored
from table.game.journal.storage.journal_format import CHAINED, FORMAT, format_of, is_blank, make_tables, upgrade
from table.game.journal.storage.journal_mark import MarkFile
from table.game.journal.storage.opened_database import check_file
from table.game.journal.storage.stored_rules import GAME_STARTS, STORE_RULES, as_written, with_rules
from table.runtime.table_errors import JournalError

ENTRIES: Final = "SELECT number, envelope, body FROM entry WHERE number > ?"
"""SQL: the entries above a number."""
_left: Final[list[sqlite3.Connection]] = []
"""Connections to files that were taken away: closing one would delete the log of the file that lies there now."""
_log = logging.getLogger(__name__)


class Journal:
    """A journal in a file, or in memory if `path` is None. A context manager; `close` may be called twice."""

    def __init__(self, path: Path | None) -> None:
        """Opens the journal, or creates it if it is missing; a journal of an older format can only be read.

        Raises:
            NewerJournalError: a newer version wrote it.
            JournalError: the file is not a journal, or cannot be opened.
        """
        self.path = path
        self._mark: MarkFile | None = None
        self._waiting: list[Entry] = []
        self._complete = 0
        """The number of the last entry that is not part of an action still being written."""
        self._trouble = ""
        self._shut_out = ""
        self._reopen: Callable[[], Journal] | None = None
        self._together = 0
        self._merged = 0
        """The number of the last entry that is known to be in the file itself."""
        try:
            if path is not None:
                check_file(path)
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
        self._file = _file_at(path)

    @property
    def _where(self) -> str:
        return "memory" if self.path is None else str(self.path)

    def _prepare(self) -> None:
        self._database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000;")
        if is_blank(self._database):
            make_tables(self._database)
        self._find_end()

    def _find_end(self) -> None:
        self._format = format_of(self._database, self._where)
        if self._format >= CHAINED:
            self._last, self._head = last_link(self._database)
        else:
            self._last = last_number(self._database)

    def append(self, envelope: Envelope, body: Body) -> Entry:
        """Writes one entry durably and returns it with its number; if the disk fails, it waits in memory.

        Raises:
            JournalError: the journal is closed, or of an older format; nothing was changed.
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
        """Writes all entries of the context at its end in one transaction: a power cut leaves all of them or none."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            if not self._together and self._waiting:
                self.flush()
            self._settle()

    def _settle(self) -> None:
        """Lets readers read all entries, unless an action is being written."""
        if not self._together:
            self._complete = self._last

    def withdraw(self, *, after: int) -> None:
        """Drops the entries with a number above `after` that still wait for the end of `together`."""
        self._waiting = [each for each in self._waiting if each.number <= after]
        self._last = max([after, *(each.number for each in self._waiting)])
        self._complete = min(self._complete, self._last)

    def flush(self) -> None:
        """Tries to write the entries waiting in memory; if the disk still fails, they keep waiting.

        Raises:
            JournalError: the journal is closed, or of an older format.
        """
        if self._shut_out and not self._is_let_in():
            self._trouble = self._shut_out
            return
        if self._format != FORMAT:
            raise JournalError(f"expected a journal of format {FORMAT} to write to, got {self._format}: {self._where}")
        if not self._is_in_place():
            self._trouble = f"cannot write to the journal in {self._where}: it was taken away"
            return
        rows, rules = self._rows()
        try:
            with self._database:
                if rows:
                    self._database.executemany(STORE_RULES, rules)
                    self._database.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", rows)
                elif self._trouble:  # checks whether the disk can be written to again
                    self._database.execute(f"PRAGMA user_version={FORMAT}")
        except sqlite3.ProgrammingError as error:
            raise JournalError(f"cannot write to the journal in {self._where}: {error}") from error
        except sqlite3.Error as error:
            if not self._trouble:
                _log.error("cannot write to the journal in %s: %s", self._where, error)
            self._trouble = f"cannot write to the journal in {self._where}: {error}"
            return
        if rows:
            self._head = rows[-1][-1]
            self._mark_end(rows[-1][0])
        self._waiting.clear()
        self._trouble = ""

    def merge(self) -> None:
        """Merges the write-ahead log into the file, so that a copy of the file alone has every entry.

        If it is not possible now, nothing is lost; the next call tries again.
        """
        if self._waiting or self._merged == self._last:
            return
        try:
            _, logged, merged = self._database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            _log.debug("cannot merge the log of the journal in %s: %s", self._where, error)
            return
        if merged == logged:
            self._merged = self._last

    def _mark_end(self, number: int) -> None:
        if self._mark is None and self.path is not None:
            self._mark = MarkFile(self.path)
        if self._mark is not None:
            self._mark.write(number, self._head)

    def _rows(self) -> tuple[list[tuple[int, str, str, bytes]], list[tuple[str, str]]]:
        """Returns the waiting entries as rows, and the rule sets that they refer to."""
        rows, stored, head = [], [], self._head
        for entry in self._waiting:
            envelope, (body, rules) = json.dumps(encode(entry.envelope)), as_written(entry.body)
            head = entry_hash(head, entry.number, envelope.encode(), body.encode())
            rows.append((entry.number, envelope, body, head))
            stored += [] if rules is None else [rules]
        return rows, stored

    def take_over(self, other: sqlite3.Connection) -> None:
        """Replaces the content of this journal in memory by that of another one, and upgrades its format.

        Raises:
            NewerJournalError: a newer version wrote the other one.
            JournalError: the other one is not a journal.
        """
        other.backup(self._database)
        if is_blank(self._database):
            make_tables(self._database)
        if format_of(self._database, self._where) != FORMAT:
            upgrade(self._database)
        self._find_end()

    def shut_out(self, why: str, reopen: Callable[[], Journal] | None = None) -> None:
        """Stops writing: this is a copy in memory of a journal that cannot be written to.

        Args:
            why: the value of `trouble` meanwhile.
            reopen: opens the original journal, which this one continues as soon as it can be written to; None if it
                must not be continued.
        """
        self._shut_out = self._trouble = why
        self._reopen = reopen

    def _is_let_in(self) -> bool:
        """Continues the original file if it is writable and contains the same entries; returns whether it did."""
        if self._reopen is None:
            return False
        try:
            journal = self._reopen()
        except JournalError:
            return False
        if not self._has_same_end(journal):
            journal.close()
            return False
        self._database.close()
        self._go_on_in(journal)
        self._shut_out = ""
        return True

    def _is_in_place(self) -> bool:
        """Whether its file lies where it was opened; another one with the same entries is written on."""
        file = _file_at(self.path)
        if file == self._file:
            return True
        if self.path is None or file is None:
            return False
        try:
            journal = Journal(self.path)
        except JournalError:
            return False
        if not self._has_same_end(journal):
            journal.close()
            return False
        _log.warning("the journal %s was taken away and put back: written on", self._where)
        _left.append(self._database)
        self._go_on_in(journal)
        return True

    def _has_same_end(self, other: Journal) -> bool:
        """Whether another journal ends with the last entry that this one has written."""
        written = self._waiting[0].number - 1 if self._waiting else self._last
        return other.format == FORMAT and last_link(other._database) == (written, self._head)

    def _go_on_in(self, other: Journal) -> None:
        if self._mark is not None:
            self._mark.close()
            self._mark = None
        self._database, self.path, self._file = other._database, other.path, other._file

    @property
    def trouble(self) -> str:
        """The reason why entries cannot be written now; empty if all are written."""
        return self._trouble

    def is_waiting(self, *, after: int) -> bool:
        """Whether an entry with a number above `after` is waiting in memory for the disk."""
        return any(each.number > after for each in self._waiting)

    @property
    def waiting(self) -> int:
        """The number of entries waiting in memory for the disk."""
        return len(self._waiting)

    @property
    def waiting_entries(self) -> tuple[Entry, ...]:
        """The entries waiting in memory for the disk, without an action still being written; for any thread."""
        complete, waiting = self._complete, tuple(self._waiting)
        return tuple(each for each in waiting if each.number <= complete)

    @property
    def memory(self) -> sqlite3.Connection:
        """The database of a journal in memory, for its readers."""
        return self._database

    def last_game(self) -> tuple[Entry, ...]:
        """Returns the entries of the last game, from its opening; none if no game was opened.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        waiting = [each.number for each in self._waiting if isinstance(each.body, GameOpened)]
        if waiting:
            return self.entries(waiting[-1] - 1)
        return self.game_before(AFTER_ALL)

    def game_before(self, number: int) -> tuple[Entry, ...]:
        """Returns the entries of the game before the one that the entry `number` opened, and all after it.

        None if no game was opened before.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        query = f"{GAME_STARTS} AND number < ? ORDER BY number DESC LIMIT 1"
        try:
            found = self._database.execute(query, (0, number)).fetchone()
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error
        return () if found is None else self.entries(found[0] - 1)

    def has_actions_before(self, number: int) -> bool:
        """Whether anything was played before that entry: something besides games opened and players named.

        What cannot be read counts as something.

        Raises:
            JournalError: the journal cannot be read.
        """
        query = """SELECT 1 FROM entry WHERE number < ? AND
            CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.is'), '') ELSE '' END
            NOT IN ('GameOpened', 'Named') LIMIT 1"""
        try:
            return self._database.execute(query, (number,)).fetchone() is not None
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error

    def entries(self, after: int = 0) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        try:
            written = tuple(stored_entries(self._database, after=after))
        except sqlite3.Error as error:
            raise JournalError(f"cannot read the journal in {self._where}: {error}") from error
        return written + tuple(each for each in self._waiting if each.number > after)

    @property
    def format(self) -> int:
        """The number of the file's format; only a journal of this version's format can be written to."""
        return self._format

    @property
    def last(self) -> int:
        """The number of the newest entry; 0 in an empty journal."""
        return self._last

    @property
    def durability(self) -> tuple[str, str]:
        """SQLite's journal mode and synchronous setting, e.g. ``("wal", "full")``."""
        (mode,) = self._database.execute("PRAGMA journal_mode").fetchone()
        (level,) = self._database.execute("PRAGMA synchronous").fetchone()
        return mode, ("off", "normal", "full", "extra")[level]

    def close(self) -> None:
        """Closes the file, after merging the write-ahead log into it."""
        self._database.close()
        if self._mark is not None:
            self._mark.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file_at(path: Path | None) -> tuple[int, int] | None:
    """Returns what tells a file from one that is put in its place; None if there is none."""
    try:
        found = None if path is None else path.stat()
    except OSError:
        return None
    return None if found is None else (found.st_dev, found.st_ino)


def stored_entries(database: sqlite3.Connection, *, after: int = 0, most: int = -1) -> Iterator[Entry]:
    """Yields at most `most` entries of a journal's file with a number above `after`, in order; -1 for all.

    The file may be of any format.

    Raises:
        JournalError: an entry cannot be read; the message names its number.
        sqlite3.Error: the file cannot be read.
    """
    with closing(database.execute(f"{ENTRIES} ORDER BY number LIMIT ?", (after, most))) as rows:
        for row in rows:
            yield entry_of(row, database)


def entry_of(row: tuple[Any, ...], database: sqlite3.Connection) -> Entry:
    """Returns the entry of a row (number, envelope and body), with the rule set that it may refer to.

    Raises:
        JournalError: the entry cannot be read; the message names its number.
        sqlite3.Error: the file cannot be read.
    """
    number, envelope, body = row
    try:
        told = with_rules(parse_stored(body), database)
        return Entry(number=number, envelope=decode(Envelope, parse_stored(envelope)), body=decode(Body, told))
    except (JournalError, TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"entry {number}: {error}") from error

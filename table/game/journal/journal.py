"""The append-only journal: every entry is on the disk before it is announced.

Entries are never changed or deleted; a correction is a further entry. If the disk is full or cannot be written to,
entries wait in memory, in order, and are retried with every entry; meanwhile `trouble` has the reason. Only the
camera's entries may wait: the table withdraws and refuses the actions of people. A disk that is taken away and put back
with the same entries is written to again.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from table.game.journal.entries import AFTER_ALL, Body, Entry, Envelope, GameOpened
from table.game.journal.storage.journal_continuation import OpenDatabase, StandIn, database_in_place
from table.game.journal.storage.journal_database import JournalDatabase
from table.game.journal.storage.journal_format import FORMAT
from table.runtime.table_errors import JournalError

_log = logging.getLogger(__name__)


class Journal:
    """A journal in a file, or in memory if `path` is None. A context manager; `close` may be called twice."""

    def __init__(self, path: Path | None) -> None:
        """Opens the journal, or creates it if it is missing; a journal of an older format can only be read.

        Raises:
            NewerJournalError: a newer version wrote it.
            JournalError: the file is not a journal, or cannot be opened.
        """
        self._database = JournalDatabase(path)
        self._last, _ = self._database.end
        self._queue: list[Entry] = []
        self._last_complete = self._last
        self._open_transactions = 0
        self._trouble = ""
        self._stand_in: StandIn | None = None

    def append(self, envelope: Envelope, body: Body) -> Entry:
        """Writes one entry durably and returns it with its number; if the disk fails, it waits in memory.

        Raises:
            JournalError: the journal is closed, or of an older format; nothing was changed.
        """
        entry = Entry(number=self._last + 1, envelope=envelope, body=body)
        self._queue.append(entry)
        try:
            if not self._open_transactions:
                self.flush()
        except JournalError:
            self._queue.remove(entry)
            raise
        self._last = entry.number
        self._release_to_readers()
        return entry

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Writes all entries of the context at its end in one transaction: a power cut leaves all of them or none."""
        self._open_transactions += 1
        try:
            yield
        finally:
            self._open_transactions -= 1
            if not self._open_transactions and self._queue:
                self.flush()
            self._release_to_readers()

    def _release_to_readers(self) -> None:
        """Lets readers read all entries, unless an action is being written."""
        if not self._open_transactions:
            self._last_complete = self._last

    def withdraw(self, *, after: int) -> None:
        """Drops the entries with a number above `after` that still wait for the end of `transaction`."""
        self._queue = [entry for entry in self._queue if entry.number <= after]
        self._last = after
        self._last_complete = min(self._last_complete, self._last)

    def flush(self) -> None:
        """Tries to write the entries waiting in memory; if the disk still fails, they keep waiting.

        Raises:
            JournalError: the journal is closed, or of an older format.
        """
        if not self._find_database():
            return
        try:
            if self._queue:
                self._database.store(self._queue)
            elif self._trouble:
                self._database.try_write()
        except sqlite3.Error as error:
            if not self._trouble:
                _log.error("cannot write to the journal in %s: %s", self._database.location, error)
            self._trouble = f"cannot write to the journal in {self._database.location}: {error}"
            return
        self._queue.clear()
        self._trouble = ""

    def _find_database(self) -> bool:
        """Finds the database to write to; without one, `trouble` says why.

        Raises:
            JournalError: the journal is of an older format.
        """
        if self._stand_in is not None:
            original = self._stand_in.original(self._database)
            if original is None:
                self._trouble = self._stand_in.reason
                return False
            self._database, self._stand_in = original, None
        if self.format != FORMAT:
            location = self._database.location
            raise JournalError(f"expected a journal of format {FORMAT} to write to, got {self.format}: {location}")
        found = database_in_place(self._database)
        if found is None:
            self._trouble = f"cannot write to the journal in {self._database.location}: it was taken away"
            return False
        self._database = found
        return True

    def merge(self) -> None:
        """Merges the write-ahead log into the file, so that a copy of the file alone has every entry.

        If it is not possible now, nothing is lost; the next call tries again.
        """
        if not self._queue:
            self._database.merge()

    def take_over(self, other: sqlite3.Connection) -> None:
        """Replaces the content of this journal in memory by that of another one, and upgrades its format.

        Raises:
            NewerJournalError: a newer version wrote the other one.
            JournalError: the other one is not a journal.
        """
        self._database.take_over(other)
        self._last, _ = self._database.end
        self._release_to_readers()

    def stop_writing(self, reason: str, reopen: OpenDatabase | None = None) -> None:
        """Stops writing: this is a copy in memory of a journal that cannot be written to.

        Args:
            reason: the value of `trouble` meanwhile; if it is empty, the journal is written to again.
            reopen: opens the original journal, which this one continues as soon as it can be written to; None if it
                must not be continued.
        """
        self._trouble = reason
        self._stand_in = StandIn(reason, reopen) if reason else None

    @property
    def path(self) -> Path | None:
        """Its file; None in memory."""
        return self._database.path

    @property
    def trouble(self) -> str:
        """The reason why entries cannot be written now; empty if all are written."""
        return self._trouble

    def has_waiting(self, *, after: int) -> bool:
        """Whether an entry with a number above `after` is waiting in memory for the disk."""
        return any(entry.number > after for entry in self._queue)

    @property
    def waiting_count(self) -> int:
        """The number of entries waiting in memory for the disk."""
        return len(self._queue)

    @property
    def last_complete(self) -> int:
        """The number of the last entry that is not part of an action still being written; for any thread."""
        return self._last_complete

    @property
    def waiting_entries(self) -> tuple[Entry, ...]:
        """The entries waiting in memory for the disk, without an action still being written; for any thread."""
        last_complete, waiting = self._last_complete, tuple(self._queue)
        return tuple(entry for entry in waiting if entry.number <= last_complete)

    @property
    def memory(self) -> sqlite3.Connection:
        """The database of a journal in memory, for its readers."""
        return self._database.connection

    def last_game(self) -> tuple[Entry, ...]:
        """Returns the entries of the last game, from its opening; empty if no game was opened.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        waiting_openings = [entry.number for entry in self._queue if isinstance(entry.body, GameOpened)]
        return self.entries(waiting_openings[-1] - 1) if waiting_openings else self.game_before(AFTER_ALL)

    def game_before(self, number: int, upto: int = AFTER_ALL) -> tuple[Entry, ...]:
        """Returns the entries of the game before the one that the entry `number` opened, and all after it up to `upto`.

        Empty if no game was opened before.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        opening = self._database.opening_before(number)
        return () if opening is None else self.entries(opening - 1, upto)

    def has_actions_before(self, number: int) -> bool:
        """Whether anything was played before that entry: something besides games opened and players named.

        An entry that cannot be read counts as something.

        Raises:
            JournalError: the journal cannot be read.
        """
        return self._database.has_actions_before(number)

    def entries(self, after: int = 0, upto: int = AFTER_ALL) -> tuple[Entry, ...]:
        """Returns all entries with a number above `after`, up to and including `upto`, in order.

        Raises:
            JournalError: an entry cannot be read; the message names its number.
        """
        waiting = tuple(entry for entry in self._queue if after < entry.number <= upto)
        return self._database.entries(after, upto) + waiting

    @property
    def format(self) -> int:
        """The number of the file's format; only a journal of this version's format can be written to."""
        return self._database.format

    @property
    def last(self) -> int:
        """The number of the newest entry; 0 in an empty journal."""
        return self._last

    def close(self) -> None:
        """Closes the file, after merging the write-ahead log into it."""
        self._database.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""The mark of a journal: a file with its last confirmed entry, to detect a journal whose end was lost.

Entries that SQLite has not yet merged into the file are in its write-ahead log; if the log is lost, the hash chain ends
earlier and is still intact. So once entries are on the disk, number and hash of the last one are written to a small
file, in place.

The entries up to the mark were confirmed, but there may be later ones: nobody waits until the mark is on the disk, so
after a power cut it may be some seconds old, and the loss of entries from these seconds is not detected.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from table.game.journal.storage.entry_chain import START, last_link, link_of
from table.game.journal.storage.journal_format import CHAINED, format_of, is_blank
from table.game.journal.storage.opened_database import open_database
from table.rules.terms.amounts import amount
from table.runtime.table_errors import JournalError
from vision.atomic_files import read_whole
from vision.errors import reason

SUFFIX: Final = ".mark"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEnd:
    """Confirmed entries that are no longer in the journal."""

    last: int
    """The number of the last remaining entry."""
    head: bytes
    """The hash of the last remaining entry."""
    last_confirmed: int
    """The number of the last entry that was confirmed."""

    @property
    def text(self) -> str:
        """A description of the lost entries for the owner."""
        return (
            f"expected {amount(self.last_confirmed, 'entry')} in the journal, as many as were confirmed, "
            f"got {self.last}: it or its write-ahead log was cut, damaged or lost"
        )


class MarkFile:
    """The mark of a journal being written; if the disk cannot be written to, only the mark is lost.

    No link is followed: it could lead to any file that this user may write.
    """

    def __init__(self, journal: Path) -> None:
        self._path = mark_of(journal)
        self._file: int | None = None

    def write(self, number: int, head: bytes) -> None:
        """Records that the entry with that number and hash is on the disk."""
        try:
            if self._file is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW
                self._file = os.open(self._path, flags, 0o600)
            os.pwrite(self._file, _line(number, head), 0)
        except OSError as error:
            _log.warning("the mark %s cannot be written: %s", self._path, reason(error))

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def mark_of(journal: Path) -> Path:
    """Returns the path of a journal's mark."""
    return journal.with_name(journal.name + SUFFIX)


def read_mark(journal: Path) -> tuple[int, bytes] | None:
    """Returns number and hash of the last confirmed entry; None if unknown."""
    with suppress(OSError, ValueError):
        line = read_whole(mark_of(journal))
        number, head, _ = line.split()
        found = int(number), bytes.fromhex(head.decode())
        return found if _line(*found) == line else None
    return None


def drop_mark(journal: Path) -> None:
    """Deletes the mark of a journal before the journal is replaced.

    Raises:
        OSError: the disk cannot be written to.
    """
    mark_of(journal).unlink(missing_ok=True)


def lost_end(journal: Path) -> LostEnd | None:
    """Compares a journal whose chain is intact, or that is missing, with its mark; None if no entry was lost.

    The mark is read first, since a table may write entries meanwhile. A missing file has no entries.

    Raises:
        JournalError: the journal cannot be read.
    """
    mark = read_mark(journal)
    if mark is None:
        return None
    if not journal.exists():
        return LostEnd(last=0, head=START, last_confirmed=mark[0])
    try:
        with open_database(journal) as database:
            if is_blank(database):
                last, head = 0, START
            elif format_of(database, str(journal)) >= CHAINED:
                last, head = last_link(database)
            else:  # written by an older version, which has no mark
                return None
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {journal}, got: {error}") from error
    return LostEnd(last=last, head=head, last_confirmed=mark[0]) if last < mark[0] else None


def contains_lost_entries(backup: Path, loss: LostEnd) -> bool:
    """Whether an intact backup contains all remaining entries of a journal and some of the lost ones."""
    with open_database(backup) as database:
        if format_of(database, str(backup)) < CHAINED:
            return False
        (last, _), hash_at_loss = last_link(database), link_of(database, loss.last)
        return last > loss.last and hash_at_loss == loss.head


def _line(number: int, head: bytes) -> bytes:
    """Returns the content of the mark; its length is constant, so that it can be overwritten in place."""
    text = b"%012d %b" % (number, head.hex().encode())
    return b"%b %b\n" % (text, blake2b(text, digest_size=4).hexdigest().encode())

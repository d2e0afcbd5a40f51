"""How far a journal had come, kept beside it: without the end of its log a journal is short, and whole by itself.

What SQLite has not yet folded into the file lies in its write-ahead log; without that, the chain of hashes ends earlier
and still holds. So once entries are on the disk, number and hash of the last one are written to a small file, in place.

What it says was confirmed; it may say too little. It is not waited for as the entries are, so after a power cut it may
be some seconds old, and of those a loss is not noticed: a disk that takes entries and loses them at once tells nobody.
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

from table.game.journal.entry_chain import START, last_link, link_of
from table.game.journal.journal_format import CHAINED, format_of, is_blank
from table.game.journal.opened_database import opened
from table.runtime.table_errors import JournalError

SUFFIX: Final = ".mark"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEnd:
    """Entries that were confirmed and are not in the journal any more."""

    last: int
    """The number of the last entry that is left."""
    head: bytes
    """Its hash."""
    confirmed: int
    """The number of the last entry that was confirmed."""

    @property
    def text(self) -> str:
        """What is missing, for the owner."""
        return (
            f"expected {self.confirmed} entries in the journal, as many as were confirmed, got {self.last}: "
            "it or its write-ahead log was cut, damaged or lost"
        )


class MarkFile:
    """The mark of a journal that is written to; a disk that does not take it costs the mark alone."""

    def __init__(self, journal: Path) -> None:
        self._path = mark_of(journal)
        self._file: int | None = None

    def write(self, number: int, head: bytes) -> None:
        """Takes down that the entry of that number and hash is on the disk."""
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(self._file, _line(number, head), 0)
        except OSError as error:
            _log.warning("the mark %s cannot be written: %s", self._path, error)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def mark_of(journal: Path) -> Path:
    """The file of a journal's mark."""
    return journal.with_name(journal.name + SUFFIX)


def read_mark(journal: Path) -> tuple[int, bytes] | None:
    """Returns number and hash of the last entry that was confirmed; None where that is not known."""
    with suppress(OSError, ValueError):
        line = mark_of(journal).read_bytes()
        number, head, _ = line.split()
        found = int(number), bytes.fromhex(head.decode())
        return found if _line(*found) == line else None
    return None


def drop_mark(journal: Path) -> None:
    """Forgets how far a journal had come, before another takes its place.

    Raises:
        OSError: the disk does not take it.
    """
    mark_of(journal).unlink(missing_ok=True)


def lost_end(journal: Path) -> LostEnd | None:
    """Compares a journal whose chain holds, or is gone, with its mark; None where nothing confirmed is missing.

    The mark is read first: a table may play on meanwhile. A file that is missing holds nothing.

    Raises:
        JournalError: the journal cannot be read.
    """
    mark = read_mark(journal)
    if mark is None:
        return None
    if not journal.exists():
        return LostEnd(last=0, head=START, confirmed=mark[0])
    try:
        with opened(journal) as database:
            if is_blank(database):
                last, head = 0, START
            elif format_of(database, str(journal)) >= CHAINED:
                last, head = last_link(database)
            else:  # an older version wrote it, which keeps no mark
                return None
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {journal}, got: {error}") from error
    return LostEnd(last=last, head=head, confirmed=mark[0]) if last < mark[0] else None


def goes_on(backup: Path, lost: LostEnd) -> bool:
    """Whether a whole backup holds all that is left of a journal, and more of what is missing."""
    with opened(backup) as database:
        if format_of(database, str(backup)) < CHAINED:
            return False
        (last, _), left = last_link(database), link_of(database, lost.last)
        return last > lost.last and left == lost.head


def _line(number: int, head: bytes) -> bytes:
    """The mark as it is written, always as long, so that it is written over in place."""
    text = b"%012d %b" % (number, head.hex().encode())
    return b"%b %b\n" % (text, blake2b(text, digest_size=4).hexdigest().encode())

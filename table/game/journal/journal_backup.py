"""Copies of the journal, and what happens when it cannot be used: the bad file is kept, the last good copy takes over.

A copy is made with SQLite's own backup while the table plays, checked, and only then given its name: a power cut leaves
the copies before it. Copies are told apart by the number of their last entry, never by the clock alone: it may jump.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.game.journal.journal import Journal
from table.game.journal.journal_files import copy, put_in_place, set_aside, to_read, verify_journal
from table.runtime.table_errors import JournalError

SUFFIX: Final = ".backup"
_NAME: Final = re.compile(r".+-(\d{8})-(\d{4}-\d\d-\d\d)\.backup")
_UNKEPT: Final = "nothing is kept on the disk until that is mended"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedJournal:
    """A journal that can be used, and what had to be done for it."""

    journal: Journal
    notes: tuple[str, ...] = ()


def back_up(journal: Path, folder: Path, *, day: str, keep: int) -> Path:
    """Copies a journal, in use or not, into a folder of backups, and lets the oldest beyond `keep` go.

    Args:
        journal: the file.
        folder: where copies lie; made if missing.
        day: today, ISO 8601; only for people who look at the names.
        keep: how many copies stay.

    Raises:
        JournalError: there is no journal, or the copy cannot be written.
    """
    last = verify_journal(journal)
    path = folder / f"{journal.stem}-{last:08d}-{day[:10]}{SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy(journal, path)
        for old in backups(folder, journal.stem)[keep:]:
            old.unlink()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot write the backup {path}: {error}") from error
    return path


def backups(folder: Path, stem: str) -> list[Path]:
    """The copies of a journal, the one with the most entries first."""
    found = [path for path in folder.glob(f"{stem}-*{SUFFIX}") if _NAME.fullmatch(path.name)]
    return sorted(found, key=lambda path: (path.name, path.stat().st_mtime), reverse=True)


def restore(backup: Path, journal: Path, *, stamp: str) -> Path | None:
    """Puts a copy in the journal's place; returns where the journal that lay there is kept, None where there was none.

    Whatever happens meanwhile, the old journal lies there or the new one.

    Raises:
        JournalError: the backup is no journal, the table runs, or the disk does not take it; all is as it was.
    """
    verify_journal(backup)
    with lock_journal(journal):
        try:
            return put_in_place(backup, journal, mark=f"before-restore-{stamp}")
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"cannot restore {backup} to {journal}, which stays as it is: {error}") from error


def open_journal(path: Path, folder: Path, *, stamp: str) -> OpenedJournal:
    """Opens a journal, whatever has become of it; the table can always be played at.

    A corrupt file is set aside and the newest copy that is whole takes its place. On a disk that cannot be written to,
    the journal is read and goes on in memory.

    Args:
        path: the journal's file.
        folder: where its copies lie.
        stamp: tells the files that are set aside apart.

    Raises:
        JournalError: the journal is of another format, or cannot even be read.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            verify_journal(path)
        return OpenedJournal(journal=Journal(path))
    except OSError as error:
        if not _is_corrupt(path, error):
            return _in_memory(path, error)
        return _recovered(path, folder, stamp, error)


@contextmanager
def lock_journal(journal: Path) -> Iterator[None]:
    """Holds a journal for one program while the context is open; a killed one lets it go.

    Raises:
        JournalError: another program has it.
    """
    try:
        file = os.open(journal.with_name(f"{journal.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        _log.warning("the journal %s cannot be locked: %s", journal, error)
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise JournalError(f"expected a journal that no other program uses, got one in use: {journal}") from error
    try:
        yield
    finally:
        os.close(file)


def _is_corrupt(path: Path, error: OSError) -> bool:
    """Whether the file itself is bad: another format is a newer program's, and a disk may only be unwritable."""
    if not isinstance(error, JournalError) or "got format" in str(error):
        return False
    try:
        verify_journal(path)
    except JournalError as found:
        return "got format" not in str(found)
    return False


def _recovered(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Puts the newest whole copy in a corrupt journal's place, or reads it where the disk does not take it."""
    mark = f"bad-{stamp}"
    for backup in backups(folder, path.stem):
        try:
            verify_journal(backup)
        except JournalError as found:
            _log.warning("the backup %s cannot be used: %s", backup, found)
            continue
        try:
            kept = put_in_place(backup, path, mark=mark)
            note = f"{error}; restored from {backup.name}, the bad file is kept as {kept}"
            return OpenedJournal(journal=Journal(path), notes=(note,))
        except (OSError, sqlite3.Error) as found:
            return _read(backup, f"{error}; read from {backup.name}: {found}; {_UNKEPT}")
    try:
        note = f"{error}; no backup can be used, the bad file is kept as {set_aside(path, mark)}"
    except OSError:
        return OpenedJournal(journal=Journal(None), notes=(f"{error}; {_UNKEPT}",))
    return OpenedJournal(journal=Journal(path), notes=(note,))


def _in_memory(path: Path, error: OSError) -> OpenedJournal:
    if "got format" in str(error):
        raise error
    note = f"{error}; {_UNKEPT}"
    try:
        if path.is_file():
            return _read(path, note)
    except sqlite3.Error as found:  # a full disk may have taken its name and nothing more
        _log.warning("nothing could be read of the journal %s: %s", path, found)
    return OpenedJournal(journal=Journal(None), notes=(note,))


def _read(path: Path, note: str) -> OpenedJournal:
    """Reads a journal into memory, where it goes on."""
    journal = Journal(None)
    try:
        with closing(to_read(path)) as disk:
            journal.take_over(disk)
    except sqlite3.Error as error:  # a full disk took its name and nothing more
        _log.warning("nothing could be read of the journal %s: %s", path, error)
        journal = Journal(None)
    return OpenedJournal(journal=journal, notes=(note,))

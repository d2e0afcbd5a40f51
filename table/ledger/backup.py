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

from table.errors import JournalError
from table.ledger.journal import FORMAT, Journal

SUFFIX: Final = ".backup"
_NAME: Final = re.compile(r".+-(\d{8})-(\d{4}-\d\d-\d\d)\.backup")
_PARTS: Final = ("", "-wal", "-shm")
"""A database's file and those that SQLite keeps beside it."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
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
    last = checked(journal)
    path = folder / f"{journal.stem}-{last:08d}-{day[:10]}{SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _copy(journal, path)
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

    Raises:
        JournalError: the backup is no journal, the table runs, or the files cannot be moved.
    """
    checked(backup)
    with locked(journal):
        try:
            kept = set_aside(journal, f"before-restore-{stamp}")
            _copy(backup, journal)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"cannot restore {backup} to {journal}: {error}") from error
    return kept


def open_journal(path: Path, folder: Path, *, stamp: str) -> Opened:
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
            checked(path)
        return Opened(journal=Journal(path))
    except OSError as error:
        if not _is_corrupt(path, error):
            return _in_memory(path, error)
        return _recovered(path, folder, stamp, error)


def checked(path: Path) -> int:
    """Reads a whole journal and returns the number of its last entry.

    Raises:
        JournalError: it is missing, no journal, corrupt, or of another format.
    """
    if not path.is_file():
        raise JournalError(f"expected a journal, got none, at {path}")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (found,) = database.execute("PRAGMA user_version").fetchone()
            (whole,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            if found != FORMAT:
                raise JournalError(f"expected a journal of format {FORMAT} in {path}, got format {found}")
            if whole != "ok":
                raise JournalError(f"expected a whole journal in {path}, got: {whole}")
            (last,) = database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error
    return int(last)


@contextmanager
def locked(journal: Path) -> Iterator[None]:
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


def set_aside(path: Path, mark: str) -> Path | None:
    """Moves a database with its side files out of the way; nothing is deleted."""
    kept = None
    for part in _PARTS:
        file = path.with_name(path.name + part)
        if file.exists():
            aside = path.with_name(f"{path.name}.{mark}{part}")
            file.rename(aside)
            kept = kept or aside
    return kept


def _copy(source: Path, target: Path) -> None:
    """Copies a database whole, checks the copy, and only then gives it its name."""
    beside = target.with_name(f"{target.name}.new")
    beside.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(beside)) as new,
    ):
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")
    checked(beside)
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _is_corrupt(path: Path, error: OSError) -> bool:
    """Whether the file itself is bad: another format is a newer program's, and a disk may only be unwritable."""
    if not isinstance(error, JournalError) or "got format" in str(error):
        return False
    try:
        checked(path)
    except JournalError as found:
        return "got format" not in str(found)
    return False


def _recovered(path: Path, folder: Path, stamp: str, error: OSError) -> Opened:
    try:
        kept = set_aside(path, f"bad-{stamp}")
    except OSError:
        return Opened(journal=Journal(None), notes=(f"{error}; nothing is kept on the disk until that is mended",))
    for backup in backups(folder, path.stem):
        try:
            _copy(backup, path)
        except (OSError, sqlite3.Error) as found:
            _log.warning("the backup %s cannot be used: %s", backup, found)
            continue
        note = f"{error}; restored from {backup.name}, the bad file is kept as {kept}"
        return Opened(journal=Journal(path), notes=(note,))
    return Opened(journal=Journal(path), notes=(f"{error}; no backup can be used, the bad file is kept as {kept}",))


def _in_memory(path: Path, error: OSError) -> Opened:
    if "got format" in str(error):
        raise error
    journal = Journal(None)
    note = f"{error}; nothing is kept on the disk until that is mended"
    if path.is_file():
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as disk:
                journal.take_over(disk)
        except sqlite3.Error as found:  # a full disk took its name and nothing more
            _log.warning("nothing could be read of the journal %s: %s", path, found)
            journal = Journal(None)
    return Opened(journal=journal, notes=(note,))

"""Copies of the journal, and what happens when it cannot be used: the bad file is kept, the last good copy takes over.

A copy is made with SQLite's own backup while the table plays, checked, and only then given its name: a power cut leaves
the copies before it. Copies are told apart by the number of their last entry, never by the clock alone: it may jump.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.game.journal.backup_names import BackupName, named_backups, restores_in
from table.game.journal.journal import Journal
from table.game.journal.journal_files import copy, has_begun, put_in_place, set_aside, to_read, verify_journal
from table.game.journal.journal_upgrade import bring_up
from table.runtime.table_errors import JournalError, NewerJournalError

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
    name = BackupName(stem=journal.stem, last=last, day=day[:10], restores=restores_in(folder, journal.stem))
    path = folder / str(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy(journal, path)
        for old in [file for each, file in named_backups(folder, journal.stem) if each.format is None][keep:]:
            old.unlink()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot write the backup {path}: {error}") from error
    return path


def backups(folder: Path, stem: str) -> list[Path]:
    """The copies of a journal, the newest first."""
    return [path for _, path in named_backups(folder, stem)]


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
    the journal is read and goes on in memory. A journal of an older format is copied and then brought up.

    Args:
        path: the journal's file.
        folder: where its copies lie.
        stamp: tells the files that are set aside apart.

    Raises:
        NewerJournalError: a newer version wrote the journal, which is left alone; the error names the newest backup
            that this version reads, which `restore` takes.
        JournalError: the journal cannot even be read.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if has_begun(path):
            verify_journal(path)
            bring_up(path, folder, day=stamp)
        return OpenedJournal(journal=Journal(path))
    except NewerJournalError as error:
        raise _with_backup(error, folder, path.stem) from error
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


def _with_backup(error: NewerJournalError, folder: Path, stem: str) -> NewerJournalError:
    """The same error, with the backup that helps."""
    backup = newest_whole(folder, stem)
    return NewerJournalError(
        error.where, found=error.found, read=error.read, backup="" if backup is None else backup.name
    )


def newest_whole(folder: Path, stem: str) -> Path | None:
    """The newest backup that is whole and that this version reads; what cannot be used is logged and left out."""
    for backup in backups(folder, stem):
        try:
            verify_journal(backup)
        except JournalError as found:
            _log.warning("the backup %s cannot be used: %s", backup, found)
            continue
        return backup
    return None


def _is_corrupt(path: Path, error: OSError) -> bool:
    """Whether the file itself is bad: a disk may only be unwritable."""
    if not isinstance(error, JournalError) or not has_begun(path):
        return False
    try:
        verify_journal(path)
    except NewerJournalError:
        return False
    except JournalError:
        return True
    return False


def _recovered(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Puts the newest whole copy in a corrupt journal's place, or reads it where the disk does not take it."""
    mark = f"bad-{stamp}"
    if (backup := newest_whole(folder, path.stem)) is not None:
        try:
            kept = put_in_place(backup, path, mark=mark)
            note = f"{error}; restored from {backup.name}, the bad file is kept as {kept}"
            bring_up(path, folder, day=stamp)
            return OpenedJournal(journal=Journal(path), notes=(note,))
        except (OSError, sqlite3.Error) as found:
            return _read(backup, f"{error}; read from {backup.name}: {found}; {_UNKEPT}")
    try:
        note = f"{error}; no backup can be used, the bad file is kept as {set_aside(path, mark)}"
    except OSError:
        return OpenedJournal(journal=Journal(None), notes=(f"{error}; {_UNKEPT}",))
    return OpenedJournal(journal=Journal(path), notes=(note,))


def _in_memory(path: Path, error: OSError) -> OpenedJournal:
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

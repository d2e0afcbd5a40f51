"""Copies of the journal: made beside it, found again by their names, and put in its place by the owner.

A copy is made with SQLite's own backup while the table plays, checked, and only then given its name: a power cut leaves
the copies before it. Copies are told apart by the number of their last entry, never by the clock alone: it may jump.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from table.game.journal.backup_names import BackupName, named_backups, read_name, restores_in
from table.game.journal.journal_files import copy, put_in_place, verify_journal
from table.game.journal.journal_lock import lock_journal
from table.runtime.table_errors import JournalError

FOLDER: Final = "backups"
"""Where a journal's backups lie, beside it."""
_log = logging.getLogger(__name__)


def back_up(journal: Path, folder: Path, *, day: str, keep: int | None) -> Path:
    """Copies a journal, in use or not, into a folder of backups, and lets the oldest beyond `keep` go.

    Args:
        journal: the file.
        folder: where copies lie; made if missing.
        day: today, ISO 8601; only for people who look at the names.
        keep: how many copies stay; None: all.

    Raises:
        JournalError: there is no journal, or the copy cannot be written.
    """
    last = verify_journal(journal)
    name = BackupName(stem=journal.stem, last=last, day=day[:10], restores=restores_in(folder, journal.stem))
    path = folder / str(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy(journal, path)
        daily = [file for each, file in named_backups(folder, journal.stem) if each.format is None]
        for old in daily[len(daily) if keep is None else keep :]:
            old.unlink()
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot write the backup {path}: {error}") from error
    return path


def backups(folder: Path, stem: str) -> list[Path]:
    """The copies of a journal, the newest first."""
    return [path for _, path in named_backups(folder, stem)]


def restore(backup: Path, journal: Path, *, stamp: str) -> Path | None:
    """Puts a copy in the journal's place; returns where the journal that lay there is kept, None where there was none.

    Whatever happens meanwhile, the old journal lies there or the new one. The backup is the newest from then on, even
    if one of the abandoned journal holds more entries.

    Raises:
        JournalError: the backup is no journal, the table runs, or the disk does not take it; all is as it was.
    """
    last = verify_journal(backup)
    with lock_journal(journal):
        try:
            newest = _made_newest(backup, journal, last)
            try:
                return put_in_place(backup, journal, mark=f"before-restore-{stamp}")
            except BaseException:
                if newest is not None:
                    newest.unlink()
                raise
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"cannot restore {backup} to {journal}, which stays as it is: {error}") from error


def _made_newest(backup: Path, journal: Path, last: int) -> Path | None:
    """Gives a backup that the owner goes back to a name by which it is newer than all that is abandoned.

    Returns:
        That name; None where it is the newest as it is.
    """
    folder, stem = journal.parent / FOLDER, journal.stem
    found = backups(folder, stem)
    if not found or found[0].samefile(backup):
        return None
    name, restores = read_name(backup), restores_in(folder, stem) + 1
    day = datetime.fromtimestamp(backup.stat().st_mtime, UTC).date().isoformat() if name is None else name.day
    newest = folder / str(BackupName(stem=stem, last=last, day=day, restores=restores))
    try:
        os.link(backup, newest)
    except OSError:  # another disk, or one that knows no second names
        copy(backup, newest)
    return newest


def newest_whole(folder: Path, stem: str) -> Path | None:
    """The newest backup that is whole and that this version reads; None where there is none."""
    for backup in backups(folder, stem):
        try:
            verify_journal(backup)
        except JournalError as found:
            _log.warning("the backup %s cannot be used: %s", backup, found)
            continue
        return backup
    return None

"""Backups of the journal: copied while it is in use, found by their names, and restored by the owner.

A copy is made with SQLite's online backup, checked, and only then given its name, so that a power cut leaves the
earlier backups. Backups are ordered by the number of their last entry, never by the clock alone, since that may jump.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from table.game.journal.recovery.backup_names import BEFORE_RESTORE, BackupName, named_backups, read_name, restores_in
from table.game.journal.recovery.backup_texts import texts_in
from table.game.journal.recovery.journal_files import copy, replace_journal, verify_journal
from table.game.journal.storage.entry_chain import last_link, link_of
from table.game.journal.storage.journal_lock import lock_journal
from table.game.journal.storage.opened_database import IMMUTABLE, READ_ONLY, open_database
from table.runtime.clock import local_day
from table.runtime.table_errors import JournalError
from vision.atomic_files import alone_in, new_folder
from vision.errors import reason, reason_and_place

BACKUPS: Final = "backups"
"""The folder of a journal's backups, beside it."""
_log = logging.getLogger(__name__)


def back_up(journal: Path, folder: Path, *, day: str, keep: int | None, texts: Mapping[str, str] | None = None) -> Path:
    """Copies a journal, in use or not, into a folder of backups, and deletes this journal's oldest beyond `keep`.

    It replaces earlier backups of the same state, so that days without play push out no other state. It stays itself
    even if `keep` abandoned backups have more entries. Backups of another table's journal in the same folder stay.

    Args:
        journal: the journal's file.
        folder: the folder of backups, created if missing.
        day: the time of day, ISO 8601; its local day is in the name, only for people who read it.
        keep: the number of backups to keep; None for all, also those of the same state.
        texts: what the backup holds besides the journal, by name; None for nothing.

    Raises:
        JournalError: there is no intact journal, or the copy cannot be written.
    """
    last = verify_journal(journal)
    try:
        restores = max(restores_in(each, journal.stem) for each in (folder, journal.parent / BACKUPS))
    except OSError as error:
        raise JournalError(
            f"cannot write a backup to {folder}: the earlier ones cannot be listed: {reason(error)}"
        ) from error
    name = BackupName(stem=journal.stem, last=last, day=local_day(day), restores=restores)
    path = folder / str(name)
    try:
        with new_folder(folder), alone_in(folder):
            path = _path_beside_other_tables(name, folder, journal)
            copy(journal, path, texts)
        if keep is not None:
            _delete_older(path, name, folder, keep)
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot write the backup {path}: {reason(error)}") from error
    return path


def _path_beside_other_tables(name: BackupName, folder: Path, journal: Path) -> Path:
    """Returns where a backup of a journal goes: not in the place of one that another table made on a shared stick."""
    paths = (folder / str(replace(name, copy=number)) for number in count(1))
    own_link = _link(journal, name.last, READ_ONLY)
    return next(path for path in paths if own_link is None or _link(path, name.last) in (None, own_link))


def _delete_older(path: Path, name: BackupName, folder: Path, keep: int) -> None:
    """Deletes the backups of a table beyond the newest `keep`, and earlier ones of the same state as the one at `path`.

    Raises:
        OSError: the folder cannot be listed, or a file not deleted.
    """
    daily_backups = [pair for pair in named_backups(folder, name.stem) if pair[0].format is None]
    same = [
        file
        for each, file in daily_backups
        if replace(each, day=name.day, copy=name.copy) == name and _is_as(file, path)
    ]
    others = [file for _, file in daily_backups if file not in same and not is_of_another_table(file, path)]
    for old_backup in {*same, *others[keep:]} - {path}:  # in another folder, abandoned ones may have more entries
        old_backup.unlink(missing_ok=True)


def _is_as(backup: Path, other: Path) -> bool:
    """Whether a backup that can be read holds the same as another one, which is not itself."""
    try:
        if backup == other or texts_in(backup) != texts_in(other):
            return False
        with open_database(backup, IMMUTABLE) as one, open_database(other, IMMUTABLE) as new:
            return last_link(one) == last_link(new)
    except (OSError, sqlite3.Error, JournalError):
        return False


def is_of_another_table(backup: Path, other: Path) -> bool:
    """Whether two backups can be read and begin with different entries."""
    return len({_link(backup, 1), _link(other, 1)} - {None}) == 2


def _link(path: Path, number: int, mode: str = IMMUTABLE) -> bytes | None:
    """Returns the hash of an entry in a file; None if it has none, or the file cannot be read."""
    try:
        with open_database(path, mode) as database:
            return link_of(database, number)
    except (OSError, sqlite3.Error):
        return None


def backups(folder: Path, stem: str) -> list[Path]:
    """Returns the backups of a journal, newest first; none if their folder cannot be listed."""
    try:
        return [path for _, path in named_backups(folder, stem)]
    except OSError as error:
        _log.warning("the backups cannot be listed: %s", reason_and_place(error))
        return []


def restore(backup: Path, journal: Path, *, stamp: str) -> Path | None:
    """Replaces a journal by a copy of a backup; returns the path where the old journal is kept, None without one.

    If it is interrupted at any point, either the old or the new journal is in place. The backup counts as the newest
    from then on, even if a backup of the abandoned journal has more entries.

    Raises:
        JournalError: the backup is not a journal or has no entry, the table is running, or the disk cannot be written
            to; nothing was changed.
    """
    last = verify_journal(backup)
    if not last:
        raise JournalError(f"expected a backup with a game, got one without an entry, {backup}: nothing is restored")
    with lock_journal(journal):
        try:
            newest = _name_as_newest(backup, journal, last)
            try:
                return replace_journal(backup, journal, mark=f"{BEFORE_RESTORE}-{stamp}")
            except BaseException:
                if newest is not None:
                    newest.unlink()
                raise
        except (OSError, sqlite3.Error) as error:
            message = f"cannot restore {backup} to {journal}, which stays as it is: {reason(error)}"
            raise JournalError(message) from error


def _name_as_newest(backup: Path, journal: Path, last: int) -> Path | None:
    """Gives a backup that the owner restores one more name, by which it is newer than all abandoned ones.

    Returns:
        The new path; None if it already is the newest.
    """
    folder, stem = journal.parent / BACKUPS, journal.stem
    found = named_backups(folder, stem)
    if not found or found[0][1].samefile(backup):
        return None
    name, restores = read_name(backup), restores_in(folder, stem) + 1
    day = datetime.fromtimestamp(backup.stat().st_mtime).astimezone().date().isoformat() if name is None else name.day
    newest = folder / str(BackupName(stem=stem, last=last, day=day, restores=restores))
    if not backup.parent.samefile(folder):  # a link would be the same file, which belongs to whoever gave it
        copy(backup, newest)
        return newest
    try:
        os.link(backup, newest)
    except OSError:  # a disk without hard links
        copy(backup, newest)
    return newest


def newest_intact_backup(folder: Path, stem: str) -> Path | None:
    """Returns the newest backup that is intact and readable by this version; None if there is none."""
    for backup in backups(folder, stem):
        try:
            verify_journal(backup)
        except JournalError as found:
            _log.warning("the backup %s cannot be used: %s", backup, found)
            continue
        return backup
    return None

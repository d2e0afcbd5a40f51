"""Opens the journal at the start, even a damaged one: the file is kept, and what holds more of its entries goes on.

After damage in the middle that is the newest intact backup; after damage near the end, the entries before it.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from table.game.journal.journal import Journal
from table.game.journal.recovery.backup_names import BAD, named_backups
from table.game.journal.recovery.journal_backup import newest_intact_backup
from table.game.journal.recovery.journal_files import (
    has_begun,
    keep_log,
    memory_copy,
    replace_journal,
    verify_database,
    verify_journal,
)
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.journal.recovery.journal_salvage import has_more_than_backup, readable_part
from table.game.journal.recovery.journal_upgrade import upgrade_journal
from table.game.journal.storage.entry_chain import last_number
from table.game.journal.storage.journal_continuation import OpenDatabase
from table.game.journal.storage.journal_database import JournalDatabase
from table.game.journal.storage.journal_format import is_blank
from table.game.journal.storage.journal_mark import LostEnd, contains_lost_entries, lost_end, read_mark
from table.game.journal.storage.opened_database import open_database
from table.game.journal.storage.stored_entries import stored_entries
from table.runtime.table_errors import JournalError, NewerJournalError
from vision.errors import reason

_UNWRITABLE: Final = "the journal cannot be written"
_NOTHING_RECORDED: Final = "nothing is recorded until this is fixed"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedJournal:
    """A usable journal, and how it was repaired."""

    journal: Journal
    notes: tuple[str, ...] = ()
    """Notes for the owner."""
    notices: tuple[JournalNotice, ...] = ()
    """Notices for the people at the table."""


def open_journal(path: Path, folder: Path, *, stamp: str) -> OpenedJournal:
    """Opens a journal, even a damaged one, so that the page can always be shown.

    A corrupt, missing or empty file is set aside and replaced by the newest intact backup, or by its own entries before
    the damage if these have everything in that backup, and more. An intact journal that cannot be written to is shown
    from memory, and continued as soon as the disk can be written to. A newer version's journal is left alone, and the
    newest backup that this version can read is shown. A journal of an older format is copied and then upgraded.

    Args:
        path: the journal's file.
        folder: the folder of its backups.
        stamp: a text that makes the names of files set aside unique.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if has_begun(path):
            verify_journal(path)
        if (loss := lost_end(path)) is not None:
            return _shortened_journal(path, folder, stamp, loss)
        if has_begun(path):
            upgrade_journal(path, folder, day=stamp)
        elif named_backups(folder, path.stem) and newest_intact_backup(folder, path.stem) is not None:
            missing = JournalError(f"expected the journal of these backups, got none or an empty file at {path}")
            return _recovered_journal(path, folder, stamp, missing)
        return OpenedJournal(journal=Journal(path))
    except NewerJournalError as error:
        return _newer_journal(path, folder, error)
    except OSError as error:
        return _unwritable_journal(path, folder, stamp, error) or _recovered_journal(path, folder, stamp, error)


def _reopen_database(path: Path, folder: Path, stamp: str) -> JournalDatabase:
    """Opens a journal's file again when the disk can be written to."""
    if has_begun(path):
        upgrade_journal(path, folder, day=stamp)
    return JournalDatabase(path)


def _unwritable_journal(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal | None:
    """Returns an intact journal that cannot be written to, or an empty one if there is none; None if it is damaged."""
    journal = Journal(None)
    try:
        if path.exists() and path.stat().st_size:
            with closing(memory_copy(path)) as database:
                if not is_blank(database):
                    verify_database(database, path)
                journal.take_over(database)
    except NewerJournalError as found:
        return _newer_journal(path, folder, found)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as found:
        _log.warning("the journal %s is not intact: %s", path, reason(found))
        return None
    reopen = partial(_reopen_database, path, folder, stamp)
    return _read_only_journal(journal, f"cannot write to the journal {path}: {reason(error)}", reopen=reopen)


def _newer_journal(path: Path, folder: Path, error: NewerJournalError) -> OpenedJournal:
    """Returns the newest backup that this version can read; the journal does not change."""
    backup = newest_intact_backup(folder, path.stem)
    journal = Journal(None) if backup is None else _memory_copy_of(backup)
    name = "" if backup is None else backup.name
    notice = JournalNotice(kind=NoticeKind.NEWER, backup=name)
    return _read_only_journal(journal, str(error.with_backup(name)), notice)


def _shortened_journal(path: Path, folder: Path, stamp: str, loss: LostEnd) -> OpenedJournal:
    """Opens a journal whose end is missing: its remaining part, unless a backup contains more.

    That part is shown if the disk cannot be written to.

    Raises:
        JournalError: the disk cannot be written to, and the remaining part is not intact.
    """
    backup = newest_intact_backup(folder, path.stem)
    if backup is not None and contains_lost_entries(backup, loss):
        return _recovered_journal(path, folder, stamp, JournalError(loss.text))
    log = keep_log(path, f"{BAD}-{stamp}")
    kept_log = "" if log is None else f"; the original log is kept as {log}"
    note = f"{loss.text}; lost: {_entry_range(loss.last, loss.last_confirmed)}{kept_log}"
    try:
        upgrade_journal(path, folder, day=stamp)
        journal = Journal(path)
    except OSError as error:
        if (unwritable := _unwritable_journal(path, folder, stamp, error)) is None:
            raise
        journal = unwritable.journal
    return OpenedJournal(journal=journal, notes=(note,), notices=(JournalNotice(kind=NoticeKind.LOST),))


def _recovered_journal(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Replaces a corrupt journal by the newest intact backup, or by its own first entries if that has no more.

    What replaces it is shown if the disk cannot be written to.
    """
    mark, last_known, part = f"{BAD}-{stamp}", _last_known_entry(path), readable_part(path)
    keep_log(path, mark)
    backup = newest_intact_backup(folder, path.stem)
    if backup is not None and not has_more_than_backup(path, part, backup):
        return _restored_journal(backup, path, folder, stamp, error)
    notice, loss_text = JournalNotice(kind=NoticeKind.LOST), _loss_after_part(part, last_known)
    why = "no backup can be used" if backup is None else f"entries 1 to {part.last} are more than in {backup.name}"
    try:
        kept_path = replace_journal(part.memory, path, mark=mark)
        kept_text = "" if kept_path is None else f", the damaged file is kept as {kept_path}"
        journal = Journal(path)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as found:
        return _read_only_journal(part, f"{error}; {why}; {_UNWRITABLE}: {reason(found)}; {loss_text}", notice)
    part.close()
    note = f"{error}; {why}{kept_text}; {loss_text}"
    return OpenedJournal(journal=journal, notes=(note,), notices=(notice,))


def _restored_journal(backup: Path, path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Replaces a corrupt journal by an intact backup, or shows that if the disk cannot be written to."""
    notice = JournalNotice(kind=NoticeKind.RESTORED, backup=backup.name)
    loss_text = _loss_after_backup(backup, _last_known_entry(path))
    try:
        kept_path = replace_journal(backup, path, mark=f"{BAD}-{stamp}")
        kept_text = "" if kept_path is None else f", the damaged file is kept as {kept_path}"
        note = f"{error}; restored from {backup.name}{kept_text}; {loss_text}"
        upgrade_journal(path, folder, day=stamp)
        return OpenedJournal(journal=Journal(path), notes=(note,), notices=(notice,))
    except (OSError, sqlite3.Error, UnicodeDecodeError) as found:
        note = f"{error}; read from {backup.name}; {_UNWRITABLE}: {reason(found)}; {loss_text}"
        return _read_only_journal(_memory_copy_of(backup), note, notice)


def _last_known_entry(path: Path) -> int:
    """Returns the number of the last entry that a damaged journal is known to have had; 0 if unknown."""
    mark = read_mark(path)
    try:
        with open_database(path) as database:
            found = last_number(database)
    except (sqlite3.Error, TypeError, ValueError):
        found = 0
    return max(found, 0 if mark is None else mark[0])


def _loss_after_backup(backup: Path, last_known: int) -> str:
    """Returns a text about the entries of a damaged journal, up to `last_known`, that a backup lacks."""
    with open_database(backup) as database:
        newest = next(stored_entries(database, after=last_number(database) - 1), None)
    if newest is None:
        return f"lost: {_entry_range(0, last_known)}"
    if last_known <= newest.number:
        return f"nothing is known to be lost: the backup ends with entry {newest.number}, of {newest.envelope.utc}"
    return f"lost: {_entry_range(newest.number, last_known)}, done after {newest.envelope.utc}"


def _loss_after_part(part: Journal, last_known: int) -> str:
    """Returns a text about the entries of a damaged journal, up to `last_known`, that its intact part lacks."""
    if part.last and last_known == part.last:
        return f"nothing is known to be lost: entry {last_known} is the last"
    return f"lost: {_entry_range(part.last, last_known)}"


def _entry_range(last: int, last_known: int) -> str:
    """Returns a text with the numbers of the entries after the last remaining one."""
    return f"entries {last + 1} to {last_known}" if last_known > last else "an unknown number of entries"


def _memory_copy_of(backup: Path) -> Journal:
    """Returns a copy of a backup in memory."""
    journal = Journal(None)
    with closing(memory_copy(backup)) as database:
        journal.take_over(database)
    return journal


def _read_only_journal(
    journal: Journal, trouble: str, *notices: JournalNotice, reopen: OpenDatabase | None = None
) -> OpenedJournal:
    """Returns a journal that is shown but refuses entries, until `reopen` opens one that can be written to.

    With `reopen`, no note is needed, since the journal's own trouble says why until then.
    """
    journal.stop_writing(f"{trouble}; {_NOTHING_RECORDED}", reopen)
    if reopen is not None:
        _log.error("%s; %s", trouble, _NOTHING_RECORDED)
    return OpenedJournal(journal=journal, notes=() if reopen else (f"{trouble}; {_NOTHING_RECORDED}",), notices=notices)

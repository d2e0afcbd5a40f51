"""Opens the journal at the start, even a damaged one: the file is kept, and whatever has more of it goes on.

That is the newest intact backup after damage in the middle, and the entries before the damage if it is near the end.
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
from table.game.journal.recovery.backup_names import BAD
from table.game.journal.recovery.journal_backup import newest_whole
from table.game.journal.recovery.journal_files import (
    has_begun,
    keep_log,
    memory_copy,
    put_in_place,
    set_aside,
    verify_database,
    verify_journal,
)
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.journal.recovery.journal_salvage import part_goes_on, readable_part, take_up
from table.game.journal.recovery.journal_upgrade import bring_up
from table.game.journal.storage.entry_chain import last_number
from table.game.journal.storage.journal_continuation import OpenDatabase
from table.game.journal.storage.journal_database import JournalDatabase
from table.game.journal.storage.journal_format import is_blank
from table.game.journal.storage.journal_mark import LostEnd, goes_on, lost_end, read_mark
from table.game.journal.storage.opened_database import opened
from table.game.journal.storage.stored_entries import stored_entries
from table.runtime.table_errors import JournalError, NewerJournalError

_UNKEPT: Final = "nothing is recorded until this is fixed"
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
        if (lost := lost_end(path)) is not None:
            return _shortened(path, folder, stamp, lost)
        if has_begun(path):
            bring_up(path, folder, day=stamp)
        elif newest_whole(folder, path.stem) is not None:
            missing = JournalError(f"expected the journal of these backups, got none or an empty file at {path}")
            return _recovered(path, folder, stamp, missing)
        return OpenedJournal(journal=Journal(path))
    except NewerJournalError as error:
        return _of_newer_version(path, folder, error)
    except OSError as error:
        return _unwritable(path, folder, stamp, error) or _recovered(path, folder, stamp, error)


def _open_again(path: Path, folder: Path, stamp: str) -> JournalDatabase:
    """Opens a journal's file again when the disk can be written to."""
    if has_begun(path):
        bring_up(path, folder, day=stamp)
    return JournalDatabase(path)


def _unwritable(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal | None:
    """Returns an intact journal that cannot be written to, or an empty one if there is none; None if it is damaged."""
    journal = Journal(None)
    try:
        if path.exists() and path.stat().st_size:
            with closing(memory_copy(path)) as copied:
                if not is_blank(copied):
                    verify_database(copied, path)
                journal.take_over(copied)
    except NewerJournalError as found:
        return _of_newer_version(path, folder, found)
    except (OSError, sqlite3.Error, UnicodeDecodeError) as found:
        _log.warning("the journal %s is not intact: %s", path, found)
        return None
    reopen = partial(_open_again, path, folder, stamp)
    return _shut_out(journal, f"cannot write to the journal {path}: {error}", reopen=reopen)


def _of_newer_version(path: Path, folder: Path, error: NewerJournalError) -> OpenedJournal:
    """Returns the newest backup that this version can read; the journal does not change."""
    backup = newest_whole(folder, path.stem)
    journal = Journal(None) if backup is None else _copy_of(backup)
    name = "" if backup is None else backup.name
    notice = JournalNotice(kind=NoticeKind.NEWER, backup=name)
    return _shut_out(journal, str(error.with_backup(name)), notice)


def _shortened(path: Path, folder: Path, stamp: str, lost: LostEnd) -> OpenedJournal:
    """Opens a journal whose end is missing: its remaining part, unless a backup contains more.

    Raises:
        JournalError: the disk cannot be written to.
    """
    backup = newest_whole(folder, path.stem)
    if backup is not None and goes_on(backup, lost):
        return _recovered(path, folder, stamp, JournalError(lost.text))
    log = keep_log(path, f"{BAD}-{stamp}")
    kept = "" if log is None else f"; the original log is kept as {log}"
    note = f"{lost.text}; lost: {_numbered(lost.last, lost.confirmed)}{kept}"
    return OpenedJournal(journal=Journal(path), notes=(note,), notices=(JournalNotice(kind=NoticeKind.LOST),))


def _recovered(path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Replaces a corrupt journal by the newest intact backup, or by its own first entries if that has no more.

    What replaces it is shown if the disk cannot be written to.
    """
    mark, known, part = f"{BAD}-{stamp}", _known_end(path), readable_part(path)
    keep_log(path, mark)
    backup = newest_whole(folder, path.stem)
    if backup is not None and not part_goes_on(path, part, backup):
        return _restored(backup, path, folder, stamp, error)
    notice, lost = JournalNotice(kind=NoticeKind.LOST), _lost_after_part(part, known)
    why = "no backup can be used" if backup is None else f"entries 1 to {part.last} are more than in {backup.name}"
    try:
        note = f"{error}; {why}, the damaged file is kept as {set_aside(path, mark)}; {lost}"
        journal = Journal(path)
    except OSError:
        return _shut_out(part, f"{error}; {lost}", notice)
    with part:
        take_up(journal, part)
    return OpenedJournal(journal=journal, notes=(note,), notices=(notice,))


def _restored(backup: Path, path: Path, folder: Path, stamp: str, error: OSError) -> OpenedJournal:
    """Replaces a corrupt journal by an intact backup, or shows that if the disk cannot be written to."""
    notice, lost = JournalNotice(kind=NoticeKind.RESTORED, backup=backup.name), _lost_after(backup, _known_end(path))
    try:
        kept = put_in_place(backup, path, mark=f"{BAD}-{stamp}")
        aside = "" if kept is None else f", the damaged file is kept as {kept}"
        note = f"{error}; restored from {backup.name}{aside}; {lost}"
        bring_up(path, folder, day=stamp)
        return OpenedJournal(journal=Journal(path), notes=(note,), notices=(notice,))
    except (OSError, sqlite3.Error, UnicodeDecodeError) as found:
        return _shut_out(_copy_of(backup), f"{error}; read from {backup.name}: {found}; {lost}", notice)


def _known_end(path: Path) -> int:
    """Returns the number of the last entry that a damaged journal is known to have had; 0 if unknown."""
    marked = read_mark(path)
    try:
        with opened(path) as database:
            found = last_number(database)
    except (sqlite3.Error, TypeError, ValueError):
        found = 0
    return max(found, 0 if marked is None else marked[0])


def _lost_after(backup: Path, known: int) -> str:
    """Returns a text about the entries of a damaged journal, of which `known` are known, that a backup lacks."""
    with opened(backup) as database:
        newest = next(stored_entries(database, after=last_number(database) - 1), None)
    if newest is None:
        return f"lost: {_numbered(0, known)}"
    if known <= newest.number:
        return f"nothing is known to be lost: the backup ends with entry {newest.number}, of {newest.envelope.utc}"
    return f"lost: {_numbered(newest.number, known)}, done after {newest.envelope.utc}"


def _lost_after_part(part: Journal, known: int) -> str:
    """Returns a text about the entries of a damaged journal, of which `known` are known, after its intact part."""
    if part.last and known == part.last:
        return f"nothing is known to be lost: entry {known} is the last"
    return f"lost: {_numbered(part.last, known)}"


def _numbered(last: int, known: int) -> str:
    """Returns a text with the numbers of the entries after the last remaining one."""
    return f"entries {last + 1} to {known}" if known > last else "an unknown number of entries"


def _copy_of(backup: Path) -> Journal:
    """Returns a copy of a backup in memory."""
    journal = Journal(None)
    with closing(memory_copy(backup)) as copied:
        journal.take_over(copied)
    return journal


def _shut_out(journal: Journal, why: str, *notices: JournalNotice, reopen: OpenDatabase | None = None) -> OpenedJournal:
    """Returns a journal that is shown but refuses entries, until `reopen` opens one that can be written to.

    With `reopen`, no note is needed, since the journal's `trouble` has the reason until then.
    """
    journal.shut_out(f"{why}; {_UNKEPT}", reopen)
    if reopen is not None:
        _log.error("%s; %s", why, _UNKEPT)
    return OpenedJournal(journal=journal, notes=() if reopen else (f"{why}; {_UNKEPT}",), notices=notices)

"""Upgrades a journal of an older format to this version's, after making a copy."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from table.game.journal.journal import Journal
from table.game.journal.recovery.backup_names import BackupName, restores_in
from table.game.journal.recovery.journal_files import copy
from table.game.journal.storage.journal_format import FORMAT, format_of, upgrade
from table.runtime.clock import local_day
from table.runtime.table_errors import JournalError
from vision.errors import reason

_log = logging.getLogger(__name__)


def upgrade_journal(path: Path, folder: Path, *, day: str) -> None:
    """Upgrades an intact journal, which must not be in use, to this version's format, and keeps a copy of the old one.

    That copy is never deleted, since the version before this one can read it.

    Args:
        path: the journal.
        folder: the folder of its backups, created if missing.
        day: the time of day, ISO 8601; its local day is in the name, only for people who read it.

    Raises:
        JournalError: the copy or the journal cannot be written; the journal was not changed.
    """
    with Journal(path) as journal:
        if journal.format == FORMAT:
            return
        name = BackupName(
            stem=path.stem,
            last=journal.last,
            day=local_day(day),
            restores=restores_in(folder, path.stem),
            format=journal.format,
        )
    original = folder / str(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy(path, original)
        with closing(sqlite3.connect(path)) as database:
            upgrade(database)
            format_of(database, str(path))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot upgrade the journal {path}, which is unchanged: {reason(error)}") from error
    _log.warning("the journal %s was upgraded to format %d; the original is kept as %s", path, FORMAT, original)

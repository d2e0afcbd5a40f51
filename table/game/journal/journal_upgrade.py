"""How a journal of an older format becomes one of this version's: copied first, and only then brought up."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from table.game.journal.backup_names import BackupName, restores_in
from table.game.journal.journal import Journal
from table.game.journal.journal_files import copy
from table.game.journal.journal_format import FORMAT, format_of, upgrade
from table.runtime.table_errors import JournalError

_log = logging.getLogger(__name__)


def bring_up(path: Path, folder: Path, *, day: str) -> Path | None:
    """Brings a whole journal, which nobody may use meanwhile, up to this version's format, and keeps a copy as it was.

    Such a copy is never let go: the version before this one reads it.

    Args:
        path: the journal.
        folder: where its backups lie; made if missing.
        day: today, ISO 8601; what follows the day is left out.

    Returns:
        The copy; None where the journal is of this version's format.

    Raises:
        JournalError: the disk does not take the copy; the journal is as it was.
    """
    with Journal(path) as journal:
        if journal.format == FORMAT:
            return None
        name = BackupName(
            stem=path.stem,
            last=journal.last,
            day=day[:10],
            restores=restores_in(folder, path.stem),
            format=journal.format,
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy(path, folder / str(name))
        with closing(sqlite3.connect(path)) as database:
            upgrade(database)
            format_of(database, str(path))
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"cannot bring up the journal {path}, which stays as it is: {error}") from error
    _log.warning("the journal %s is of format %d now; as it was, it is kept as %s", path, FORMAT, folder / str(name))
    return folder / str(name)

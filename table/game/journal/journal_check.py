"""Whether a journal can be played on: that its file is whole is not enough, its last game must follow from it too."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from table.game.journal.entries import Entry
from table.game.journal.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.journal.journal_files import verify_journal
from table.runtime.table_errors import JournalError


def trouble_in(path: Path) -> str:
    """Reads a whole journal, in use or not, and follows its last game; nothing is written.

    Returns:
        Why no table can take it up; empty where one can.
    """
    try:
        verify_journal(path)
        with (
            Journal(None) as journal,
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as disk,
        ):
            journal.take_over(disk)
            return trouble_of(journal.entries())
    except (JournalError, sqlite3.Error) as error:
        return str(error)


def trouble_of(entries: Sequence[Entry]) -> str:
    """Follows the last game of a journal as a table does when it starts; returns why that cannot be, if so."""
    games = games_of(entries)
    try:
        if games:
            game_history(games[-1])
    except Exception as error:  # whatever it is, a table that starts would end of it
        last = games[-1]
        where = f"entries {last[0].number} to {last[-1].number}"
        return f"the last game of the journal ({where}) cannot be taken up: {type(error).__name__}: {error}"
    return ""

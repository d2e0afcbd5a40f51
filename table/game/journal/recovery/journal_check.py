"""Checks a journal: its hash chain is intact, no confirmed entry is missing, and each game can be computed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from table.game.journal.entries import Entry
from table.game.journal.history.game_history import game_history
from table.game.journal.recovery.journal_backup import BACKUPS, newest_intact_backup
from table.game.journal.recovery.journal_files import verify_journal
from table.game.journal.storage.journal_mark import lost_end
from table.game.journal.storage.opened_database import open_database
from table.game.journal.storage.stored_entries import stored_entries
from table.game.journal.storage.stored_rules import GAME_STARTS
from table.runtime.table_errors import JournalError, NewerJournalError, TachiaiError
from vision.errors import reason

_BATCH_SIZE: Final = 1000
"""The number of entries read at once; longer reads would keep SQLite from merging its log into the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTrouble:
    """A game that a table cannot take up."""

    first: int
    """The number of its first entry."""
    last: int
    """The number of its last entry."""
    error: str
    """The kind of error, and what it says."""

    def in_words(self, *, game: str = "a game") -> str:
        """Returns the reason in one sentence about that `game`."""
        return f"{game} of the journal (entries {self.first} to {self.last}) cannot be taken up: {self.error}"


def journal_trouble(
    path: Path, *, folder: Path | None = None, on_game: Callable[[float], bool] = lambda _: False
) -> str:
    """Reads a whole journal, in use or not, and computes every game in it; nothing is written.

    Args:
        path: the journal.
        folder: the folder of its backups, if not beside it; the result names a backup if a newer version wrote the
            journal.
        on_game: called after each game with the seconds that it took; returns whether to stop the check.

    Returns:
        The first fault, above all a reason why no table can continue the journal; empty without one.
    """
    try:
        verify_journal(path)
        loss = lost_end(path)
        if loss is not None:
            return loss.text
        with open_database(path) as database:
            return _trouble_in_games(_games(database), on_game)
    except NewerJournalError as error:
        backup = newest_intact_backup(folder or path.parent / BACKUPS, path.stem)
        return str(error if backup is None else error.with_backup(backup.name))
    except (JournalError, sqlite3.Error) as error:
        return str(error)


def _trouble_in_games(games: Iterator[Sequence[Entry]], on_game: Callable[[float], bool]) -> str:
    """Returns the fault of the last game, or else of the first game that cannot be computed."""
    first: GameTrouble | None = None
    last: GameTrouble | None = None
    for game in games:
        start_s = monotonic()
        last = game_trouble(game)
        first = first or last
        if on_game(monotonic() - start_s):
            return ""
    if last is not None:
        return last.in_words(game="the last game")
    return "" if first is None else first.in_words()


def game_trouble(game: Sequence[Entry]) -> GameTrouble | None:
    """Computes a game as a table does when it starts; returns the error, if there is one."""
    try:
        game_history(game)
    except Exception as error:  # whatever the error, a table could not start
        return GameTrouble(first=game[0].number, last=game[-1].number, error=f"{type(error).__name__}: {reason(error)}")
    return None


@contextmanager
def followed_game(place: str) -> Iterator[None]:
    """Turns whatever goes wrong while a game of a journal is read and computed into an error that names its `place`.

    Raises:
        JournalError: the game cannot be read or computed.
    """
    try:
        yield
    except JournalError as error:
        raise JournalError(f"{place}: {error}") from error
    except (TachiaiError, OSError, MemoryError):
        raise
    except Exception as error:  # whatever the game contains
        problem = "cannot be followed, since what it holds contradicts itself"
        raise JournalError(f"{place}: {problem} ({type(error).__name__}: {reason(error)})") from error


def _games(database: sqlite3.Connection) -> Iterator[Sequence[Entry]]:
    """Yields the games of a journal, oldest first, each read separately."""
    starts = {number for (number,) in database.execute(GAME_STARTS, (0,))}
    game: list[Entry] = []
    last = 0
    while entries := tuple(stored_entries(database, after=last, limit=_BATCH_SIZE)):
        for entry in entries:
            if entry.number in starts and game:
                yield game
                game = []
            if game or entry.number in starts:
                game.append(entry)
        last = entries[-1].number
    if game:
        yield game

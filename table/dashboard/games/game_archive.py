"""The games of the journal, read once each: only what was written since is read again."""

from __future__ import annotations

import threading

from table.dashboard.web.table_port import TablePort
from table.game.journal.entries import Entry
from table.game.journal.game_history import GameHistory, game_history, games_of


class GameArchive:
    """All games of a desk's journal. May be used by several threads."""

    def __init__(self, port: TablePort) -> None:
        self._desk = port
        self._lock = threading.Lock()
        self._past: list[GameHistory] = []
        self._game: list[Entry] = []
        """The journal of the last game."""
        self._last: GameHistory | None = None

    def games(self) -> tuple[GameHistory, ...]:
        """Returns every game, oldest first."""
        with self._lock:
            fresh = self._desk.entries(self._game[-1].number if self._game else 0)
            *past, game = games_of([*self._game, *fresh])
            if fresh or self._last is None:
                self._past += map(game_history, past)
                self._game, self._last = list(game), game_history(game)
            return (*self._past, self._last)

    def find(self, number: int | None) -> tuple[GameHistory, tuple[Entry, ...]] | None:
        """Returns the game opened by that entry, the last one for None, with its journal; None where there is none."""
        games = self.games()
        game = games[-1] if number is None else next((each for each in games if each.number == number), None)
        if game is None:
            return None
        first, *_ = games_of(self._desk.entries(game.number - 1))
        return game, tuple(first)

"""The games of the journal, read once each: only the last one still changes."""

from __future__ import annotations

import threading

from table.dashboard.desk import Desk
from table.ledger.chronicle import Chronicle, chronicle, games_of


class Library:
    """All games of a desk's journal. May be used by several threads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._past: list[Chronicle] = []
        self._read = 0
        """The last entry of the last past game."""

    def games(self) -> tuple[Chronicle, ...]:
        """Returns every game, oldest first."""
        with self._lock:
            *past, last = games_of(self._desk.entries(self._read))
            for entries in past:
                self._past.append(chronicle(entries))
                self._read = entries[-1].number
            return (*self._past, chronicle(last))

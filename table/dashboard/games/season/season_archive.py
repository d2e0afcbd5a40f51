"""The season of the table's own journal: games are counted once, in the background if there are many."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Final

from table.dashboard.games.known_people import KnownPeople
from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.table_port import TablePort
from table.game.journal.entries import Entry
from table.game.snapshot import Board
from table.records.season.game_count import count_journal
from table.records.season.season import Season, season_of
from table.records.season.season_memory import Counted, keep, kept
from table.records.season.tally import GameTally
from table.runtime.table_errors import TachiaiError

SUFFIX: Final = ".season"
"""The suffix of the file with the counted games, in place of the journal's."""
FEW: Final = 8
"""Number of games that are counted while a page waits; more are counted in the background."""
BETWEEN: Final = 100
"""Number of games after which the background stores its results."""
REST: Final = 3
"""Pauses in the background are this many times as long as the work, to spare a Pi."""
_log = logging.getLogger(__name__)


class SeasonArchive:
    """Everybody's figures from the games of a journal. Thread-safe."""

    def __init__(self, board: Board, port: TablePort, known: KnownPeople, memory: Path | None = None) -> None:
        """Takes the table, the reader of its journal, the known people, and the file that keeps its results."""
        self._board, self._desk, self.known, self._memory = board, port, known, memory
        self._counting = threading.Lock()
        """Held while counting games."""
        self._lock = threading.Lock()
        """Held briefly, for access to everything below."""
        self._counted: Counted | None = None
        self._unreadable: set[str] = set()
        """The keys of games that the disk did not give; they are tried again after all others."""
        self._last: tuple[int, int, GameTally] | None = None
        """The last game as counted: its first and last entry, and the result."""
        self._season: tuple[object, Season] | None = None
        self._thread: threading.Thread | None = None

    def season(self) -> tuple[Season, int]:
        """Returns the season from the games counted so far, and the number of those not counted yet.

        At a tournament a game counts only once it is over, since its hands must not be replayed before.
        """
        unread = self._count(FEW)
        if unread:
            self._count_in_background()
        last, people = self._last_game(), self.known.people
        with self._lock:
            counted = self._counted or Counted()
            state = (len(counted.keys), id(last), people)
            if self._season is None or self._season[0] != state:
                everything = _with_last(counted, last).everything()
                made = season_of(everything.tallies, everything.ended, people, games=len(everything.keys))
                self._season = state, made
            return self._season[1], unread

    def _count(self, most: int) -> int:
        """Counts at most `most` finished games, newest first; returns how many are left."""
        with self._counting:
            starts = self._desk.games(0)
            over = {f"{one.number}:{following.before.hex()}": (one, following) for one, following in pairwise(starts)}
            if self._counted is None or not self._counted.keys <= over.keys():  # a game was opened and undone since
                counted = kept(self._memory, over) if self._memory is not None else Counted()
                with self._lock:
                    self._counted, self._season = counted, None
            fresh = [key for key in reversed(over) if key not in self._counted.keys]
            fresh.sort(key=self._unreadable.__contains__)
            for key in fresh[:most]:
                first, following = over[key]
                self._count_one(self._counted, key, first.number, following.number - 1)
            if fresh and self._memory is not None and (len(fresh) <= most or most == BETWEEN):
                keep(self._memory, self._counted)
            return len([key for key in fresh[most:] if key not in self._unreadable])

    def _count_one(self, counted: Counted, key: str, first: int, last: int) -> None:
        """Counts a game; one that cannot be read now is left for later."""
        try:
            entries = self._desk.entries(first - 1, last)
        except (TachiaiError, OSError) as error:
            if key not in self._unreadable:
                _log.warning("the game that entry %d opened cannot be read now: %s", first, error)
            self._unreadable.add(key)
            return
        game = _tally(entries)
        with self._lock:
            counted.add(key, game)

    def _last_game(self) -> GameTally | None:
        starts = self._desk.games(0)
        first = starts[-1].number
        if not may_watch_again(self._board.latest, first, is_owner=False):
            return None
        entries = self._desk.entries(first - 1)
        last = entries[-1].number
        with self._lock:
            if self._last is not None and self._last[:2] == (first, last):
                return self._last[2]
        game = _tally(entries)
        with self._lock:
            self._last = first, last, game
        return game

    def _count_in_background(self) -> None:
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            self._thread = threading.Thread(target=self._count_all, name="season", daemon=True)
            self._thread.start()

    def _count_all(self) -> None:
        try:
            while True:
                begun = monotonic()
                if not self._count(BETWEEN):
                    return
                threading.Event().wait(REST * (monotonic() - begun))
        except TachiaiError as error:
            _log.warning("earlier games cannot be counted now: %s", error)


def _tally(entries: Sequence[Entry]) -> GameTally:
    """Counts a game; one whose entries make no game counts for nobody."""
    try:
        return count_journal(entries)
    except Exception:  # whatever it contains, the other games remain
        _log.exception("the game that entry %d opened cannot be counted", entries[0].number)
        return GameTally(number=entries[0].number)


def _with_last(counted: Counted, last: GameTally | None) -> Counted:
    """Returns the counted games together with the last one, which may still be in progress."""
    going = {} if last is None else {"last": last}
    return Counted(keys=counted.keys, ended=counted.ended, tallies=counted.tallies, going=going)

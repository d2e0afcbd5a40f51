"""The season of the table's own journal: games are counted once, in the background if there are many."""

from __future__ import annotations

import logging
import threading
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Final

from table.dashboard.games.known_people import KnownPeople
from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.table_port import TablePort
from table.game.snapshot import Board
from table.records.season.game_count import count_journal
from table.records.season.season import Season, season_of
from table.records.season.season_memory import Counted, keep, kept
from table.records.season.tally import GameTally
from table.runtime.table_errors import TachiaiError

SUFFIX: Final = ".season"
"""What the name of the file ends in that holds what was counted, where the journal's ends in its own."""
FEW: Final = 8
"""So many games are counted while a page waits; more are left to the background."""
BETWEEN: Final = 100
"""After so many games, what the background has counted is kept."""
REST: Final = 3
"""The background rests so many times as long as it worked: a Pi has other things to do."""
_log = logging.getLogger(__name__)


class SeasonArchive:
    """What everybody did in the games of a journal. May be used by several threads."""

    def __init__(self, board: Board, port: TablePort, known: KnownPeople, memory: Path | None = None) -> None:
        """Takes the table, what reads its journal, who is whom, and where what was counted outlasts the program."""
        self._board, self._desk, self.known, self._memory = board, port, known, memory
        self._counting = threading.Lock()
        """Held by the one who counts games."""
        self._lock = threading.Lock()
        """Held for moments, over everything that follows."""
        self._counted: Counted | None = None
        self._last: tuple[int, int, GameTally] | None = None
        """The last game as it was counted: its first and last entry, and what was counted."""
        self._season: tuple[object, Season] | None = None
        self._thread: threading.Thread | None = None

    def season(self) -> tuple[Season, int]:
        """Returns the season as far as its games are counted, and how many are not.

        At a tournament a game counts once it is over: its hands may not be watched again before, either.
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
        """Counts so many games that are over and were not counted, the newest first; returns how many are left."""
        with self._counting:
            starts = self._desk.games(0)
            over = {f"{one.number}:{following.before.hex()}": (one, following) for one, following in pairwise(starts)}
            if self._counted is None:
                self._counted = kept(self._memory, over) if self._memory is not None else Counted()
            fresh = [key for key in reversed(over) if key not in self._counted.keys]
            for key in fresh[:most]:
                first, following = over[key]
                game = self._game(first.number, following.number - 1)
                with self._lock:
                    self._counted.add(key, game)
            if fresh and self._memory is not None and (len(fresh) <= most or most == BETWEEN):
                keep(self._memory, self._counted)
            return max(0, len(fresh) - most)

    def _game(self, first: int, last: int | None) -> GameTally:
        """Counts a game; one that cannot be read counts for nobody."""
        try:
            return count_journal(self._desk.entries(first - 1, last))
        except Exception:  # whatever it holds, the other games are there
            _log.exception("the game that entry %d opened cannot be counted", first)
            return GameTally(number=first)

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
        game = self._game(first, None)
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


def _with_last(counted: Counted, last: GameTally | None) -> Counted:
    """Returns what was counted, with the game that may still go on."""
    going = {} if last is None else {"last": last}
    return Counted(keys=counted.keys, ended=counted.ended, tallies=counted.tallies, going=going)

"""The season of the table's own journal: games are counted once, in the background if there are many."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Self

from table.dashboard.games.background_reader import BackgroundReader
from table.dashboard.games.game_archive import GameArchive
from table.dashboard.games.known_people import KnownPeople
from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.table_port import TablePort
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.snapshot import Board
from table.records.season.game_count import count_game
from table.records.season.season_figures import Season, season_of
from table.records.season.season_memory import SeasonCount, store_counts, stored_counts
from table.records.season.tally import GameTally
from table.runtime.table_errors import TachiaiError

EXTENSION: Final = "tachiai.season"
"""The application's key for its `SeasonArchive`."""
SUFFIX: Final = ".season"
"""The suffix of the file with the counted games, in place of the journal's."""
FEW: Final = 8
"""Number of games that are counted while a page waits; more are counted in the background."""
BETWEEN: Final = 100
"""Number of games after which the background stores its results."""
_log = logging.getLogger(__name__)


class _Finished(NamedTuple):
    """A finished game: its key, and its first and last entry."""

    key: str
    first: int
    last: int


class SeasonArchive:
    """Everybody's figures from the games of a journal. Thread-safe.

    A context manager: counting in the background ends with it.
    """

    def __init__(
        self,
        board: Board,
        port: TablePort,
        known: KnownPeople,
        memory: Path | None = None,
        *,
        games: GameArchive | None = None,
    ) -> None:
        """Takes what it counts, and where it keeps the results.

        Args:
            board: the table's snapshots.
            port: reads its journal.
            known: the known people.
            memory: the file that keeps the results across restarts; without one all games are counted again.
            games: the archive that follows the same games; each that it reads is counted at once, and never followed
                again. Without one, games are followed here.
        """
        self._board, self._port, self.known, self._memory = board, port, known, memory
        self._reader = BackgroundReader("season", self._count_all)
        self._looking, self._counting = threading.Lock(), threading.Lock()
        """Held while looking for games, and while counting one."""
        self._lock = threading.Lock()
        """Held briefly, for access to everything below."""
        self._counted: SeasonCount | None = None
        self._unreadable: set[str] = set()
        """The keys of games that the disk did not give; they are tried again after all others."""
        self._last: tuple[int, int, GameTally] | None = None
        """The last game as counted: its first and last entry, and the result."""
        self._season: tuple[object, Season] | None = None
        self._unstored = 0
        """Number of games counted since the results were stored."""
        self._games = games
        if games is not None:
            games.call_when_read(self._count_read)

    def season(self) -> tuple[Season, int]:
        """Returns the season from the games counted so far, and the number of those not counted yet.

        While games are counted in the background, no page waits for one. At a tournament a game counts only once it is
        over, since its hands must not be replayed before.
        """
        unread = self._count_few()
        last, people = self._last_game(), self.known.people
        with self._lock:
            counted = self._counted or SeasonCount()
            state = (len(counted.keys), id(last), people)
            if self._season is None or self._season[0] != state:
                everything = _with_last(counted, last).total()
                games, left_out = everything.games, everything.left_out
                made = season_of(everything.tallies, everything.game_ends, people, games=games, left_out=left_out)
                self._season = state, made
            return self._season[1], unread

    def _count_few(self) -> int:
        """Counts a few games while the caller waits, unless the background counts; returns how many are left."""
        is_being_read = self._games is not None and self._games.read_few() > 0
        counted, fresh = self._look()
        if is_being_read or self._reader.is_reading:
            return len(fresh)
        for game in fresh[:FEW]:
            self._count_one(counted, game)
        left = self._not_tried(fresh[FEW:])
        if left:
            self._reader.start()
        elif fresh or self._unstored:
            self._store(counted)
        return left

    def _count_read(self, game: GameHistory, end: str) -> None:
        """Counts an earlier game that the archive of games has just read."""
        with self._lock:
            known = self._counted
        counted = self._look()[0] if known is None else known
        self._add(counted, f"{game.number}:{end}", game.number, lambda: game)
        if self._unstored >= BETWEEN:
            self._store(counted)

    def _add(self, counted: SeasonCount, key: str, number: int, follow: Callable[[], GameHistory]) -> None:
        """Adds the game opened by that entry to the sum, unless it is in it; `follow` returns it."""
        with self._counting:
            if key in counted.keys:
                return
            tally = _tally(number, follow)
            with self._lock:
                counted.add(key, tally)
                self._unstored += 1

    def _count_all(self) -> Generator[None, None, None]:
        """Counts the remaining games, also those that are added meanwhile, and stores the results now and then."""
        while True:
            counted, fresh = self._look()
            try:
                for game in fresh[:BETWEEN]:
                    self._count_one(counted, game)
                    yield
            finally:
                self._store(counted)
            if not self._not_tried(fresh[BETWEEN:]):
                return

    def _look(self) -> tuple[SeasonCount, list[_Finished]]:
        """Returns the sum so far and the finished games that are not in it, newest first."""
        with self._looking:
            starts = self._port.games(0)
            over = [
                _Finished(f"{one.number}:{following.before.hex()}", one.number, following.number - 1)
                for one, following in pairwise(starts)
            ]
            keys = {game.key for game in over}
            with self._lock:
                counted = self._counted
            if counted is None or not counted.keys <= keys:  # a game was opened and undone since
                counted = SeasonCount() if self._memory is None else stored_counts(self._memory, keys)
            with self._lock:
                if self._counted is not counted:
                    self._counted, self._season = counted, None
                fresh = [game for game in reversed(over) if game.key not in counted.keys]
                fresh.sort(key=lambda game: game.key in self._unreadable)
            return counted, fresh

    def _count_one(self, counted: SeasonCount, game: _Finished) -> None:
        """Adds a game to the sum, unless it is in it; one that cannot be read now is left for later."""
        if game.key in counted.keys:
            return
        try:
            entries = self._port.entries(game.first - 1, game.last)
        except (TachiaiError, OSError) as error:
            with self._lock:
                is_known = game.key in self._unreadable
                self._unreadable.add(game.key)
            if not is_known:
                _log.warning("the game that entry %d opened cannot be read now: %s", game.first, error)
            return
        self._add(counted, game.key, game.first, partial(game_history, entries))

    def _not_tried(self, games: Sequence[_Finished]) -> int:
        """Returns how many of the games the disk did not refuse before."""
        with self._lock:
            return sum(game.key not in self._unreadable for game in games)

    def _store(self, counted: SeasonCount) -> None:
        """Stores the sum, unless a game was undone since and it was begun anew."""
        with self._counting:
            if self._memory is not None and counted is self._counted:
                store_counts(self._memory, counted)
                self._unstored = 0

    def _last_game(self) -> GameTally | None:
        starts = self._port.games(0)
        first = starts[-1].number
        if not may_watch_again(self._board.latest, first, is_owner=False):
            return None
        entries = self._port.entries(first - 1)
        last = entries[-1].number
        with self._lock:
            if self._last is not None and self._last[:2] == (first, last):
                return self._last[2]
        game = _tally(first, lambda: game_history(entries) if self._games is None else self._games.last_game())
        with self._lock:
            self._last = first, last, game
        return game

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.__exit__(*error)
        if self._counted is not None and self._unstored:
            self._store(self._counted)


def _tally(number: int, follow: Callable[[], GameHistory]) -> GameTally:
    """Counts the game that `follow` returns; one whose entries make no game counts for nobody."""
    try:
        return count_game(follow())
    except Exception:  # whatever it contains, the other games remain
        _log.exception("the game that entry %d opened cannot be counted", number)
        return GameTally(number=number)


def _with_last(counted: SeasonCount, last: GameTally | None) -> SeasonCount:
    """Returns the counted games together with the last one, which may still be in progress."""
    going = {} if last is None else {"last": last}
    return replace(counted, open_games=going)

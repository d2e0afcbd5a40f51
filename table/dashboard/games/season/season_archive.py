"""The season of the table's own journal: each game is counted once, in the background if there are many."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Self

from table.dashboard.games.archive.background_reader import BackgroundReader
from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.live.tournament_law import may_watch_again
from table.dashboard.web.table_port import TablePort
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.snapshot import Board
from table.records.season.game_count import count_game
from table.records.season.season_figures import Season, season_of
from table.records.season.season_memory import SeasonCount, store_counts, stored_counts
from table.records.season.tally import GameTally
from table.runtime.table_errors import TachiaiError
from vision.errors import reason_and_place

EXTENSION: Final = "tachiai.season"
"""The application's key for its `SeasonArchive`."""
SUFFIX: Final = ".season"
"""The suffix of the file with the counted games, in place of the journal's."""
FEW_GAMES: Final = 8
"""Number of games that are counted while a page waits; more are counted in the background."""
GAMES_PER_STORE: Final = 100
"""Number of games after which the background stores its results."""
_log = logging.getLogger(__name__)


class _FinishedGame(NamedTuple):
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
        known_people: KnownPeople,
        counts_path: Path | None = None,
        *,
        games: GameArchive | None = None,
    ) -> None:
        """Takes the sources of the games, and the file for the results.

        Args:
            board: the table's snapshots.
            port: reads its journal.
            known_people: the known people.
            counts_path: the file that keeps the results across restarts; without one all games are counted again.
            games: the archive that reads the same games; each game that it reads is counted at once, and not computed
                again. Without an archive, games are computed here.
        """
        self._board, self._port, self.known_people, self._counts_path = board, port, known_people, counts_path
        self._reader = BackgroundReader("season", self._count_all)
        self._search_lock, self._counting_lock = threading.Lock(), threading.Lock()
        """Held while looking for games, and while counting one."""
        self._lock = threading.Lock()
        """Held briefly, for access to everything below."""
        self._counts: SeasonCount | None = None
        self._unreadable: set[str] = set()
        """The keys of games that could not be read; they are tried again after all others."""
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
        last, people = self._last_game(), self.known_people.people
        with self._lock:
            counts = self._counts or SeasonCount()
            state = (len(counts.keys), last, people)
            if self._season is None or self._season[0] != state:
                everything = _with_last(counts, last).total()
                games, left_out = everything.games, everything.left_out
                season = season_of(everything.tallies, everything.game_ends, people, games=games, left_out=left_out)
                self._season = state, season
            return self._season[1], unread

    def _count_few(self) -> int:
        """Counts a few games while the caller waits, unless the background counts; returns how many are left."""
        is_being_read = self._games is not None and self._games.read_few() > 0
        counts, uncounted = self._counts_and_uncounted()
        if is_being_read or self._reader.is_reading:
            return len(uncounted)
        for game in uncounted[:FEW_GAMES]:
            self._count_one(counts, game)
        remaining = self._not_tried(uncounted[FEW_GAMES:])
        if remaining:
            self._reader.start()
        elif uncounted or self._unstored:
            self._store(counts)
        return remaining

    def _count_read(self, game: GameHistory, end: str) -> None:
        """Counts an earlier game that the archive of games has just read."""
        with self._lock:
            counts = self._counts
        counts = self._counts_and_uncounted()[0] if counts is None else counts
        self._add(counts, f"{game.number}:{end}", game.number, lambda: game)
        if self._unstored >= GAMES_PER_STORE:
            self._store(counts)

    def _add(self, counts: SeasonCount, key: str, number: int, follow: Callable[[], GameHistory]) -> None:
        """Adds the game that the entry `number` opened to the sum, unless it is included; `follow` returns the game."""
        with self._counting_lock:
            if key in counts.keys:
                return
            tally = _tally(number, follow)
            with self._lock:
                counts.add(key, tally)
                self._unstored += 1

    def _count_all(self) -> Generator[None, None, None]:
        """Counts the remaining games, also those that are added meanwhile, and stores the results now and then."""
        while True:
            counts, uncounted = self._counts_and_uncounted()
            try:
                for game in uncounted[:GAMES_PER_STORE]:
                    self._count_one(counts, game)
                    yield
            finally:
                self._store(counts)
            if not self._not_tried(uncounted[GAMES_PER_STORE:]):
                return

    def _counts_and_uncounted(self) -> tuple[SeasonCount, list[_FinishedGame]]:
        """Returns the sum so far and the finished games not included in it, newest first."""
        with self._search_lock:
            starts = self._port.games(0)
            finished = [
                _FinishedGame(f"{start.number}:{next_start.previous_hash.hex()}", start.number, next_start.number - 1)
                for start, next_start in pairwise(starts)
            ]
            keys = {game.key for game in finished}
            with self._lock:
                counts = self._counts
            if counts is None or not counts.keys <= keys:  # a game was opened and undone since
                counts = SeasonCount() if self._counts_path is None else stored_counts(self._counts_path, keys)
            with self._lock:
                if self._counts is not counts:
                    self._counts, self._season = counts, None
                uncounted = [game for game in reversed(finished) if game.key not in counts.keys]
                uncounted.sort(key=lambda game: game.key in self._unreadable)
            return counts, uncounted

    def _count_one(self, counts: SeasonCount, game: _FinishedGame) -> None:
        """Adds a game to the sum, unless it is included; one that cannot be read now is left for later."""
        if game.key in counts.keys:
            return
        try:
            entries = self._port.entries(game.first - 1, game.last)
        except (TachiaiError, OSError) as error:
            with self._lock:
                is_known = game.key in self._unreadable
                self._unreadable.add(game.key)
            if not is_known:
                _log.warning(
                    "the game that entry %d opened cannot be read now: %s", game.first, reason_and_place(error)
                )
            return
        self._add(counts, game.key, game.first, partial(game_history, entries))

    def _not_tried(self, games: Sequence[_FinishedGame]) -> int:
        """Returns how many of the games have not failed to be read before."""
        with self._lock:
            return sum(game.key not in self._unreadable for game in games)

    def _store(self, counts: SeasonCount) -> None:
        """Stores the sum, unless it was replaced because a game was undone."""
        with self._counting_lock:
            if self._counts_path is not None and counts is self._counts:
                store_counts(self._counts_path, counts)
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
        if self._counts is not None and self._unstored:
            self._store(self._counts)


def _tally(number: int, follow: Callable[[], GameHistory]) -> GameTally:
    """Counts the game that `follow` returns; one that cannot be computed counts for nobody."""
    try:
        return count_game(follow())
    except Exception:  # whatever it contains, the other games remain
        _log.exception("the game that entry %d opened cannot be counted", number)
        return GameTally(number=number)


def _with_last(counts: SeasonCount, last: GameTally | None) -> SeasonCount:
    """Returns the counted games together with the last one, which may still be in progress."""
    going = {} if last is None else {"last": last}
    return replace(counts, open_games=going)

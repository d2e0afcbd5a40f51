"""The games of the journal: the last one in full, and summaries of those before it.

A game before the last is read once and only its summary is kept, also beside the journal; it is read again only if the
opening of the next game is undone. A few games are read on demand; a long history is read in the background, newest
game first, while pages show what is known so far. No lock of the table's own thread is held while reading.
"""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Self

from table.dashboard.games.archive.background_reader import BackgroundReader
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.games.archive.past_games import Evening, PlayerRecord, PointsTable, evening_of
from table.dashboard.web.table_port import TablePort
from table.game.journal.entries import Entry
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.journal.history.game_summary import GameSummary, summary_of
from table.game.journal.history.summary_file import Key, SummaryFile
from table.game.journal.journal_reader import GameStart
from table.runtime.table_errors import TachiaiError
from vision.errors import reason_and_place

EXTENSION: Final = "tachiai.archive"
"""The application's key for its `GameArchive`."""
FEW_GAMES: Final = 16
"""Number of games that are read while a page waits; more are read in the background."""
LISTED_GAMES: Final = 12
"""Number of earlier games listed on the page of the last game."""
RANKED_PLAYERS: Final = 20
"""Number of the season's players listed there."""
OFFERED_NAMES: Final = 100
"""Number of names offered in its fields."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A summary of all games."""

    last: GameHistory
    past_games: Sequence[GameSummary]
    """The newest games with at least one hand before the last one, newest first."""
    evening: Evening
    """The evening of the last game, including it."""
    season: Sequence[PlayerRecord]
    """The best players, by points."""
    names: Sequence[str]
    """The names that played here most recently."""
    unread: int
    """The number of games still to be read."""


class GameArchive:
    """All games of a table's journal. Thread-safe.

    A context manager: reading starts when it is entered, and background reading ends with it.
    """

    def __init__(
        self, port: TablePort, summary_file: SummaryFile | None = None, known_people: KnownPeople | None = None
    ) -> None:
        """Takes the reader of the journal, the file that keeps summaries across restarts, and the known people."""
        self._known_people = known_people or KnownPeople(None)
        self._reader = BackgroundReader("archive", self._read_all)
        self._port = port
        self._summary_file = summary_file or SummaryFile(None)
        self._search_lock, self._reading_lock = threading.Lock(), threading.Lock()
        """Held while looking for games, and while reading an earlier one, in this order."""
        self._last_game_lock = threading.Lock()
        self._read_listeners: list[Callable[[GameHistory, str], None]] = []
        self._lock = threading.Lock()
        """Held briefly, for access to everything below."""
        self._starts: list[int] = []
        self._ends: dict[int, str] = {}
        """The hash of the last entry of each game before the last, if known."""
        self._unread: list[int] = []
        """Earlier games that have not been read yet, in order."""
        self._failed: list[int] = []
        """Earlier games that could not be read; the next page tries them again."""
        self._summaries: dict[int, GameSummary | None] = {}
        """Every earlier game that has been read; None for one whose entries make no game."""
        self._points = PointsTable()
        self._evening = Evening()
        """The evening of the newest game before the last, as far back as all games are known."""
        self._last: tuple[tuple[Entry, ...], GameHistory] | None = None
        self._last_found: tuple[GameHistory, tuple[Entry, ...]] | None = None

    def call_when_read(self, call: Callable[[GameHistory, str], None]) -> None:
        """Registers a function that is called with each earlier game that is read, and the hash of its last entry."""
        self._read_listeners.append(call)

    def last_game(self) -> GameHistory:
        """Returns the last game, with the names as they were entered."""
        return self._last_game()[0]

    def read_few(self) -> int:
        """Reads the remaining games at once if they are few, else in the background; returns how many are left then."""
        self._note_new_games()
        return self._read_few()

    def overview(self) -> Overview:
        """Returns what is known of all games."""
        last, _ = self._last_game()
        self._read_few()
        summary = summary_of(last)
        with self._lock:
            evening, points = self._evening.with_game(summary), self._points.with_game(summary)
            unread = len(self._unread)
        return Overview(
            last=self._known_people.game(last),
            past_games=self.past_games(limit=LISTED_GAMES),
            evening=evening,
            season=self._known_people.records(points.ranking())[:RANKED_PLAYERS],
            names=self._known_people.offered_names(points.names(OFFERED_NAMES)),
            unread=unread,
        )

    def unread_count(self) -> int:
        """Returns the number of earlier games still to be read."""
        with self._lock:
            return len(self._unread)

    def season(self) -> list[PlayerRecord]:
        """Returns everybody who finished a game under a name, by points."""
        summary = summary_of(self._last_game()[0])
        self._read_few()
        with self._lock:
            points = self._points.with_game(summary)
        return self._known_people.records(points.ranking())

    def past_games(self, *, limit: int, before: int | None = None) -> list[GameSummary]:
        """Returns games before the last with at least one hand, newest first.

        Args:
            limit: the maximum number.
            before: only games opened by an entry before this one.
        """
        self._note_new_games()
        self._read_few()
        with self._lock:
            end = len(self._starts) - 1
            if before is not None:
                end = bisect_left(self._starts, before, 0, end)
            found: list[GameSummary] = []
            for number in reversed(self._starts[:end]):
                game = self._summaries.get(number)
                if game is not None and game.figures.hands:
                    found.append(self._known_people.summary(game))
                if len(found) == limit:
                    break
        return found

    def find(self, number: int | None) -> tuple[GameHistory, tuple[Entry, ...]] | None:
        """Returns the game that the entry `number` opened, with its entries; the last game for None.

        None if there is no such game, or its part of the journal cannot be read.
        """
        found = self._find(number)
        return None if found is None else (self._known_people.game(found[0]), found[1])

    def _find(self, number: int | None) -> tuple[GameHistory, tuple[Entry, ...]] | None:
        self._note_new_games()
        with self._lock:
            index = len(self._starts) - 1 if number is None else bisect_left(self._starts, number)
            is_game = index < len(self._starts) and number in (None, self._starts[index])
            last, found = self._starts[-1], self._last_found
        if number is None or number == last:
            return self._last_game()
        if not is_game:
            return None
        if found is None or found[0].number != number or found[1][-1].number != self._end_of(number):
            try:
                found = self._game_with_entries(number)
            except (TachiaiError, OSError) as error:
                _log.warning("the game that entry %d opened cannot be read now: %s", number, reason_and_place(error))
                return None
            self._last_found = found or self._last_found
        return found

    def read_one(self) -> bool:
        """Tries to read the newest finished game that is still to be read; returns False if there is none."""
        with self._reading_lock:
            with self._lock:
                if not self._unread:
                    return False
                number = self._unread[-1]
                end = self._ends.get(number)
            try:
                found = self._game_with_entries(number)
            except (TachiaiError, OSError) as error:
                _log.warning("the game that entry %d opened cannot be read now: %s", number, reason_and_place(error))
                with self._lock:
                    self._unread.remove(number)
                    self._failed.append(number)
                return True
            game = None if found is None else summary_of(found[0])
            if game is not None and end:
                self._summary_file.add(end, game)
            with self._lock:
                self._unread.remove(number)
                self._add_summary(number, game)
                self._evening = self._past_evening()
        if found is not None and end:
            for call in self._read_listeners:
                call(found[0], end)
        return True

    def _add_summary(self, number: int, game: GameSummary | None) -> None:
        self._summaries[number] = game
        if game is not None:
            self._points.add(game)

    def _past_evening(self) -> Evening:
        numbers = takewhile(lambda number: number in self._summaries, reversed(self._starts[:-1]))
        return evening_of(game for number in numbers if (game := self._summaries[number]) is not None)

    def _game_with_entries(self, number: int) -> tuple[GameHistory, tuple[Entry, ...]] | None:
        """Returns a game with its entries; None if no game can be computed from them.

        Raises:
            JournalError: the journal cannot be read now.
        """
        entries = self._entries_of(number)
        try:
            return game_history(entries), entries
        except Exception:  # whatever it contains, the other games remain
            _log.exception("the game that entry %d opened cannot be computed", number)
            return None

    def _read_few(self) -> int:
        """Reads the known remaining games while the caller waits if they are few, else in the background."""
        with self._lock:
            self._unread = sorted(self._unread + self._failed)
            self._failed = []
            unread = len(self._unread)
        if unread > FEW_GAMES:
            self._reader.start()
            return unread
        while self.read_one():
            pass
        return 0

    def _read_all(self) -> Generator[None, None, None]:
        """Reads the remaining games, also those that are added meanwhile."""
        self._note_new_games()
        while self.read_one():
            yield
            self._note_new_games()

    def _note_new_games(self) -> None:
        """Notes new games; stored summaries of earlier ones are used if they match the journal."""
        with self._search_lock:
            last = self._starts[-1] if self._starts else 0
            starts = self._port.games(last - 1) if last else ()
            if starts and starts[0].number == last:
                with self._lock:
                    self._add_games(starts[1:], {})
                return
            starts = self._port.games(0)  # nothing is known yet, or the opening of the last game was undone
            stored = self._summary_file.read() if len(starts) > 1 and not self._summaries else {}
            with self._reading_lock, self._lock:
                self._add_games(starts, {**stored, **self._forget()})

    def _add_games(self, starts: Sequence[GameStart], stored: Mapping[Key, GameSummary]) -> None:
        """Adds games after those known, with the summaries that are stored of them; the caller holds the lock."""
        for start in starts:
            if self._starts:
                self._note_end(self._starts[-1], start.previous_hash.hex(), stored)
            self._starts.append(start.number)
        if starts:
            self._evening = self._past_evening()

    def _forget(self) -> dict[Key, GameSummary]:
        """Forgets all games, to add them anew; returns the summaries known so far. The caller holds the locks."""
        summaries = {
            (number, self._ends[number]): game
            for number, game in self._summaries.items()
            if game is not None and number in self._ends
        }
        self._starts, self._ends, self._unread, self._failed, self._summaries = [], {}, [], [], {}
        self._points = PointsTable()
        return summaries

    def _note_end(self, number: int, end: str, stored: Mapping[Key, GameSummary]) -> None:
        """Notes where a game ended, once another was opened."""
        self._ends[number] = end
        if (game := stored.get((number, end))) is not None:
            self._add_summary(number, game)
        else:
            self._unread.append(number)

    def _entries_of(self, number: int) -> tuple[Entry, ...]:
        return self._port.entries(number - 1, self._end_of(number))

    def _end_of(self, number: int) -> int | None:
        """Returns the number of a game's last entry; None for the last game."""
        with self._lock:
            following = bisect_left(self._starts, number) + 1
            return self._starts[following] - 1 if following < len(self._starts) else None

    def _last_game(self) -> tuple[GameHistory, tuple[Entry, ...]]:
        """Returns the last game, read again only if something was written since."""
        with self._last_game_lock:
            self._note_new_games()
            with self._lock:
                number = self._starts[-1]
            entries, game = self._last or ((), None)
            if game is None or game.number != number:
                entries, game = (), None
            new_entries = self._port.entries(entries[-1].number if entries else number - 1)
            if new_entries or game is None:
                entries += new_entries
                game = game_history(entries)
                self._last = entries, game
            return game, entries

    def __enter__(self) -> Self:
        self._reader.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.__exit__(*error)

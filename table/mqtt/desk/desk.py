"""The tournament desk: combines the tables' reports with its owner's acts, and runs the common clock."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from table.mqtt.desk.acts import (
    Act,
    AppealDecided,
    ClockMoved,
    GameHeard,
    GameMoved,
    PenaltyCancelled,
    PenaltyGiven,
    PlayerReplaced,
    ResultTold,
    RoundBegun,
    TimeCalled,
    TournamentOpened,
)
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.tournament import Tournament, after, tournament_of
from table.mqtt.desk_signal import moment, signal_message
from table.mqtt.hall_messages import HallTable
from table.runtime.clock import Clock
from table.runtime.table_errors import PressError
from table.runtime.worker import Worker

LOOK_S: Final = 0.25
"""Interval between checks of the clock."""
MOST_POINTS: Final = 1_000_000
_log = logging.getLogger(__name__)


class Desk(Worker):
    """A tournament desk. Thread-safe. A context manager: its clock runs inside ``with``."""

    def __init__(
        self,
        journal: DeskJournal,
        clock: Clock,
        *,
        tables: Callable[[], Sequence[HallTable]],
        say: Callable[[str], None],
    ) -> None:
        """Restores the state from the journal.

        Args:
            journal: stores every act.
            clock: the source of the time of day.
            tables: returns the tables that the hall knows.
            say: sends a message to all tables.
        """
        super().__init__("desk")
        self._journal = journal
        self._clock = clock
        self._tables = tables
        self._say = say
        self._lock = threading.RLock()
        self._tournament = tournament_of(journal.acts)
        self.counted: tuple[Tournament, Mapping[str, Any]] | None = None
        """The standings as pages show them, and the tournament that they belong to."""

    @property
    def tournament(self) -> Tournament | None:
        """The tournament's current state; None before the first is opened."""
        with self._lock:
            return self._tournament

    @property
    def hall(self) -> Sequence[HallTable]:
        """The tables known to the hall."""
        return self._tables()

    @property
    def now(self) -> str:
        """The current time, ISO 8601, UTC."""
        return self._clock.utc()

    def open(self, opened: TournamentOpened) -> None:
        """Opens a tournament; an earlier one is over."""
        with self._lock:
            self._do(opened)

    def heard(self, table: HallTable) -> None:
        """Stores a table's report of its games, once a hand of them was confirmed."""
        with self._lock:
            now = self._tournament
            if now is None or table.name not in now.opened.tables:
                return
            known = now.games.get(table.name, {})
            try:
                for game in table.games:
                    if game.hands and known.get(game.number) != game:
                        self._do(GameHeard(table=table.name, game=game))
            except PressError as error:
                _log.error("%s: the table %s will send it again", error, table.name)

    def begin_round(self, round_: int) -> None:
        """Begins a round and its clock.

        Raises:
            PressError: there is no such round.
        """
        with self._lock:
            opened = self._open().opened
            _check(0 <= round_ < len(opened.rounds))
            at = self.now
            until = "" if not opened.minutes else _later(at, opened.minutes)
            before = {table.name: _last_begun(table) for table in self._tables() if table.name in opened.tables}
            self._do(RoundBegun(round=round_, at=at, until=until, before=before))

    def move_clock(self, minutes: int) -> None:
        """Postpones the round's end; without an end, or after time was called, the time counts from now.

        Args:
            minutes: by how much, from -600 to 600; a negative number brings the end forward.

        Raises:
            PressError: no round has begun, or there are too many minutes.
        """
        with self._lock:
            now = self._open()
            _check(now.round is not None and -600 <= minutes <= 600)
            self._do(ClockMoved(until=_later(now.until or self.now, minutes)))

    def call_time(self) -> None:
        """Calls time at every table at once.

        Raises:
            PressError: no round has begun.
        """
        with self._lock:
            _check(self._open().round is not None)
            act = TimeCalled(at=self.now)
            self._do(act)
        self._say(signal_message(act.at))

    def say_again(self) -> None:
        """Repeats the signal if time was called: the broker may have lost it, or a killed desk never sent it."""
        now = self.tournament
        if now is not None and now.called is not None:
            self._say(signal_message(now.called))

    def tell_result(self, act: ResultTold) -> None:
        """Stores a table's final points as people entered them.

        Raises:
            PressError: there is no such round or table, or a score is beyond `MOST_POINTS`.
        """
        with self._lock:
            rounds = self._open().opened.rounds
            _check(0 <= act.round < len(rounds) and 0 <= act.table < len(rounds[act.round]))
            _check(act.scores is None or all(abs(each) <= MOST_POINTS for each in act.scores))
            self._do(act)

    def move_game(self, act: GameMoved) -> None:
        """Counts a table's game for another round, or for none.

        Raises:
            PressError: there is no such game or round.
        """
        with self._lock:
            now = self._open()
            _check(act.game in now.games.get(act.table, {}))
            _check(act.round is None or 0 <= act.round < len(now.opened.rounds))
            self._do(act)

    def give_penalty(self, act: PenaltyGiven) -> None:
        """Deducts points from a player's total.

        Raises:
            PressError: there is no such player, or the points are not from 1 to `MOST_POINTS`.
        """
        with self._lock:
            now = self._open()
            _check(0 <= act.player < len(now.opened.players) and 0 < act.points <= MOST_POINTS)
            self._do(act)

    def cancel_penalty(self, act: PenaltyCancelled) -> None:
        """Cancels a penalty.

        Raises:
            PressError: there is no such penalty, or it is cancelled already.
        """
        with self._lock:
            given = self._open().penalties
            _check(0 <= act.penalty < len(given) and given[act.penalty].cancelled is None)
            self._do(act)

    def replace_player(self, act: PlayerReplaced) -> None:
        """Lets a substitute play a round for a player.

        Raises:
            PressError: there is no such round or player.
        """
        with self._lock:
            opened = self._open().opened
            _check(0 <= act.round < len(opened.rounds) and 0 <= act.player < len(opened.players))
            _check(act.points is None or abs(act.points) <= MOST_POINTS)
            self._do(act)

    def decide_appeal(self, act: AppealDecided) -> None:
        """Stores the referee's ruling on an appeal.

        Raises:
            PressError: no tournament is open.
        """
        with self._lock:
            self._open()
            self._do(act)

    def _open(self) -> Tournament:
        if self._tournament is None:
            raise PressError("expected an open tournament, got none", says="no_tournament")
        return self._tournament

    def _do(self, act: Act) -> None:
        try:
            self._journal.add(act)
        except OSError as error:
            raise PressError(f"expected to write the desk's journal, got: {error}", says="desk_unwritten") from error
        self._tournament = after(self._tournament, act)

    def look_at_the_clock(self) -> None:
        """Calls time when it is due."""
        now = self.tournament
        if now is not None and now.until and moment(self.now) >= moment(now.until):
            self.call_time()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_S):
            try:
                self.look_at_the_clock()
            except PressError as error:
                _log.error("%s", error)


def _check(is_so: bool) -> None:
    """Refuses a request that none of the desk's own pages makes."""
    if not is_so:
        raise PressError("expected a number that this tournament has, got another", says="unreadable")


def _later(at: str, minutes: int) -> str:
    return (moment(at) + timedelta(minutes=minutes)).isoformat(timespec="seconds")


def _last_begun(table: HallTable) -> int:
    """The number of the table's last game with a finished hand; it belongs to the round before."""
    return max((game.number for game in table.games if game.hands), default=0)

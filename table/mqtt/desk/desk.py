"""The tournament desk: combines the tables' reports with its owner's acts, and runs the common clock."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from time import monotonic
from typing import Any, Final, Protocol

from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.desk_recovery import JournalDamage
from table.mqtt.desk.other_desk import OtherDesk
from table.mqtt.desk.round_clock import RoundClock
from table.mqtt.desk.seating_search import SeatingSearch
from table.mqtt.desk_signal import DeskSignal, moment, signal_message
from table.mqtt.hall_messages import HallTable
from table.mqtt.tournament.acts import (
    Act,
    Change,
    ClockMoved,
    GameHeard,
    GameMoved,
    RoundBegun,
    TimeCalled,
    TournamentOpened,
)
from table.mqtt.tournament.past_tournaments import PastTournaments
from table.mqtt.tournament.round_seating import Tables
from table.mqtt.tournament.standings import is_round_over
from table.mqtt.tournament.tournament import MOST_MINUTES, Tournament, apply_act, is_possible, tournaments_of
from table.mqtt.tournament.tournament_rules import tournament_rules
from table.runtime.clock import Clock, steady_s
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import PressError
from table.runtime.threads import Worker
from vision.errors import reason

CHECK_S: Final = 0.25
"""Interval between checks of the clock."""
REPEAT_S: Final = 30.0
"""Interval at which the clock is sent to the tables again, for tables that return or set their own clocks."""
_log = logging.getLogger(__name__)


class SendToTables(Protocol):
    """Sends a message to all tables."""

    def __call__(self, text: str, *, is_news: bool) -> None:
        """Sends the message; news also reach tables that are offline, once they return."""


class Desk(Worker):
    """A tournament desk. Thread-safe. A context manager: its clock runs inside ``with``."""

    def __init__(
        self,
        journal: DeskJournal,
        clock: Clock,
        *,
        tables: Callable[[], Sequence[HallTable]],
        send: SendToTables,
        is_connected: Callable[[], bool] = lambda: True,
        name: str = "",
        seconds: Callable[[], float] = steady_s,
    ) -> None:
        """Restores the state from the journal.

        Args:
            journal: stores every act.
            clock: the machine's time of day, taken over now, and whenever a tournament is opened or a round begins.
            tables: returns the tables that the hall knows.
            send: sends a message to all tables.
            is_connected: returns whether messages to and from the tables arrive.
            name: distinguishes it from other desks at the broker; the same after every start.
            seconds: returns seconds that pass evenly in between, from any start.
        """
        super().__init__("desk")
        self._journal = journal
        self._clock = RoundClock(clock, seconds)
        self._tables = tables
        self._send = send
        self._is_connected = is_connected
        self._name = name
        self.other_desk = OtherDesk(name, seconds)
        """Notices another desk that sends signals to the same tables."""
        self._lock = threading.RLock()
        tournaments = tournaments_of(journal.acts)
        self._earlier, self._tournament = tournaments[:-1], tournaments[-1] if tournaments else None
        self._unwritten_acts: deque[Act] = deque()
        self._checked: tuple[Tournament | None, bool] = None, False
        self._was_sent_as_over = False
        self.past = PastTournaments(self._tournament)
        self.shown_standings: deque[tuple[Tournament, Mapping[str, Any]]] = deque(maxlen=4)
        """The last standings that pages showed, each with its tournament."""
        self._search: SeatingSearch | None = None
        self.opening_error: PressError | None = None
        """Why the tournament whose seating was found last could not be opened."""

    @property
    def tournament(self) -> Tournament | None:
        """The tournament's current state; None before the first is opened."""
        with self._lock:
            return self._tournament

    @property
    def earlier(self) -> Sequence[Tournament]:
        """The earlier tournaments, as each ended, oldest first."""
        with self._lock:
            return self._earlier

    @property
    def is_round_over(self) -> bool:
        """Whether every table's result in the current round is final, so that nobody needs its clock any more."""
        now = self.tournament
        if now is None:
            return False
        checked, is_over = self._checked
        if checked is not now:
            house = tournament_rules(now.opening)
            is_over = is_round_over(now, None if house is None else house.ruleset)
            self._checked = now, is_over
        return is_over

    @property
    def is_connected(self) -> bool:
        """Whether messages to and from the tables arrive."""
        return self._is_connected()

    @property
    def hall(self) -> Sequence[HallTable]:
        """The tables known to the hall."""
        return self._tables()

    @property
    def now(self) -> str:
        """The current time, ISO 8601, UTC; corrections of the machine's clock do not move it during a round."""
        return self._clock.utc()

    @property
    def damage(self) -> JournalDamage | None:
        """The damage of the journal that was repaired at the start; None without any."""
        return self._journal.damage

    @property
    def search(self) -> SeatingSearch | None:
        """The search for a tournament's seating that is in progress; None only once what it found was opened."""
        with self._lock:
            return self._search

    @property
    def has_unwritten(self) -> bool:
        """Whether the disk has refused a call of time, which was sent to the tables all the same."""
        return bool(self._unwritten_acts)

    def open(self, opening: TournamentOpened) -> None:
        """Opens a tournament; an earlier one is over.

        Raises:
            PressError: another one's seating is being searched for.
        """
        with self._lock:
            self._check_no_search()
            self.opening_error = None
            self._write_and_apply(opening)
            self._clock.set()
        self._send_signal()

    def seat(self, opening: TournamentOpened, rounds: int) -> None:
        """Searches for a seating of `rounds` rounds in the background, and opens the tournament once it is found.

        Raises:
            PressError: another search is in progress.
        """

        def on_found(found: tuple[Tables, ...]) -> None:
            with self._lock:
                if self._search is not search:  # given up just when it was done
                    return
                self._search = None
                try:
                    self.open(replace(opening, rounds=found))
                except PressError as error:
                    _log.error("%s", error)
                    self.opening_error = error

        with self._lock:  # a short search may be done before it is noted
            self._check_no_search()
            self.opening_error = None
            self._search = search = SeatingSearch(len(opening.players), rounds, on_found)

    def _check_no_search(self) -> None:
        if self._search is not None:
            raise PressError("expected no search for a seating, got one of another owner", says="faster")

    def end_search(self) -> None:
        """Ends the search with the best seating found so far."""
        if (search := self.search) is not None:
            search.end()

    def give_up_search(self) -> None:
        """Aborts the search for a seating, if there is one."""
        with self._lock:
            self.opening_error = None
            search, self._search = self._search, None
        if search is not None:
            search.give_up()

    def store_report(self, table: HallTable) -> None:
        """Stores a table's report of its games, each from its first confirmed hand on, even if that is taken back."""
        with self._lock:
            now = self._tournament
            if now is None or table.name not in now.opening.tables:
                return
            games = now.games.get(table.name, {})
            try:
                for game in table.games:
                    before = games.get(game.identity)
                    if game.hands if before is None else before.game != game:
                        self._write_and_apply(GameHeard(table=table.name, game=game, at=self.now))
            except PressError as error:
                _log.error("%s: the table %s will send it again", error, table.name)

    def begin_round(self, round_: int) -> None:
        """Begins a round and its clock.

        Raises:
            PressError: there is no such round, or it has begun: an older page may still offer it.
        """
        with self._lock:
            now = self.opened_tournament()
            opening = now.opening
            if round_ in {begun.round for begun in now.begun_rounds}:
                raise PressError(f"expected a round that has not begun, got round {round_ + 1}", says="faster")
            self._clock.set()
            at = self.now
            until = "" if not opening.minutes else _minutes_later(at, opening.minutes)
            self._write_and_apply(RoundBegun(round=round_, at=at, until=until, known=self._known_before(now)))
        self._send_signal()

    def _known_before(self, now: Tournament) -> dict[str, tuple[str, ...]]:
        """Returns what each table has done so far: what the hall knows of it, and what the desk has stored.

        The hall knows nothing of a table that it has not heard since it started.
        """
        heard = {table.name: _earlier_games(table) for table in self._tables()}
        stored = {
            name: tuple(key for key, report in games.items() if report.game.hands) for name, games in now.games.items()
        }
        names = [name for name in now.opening.tables if name in heard or name in stored]
        return {name: tuple(dict.fromkeys((*heard.get(name, ()), *stored.get(name, ())))) for name in names}

    def move_clock(self, minutes: int) -> None:
        """Postpones the round's end; without an end, the time counts from now.

        Args:
            minutes: by how much, at most `MOST_MINUTES`; a negative number brings the end forward.

        Raises:
            PressError: no round has begun, there are too many minutes, the end would be past, or time was called: the
                tables end their games, whatever the clock shows.
        """
        with self._lock:
            now = self.opened_tournament()
            _check(-MOST_MINUTES <= minutes <= MOST_MINUTES)
            _check_time(now)
            until = _minutes_later(now.until or self.now, minutes)
            if moment(until) <= moment(self.now):
                raise PressError(f"expected an end after now, {self.now}, got {until}", says="clock_past")
            self._write_and_apply(ClockMoved(until=until))
        self._send_signal()

    def call_time(self) -> None:
        """Calls time at every table at once, even if the disk refuses the act, which is written as soon as it can be.

        Raises:
            PressError: no round has begun, or time was called.
        """
        with self._lock:
            now = self.opened_tournament()
            _check(now.round is not None)
            _check_time(now)
            act = TimeCalled(at=self.now)
            try:
                self._write_and_apply(act)
            except PressError as error:
                _log.error("%s: time is called all the same", error)
                self._unwritten_acts.append(act)
                self._apply(act)
        self._send_signal()

    def send_again(self) -> None:
        """Repeats the current round: the broker may have lost it, or a killed desk never sent it."""
        self._send_signal()

    def _send_signal(self, *, is_news: bool = True) -> None:
        now = self.tournament
        if now is None:
            return
        self._was_sent_as_over = self.is_round_over
        seated_round = now.seated_round(is_round_over=self._was_sent_as_over)
        signal = DeskSignal(
            at=now.called_at or (now.begun_rounds[-1].at if now.begun_rounds else self.now),
            is_called=now.called_at is not None,
            event=now.opening.event,
            round=0 if now.round is None else now.round + 1,
            until=now.until,
            sent=self.now,
            desk=self._name,
            seated=now.seated(seated_round),
            seated_round=seated_round or 0,
        )
        self._send(signal_message(signal), is_news=is_news)

    def record(self, act: Change) -> None:
        """Stores an act of the owner in the open tournament; where acts contradict each other, the last one counts.

        Raises:
            PressError: no tournament is open, or it has no such round, table, player or penalty, or so many points are
                impossible.
        """
        with self._lock:
            self.opened_tournament()
            self._write_and_apply(act)

    def move_game(self, act: GameMoved) -> None:
        """Counts a table's game for another round, or for none.

        Raises:
            PressError: there is no such game or round.
        """
        with self._lock:
            now = self.opened_tournament()
            games = [report.game for report in now.games.get(act.table, {}).values()]
            _check(any(game.number == act.game and act.opened in ("", game.opened) for game in games))
            self._write_and_apply(act)

    def opened_tournament(self) -> Tournament:
        """Returns the tournament's current state.

        Raises:
            PressError: none is open.
        """
        now = self.tournament
        if now is None:
            raise PressError("expected an open tournament, got none", says="no_tournament")
        return now

    def _write_and_apply(self, act: Act) -> None:
        _check(is_possible(self._tournament, act))
        try:
            self._write_missed()
            self._journal.add(act)
        except OSError as error:
            raise PressError(
                f"expected to write the desk's journal, got: {reason(error)}", says="desk_unwritten"
            ) from error
        self._apply(act)

    def _apply(self, act: Act) -> None:
        if isinstance(act, TournamentOpened) and self._tournament is not None:
            self._earlier += (self._tournament,)
        self._tournament = apply_act(self._tournament, act)
        self.past.keep(self._tournament)

    def _write_missed(self) -> None:
        """Writes the acts that the disk has refused, in their order."""
        while self._unwritten_acts:
            self._journal.add(self._unwritten_acts[0])
            self._unwritten_acts.popleft()

    def repeat(self) -> None:
        """Sends the clock to the tables again, and tries again to write what the disk has refused."""
        self._send_signal(is_news=False)
        with self._lock, suppress(OSError):
            self._write_missed()

    def check_clock(self) -> None:
        """Calls time when it is due, unless all games have ended; once they have, sends the tables the next seats."""
        now = self.tournament
        if self.is_round_over != self._was_sent_as_over:
            self._send_signal()
        is_due = now is not None and now.until and moment(self.now) >= moment(now.until)
        if is_due and not self.is_round_over:
            self.call_time()

    def _run(self) -> None:
        sent_at, throttle = monotonic(), LogThrottle()
        while not self._stopping.wait(CHECK_S):
            jobs = [self.check_clock]
            if monotonic() >= sent_at + REPEAT_S:
                sent_at = monotonic()
                jobs.append(self.repeat)
            for job in jobs:
                try:
                    job()
                except PressError as error:
                    _log.error("%s", error)
                except Exception as error:  # whatever the tables reported, the next round's clock must run
                    if throttle.is_due_for(error):
                        _log.exception("unexpected error in the desk's clock, which goes on")

    def __exit__(self, *_: object) -> None:
        """Stops the clock, and a search for a seating."""
        self.give_up_search()
        super().__exit__()


def _check(is_so: bool) -> None:
    """Refuses a request that none of the desk's own pages makes."""
    if not is_so:
        raise PressError("expected a number that this tournament has, got another", says="unreadable")


def _check_time(now: Tournament) -> None:
    """Refuses what is possible only before time is called."""
    if now.called_at is not None:
        raise PressError(f"expected a round whose time was not called, got {now.called_at}", says="time_was_called")


def _minutes_later(at: str, minutes: int) -> str:
    return (moment(at) + timedelta(minutes=minutes)).isoformat(timespec="seconds")


def _earlier_games(table: HallTable) -> tuple[str, ...]:
    """Returns a table's games with a finished hand, and its flagged moments, which belong to earlier rounds."""
    games = [game.identity for game in table.games if game.hands]
    return (*games, *(appeal.name for appeal in table.appeals.appeals))

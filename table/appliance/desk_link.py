"""What a table does for a tournament's desk: reports the last games, shows the desk's clock, and calls time for it."""

from __future__ import annotations

import logging

from table.game.commands.game_commands import CallTime
from table.game.journal.authors import DESK
from table.game.journal.history.game_history import GameHistory, ended_hand_count, latest_games
from table.game.journal.journal_reader import JournalReader
from table.game.table_loop import Table, TableLoop
from table.mqtt.desk_signal import DeskSignal, DeskTime, applies_to_game, is_same_clock, moment
from table.mqtt.played_games import MOST_GAMES
from table.runtime.clock import Clock
from table.runtime.table_errors import JournalError

_log = logging.getLogger(__name__)


class DeskLink:
    """One table's link to the desk."""

    def __init__(self, table: Table, clock: Clock, loop: TableLoop, *, name: str) -> None:
        """Takes the table, the source of the time of day, the table's loop, and its name at the broker."""
        self._table, self._clock, self._loop, self._name = table, clock, loop, name
        self._time = DeskTime()

    def earlier_games(self) -> list[GameHistory]:
        """Returns the journal's last games; none if it cannot be read."""
        try:
            return latest_games(JournalReader(self._table.journal), MOST_GAMES)
        except JournalError as error:
            _log.error("expected to read the last games for the desk, got: %s", error)
            return []

    def receive_signal(self, signal: DeskSignal) -> None:
        """Shows the common clock; calls time if the signal applies to this game and time was not called already."""
        latest, now = self._table.board.latest, self._clock.utc()
        clock = self._time.clock(signal, now, self._name)
        if latest.desk is None or not is_same_clock(latest.desk, clock):
            self._loop.send(clock)
        if (
            signal.is_called
            and not latest.game.is_over
            and latest.game.ends_after is None
            and applies_to_game(signal, latest)
        ):
            self._loop.send(CallTime(by=DESK, finished=self._hands_ended(latest.opened_by, clock.called_at, now)))

    def _hands_ended(self, opened_by: int, after: str, until: str) -> int:
        """Returns the number of hands that ended between two moments, in the game that an entry opened."""
        try:
            entries = JournalReader(self._table.journal).entries(opened_by - 1)
        except JournalError as error:
            _log.error("expected to read the game for the desk, got: %s", error)
            return 0
        return ended_hand_count(entries, after=moment(after), until=moment(until))

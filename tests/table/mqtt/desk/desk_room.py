"""A tournament of eight players, and a desk with its hall and its clock."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk_signal import DeskSignal, read_signal
from table.mqtt.hall_messages import HallTable
from table.mqtt.table_games import SeatPoints, TableGame
from table.mqtt.tournament.acts import (
    TournamentOpened,
)
from table.mqtt.tournament.standings import StandingsLine, standings
from table.mqtt.tournament.tournament import Tournament
from table.rulebook import rules_named
from table.runtime.clock import LogicalClock

RULES = rules_named("ema-2025").ruleset
PLAYERS = tuple(f"Player {number}" for number in range(8))
OPENING = TournamentOpened(
    title="Cup",
    rules="ema-2025",
    players=PLAYERS,
    rounds=(((0, 1, 2, 3), (4, 5, 6, 7)), ((4, 1, 2, 3), (0, 5, 6, 7))),
    tables=("east", ""),
    minutes=75,
    event="5f2c",
)


class Room:
    """A desk with its hall, its clock and everything that it told the tables."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.clock, self.passed_ns = LogicalClock(), 0
        self.tables: dict[str, HallTable] = {}
        self.signals: list[DeskSignal] = []
        self.desk = self.open_desk()

    def say(self, text: str, *, is_news: bool) -> None:
        if is_news:
            self.signals.append(read_signal(text.encode()))

    @property
    def calls(self) -> list[str]:
        """The moments for which time was called, as often as it was said."""
        return [signal.at for signal in self.signals if signal.is_called]

    def open_desk(self) -> Desk:
        journal = self.stack.enter_context(DeskJournal(self.folder / "desk.jsonl"))
        return Desk(
            journal,
            self.clock,
            tables=lambda: tuple(self.tables.values()),
            send=self.say,
            seconds=lambda: self.passed_ns / 1e9,
        )

    def passes(self, **time: float) -> None:
        passed_ns = round(timedelta(**time).total_seconds() * 1e9)
        self.passed_ns += passed_ns
        self.clock.now_ns += passed_ns

    def plays(self, number: int, points: SeatPoints, **fields: Any) -> None:
        """The table `east` tells of a game, opened now unless it is known."""
        table = self.tables.get("east", HallTable(name="east", is_online=True))
        before = {game.number: game for game in table.games}
        game = before.get(number) or game_of(number, self.clock.utc())
        before[number] = replace(game, points=points, scores=points, **fields)
        self.tables["east"] = replace(table, games=tuple(before[each] for each in sorted(before)))
        self.desk.store_report(self.tables["east"])

    @property
    def tournament(self) -> Tournament:
        assert self.desk.tournament is not None
        return self.desk.tournament

    @property
    def totals(self) -> dict[str, int]:
        return {PLAYERS[line.player]: line.total for line in self.lines}

    @property
    def lines(self) -> tuple[StandingsLine, ...]:
        return standings(self.tournament, RULES)


def game_of(number: int, opened_at: str) -> TableGame:
    points = (0, 0, 0, 0)
    words: dict[str, Any] = {"rules": "ema-2025", "first_dealer": 0, "hands": 1, "is_over": False}
    return TableGame(number=number, opened=opened_at, scores=points, points=points, **words)

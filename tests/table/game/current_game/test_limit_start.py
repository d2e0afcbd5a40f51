from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from table.game.current_game.limit_start import LimitStart
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.table.game.by_hand import draw, tell

OPENING_TIME = "2000-01-01T00:00:00.000+00:00"


@dataclass(slots=True)
class SetClock(LogicalClock):
    """A clock whose time of day is set."""

    def set(self, by: timedelta) -> None:
        self.epoch += by


def test_time_that_passes_moves_no_start() -> None:
    clock = SetClock()
    start = LimitStart(clock)
    clock.now_ns += round(3600e9)
    clock.set(timedelta(seconds=2))
    assert start.corrected_opening(OPENING_TIME) == OPENING_TIME


def test_a_clock_that_is_set_takes_the_start_along() -> None:
    clock = SetClock()
    start = LimitStart(clock)
    clock.now_ns += round(60e9)
    clock.set(timedelta(days=7))
    assert start.corrected_opening(OPENING_TIME) == "2000-01-08T00:00:00.000+00:00"
    clock.set(timedelta(days=-8))
    assert start.corrected_opening(OPENING_TIME) == "1999-12-31T00:00:00.000+00:00"


def test_the_next_snapshot_counts_the_limit_by_the_clock_that_was_set() -> None:
    clock = SetClock()
    table = Table(journal=Journal(None), referee=Referee(), ruleset=HOME, clock=clock)
    clock.set(timedelta(days=7))
    tell(table, draw())
    assert table.board.latest.opened_at == OPENING_TIME
    assert table.board.latest.limit_start == "2000-01-08T00:00:00.000+00:00"

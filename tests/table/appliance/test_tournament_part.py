"""What an appliance does on a tournament desk's word: it calls time, and nothing else."""

from __future__ import annotations

from pathlib import Path

from table.appliance.appliance import run_appliance
from table.game.game_commands import OpenGame
from table.runtime.clock import SystemClock
from tests.fakes.waiting import wait_for
from tests.table.appliance.configured import loaded


def test_time_is_called_in_the_game_that_was_opened_before_and_in_no_later_one(tmp_path: Path) -> None:
    with run_appliance(loaded(tmp_path)) as appliance:
        assert appliance.loop is not None
        part, at = appliance.tournament_part(), SystemClock().utc()
        part.call_time(at)
        part.call_time(at)
        wait_for(lambda: appliance.table.board.latest.game.ends_after is not None)
        appliance.loop.handle(OpenGame())
        part.call_time(at)
        appliance.loop.turn()
        assert appliance.table.board.latest.game.ends_after is None
        assert [game.number for game in part.earlier()][-1] == appliance.table.board.latest.opened_by
        assert part.appeals() is None

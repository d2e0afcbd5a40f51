"""What an appliance does on a tournament desk's word: it shows the clock and calls time, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from table.appliance.appliance import Appliance, run_appliance
from table.dashboard.live.table_view import table_view
from table.game.commands.game_commands import EndGame, OpenGame
from table.i18n import catalogue
from table.mqtt.desk_signal import DeskSignal
from table.rules.events import TimeSignal
from table.runtime.clock import LogicalClock, SystemClock
from tests.fakes.waiting import wait_for
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import tell, win

NOON = "2026-11-23T12:00:00+00:00"
UNTIL = "2026-11-23T13:15:00+00:00"
ROUND = DeskSignal(at=NOON, is_called=False, event="5f2c", round=1, until=UNTIL, sent=NOON)


def hear(appliance: Appliance, signal: DeskSignal) -> None:
    assert appliance.loop is not None
    appliance.tournament_part().receive_signal(signal)
    appliance.loop.turn()


def with_time_called(signal: DeskSignal) -> DeskSignal:
    return replace(signal, is_called=True, at=UNTIL, until="", sent=UNTIL)


def is_called(appliance: Appliance) -> bool:
    return appliance.table.board.latest.game.ends_after is not None


def test_time_is_called_in_the_game_that_was_opened_before_and_in_no_later_one(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        assert appliance.loop is not None
        part, signal = appliance.tournament_part(), DeskSignal(at=SystemClock().utc(), is_called=True)
        part.receive_signal(signal)
        part.receive_signal(signal)
        wait_for(lambda: is_called(appliance))
        calls = [entry for entry in appliance.loop.entries(0) if isinstance(entry.body, TimeSignal)]
        assert [call.envelope.by for call in calls] == ["desk"]
        appliance.loop.handle(OpenGame())
        hear(appliance, signal)
        assert not is_called(appliance)
        assert [game.number for game in part.earlier_games()][-1] == appliance.table.board.latest.opened_by
        assert part.appeals() is None


class WrongClock(SystemClock):
    """The clock of a Pi that has none of its own, after it was switched on."""

    def utc(self) -> str:
        return "1970-01-01T00:00:42.000+00:00"


@pytest.mark.parametrize("clock", [SystemClock(), WrongClock()])
def test_time_is_called_by_rounds_whatever_the_tables_clock_shows(tmp_path: Path, clock: SystemClock) -> None:
    with run_appliance(make_config(tmp_path), clock=clock) as appliance:
        assert appliance.loop is not None
        hear(appliance, ROUND)
        tell(appliance.table, win(2, 3, 2))
        hear(appliance, with_time_called(ROUND))
        assert is_called(appliance)
        appliance.loop.handle(OpenGame())
        hear(appliance, with_time_called(ROUND))
        assert not is_called(appliance)
        second = replace(ROUND, round=2)
        hear(appliance, second)
        assert not is_called(appliance)
        hear(appliance, with_time_called(second))
        assert is_called(appliance)


def test_a_call_that_a_table_heard_late_is_for_the_round_that_it_still_plays(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path), clock=WrongClock()) as appliance:
        hear(appliance, ROUND)
        tell(appliance.table, win(2, 3, 2))
        hear(appliance, replace(with_time_called(ROUND), sent="2026-11-23T13:27:00+00:00"))
        clock = table_view(appliance.table.board.latest, catalogue("en"))["clock"]
        assert clock == {"until": None, "called_at": "1969-12-31T23:48:42+00:00", "is_called": True, "is_last": True}


def test_hands_finished_since_the_call_count_for_a_table_that_heard_it_late(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        hear(appliance, ROUND)
        tell(appliance.table, win(2, 3, 2))
        tell(appliance.table, win(1, 3, 2))
        late = datetime.fromisoformat(UNTIL) + timedelta(minutes=10)
        hear(appliance, replace(with_time_called(ROUND), sent=late.isoformat()))
        game = appliance.table.board.latest.game
        assert game.ends_after == len(game.history) + 1


def test_a_game_opened_after_the_end_of_a_round_that_no_desk_called_has_no_clock(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        assert appliance.loop is not None
        hear(appliance, replace(ROUND, until=NOON))
        tell(appliance.table, win(2, 3, 2))
        appliance.loop.handle(OpenGame())
        assert table_view(appliance.table.board.latest, catalogue("en"))["clock"] is None


def test_phones_show_the_rounds_end_by_the_tables_own_clock(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path), clock=WrongClock()) as appliance:
        assert table_view(appliance.table.board.latest, catalogue("en"))["clock"] is None
        hear(appliance, replace(ROUND, sent="2026-11-23T12:10:00+00:00"))
        clock = table_view(appliance.table.board.latest, catalogue("en"))["clock"]
        assert clock == {"until": "1970-01-01T01:05:42+00:00", "called_at": None, "is_called": False, "is_last": False}
        version = appliance.table.board.latest.version
        hear(appliance, replace(ROUND, sent="2026-11-23T12:10:01+00:00"))
        assert appliance.table.board.latest.version == version


def test_phones_keep_the_rounds_end_when_the_tables_clock_is_set_back_during_the_game(tmp_path: Path) -> None:
    clock = LogicalClock(epoch=datetime.fromisoformat(UNTIL) + timedelta(hours=5))
    with run_appliance(make_config(tmp_path), clock=clock) as appliance:
        hear(appliance, ROUND)
        tell(appliance.table, win(2, 3, 2))
        clock.epoch = datetime.fromisoformat(NOON) + timedelta(minutes=10)
        hear(appliance, replace(ROUND, sent=clock.utc()))
        shown = table_view(appliance.table.board.latest, catalogue("en"))["clock"]
        assert shown == {"until": UNTIL, "called_at": None, "is_called": False, "is_last": False}


def seated(appliance: Appliance) -> str:
    text: str = table_view(appliance.table.board.latest, catalogue())["seated"]
    return text


def test_the_page_says_who_sits_down_until_the_game_of_that_round_begins(tmp_path: Path) -> None:
    now = SystemClock().utc()
    people = {"felt-1": ("Ann", "Ben", "Cem", "Dora"), "other": ("Eve", "Fay", "Gus", "Hal")}
    first_round = DeskSignal(at=now, is_called=False, event="5f2c", round=1, sent=now, seated=people, seated_round=1)
    line = "Round 1 at this table – East: Ann, South: Ben, West: Cem, North: Dora."
    with run_appliance(make_config(tmp_path)) as appliance:
        assert appliance.loop is not None
        assert seated(appliance) == ""
        hear(appliance, replace(first_round, seated={"other": people["other"]}))
        assert seated(appliance) == "", "the desk seats nobody here"
        hear(appliance, first_round)
        assert seated(appliance) == line
        appliance.loop.handle(OpenGame())
        tell(appliance.table, win(0, 3, 3))
        assert seated(appliance) == ""
        appliance.loop.handle(EndGame())
        assert seated(appliance) == "", "that round is played here"
        next_round = replace(first_round, is_called=True, seated_round=2)
        hear(appliance, next_round)
        assert seated(appliance) == line.replace("Round 1", "Round 2")
        other_tournament = replace(first_round, event="77aa", round=0)
        hear(appliance, other_tournament)
        assert seated(appliance) == line, "the game was of another tournament"
        hear(appliance, replace(other_tournament, round=1))
        assert seated(appliance) == line, "nor does its first round begin with that game"

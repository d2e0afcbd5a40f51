"""Which round a game counts for: by what its table had heard of the desk when it began, whatever its clock shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from table.game.commands.game_commands import CallTime, EndGame, OpenGame
from table.game.journal.history.game_history import latest_games
from table.game.journal.history.played_round import PlayedRound
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.referee import Referee
from table.game.snapshot import DeskClock
from table.game.table_loop import Table
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.desk.desk_view import csv_rows, stopped_games_view
from table.mqtt.hall_messages import HallTable, updated_table
from table.mqtt.mqtt_messages import json_text
from table.mqtt.played_games import MOST_GAMES, PlayedGames
from table.mqtt.tournament.acts import GameMoved
from table.mqtt.tournament.tournament import tournaments_of
from table.rulebook.play_presets import HOME
from table.runtime.clock import LogicalClock
from tests.table.game.by_hand import tell, undo, win
from tests.table.mqtt.desk.desk_room import OPENING, RULES, Room


class Felt:
    """A real table with a journal on the disk, its clock somewhere, and a broker that it may be away from."""

    def __init__(self, stack: ExitStack, room: Room, path: Path, *, behind_h: float = 0.0) -> None:
        self.stack, self.room, self.path, self.is_away = stack, room, path, False
        self.clock = LogicalClock(now_ns=room.clock.now_ns - round(behind_h * 3600e9))
        self.starts()

    def starts(self) -> None:
        """The table is switched on, with its journal."""
        self.open_table = self.stack.enter_context(ExitStack())
        journal = self.open_table.enter_context(Journal(self.path))
        self.table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=self.clock)
        self.games = PlayedGames(self.table.board)
        self.games.add_earlier(latest_games(JournalReader(journal), MOST_GAMES))

    def hears(self) -> None:
        """What the broker has kept reaches the table, and the table's games the desk."""
        if self.is_away:
            return
        signal = self.room.signals[-1]
        self.table.set_desk_clock(DeskClock(round=signal.played_round))
        payload = json_text(self.games.message).encode()
        self.room.tables["east"] = updated_table(HallTable(name="east", is_online=True), "games", payload)
        self.room.desk.store_report(self.room.tables["east"])

    def plays(self, winner: int, *, is_last: bool = False) -> None:
        """A hand is played and confirmed."""
        tell(self.table, win(winner, (winner + 1) % 4, 2))
        if is_last:
            self.table.handle(EndGame())
        self.hears()

    def plays_out(self) -> None:
        """The game is played until it ends by the rules."""
        while (start := self.table.state.next_start) is not None:
            self.plays((start.dealer + 1) % 4)

    def opens(self) -> None:
        self.table.handle(OpenGame())
        self.hears()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        room = Room(tmp_path, stack)
        room.passes(hours=100)
        room.desk.open(OPENING)
        yield room


def counted_rounds(room: Room) -> list[int | None]:
    return [round_ for _, round_ in room.tournament.rounds_of("east")]


@pytest.mark.parametrize("behind_h", [0.0, 3.0, -3.0, 90.0])
def test_games_count_for_the_rounds_that_their_table_heard_of(room: Room, tmp_path: Path, behind_h: float) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=behind_h)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1)
    room.passes(minutes=75)
    room.desk.call_time()
    felt.hears()
    felt.plays(1, is_last=True)
    felt.opens()
    room.passes(minutes=30)
    room.desk.begin_round(1)
    felt.hears()
    felt.plays(2)
    assert counted_rounds(room) == [0, 1]


@pytest.mark.parametrize("behind_h", [0.0, 3.0, -3.0, 90.0])
def test_a_table_that_is_away_for_the_change_of_rounds_catches_up_whatever_its_clock_shows(
    room: Room, tmp_path: Path, behind_h: float
) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=behind_h)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1)
    felt.is_away = True
    room.passes(minutes=75)
    room.desk.call_time()
    felt.plays(1, is_last=True)
    room.passes(minutes=30)
    room.desk.begin_round(1)
    felt.clock.now_ns = room.clock.now_ns - round(behind_h * 3600e9)
    felt.opens()
    felt.plays(2)
    felt.is_away = False
    felt.hears()
    assert counted_rounds(room) == [0, 1]


def test_a_table_that_is_switched_on_again_while_away_knows_its_round(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1, is_last=True)
    felt.is_away = True
    felt.clock.now_ns = 0
    felt.open_table.close()
    felt.starts()
    room.desk.begin_round(1)
    felt.opens()
    felt.plays(2)
    felt.is_away = False
    felt.hears()
    assert counted_rounds(room) == [0, 1]


@pytest.mark.parametrize(("behind_h", "counted"), [(0.0, 1), (3.0, 0), (-3.0, 0), (90.0, 0)])
def test_a_table_that_was_away_for_a_whole_round_catches_up_if_its_clock_is_plausible(
    room: Room, tmp_path: Path, behind_h: float, counted: int
) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    felt.is_away = True
    room.passes(minutes=75)
    room.desk.call_time()
    room.passes(minutes=30)
    room.desk.begin_round(1)
    felt.clock.now_ns = room.clock.now_ns - round(behind_h * 3600e9)
    felt.opens()
    felt.plays(2)
    felt.is_away = False
    felt.hears()
    assert counted_rounds(room)[-1] == counted
    room.passes(hours=4)  # by now the time that a fast clock showed has come
    felt.plays(1)
    assert counted_rounds(room)[-1] == counted


@pytest.mark.parametrize("opened", ["", "2026-99-99T99:99:99"])
def test_a_game_of_unknown_time_counts_for_the_round_that_its_table_names(room: Room, opened: str) -> None:
    room.desk.begin_round(0)
    room.desk.begin_round(1)
    room.plays(1, (1000, 0, 0, -1000), opened=opened, round="5f2c 1")
    assert counted_rounds(room) == [0]


def test_a_spare_table_with_a_new_journal_takes_nothing_from_the_one_before(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1, is_last=True)
    first = room.totals
    room.passes(minutes=80)
    room.desk.begin_round(1)
    spare = Felt(room.stack, room, tmp_path / "spare.journal", behind_h=90)
    spare.hears()
    spare.plays(2)
    assert counted_rounds(room) == [0, 1]
    assert [game.number for game, _ in room.tournament.rounds_of("east")] == [1, 1]
    assert {name: room.totals[name] for name in ("Player 0",)} == {name: first[name] for name in ("Player 0",)}
    opened_at = room.tournament.rounds_of("east")[1][0].opened
    room.desk.move_game(GameMoved(table="east", game=1, round=None, opened=opened_at))
    assert counted_rounds(room) == [0, None]


def test_a_game_after_time_was_called_in_the_last_round_counts_for_none(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=90)
    room.desk.begin_round(0)
    room.desk.begin_round(1)
    felt.hears()
    felt.plays(1)
    room.desk.call_time()
    felt.hears()
    felt.plays(1, is_last=True)
    felt.opens()
    felt.plays(3)
    assert counted_rounds(room) == [1, None]


@pytest.mark.parametrize("is_called_while_late", [True, False])
@pytest.mark.parametrize("behind_h", [0.0, 3.0, -3.0, 90.0])
def test_a_table_that_is_late_plays_its_round_after_the_call_of_time(
    room: Room, tmp_path: Path, *, behind_h: float, is_called_while_late: bool
) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=behind_h)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1)
    room.passes(minutes=75)
    room.desk.begin_round(1)
    felt.hears()
    if is_called_while_late:
        room.desk.call_time()
        felt.hears()
    felt.plays_out()
    if not is_called_while_late:
        room.desk.call_time()
        felt.hears()
    felt.opens()
    felt.plays(2)
    assert counted_rounds(room) == [0, 1]
    felt.plays_out()
    felt.opens()
    felt.plays(3)
    assert counted_rounds(room) == [0, 1, None], "for fun"


def test_a_game_that_is_begun_anew_in_a_round_counts_for_it(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=90)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1, is_last=True)
    felt.opens()
    felt.plays(2)
    assert counted_rounds(room) == [0, 0]
    room.desk.begin_round(1)
    felt.hears()
    assert counted_rounds(room) == [0, 0]


def test_a_hand_for_fun_after_the_final_changes_no_standings(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=90)
    room.desk.begin_round(0)
    room.desk.begin_round(1)
    felt.hears()
    felt.plays_out()
    final = room.totals
    felt.opens()
    felt.plays(3)
    assert (counted_rounds(room), room.totals) == ([1, None], final)
    room.desk.call_time()
    felt.hears()
    felt.plays_out()
    assert (counted_rounds(room), room.totals) == ([1, None], final)


def test_a_hand_for_fun_between_two_rounds_counts_for_neither(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=90)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays_out()
    felt.opens()
    felt.plays(3)
    room.passes(minutes=30)
    room.desk.begin_round(1)
    felt.hears()
    felt.opens()
    felt.plays(2)
    assert counted_rounds(room) == [0, None, 1]


def test_a_table_without_a_desk_plays_for_fun_after_its_round(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (30000, -10000, -10000, -10000), hands=8, is_over=True)
    room.plays(2, (-30000, 10000, 10000, 10000), hands=1)
    assert counted_rounds(room) == [0, None]


def test_an_unfinished_game_displaces_none_that_was_played_out_even_if_its_table_names_the_round(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (30000, -10000, -10000, -10000), hands=8, is_over=True, round="5f2c 1")
    room.plays(2, (-30000, 10000, 10000, 10000), round="5f2c 1")
    assert (counted_rounds(room), room.totals["Player 0"]) == ([0, 0], 30000)
    room.plays(2, (-30000, 10000, 10000, 10000), is_over=True)
    assert room.totals["Player 0"] == -30000


def test_a_short_game_that_the_desk_assigns_to_a_round_counts_instead_of_the_one_played_out_before(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (30000, -10000, -10000, -10000), hands=8, is_over=True)
    room.passes(minutes=5)
    room.plays(2, (4000, 3000, 2000, 1000), hands=3, is_over=True, is_stopped=True)
    assert (counted_rounds(room), room.totals["Player 0"]) == ([0, None], 30000)
    room.desk.move_game(GameMoved(table="east", game=2, round=0))
    assert (counted_rounds(room), room.totals["Player 0"]) == ([0, 0], 4000)


def test_a_game_stopped_by_hand_is_asked_about_and_counts_once_the_desk_says_so(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    for _ in range(4):
        felt.plays(1)
    felt.plays(1, is_last=True)
    assert _state(room) == "stopped"
    felt.opens()
    felt.plays(2)
    assert _state(room) == "stopped", "a hand for fun afterwards hides no question"
    room.desk.begin_round(1)
    assert stopped_games_view(room.tournament, RULES) == [{"round": 1, "table": 1}], "the question stays in sight"
    (game, _), _ = room.tournament.rounds_of("east")
    room.desk.move_game(GameMoved(table="east", game=game.number, round=0, opened=game.opened))
    assert _state(room) == "over"
    with DeskJournal(room.folder / "desk.jsonl") as journal:
        assert tournaments_of(journal.acts)[-1] == room.tournament


def test_a_game_that_is_stopped_again_after_undo_is_asked_about_again(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1, is_last=True)
    ((game, _),) = room.tournament.rounds_of("east")
    room.desk.move_game(GameMoved(table="east", game=game.number, round=0))
    assert _state(room) == "over"
    undo(felt.table)
    felt.plays(2)
    assert _state(room) == "playing"
    felt.plays(2, is_last=True)
    assert _state(room) == "stopped"


def test_a_game_that_time_or_the_rules_end_is_not_asked_about(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1)
    felt.table.handle(CallTime())
    felt.plays(1, is_last=not felt.table.state.is_over)
    assert _state(room) == "over"
    felt.opens()
    room.desk.begin_round(1)
    felt.hears()
    felt.plays_out()
    assert _state(room, 1) == "over"


def _state(room: Room, round_: int = 0) -> str:
    """The state of the first table's result, as the file of results has it."""
    return next(str(row[-1]) for row in csv_rows("results", room.tournament, RULES) if row[:2] == [round_ + 1, 1])


def test_games_of_another_tournament_count_for_none(room: Room, tmp_path: Path) -> None:
    felt = Felt(room.stack, room, tmp_path / "table.journal")
    felt.table.set_desk_clock(DeskClock(round="beef 1"))
    room.desk.begin_round(0)
    felt.plays(1, is_last=True)
    felt.opens()
    felt.plays(2)
    assert counted_rounds(room)[-1] == 0


@pytest.mark.parametrize("text", ["5f2c 2", "5f2c 2 called", "5f2c 2 1", "5f2c 2 called 3"])
def test_what_a_journal_says_of_a_round_is_read_as_it_was_written(text: str) -> None:
    read = PlayedRound.parse(text)
    assert read is not None
    assert read.text == text


@pytest.mark.parametrize("text", ["", "5f2c", "5f2c 0", "5f2c 2 over", "5f2c 2 called 0", "x 2", "5f2c 2 "])
def test_nothing_else_is_a_round(text: str) -> None:
    assert PlayedRound.parse(text) is None


@pytest.mark.parametrize("behind_h", [0.0, 90.0])
def test_a_game_for_fun_between_two_days_counts_for_no_round_though_its_table_is_heard_late_on_the_second(
    room: Room, tmp_path: Path, behind_h: float
) -> None:
    """On the second day the broker has forgotten all tables, and this one is switched on after the round has begun."""
    felt = Felt(room.stack, room, tmp_path / "table.journal", behind_h=behind_h)
    room.desk.begin_round(0)
    felt.hears()
    felt.plays(1)
    room.desk.call_time()
    felt.hears()
    felt.plays(1, is_last=True)
    felt.opens()
    felt.plays_out()
    room.tables.clear()
    room.desk = room.open_desk()
    room.passes(hours=10)
    room.desk.begin_round(1)
    felt.clock.now_ns = room.clock.now_ns - round(behind_h * 3600e9)
    felt.hears()
    felt.opens()
    felt.plays(2)
    assert counted_rounds(room) == [0, None, 1]

"""The tournament desk: rounds, results, penalties, substitutes, standings, and what outlives a killed one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Thread

import pytest

from table.mqtt.desk import desk as desk_module
from table.mqtt.desk.desk_view import games_view
from table.mqtt.desk_signal import moment
from table.mqtt.tournament.acts import (
    GameMoved,
    PenaltyCancelled,
    PenaltyGiven,
    PlayerReplaced,
    ResultTold,
    TournamentOpened,
)
from table.mqtt.tournament.round_seating import find_seating
from table.mqtt.tournament.standings import result_of, standings
from table.mqtt.tournament.tournament import MOST_POINTS
from table.runtime.table_errors import PressError
from tests.fakes.disks import full_disk
from tests.fakes.waiting import wait_for
from tests.table.mqtt.desk.desk_room import OPENING, PLAYERS, RULES, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        room = Room(tmp_path, stack)
        room.desk.open(OPENING)
        yield room


def test_a_result_belongs_to_its_round_and_to_who_sat_there_from_east_on(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 2000, -1000, -2000), first_dealer=1)
    assert [room.totals[PLAYERS[number]] for number in range(5)] == [2000, -1000, -2000, 1000, 0]
    room.plays(1, (5000, 0, 0, -5000), first_dealer=1, is_over=True)
    room.passes(minutes=90)
    room.desk.begin_round(1)
    room.plays(2, (7000, -7000, 0, 0))
    assert room.totals["Player 4"] == 7000
    assert room.totals["Player 3"] == 5000
    assert room.totals["Player 0"] == 0


def test_a_game_opened_early_or_told_late_counts_for_the_round_it_was_played_in(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 0, 0, -1000), is_over=True)
    room.passes(minutes=85)
    early = room.clock.utc()
    room.passes(minutes=5)
    room.desk.begin_round(1)
    room.plays(2, (3000, 0, 0, -3000), opened=early)
    assert [round_ for _, round_ in room.tournament.rounds_of("east")] == [0, 1]
    room.plays(1, (4000, 0, 0, -4000))
    assert room.totals["Player 0"] == 4000


def test_a_game_of_before_the_tournament_counts_for_nothing(room: Room) -> None:
    room.plays(7, (9000, 0, 0, -9000))
    room.desk.begin_round(0)
    assert set(room.totals.values()) == {0}
    room.plays(8, (1000, 0, 0, -1000))
    assert room.totals["Player 0"] == 1000


def test_a_first_hand_that_was_taken_back_leaves_no_result(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (2000, 0, 0, -2000))
    room.plays(1, (0, 0, 0, 0), hands=0)
    assert result_of(room.tournament, 0, 0, RULES) is None
    assert room.lines[0].rounds == (None, None)
    assert games_view(room.tournament) == []
    room.plays(1, (0, 3000, 0, -3000), hands=1)
    assert room.totals["Player 1"] == 3000
    assert room.open_desk().tournament == room.tournament


def test_the_owner_can_count_a_game_for_another_round_or_none(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 0, 0, -1000))
    room.desk.move_game(GameMoved(table="east", game=1, round=1))
    assert (room.totals["Player 0"], room.totals["Player 4"]) == (0, 1000)
    room.desk.move_game(GameMoved(table="east", game=1, round=None))
    assert set(room.totals.values()) == {0}
    for other_game in (GameMoved(table="east", game=2, round=0), GameMoved(table="east", game=1, round=0, opened="x")):
        with pytest.raises(PressError):
            room.desk.move_game(other_game)


def test_a_result_told_at_the_desk_gets_uma_by_the_tournaments_rules_and_ties_share_it(room: Room) -> None:
    room.desk.record(ResultTold(round=0, table=1, scores=(35000, 35000, 30000, 20000)))
    uma = RULES.uma
    shared_points = 5000 + (uma[0] + uma[1]) // 2
    assert RULES.ties == "split"
    assert (room.totals["Player 4"], room.totals["Player 5"]) == (shared_points, shared_points)
    assert sum(room.totals.values()) == sum(uma)
    assert [line.place for line in room.lines][:3] == [1, 1, 3]
    room.desk.record(ResultTold(round=0, table=1, scores=None))
    assert result_of(room.tournament, 0, 1, RULES) is None


def test_a_penalty_comes_off_the_total_and_a_cancelled_one_does_not(room: Room) -> None:
    room.desk.record(PenaltyGiven(player=2, points=5000, why="EMA late × 5"))
    assert room.totals["Player 2"] == -5000
    room.desk.record(PenaltyCancelled(penalty=0, why="the bus"))
    assert room.totals["Player 2"] == 0
    assert room.tournament.penalties[0].cancel_reason == "the bus"
    with pytest.raises(PressError):
        room.desk.record(PenaltyCancelled(penalty=0, why=""))


def test_a_replaced_player_gets_what_the_rules_say_and_the_others_what_they_played(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 2000, -1000, -2000))
    room.desk.record(PlayerReplaced(round=0, player=0, by="Sub", points=-30000))
    assert (room.totals["Player 0"], room.totals["Player 1"]) == (-30000, 2000)
    room.desk.record(PlayerReplaced(round=0, player=0, by="Sub"))
    assert room.totals["Player 0"] == 1000


def test_the_points_of_a_replaced_player_count_once_the_round_is_played(room: Room) -> None:
    room.desk.begin_round(0)
    for player in (4, 0):
        room.desk.record(PlayerReplaced(round=1, player=player, by="Sub", points=-30000))
    assert set(room.totals.values()) == {0}
    room.desk.record(ResultTold(round=1, table=1, scores=(30000, 30000, 30000, 30000)))
    assert (room.totals["Player 0"], room.totals["Player 4"]) == (-30000, 0)
    room.desk.begin_round(1)
    assert (room.totals["Player 0"], room.totals["Player 4"]) == (-30000, -30000)


def test_time_is_called_at_every_table_when_the_clock_has_run_down(room: Room) -> None:
    room.desk.begin_round(0)
    room.passes(minutes=74)
    room.desk.check_clock()
    assert room.calls == []
    room.desk.move_clock(5)
    room.passes(minutes=5)
    room.desk.check_clock()
    assert room.calls == []
    room.passes(minutes=1)
    room.desk.check_clock()
    room.desk.check_clock()
    assert room.calls == [room.clock.utc()]


def test_a_clock_moves_only_until_time_is_called_and_never_to_an_end_that_is_past(room: Room) -> None:
    room.desk.begin_round(0)
    room.passes(minutes=60)
    with pytest.raises(PressError, match="an end after now"):
        room.desk.move_clock(-15)
    room.desk.move_clock(-14)
    room.desk.call_time()
    room.passes(minutes=3)
    refused: tuple[Callable[[], None], ...] = (lambda: room.desk.move_clock(20), room.desk.call_time)
    for again in refused:
        with pytest.raises(PressError, match="whose time was not called"):
            again()
    room.desk.check_clock()
    assert len(room.calls) == 1
    assert room.tournament.called_at == room.calls[0]


@pytest.mark.parametrize("hours", [72, -3])
def test_a_round_lasts_as_long_as_it_should_whatever_the_machines_clock_is_set_to(room: Room, hours: int) -> None:
    room.desk.begin_round(0)
    room.passes(minutes=2)
    room.clock.now_ns += round(hours * 3600e9)
    room.desk.check_clock()
    room.desk.send_again()
    left = moment(room.signals[-1].until) - moment(room.signals[-1].sent)
    assert (room.calls, left) == ([], timedelta(minutes=73))
    room.passes(minutes=73)
    room.desk.check_clock()
    assert len(room.calls) == 1
    room.desk.begin_round(1)
    assert moment(room.tournament.begun_rounds[1].at) == moment(room.clock.utc())


def test_an_older_page_cannot_begin_a_running_round_again(room: Room) -> None:
    room.desk.begin_round(0)
    until = room.tournament.until
    room.passes(minutes=40)
    with pytest.raises(PressError, match="a round that has not begun, got round 1"):
        room.desk.begin_round(0)
    assert room.tournament.until == until


def test_a_killed_desk_comes_back_as_it_was_and_its_clock_goes_on(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 2000, -1000, -2000))
    room.desk.record(PenaltyGiven(player=2, points=5000, why=""))
    room.desk.record(PlayerReplaced(round=0, player=3, by="佐藤", points=None))
    before = room.tournament
    with (room.folder / "desk.jsonl").open("ab") as file:
        file.write(b'{"act": "PenaltyGiven", "pla')
    again = room.open_desk()
    assert again.tournament == before
    room.passes(minutes=75)
    again.check_clock()
    assert len(room.calls) == 1
    assert moment(before.begun_rounds[0].until) <= moment(room.clock.utc())


def test_an_act_that_a_full_disk_refuses_leaves_no_part_of_itself(room: Room) -> None:
    before = (room.folder / "desk.jsonl").read_bytes()
    with full_disk(len(before) + 20), pytest.raises(PressError, match="write the desk's journal"):
        room.desk.record(PenaltyGiven(player=0, points=1000, why="refused"))
    assert (room.folder / "desk.jsonl").read_bytes() == before
    room.desk.record(PenaltyGiven(player=1, points=500, why="late"))
    assert [each.act.why for each in room.tournament.penalties] == ["late"]
    assert room.open_desk().tournament == room.tournament


def test_time_is_called_at_the_tables_though_the_disk_is_full_and_written_once_it_can_be(room: Room) -> None:
    room.desk.begin_round(0)
    room.passes(minutes=75)
    with full_disk((room.folder / "desk.jsonl").stat().st_size):
        room.desk.check_clock()
        room.desk.repeat()
        assert (room.calls[:1], room.desk.has_unwritten) == ([room.clock.utc()], True)
        with pytest.raises(PressError):
            room.desk.begin_round(1)
    room.desk.repeat()
    assert not room.desk.has_unwritten
    assert room.open_desk().tournament == room.tournament


def test_a_desk_goes_on_from_a_journal_with_a_game_of_an_impossible_time(room: Room) -> None:
    room.desk.begin_round(0)
    room.plays(1, (1000, 0, 0, -1000), opened="2026-99-99T99:99:99")
    again = room.open_desk()
    assert again.tournament is not None
    assert standings(again.tournament, RULES)[0].total == 1000


def test_a_desk_that_was_killed_while_it_called_time_says_it_again(room: Room) -> None:
    room.desk.begin_round(0)
    room.open_desk().send_again()
    assert room.calls == []
    room.desk.call_time()
    room.open_desk().send_again()
    assert room.calls == [room.calls[0]] * 2
    room.passes(minutes=5)
    room.desk.begin_round(1)
    room.open_desk().send_again()
    assert len(room.calls) == 2


def test_the_clock_is_said_again_and_again_but_as_no_news(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bool] = []
    monkeypatch.setattr(desk_module, "REPEAT_S", 0.0)
    monkeypatch.setattr(desk_module, "CHECK_S", 0.01)
    monkeypatch.setattr(room.desk, "_send", lambda _, is_news: calls.append(is_news))
    room.desk.begin_round(0)
    with room.desk:
        wait_for(lambda: len(calls) > 3)
    assert calls[0]
    assert not any(calls[1:])


def test_the_clock_goes_on_after_an_error_that_nobody_expected(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    checks, repeats = list[int](), list[int]()

    def check() -> None:
        checks.append(1)
        raise ValueError("no such game")

    monkeypatch.setattr(desk_module, "REPEAT_S", 0.0)
    monkeypatch.setattr(desk_module, "CHECK_S", 0.01)
    monkeypatch.setattr(room.desk, "check_clock", check)
    monkeypatch.setattr(room.desk, "repeat", lambda: repeats.append(1))
    with room.desk:
        wait_for(lambda: len(checks) > 2 and len(repeats) > 2)
    assert caplog.text.count("unexpected error in the desk's clock") == 1


def test_a_short_search_for_a_seating_is_noted_before_it_is_done(room: Room) -> None:
    players = tuple(f"Player {number}" for number in range(44))
    room.desk.seat(replace(OPENING, title="Other", players=players, rounds=(), tables=("",) * 11), 2)
    wait_for(lambda: room.tournament.opening.title == "Other")
    assert room.desk.search is None
    assert len(room.tournament.opening.rounds) == 2


def _to_seat(title: str, players: int = 16) -> TournamentOpened:
    """A tournament whose seating, of many rounds, is searched for longer than a test takes."""
    names = tuple(f"Player {number}" for number in range(players))
    return replace(OPENING, title=title, players=names, rounds=(), tables=("",) * (players // 4))


def test_of_two_owners_who_seat_at_the_same_time_one_wins_and_the_other_is_told(room: Room) -> None:
    refusals: list[str] = []
    both = Barrier(2)

    def seats(title: str) -> None:
        both.wait()
        try:
            room.desk.seat(_to_seat(title), 9)
        except PressError as error:
            refusals.append(error.says)

    owners = [Thread(target=seats, args=(title,)) for title in ("One", "Other")]
    for owner in owners:
        owner.start()
    for owner in owners:
        owner.join()
    assert refusals == ["faster"]
    room.desk.end_search()
    wait_for(lambda: room.desk.search is None)
    assert [each.opening.title for each in room.desk.earlier] == [OPENING.title]
    assert room.tournament.opening.title in ("One", "Other")


def test_while_a_seating_is_searched_for_no_other_tournament_is_opened(room: Room) -> None:
    room.desk.seat(_to_seat("One"), 9)
    acts: tuple[Callable[[], None], ...] = (
        lambda: room.desk.open(OPENING),
        lambda: room.desk.seat(_to_seat("Other"), 9),
    )
    for act in acts:
        with pytest.raises(PressError) as refused:
            act()
        assert refused.value.says == "faster"
    room.desk.give_up_search()
    room.desk.seat(_to_seat("Other"), 9)
    room.desk.end_search()
    wait_for(lambda: room.tournament.opening.title == "Other")


def test_what_no_tournament_has_is_refused_and_written_nowhere(room: Room) -> None:
    before = (room.folder / "desk.jsonl").read_bytes()
    refused: tuple[Callable[[], None], ...] = (
        lambda: room.desk.begin_round(2),
        room.desk.call_time,
        lambda: room.desk.record(ResultTold(round=0, table=2, scores=None)),
        lambda: room.desk.record(PenaltyGiven(player=8, points=1, why="")),
        lambda: room.desk.record(PenaltyGiven(player=0, points=0, why="")),
        lambda: room.desk.record(PlayerReplaced(round=2, player=0, by="x")),
        lambda: room.desk.record(PlayerReplaced(round=0, player=8, by="x")),
        lambda: room.desk.record(PlayerReplaced(round=0, player=0, by="x", points=MOST_POINTS + 1)),
        lambda: room.desk.open(replace(OPENING, rounds=(OPENING.rounds[0], OPENING.rounds[1][:1]))),
        lambda: room.desk.move_game(GameMoved(table="east", game=3, round=0)),
    )
    for act in refused:
        with pytest.raises(PressError):
            act()
    assert (room.folder / "desk.jsonl").read_bytes() == before


def test_forty_players_have_every_point_of_eight_rounds(room: Room) -> None:
    players = tuple(f"P{number}" for number in range(40))
    rounds = tuple(find_seating(40, 8))
    room.desk.open(replace(OPENING, players=players, rounds=rounds, tables=("",) * 10))
    for round_ in range(8):
        for table in range(10):
            room.desk.record(ResultTold(round=round_, table=table, scores=(40000, 30000, 30000, 20000)))
    assert sum(line.total for line in standings(room.tournament, RULES)) == 80 * sum(RULES.uma)


def test_the_tables_are_told_who_sits_down_and_once_time_is_called_for_the_next_round(room: Room) -> None:
    first, second = (PLAYERS[0], *PLAYERS[1:4]), (PLAYERS[4], *PLAYERS[1:4])
    room.desk.begin_round(0)
    room.desk.record(PlayerReplaced(round=1, player=4, by="Sub"))
    room.desk.call_time()
    room.desk.begin_round(1)
    room.desk.call_time()
    seated = [(signal.seated_round, dict(signal.seated)) for signal in room.signals]
    assert seated[:2] == [(1, {"east": first})] * 2
    assert seated[2:4] == [(2, {"east": ("Sub", *second[1:])})] * 2
    assert seated[4] == (0, {}), "no round is left"
    room.desk.record(PlayerReplaced(round=1, player=4, by=""))
    assert room.tournament.seated(2) == {"east": second}, "the substitute was withdrawn"


def test_once_all_games_of_a_round_have_ended_time_is_not_called_and_the_next_seats_are_told(room: Room) -> None:
    room.desk.begin_round(0)
    room.desk.record(ResultTold(round=0, table=1, scores=(30000, 30000, 30000, 30000)))
    room.plays(1, (1000, 0, 0, -1000))
    room.desk.check_clock()
    assert room.signals[-1].seated_round == 1
    room.plays(1, (1000, 0, 0, -1000), is_over=True)
    room.desk.check_clock()
    assert (room.signals[-1].seated_round, room.signals[-1].is_called) == (2, False)
    count = len(room.signals)
    room.passes(minutes=80)
    room.desk.check_clock()
    assert (room.calls, len(room.signals)) == ([], count)
    room.plays(1, (1000, 0, 0, -1000), is_over=False)
    room.desk.check_clock()
    assert len(room.calls) == 1, "a game that goes on after the end of the round is told so at once"
    assert room.signals[-1].seated_round == 2


def test_a_game_begun_anew_after_a_stopped_one_waits_for_the_desk_which_counts_it_instead(room: Room) -> None:
    def waiting() -> int | None:
        result = result_of(room.tournament, 0, 0, RULES)
        assert result is not None
        later = None if result.stopped_game is None else room.tournament.game_begun_anew(0, result.stopped_game)
        return None if later is None else later.number

    room.desk.begin_round(0)
    room.plays(1, (1000, 0, 0, -1000), hands=5, is_over=True, is_stopped=True)
    assert waiting() is None
    room.passes(minutes=5)
    room.plays(2, (0, 2000, 0, -2000), hands=2)
    assert (waiting(), room.totals[PLAYERS[0]]) == (2, 1000)
    room.desk.move_game(GameMoved(table="east", game=2, round=0))
    assert (waiting(), room.totals[PLAYERS[0]]) == (None, 0)
    assert not room.desk.is_round_over
    room.plays(2, (0, 3000, 0, -3000), hands=8, is_over=True)
    assert room.totals[PLAYERS[1]] == 3000
    room.plays(3, (0, 0, 7000, -7000), hands=1)
    assert (waiting(), room.totals[PLAYERS[1]]) == (None, 3000), "what follows is for fun"


def test_no_game_waits_after_a_stopped_one_that_counts_or_that_the_desk_excluded_or_of_the_next_round(
    room: Room,
) -> None:
    def waits() -> bool:
        stopped = room.tournament.games["east"][f"1 {opened}"].game
        return room.tournament.game_begun_anew(0, stopped) is not None

    room.desk.begin_round(0)
    opened = room.clock.utc()
    room.plays(1, (1000, 0, 0, -1000), hands=5, is_over=True, is_stopped=True)
    room.passes(minutes=5)
    room.plays(2, (0, 2000, 0, -2000), hands=5, is_over=True)
    found = [waits()]
    room.desk.move_game(GameMoved(table="east", game=2, round=None))
    found.append(waits())
    room.passes(minutes=60)
    room.desk.begin_round(1)
    room.passes(minutes=5)
    room.plays(3, (0, 0, 7000, -7000), hands=5, is_over=True)
    assert [*found, waits()] == [True, False, False]


def test_a_round_with_a_game_that_people_stopped_is_not_over_until_the_desk_says_that_it_counts(room: Room) -> None:
    room.desk.begin_round(0)
    room.desk.record(ResultTold(round=0, table=1, scores=(30000, 30000, 30000, 30000)))
    room.plays(1, (1000, 0, 0, -1000), is_over=True, is_stopped=True)
    found = [room.desk.is_round_over]
    room.desk.move_game(GameMoved(table="east", game=1, round=0))
    found.append(room.desk.is_round_over)
    room.desk.begin_round(1)
    assert [*found, room.desk.is_round_over] == [False, True, False]

"""What a table at a tournament tells the desk, and the one thing that it does on the desk's word."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from table.camera.clips.clip_folder import Clip
from table.config import MqttConfig
from table.game.commands.game_commands import EndGame, OpenGame
from table.game.journal.history.game_history import latest_games
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.referee import Referee
from table.game.snapshot import DeskClock
from table.game.table_loop import Table
from table.mqtt import publisher
from table.mqtt.desk_signal import (
    DeskSignal,
    DeskTime,
    applies_to_game,
    is_same_clock,
    moment,
    read_signal,
    signal_message,
)
from table.mqtt.hall_messages import HallTable, updated_table
from table.mqtt.hall_page import Hall
from table.mqtt.mqtt_messages import appeals_message, json_text
from table.mqtt.played_games import MOST_GAMES, PlayedGames
from table.mqtt.publisher import MqttPublisher, TournamentPart
from table.mqtt.tournament.tournament_csv import MOST_PLAYERS, read_players
from table.rulebook.play_presets import HOME
from table.rules.terms.seats import four
from table.runtime.clock import SystemClock
from tests.contracts import assert_keeps
from tests.endurance.hall_evening import WELL
from tests.fakes.waiting import wait_for
from tests.table.game.by_hand import tell, win
from tests.table.mqtt.broker import Broker

NOON = "2026-11-23T12:00:00.000+00:00"
TIME_CALLED = DeskSignal(at=NOON, is_called=True, event="5f2c", round=2, sent=NOON)


def table_at(stack: ExitStack, path: Path | None = None) -> Table:
    journal = stack.enter_context(Journal(path))
    return Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())


def test_every_game_is_sent_however_soon_the_next_begins_and_after_a_restart_too(tmp_path: Path) -> None:
    with ExitStack() as stack:
        table = table_at(stack, tmp_path / "table.journal")
        games = PlayedGames(table.board)
        for first in (0, 1):
            tell(table, win(2, 3, 2))
            table.handle(EndGame())
            table.handle(OpenGame(first_dealer=table.state.history[0].dealer.plus(first)))
        message = games.message
        assert_keeps("mqtt_games", message)
        sent_games = updated_table(HallTable(name="felt"), "games", json_text(message).encode()).games
        assert [(game.hands, game.is_over) for game in sent_games] == [(1, True), (1, True), (0, False)]
        assert sent_games[0].scores == sent_games[1].scores
        assert sum(sent_games[0].points) == sum(sent_games[0].scores) - 4 * HOME.zero_points + HOME.oka
        again = PlayedGames(table.board)
        again.add_earlier(latest_games(JournalReader(table.journal), MOST_GAMES))
        assert again.message == message
        assert latest_games(JournalReader(table.journal), 1)[0].number == sent_games[-1].number


def test_an_appeal_is_told_with_where_its_clip_is() -> None:
    clip = Clip(
        name="20261123-210305", when=datetime(2026, 11, 23, 21, 3, tzinfo=UTC), by="seat 2", seconds=89.7, size_bytes=1
    )
    message = appeals_message("http://192.168.1.5:8000", [clip])
    assert_keeps("mqtt_appeals", message)
    report = updated_table(HallTable(name="felt"), "appeals", json_text(message).encode()).appeals
    assert (report.address, report.appeals[0].name, report.appeals[0].seconds) == (
        "http://192.168.1.5:8000",
        clip.name,
        90,
    )


@pytest.mark.parametrize(
    "address",
    [
        "http://felt.local:x",
        "http://felt.local:0",
        "http://felt.local:70000",
        "javascript:alert(1)",
        "http://evil.example.com",
        "http://user:x@192.168.1.5",
        "http://192.168.1.5/x",
        "//192.168.1.5",
    ],
)
def test_an_address_that_no_table_has_is_no_link(address: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        updated_table(HallTable(name="felt"), "appeals", json.dumps({"address": address, "appeals": []}).encode())


@pytest.mark.parametrize(
    ("opened_at", "game", "known_round", "is_so"),
    [
        ("2026-11-23T11:00:00+00:00", "", None, True),
        ("2026-11-23T12:00:01Z", "", None, False),
        ("", "", None, True),
        ("1970-01-01T00:00:42Z", "5f2c 2", "5f2c 2", True),
        ("1970-01-01T00:00:42Z", "5f2c 1", "5f2c 1", True),
        ("1970-01-01T00:00:42Z", "5f2c 2 called", "5f2c 2 called", False),
        ("1970-01-01T00:00:42Z", "5f2c 2 1", "5f2c 2", False),
        ("1970-01-01T00:00:42Z", "5f2c 3", "5f2c 3", False),
        ("2099-01-01T00:00:42Z", "", "5f2c 2", True),
        ("2026-11-23T12:00:01Z", "", "5f2c 2 called", False),
    ],
)
def test_time_is_called_only_in_games_of_that_round_or_an_earlier_one(
    opened_at: str, game: str, known_round: str | None, is_so: bool
) -> None:
    clock = None if known_round is None else DeskClock(round=known_round)
    with ExitStack() as stack:
        latest = table_at(stack).board.latest
        assert applies_to_game(TIME_CALLED, replace(latest, opened_at=opened_at, round=game, desk=clock)) is is_so


def test_what_the_desk_says_is_read_as_it_was_said() -> None:
    clock = DeskSignal(at=NOON, is_called=False, event="5f2c", round=3, until=NOON, sent=NOON)
    for signal in (TIME_CALLED, clock):
        assert_keeps("mqtt_signal", json.loads(signal_message(signal)))
        assert read_signal(signal_message(signal).encode()) == signal
    assert read_signal(json.dumps({"id": "time_signal", "at": NOON}).encode()) == DeskSignal(at=NOON, is_called=True)


ROUND = DeskSignal(at=NOON, is_called=False, event="5f2c", round=2, until="2026-11-23T13:15:00+00:00", sent=NOON)
KEPT_ROUND = replace(ROUND, is_kept=True)


@pytest.mark.parametrize(
    ("now", "round_", "until"),
    [
        ("2026-11-23T12:40:00+00:00", "5f2c 2", "2026-11-23T13:15:00+00:00"),
        ("2026-11-23T13:16:00+00:00", "5f2c 2", ""),
        ("2026-12-14T19:00:00+00:00", "", ""),
        ("1970-01-01T00:00:00+00:00", "5f2c 2", "1970-01-01T01:15:00+00:00"),
    ],
    ids=["same round", "after its end", "weeks later", "clock not set"],
)
def test_a_clock_that_the_broker_kept_has_its_age(now: str, round_: str, until: str) -> None:
    assert DeskTime().clock(KEPT_ROUND, now) == DeskClock(round=round_, until=until)


def test_a_clock_that_the_broker_kept_goes_by_what_a_table_learned_of_its_own_clock() -> None:
    desk_time = DeskTime()
    clock = desk_time.clock(ROUND, "2026-11-23T15:00:00+00:00")
    assert clock.until == "2026-11-23T16:15:00+00:00"
    assert desk_time.clock(KEPT_ROUND, "2026-11-23T15:20:00+00:00") == clock
    assert desk_time.clock(replace(KEPT_ROUND, is_called=True), "2026-11-23T15:20:00+00:00").called_at.startswith(
        "2026-11-23T15"
    )


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ({}, True),
        ({"until": "2026-11-23T13:15:02+00:00"}, True),
        ({"until": "2026-11-23T13:15:03+00:00"}, False),
        ({"until": ""}, False),
        ({"until": "", "called_at": "2026-11-23T13:15:00+00:00"}, False),
        ({"round": "5f2c 3"}, False),
        ({"seated_names": ("Ann", "Ben", "Cem", "Dora"), "seated_round": 3}, False),
    ],
)
def test_a_clock_that_is_sent_again_is_the_same_apart_from_the_messages_delay(
    other: dict[str, Any], is_same: bool
) -> None:
    clock = DeskClock(round="5f2c 2", until="2026-11-23T13:15:00+00:00")
    assert is_same_clock(clock, replace(clock, **other)) is is_same
    assert is_same_clock(replace(clock, **other), clock) is is_same


def test_a_moment_without_a_time_zone_is_in_utc() -> None:
    assert moment("2026-11-23T12:00:00") == moment("2026-11-23T21:00:00+09:00")


@pytest.mark.parametrize(
    ("is_retained", "waited_s", "is_kept"), [(True, 60, True), (False, 0, True), (False, 60, False)]
)
def test_what_comes_right_after_a_connection_may_have_been_kept(
    monkeypatch: pytest.MonkeyPatch, is_retained: bool, waited_s: float, is_kept: bool
) -> None:
    signals, seconds = list[DeskSignal](), [100.0]
    monkeypatch.setattr(publisher, "monotonic", lambda: seconds[0])
    with ExitStack() as stack:
        board = table_at(stack).board
        table = MqttPublisher(MqttConfig(), "felt", board, lambda: WELL, TournamentPart(receive_signal=signals.append))
        table._on_connect(table._client)
        seconds[0] += waited_s
        table._on_message(SimpleNamespace(payload=signal_message(ROUND).encode(), retain=is_retained))
    assert signals == [replace(ROUND, is_kept=is_kept)]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b'{"id": "time_signal"}',
        b'{"id": "restart", "at": "2026-11-23T12:00:00Z"}',
        b'{"id":"time_signal","at":"x"}',
        b'{"id":"time_signal","at":"2026-11-23T12:00:00Z","round":-1}',
        b'{"id":"time_signal","at":"2026-11-23T12:00:00Z","event":"x y","round":1}',
        b'{"id":"round_clock","at":"2026-11-23T12:00:00Z","until":"x"}',
        b'{"id":"round_clock","at":"2026-11-23T12:00:00Z","until":"9999-12-31T23:59:59"}',
        b'{"id":"round_clock","at":"2026-11-23T12:00:00Z","sent":"0001-01-01T00:00:00"}',
    ],
)
def test_nothing_else_is_done_on_the_desks_word(payload: bytes) -> None:
    with pytest.raises(ValueError, match=r"expected|Expecting|Invalid"):
        read_signal(payload)


@pytest.mark.parametrize(
    ("letter", "players"),
    [("\U0001f469\u200d\U0001f467\u200d\U0001f466", 4), ("की", MOST_PLAYERS), ("葵", MOST_PLAYERS)],
)
def test_tables_can_read_the_names_of_every_tournament_that_a_desk_accepts(letter: str, players: int) -> None:
    names = read_players("\n".join(f"{letter * 57}{number}" for number in range(100, 100 + players)))
    seated = {f"table-{first}": four(names[first : first + 4]) for first in range(0, players, 4)}
    signal = replace(ROUND, seated=seated, seated_round=1)
    assert read_signal(signal_message(signal).encode()) == signal


@pytest.mark.parametrize("year", [1970, 2200])
def test_every_clock_that_a_machine_may_have_can_be_reckoned_with(year: int) -> None:
    start = f"{year}-01-01T00:00:00+00:00"
    other = f"{2170 + 2000 - year}-01-01T00:00:00+00:00"
    clock = DeskTime().clock(
        DeskSignal(at=start, is_called=False, event="5f2c", round=1, until=start, sent=other), start
    )
    assert is_same_clock(clock, clock)


def test_an_error_while_hearing_the_desk_is_logged_seldom_and_does_not_end_the_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(_: DeskSignal) -> None:
        raise OverflowError("date value out of range")

    class Message:
        payload = signal_message(TIME_CALLED).encode()
        retain = False

    with ExitStack() as stack:
        board = table_at(stack).board
        publisher = MqttPublisher(
            MqttConfig(host="127.0.0.1"), "felt", board, lambda: WELL, TournamentPart(receive_signal=fails)
        )
        for _ in range(50):
            publisher._client.on_message(None, None, Message)
            publisher._client.on_message(None, None, SimpleNamespace(payload=b"{", retain=False))
    assert "date value out of range" in caplog.text
    assert len(caplog.records) == 2, "one line a minute for each kind"


def test_deleting_the_message_that_the_broker_keeps_is_no_mistake(caplog: pytest.LogCaptureFixture) -> None:
    with ExitStack() as stack:
        board = table_at(stack).board
        publisher = MqttPublisher(MqttConfig(host="127.0.0.1"), "felt", board, lambda: WELL)
        publisher._client.on_message(None, None, SimpleNamespace(payload=b"", retain=False))
    assert not caplog.records


def test_a_table_that_was_away_hears_the_signal_and_the_desk_its_games_once_it_is_back(broker: Broker) -> None:
    config = replace(MqttConfig(), host="127.0.0.1", port=broker.port)
    signals: list[DeskSignal] = []
    with ExitStack() as stack:
        table = table_at(stack)
        hall = stack.enter_context(Hall(config))
        wait_for(lambda: hall.is_connected)
        hall.send_to_tables(signal_message(TIME_CALLED))
        for _ in range(2):
            tell(table, win(2, 3, 2))
            table.handle(EndGame())
            table.handle(OpenGame())
        part = TournamentPart(receive_signal=signals.append, appeals=lambda: appeals_message(None, []))
        stack.enter_context(MqttPublisher(config, "felt", table.board, lambda: WELL, part))
        tell(table, win(1, 0, 3))
        wait_for(lambda: signals == [replace(TIME_CALLED, is_kept=True)])
        wait_for(lambda: any(found.games and found.games[-1].hands == 1 for found in hall.tables))
        assert [found.name for found in hall.tables] == ["felt"]


def test_who_sits_where_is_read_as_it_was_sent() -> None:
    signal = replace(TIME_CALLED, seated={"felt": ("Ann", "می\u200cنا", "Åse", "田中")}, seated_round=3)
    assert_keeps("mqtt_signal", json.loads(signal_message(signal)))
    assert read_signal(signal_message(signal).encode()) == signal


@pytest.mark.parametrize(
    "seated",
    [
        [],
        {"round": 1},
        {"round": -1, "tables": {}},
        {"round": 1, "tables": {"felt": ["Ann"]}},
        {"round": 1, "tables": 1},
    ]
    + [{"round": 1, "tables": {"felt": [name, "", "", ""]}} for name in ("x" * 61, "A\0nn", "Ann\u202e", 1)]
    + [{"round": "1", "tables": {}}],
)
def test_seats_that_no_desk_sends_are_refused(seated: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_signal(json.dumps({"id": "round_clock", "at": NOON, "seated": seated}).encode())

"""The hall's page, whatever anybody sends to the broker."""

from __future__ import annotations

import json
import logging
import re
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from table.config import MqttConfig
from table.mqtt import hall_page
from table.mqtt.broker_client import AT_LEAST_ONCE, client_identity, client_of
from table.mqtt.hall_page import MOST_TABLES, Hall, hall_app
from table.runtime.table_errors import ConfigError
from tests.fakes.free_port import free_port
from tests.fakes.waiting import wait_for
from tests.table.mqtt.broker import Broker
from tests.table.mqtt.desk.desk_room import game_of

STANDING = json.dumps({"round": "E2", "honba": 1, "deposits": 0, "scores": [26000, 24000, 30000, 20000]}).encode()
WELL = json.dumps({"ok": True, "troubles": []}).encode()
JUNK = (
    b"",
    b"\xff\xfe",
    b"null",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"9" * 100_000,
    b'{"round": "E1", "honba": ' + b"9" * 5000 + b', "deposits": 0, "scores": [1, 2, 3, 4]}',
    b'{"round": "E1", "honba": NaN, "deposits": 0, "scores": [1, 2, 3, 4]}',
    b'{"round": "E1", "honba": 0, "deposits": 0, "scores": [1e999, 2, 3, 4]}',
    b'{"round": {"a": 1}, "honba": true, "deposits": [], "scores": "1234"}',
    b'{"round": "E1", "honba": 0, "deposits": 0, "scores": [0, 0, 0, 0, 0]}',
    b'{"ok": "yes", "troubles": {}}',
    b'{"ok": true, "troubles": [[]]}',
    b'{"ok": true, "troubles": ["' + b"x" * 100_000 + b'"]}',
    b"<script>alert(1)</script>",
)


class Now:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def hall(now: Now) -> Hall:
    return Hall(MqttConfig(), now=now)


def page_of(hall: Hall) -> str:
    answer = hall_app(hall).test_client().get("/")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("subtopic", ["status", "table", "health", "announcement", "anything"])
def test_no_message_changes_a_table_unless_it_is_one_that_tables_send(
    hall: Hall, subtopic: str, caplog: pytest.LogCaptureFixture
) -> None:
    hall.handle_message("tachiai/felt/status", b"online")
    hall.handle_message("tachiai/felt/table", STANDING)
    before = hall.tables
    with caplog.at_level(logging.WARNING):
        for payload in JUNK:
            hall.handle_message(f"tachiai/felt/{subtopic}", payload)
    assert hall.tables == before
    assert all(len(record.getMessage()) < 1000 for record in caplog.records)
    assert "East 2" in page_of(hall)


@pytest.mark.parametrize("opened_at", ["2026-99-99T99:99:99", "0001-01-01T00:00:00", "2026-11-26T00:00:00+99:00"])
def test_a_game_opened_at_an_impossible_time_is_none(hall: Hall, opened_at: str) -> None:
    game = asdict(game_of(5, opened_at))
    hall.handle_message("tachiai/felt/games", json.dumps({"games": [game]}).encode())
    assert not hall.tables
    hall.handle_message(
        "tachiai/felt/games", json.dumps({"games": [game | {"opened": "2026-11-26T00:00:00Z"}]}).encode()
    )
    assert [each.number for table in hall.tables for each in table.games] == [5]


@given(
    payload=some.one_of(some.binary(max_size=200), some.from_type(object).map(repr).map(str.encode)), topic=some.text()
)
def test_the_page_comes_up_whatever_was_sent(payload: bytes, topic: str) -> None:
    hall = Hall(MqttConfig())
    for subtopic in ("status", "table", "health", "announcement"):
        hall.handle_message(f"tachiai/felt/{subtopic}", payload)
        hall.handle_message(f"tachiai/{topic}/{subtopic}", payload)
    hall.handle_message(topic, payload)
    page_of(hall)


_NUMBERS = some.one_of(some.integers(), some.floats(), some.booleans(), some.none(), some.text(max_size=5))


@given(
    fields=some.fixed_dictionaries(
        {
            "round": some.one_of(some.none(), some.text(max_size=4), some.sampled_from(["E1", "S4", "W9", "N99"])),
            "honba": _NUMBERS,
            "deposits": _NUMBERS,
            "scores": some.one_of(some.lists(_NUMBERS, min_size=3, max_size=5), _NUMBERS),
        }
    )
)
def test_only_a_standing_that_a_table_can_have_is_shown(fields: dict[str, object]) -> None:
    hall = Hall(MqttConfig())
    hall.handle_message("tachiai/felt/table", json.dumps(fields).encode())
    for table in hall.tables:
        assert all(type(score) is int and abs(score) <= 10_000_000 for score in table.scores)
        assert len(table.scores) == 4
    page_of(hall)


@pytest.mark.parametrize("name", ["", "a b", "a" * 41, "<b>", "../etc", "felt\n", "ｆｅｌｔ"])
def test_a_name_that_no_table_can_have_is_none(hall: Hall, name: str) -> None:
    hall.handle_message(f"tachiai/{name}/status", b"online")
    assert hall.tables == ()


def test_thousands_of_names_push_out_none_that_is_there(hall: Hall, now: Now) -> None:
    hall.handle_message("tachiai/felt/status", b"online")
    for number in range(5000):
        now.seconds += 1
        hall.handle_message(f"tachiai/noise-{number}/status", b"offline")
    assert len(hall.tables) == MOST_TABLES
    assert "felt" in {table.name for table in hall.tables}
    hall.handle_message("tachiai/late/status", b"online")
    assert "late" in {table.name for table in hall.tables}


def test_a_message_that_is_sent_wrong_again_and_again_is_logged_once(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    hall.handle_message("tachiai/felt/status", b"online")
    with caplog.at_level(logging.WARNING):
        for _ in range(50):
            hall.handle_message("tachiai/felt/table", b"[1]")
            hall.handle_message("tachiai/unknown/table", b"[1]")
    assert len(caplog.records) == 1


def test_messages_of_a_table_that_are_wrong_in_turns_are_logged_once_a_minute(
    hall: Hall, now: Now, caplog: pytest.LogCaptureFixture
) -> None:
    hall.handle_message("tachiai/felt/status", b"online")
    with caplog.at_level(logging.WARNING):
        for number in range(60):
            hall.handle_message("tachiai/felt/table", (b"[1]", b"{", STANDING)[number % 3])
        assert len(caplog.records) == 1
        now.seconds += 60
        hall.handle_message("tachiai/felt/table", b"[1]")
    assert len(caplog.records) == 2


def test_the_page_says_how_old_its_news_is(hall: Hall, now: Now) -> None:
    hall.handle_message("tachiai/felt/status", b"online")
    hall.handle_message("tachiai/felt/table", STANDING)
    now.seconds += 12
    assert "News: 12 s old" in page_of(hall)
    assert 'class=""' in page_of(hall)
    now.seconds += 300
    assert "No news for 5 min" in page_of(hall)
    assert 'class="away"' in page_of(hall)
    (row,) = hall_app(hall).test_client().get("/api/hall").get_json()["tables"]
    assert (row["name"], row["age_s"]) == ("felt", 312)


def test_what_the_broker_had_kept_is_no_news(hall: Hall) -> None:
    hall.handle_message("tachiai/felt/status", b"online", is_kept=True)
    hall.handle_message("tachiai/felt/table", STANDING, is_kept=True)
    assert "Nothing heard yet" in page_of(hall)
    assert hall.age_s("felt") is None
    assert hall_app(hall).test_client().get("/api/hall").get_json()["tables"][0]["age_s"] is None
    hall.handle_message("tachiai/felt/health", WELL)
    assert "News: 0 s old" in page_of(hall)


def test_the_hall_has_the_headers_and_the_host_check_of_a_table(hall: Hall) -> None:
    client = hall_app(hall).test_client()
    for path in ("/", "/api/hall", "/static/hall.css", "/nothing"):
        with client.get(path) as answer:
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"], path
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert client.get(path, headers={"Host": "evil.example.com"}).status_code == 421
    page = page_of(hall)
    assert "<style" not in page
    scripts = [f'<script type="module" src="/static/{name}.js">' for name in ("refresh", "screen")]
    assert re.findall("<script[^>]*>", page) == scripts


def test_a_browser_reads_in_its_own_language_what_the_hall_does_not_have(hall: Hall) -> None:
    page = hall_app(hall).test_client().get("/nothing", headers={"Accept": "text/html", "Accept-Language": "ja"})
    assert page.status_code == 404
    assert "もうありません。" in page.text
    assert '<a href="/">' in page.text


def test_a_hall_on_a_real_broker_survives_a_flood_and_hears_the_next_table(broker: Broker) -> None:
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    with Hall(config) as hall:
        wait_for(lambda: hall.is_connected)
        noise = client_of(config, "noise")
        noise.connect(config.host, config.port)
        noise.loop_start()
        for payload in JUNK:
            for subtopic in ("status", "table", "health", "announcement"):
                noise.publish(f"tachiai/felt/{subtopic}", payload, AT_LEAST_ONCE, retain=True)
        for number in range(1000):
            noise.publish(f"tachiai/noise-{number}/status", "offline", AT_LEAST_ONCE, retain=True)
        noise.publish("tachiai/felt/status", "online", AT_LEAST_ONCE)
        noise.publish("tachiai/felt/table", STANDING, AT_LEAST_ONCE).wait_for_publish(60)
        wait_for(lambda: any(table.is_online and table.scores for table in hall.tables))
        noise.disconnect()
        noise.loop_stop()
        assert hall.is_connected
        assert "East 2" in page_of(hall)


def test_halls_and_tables_of_one_name_stay_connected_beside_each_other(broker: Broker) -> None:
    config = MqttConfig(host="127.0.0.1", port=broker.port)
    identities = [client_identity(name, place) for name in ("hall", "felt") for place in ("one", "two")]
    clients = [client_of(config, each, is_lasting=True) for each in identities]
    losses: list[object] = []
    for client in clients:
        client.on_disconnect = lambda *_: losses.append(_)
        client.connect(config.host, config.port)
        client.loop_start()
    wait_for(lambda: all(client.is_connected() for client in clients))
    for client in clients:
        client.publish("tachiai/felt/status", "online", AT_LEAST_ONCE).wait_for_publish(60)
    assert losses == []
    for client in clients:
        client.disconnect()
        client.loop_stop()
    assert identities[0] == client_identity("hall", "one"), "the broker keeps what the hall missed"


def test_a_hall_that_was_away_gets_the_states_that_its_full_queue_left_no_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, names = tmp_path / "small.conf", [f"felt-{number}" for number in range(60)]
    port = free_port()
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nlog_type none\nuser root\nmax_queued_messages 100\n"
    )
    broker, config = Broker(tmp_path, settings=settings, port=port), MqttConfig(host="127.0.0.1", port=port)
    monkeypatch.setattr(hall_page, "CHECK_S", 0.05)
    monkeypatch.setattr(hall_page, "ASK_AGAIN_S", (0.5, 1.0, 2.0, 4.0, 8.0))
    broker.start()
    try:
        with Hall(config) as before:
            wait_for(lambda: before.is_connected)
        table = client_of(config, "felt")
        table.connect(config.host, config.port)
        table.loop_start()
        for payload in (STANDING, STANDING, STANDING.replace(b"E2", b"S1")):
            for name in names:
                table.publish(f"tachiai/{name}/table", payload, AT_LEAST_ONCE, retain=True)
        table.publish("tachiai/last/status", b"offline", AT_LEAST_ONCE).wait_for_publish(60)
        with Hall(config) as hall:
            wait_for(lambda: sum(found.round == "S1" for found in hall.tables) == len(names))
        table.disconnect()
        table.loop_stop()
    finally:
        broker.stop()


def test_each_seat_stands_with_its_wind_and_its_points_and_an_ended_game_says_so(hall: Hall) -> None:
    game = {"number": 3, "opened": "", "rules": "home", "first_dealer": 1, "hands": 1, "is_over": False}
    points: dict[str, object] = {"scores": [26000, 24000, 30000, 20000], "points": [0, 0, 0, 0]}
    hall.handle_message("tachiai/felt/table", STANDING)
    assert "<li><span>Seat 1</span> 26,000</li>" in page_of(hall)
    hall.handle_message("tachiai/felt/games", json.dumps({"games": [{**game, **points}]}).encode())
    scores = re.findall(r"<li><span>(\w+)</span> ([\d,]+)</li>", page_of(hall))
    assert scores == [("East", "30,000"), ("South", "20,000"), ("West", "26,000"), ("North", "24,000")]
    assert "The game is over" not in page_of(hall)
    ended_game = {**game, **points, "is_over": True}
    hall.handle_message("tachiai/felt/games", json.dumps({"games": [ended_game]}).encode())
    assert "The game is over" in page_of(hall)
    next_game = {**game, **points, "number": 4}
    hall.handle_message("tachiai/felt/games", json.dumps({"games": [ended_game, next_game]}).encode())
    assert "The game is over" not in page_of(hall)


def test_without_the_extra_the_refusal_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    monkeypatch.delitem(sys.modules, "table.mqtt.bounded_client", raising=False)
    with pytest.raises(ConfigError, match=re.escape("pip install 'paho-mqtt>=2,<3'")):
        client_of(MqttConfig(), "hall")


def test_two_running_tables_of_one_name_are_noticed_and_a_spare_one_in_place_of_a_broken_one_is_not(
    hall: Hall, now: Now
) -> None:
    warning = "Two running tables are named east"
    page = hall_app(hall).test_client()

    def hear(sender: str, *, is_kept: bool = False) -> bool:
        now.seconds += 15
        health = json.dumps({"ok": True, "troubles": [], "sender": sender}).encode()
        hall.handle_message("tachiai/east/health", health, is_kept=is_kept)
        (table,) = hall.tables
        assert (warning in page.get("/").text) is table.is_doubled
        return table.is_doubled

    hall.handle_message("tachiai/east/health", WELL)
    assert [hear(sender) for sender in ("broken", "broken", "spare", "spare")] == [False] * 4
    assert not hear("broken", is_kept=True)
    assert [hear(sender) for sender in ("broken", "spare")] == [True, True]
    now.seconds += hall_page.OLD_S
    assert not hear("spare")
    assert "sender" not in page.get("/api/hall").text

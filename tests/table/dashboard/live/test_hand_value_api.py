"""Hands entered tile by tile."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import advance, new_game
from table.rules.events import Event
from table.rules.notation.event_notation import parse_events
from tests.fakes.desks import FakeDesk, join, token

HAND = {"seat": 1, "from": 0, "tiles": "234m567p345678s88s"}


@pytest.fixture
def client() -> FlaskClient:
    client = create_app(Board(Snapshot(version=1, game=new_game(HOME), ruleset=HOME)), FakeDesk()).test_client()
    join(client)
    return client


def hand_value(client: FlaskClient, **fields: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/value", json=HAND | fields, headers=token(client))
    return answer.status_code, answer.get_json()


def test_a_hand_is_valued_with_its_yaku_and_fu(client: FlaskClient) -> None:
    status, value = hand_value(client, riichi=1, ippatsu=True, dora="3s")
    assert status == 200
    assert (value["han"], value["fu"]) == (5, 30)
    assert value["title"] == "5 han 30 fu · 8,000 points"
    assert value["yaku_texts"] == ["Riichi 1", "Ippatsu 1", "Pinfu 1", "Tanyao 1", "Dora 1"]
    assert value["fu_texts"]


def test_the_dealer_and_melds_count(client: FlaskClient) -> None:
    _, value = hand_value(client, seat=0, **{"from": 0}, tiles="234m567p34588s3p4p5p", riichi=0)
    assert value["yakuman"] == 0
    status, open_hand = hand_value(client, tiles="567p345678s88s", melds="234m")
    assert (status, open_hand["han"]) == (200, 1)


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"tiles": "123456789m1234p1s"}, 409, "its tiles make no winning shape"),
        ({"tiles": "234m567p345s11z67s5s", "melds": ""}, 409, "it has no yaku"),
        ({"tiles": "234m"}, 400, "expected 13 concealed tiles, got 2"),
        ({"tiles": ""}, 400, "expected the tiles of the hand, the winning one last, got none"),
        ({"tiles": "9x"}, 400, "expected"),
        ({"tiles": "1m" * 31}, 400, "expected tiles as a text of 60 letters at most"),
        ({"melds": "135m"}, 400, "expected a meld such as"),
        ({"dora": "?"}, 400, "expected the faces of the dora indicators"),
        ({"riichi": 1, "ura": "1m?"}, 400, "expected the faces of the ura indicators"),
        ({"riichi": 3}, 400, "expected riichi as 0, 1 or 2, got 3"),
        ({"seat": 9}, 400, "expected a seat"),
    ],
)
def test_what_cannot_win_or_be_read_says_why(
    client: FlaskClient, fields: dict[str, Any], status: int, message: str
) -> None:
    code, answer = hand_value(client, **fields)
    assert code == status
    assert message in answer["error"]


def client_after(*events: Event) -> FlaskClient:
    state = new_game(HOME)
    for event in events:
        state = advance(state, event, HOME).state
    client = create_app(Board(Snapshot(version=1, game=state, ruleset=HOME)), FakeDesk()).test_client()
    join(client)
    return client


def shown_value(client: FlaskClient, seat: int, tiles: str) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/shown", json={"seat": seat, "tiles": tiles}, headers=token(client))
    return answer.status_code, answer.get_json()


def test_a_claimed_hand_is_valued_by_what_the_table_knows() -> None:
    claimed = parse_events("start E1 scores=25000,25000,25000,25000 dora=1z; 0 discards 1z sideways; 0 stick; 0 tsumo")
    client = client_after(*claimed)
    status, value = shown_value(client, 0, "234m567p345678s88s")
    assert (status, value["yaku_texts"][:2]) == (200, ["Double riichi 2", "Ippatsu 1"])
    assert shown_value(client, 0, "234m567p345678s89s")[1]["error"].endswith("the shown hand is not complete")
    assert shown_value(client, 0, "234m567p345678s8s")[0] == 409
    assert shown_value(client, 0, "")[1]["error"] == "expected the tiles of the hand, the winning one last, got none"
    assert shown_value(client, 1, "234m567p345678s88s")[1]["error"] == "expected a claimed win of seat 1, got none"
    assert shown_value(client, 0, "11111m567p34567s88s")[0] == 409


def test_a_claimed_hand_is_valued_with_melds_that_may_have_gone_unseen() -> None:
    start = "start E1 scores=25000,25000,25000,25000 dora=1z"
    client = client_after(*parse_events(f"{start}; 0 discards 9m; 1 discards 9p; unseen; 2 tsumo"))
    form = {"seat": 2, "tiles": "345s88s", "melds": "555z,666z,123m"}
    answer = client.post("/api/shown", json=form, headers=token(client))
    assert answer.get_json()["yaku_texts"] == ["White dragons 1", "Green dragons 1"]
    events = "0 discards 9m; 1 discards 5z; 2 pon 5z from 1 with 55z; 2 discards 1m"
    client = client_after(*parse_events(f"{start}; {events}; unseen; 2 tsumo; 2 shows 345s88s33m with 3m melds=666z"))
    assert shown_value(client, 2, "345s88s333m")[0] == 200, "melds told before stay as they are"
    refused = client.post("/api/shown", json=form | {"melds": "666z,123m"}, headers=token(client))
    assert (refused.status_code, "expected 555z among the melds" in refused.get_json()["error"]) == (409, True)


def client_of(text: str, **switches: object) -> FlaskClient:
    """A phone at a table where these events happened, under the home rules with some switches changed."""
    rules = HOME.but(**switches)
    state = new_game(rules)
    for event in parse_events(text):
        state = advance(state, event, rules).state
    client = create_app(Board(Snapshot(version=1, game=state, ruleset=rules)), FakeDesk()).test_client()
    join(client)
    return client


@pytest.mark.parametrize(("honba", "status"), [(4, 200), (5, 409)])
def test_a_hand_of_one_han_cannot_win_where_the_counters_ask_for_two(honba: int, status: int) -> None:
    client = client_of(f"start E1 scores=25000,25000,25000,25000 honba={honba}", two_han_from_honba=5)
    found, answer = hand_value(client, tiles="222m567p345678s88s")
    assert found == status
    assert status == 200 or "one han of yaku where two are needed" in answer["error"]


@pytest.mark.parametrize(("text", "name"), [("1 opens 34678s", "open_riichi"), ("pass", "riichi")])
def test_a_riichi_that_lies_open_on_the_table_is_valued_so(text: str, name: str) -> None:
    start = "start E1 scores=25000,25000,25000,25000; 0 discards 1z; 1 discards 9m; 2 discards 9m; 3 discards 9m"
    client = client_of(f"{start}; 0 discards 9m; 1 discards 5z sideways; {text}; 1 stick", open_riichi=True)
    _, value = hand_value(client, riichi=1)
    assert value["yaku"][0][0] == name

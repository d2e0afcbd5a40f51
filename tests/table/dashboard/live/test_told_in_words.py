"""What people are told of chips, late fouls, an overtaken correction and the last act."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import NameSeats
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.runtime.clock import LogicalClock
from tests.fakes.desks import do, join

RON: dict[str, Any] = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
TILES = "123m456p789s11555z"


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client)
    return client


def table_view(client: FlaskClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/table").get_json()
    return found


def ron_of(han: int) -> dict[str, Any]:
    return {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": han, "fu": 40}]}


def test_a_correction_that_another_one_overtook_is_refused(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    key = do(client, "preview", hand=0, result=ron_of(4), edit=True, why="")[1]["key"]
    assert do(client, "edit", hand=0, result=ron_of(1), why="mine")[0] == 202
    status, answer = do(client, "edit", hand=0, result=ron_of(4), why="late", seen=key)
    assert (status, answer["said"]) == (409, "The payments have changed: look again, then confirm.")


def test_a_foul_found_later_is_told_with_the_winds_and_names_of_its_hand(client: FlaskClient, table: Table) -> None:
    do(client, "tell", hand=0, result={"kind": "draw", "tenpai": []})
    do(client, "tell", hand=1, result={"kind": "draw", "tenpai": []})
    table.handle(read_press({"press": "foul", "seat": 3, "clause": "7-05-11", "hand": 0}))
    table.handle(NameSeats(names=("", "", "", "Dora")))
    table.handle(NameSeats(names=("", "", "", "Eve"), substitute=True))
    table.handle(read_press({"press": "cancel", "foul": 0, "hand": 0, "reason": "misread"}))
    texts = [each["text"] for each in table_view(client)["news"] if each["id"].startswith("foul_")]
    assert texts == ["The foul of Dora was cancelled: Dora +1,000.", "A foul was entered for Dora: Dora −1,000."]


def test_a_foul_found_after_the_settlement_is_told_with_its_payments(client: FlaskClient, table: Table) -> None:
    do(client, "tell", hand=0, result={"kind": "draw", "tenpai": []})
    foul = {"press": "foul", "seat": 3, "clause": "7-05-01", "facts": ["offender_opened_hand"], "hand": 0}
    table.handle(read_press(foul))
    sentence = next(each["text"] for each in table_view(client)["news"] if each["id"] == "foul_logged")
    assert sentence == "A foul was entered for North: East +4,000, South +2,000, West +2,000, North −8,000."
    (row,) = table_view(client)["sheet"]
    assert row["fouls"] == [
        {"seat": 3, "deltas": [4000, 2000, 2000, -8000], "delta_texts": ["+4,000", "+2,000", "+2,000", "−8,000"]}
    ]


def test_a_result_with_its_tiles_is_undone_as_a_result_and_listed_with_its_hand(client: FlaskClient) -> None:
    status, _ = do(client, "tell", hand=0, result=RON, hands=[{"seat": 1, "tiles": TILES}])
    assert status == 202
    assert table_view(client)["keeping"]["undo"]["text"] == "Undo: result"
    assert "result: East 1" in client.get("/game").text


def test_a_result_that_was_undone_stands_once_as_withdrawn_and_once_as_itself_after_a_redo(client: FlaskClient) -> None:
    def settlement_texts() -> list[str]:
        return [each["text"] for each in table_view(client)["news"] if each["id"] == "settlement_confirmed"]

    do(client, "tell", hand=0, result=RON)
    texts = settlement_texts()
    for _ in range(2):
        do(client, "undo", act=table_view(client)["keeping"]["undo"]["act"])
        assert settlement_texts() == ["Withdrawn: Ron settled: South +3,900, East −3,900."]
        do(client, "redo", act=table_view(client)["keeping"]["redo"]["act"])
        assert settlement_texts() == texts == ["Ron · 3 han 30 fu – Seat 2 +3,900, Seat 1 −3,900."]


def test_a_result_of_a_hand_that_an_undo_left_behind_says_so(client: FlaskClient) -> None:
    status, answer = do(client, "tell", hand=1, result=RON)
    assert (status, answer["said"]) == (409, "The table went back to an earlier hand: close this sheet.")


def test_redo_has_its_own_end(client: FlaskClient) -> None:
    assert do(client, "redo", act=5)[1]["said"] == "Nothing left to redo."


def test_a_finished_hand_is_valued_under_its_own_winds(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    hand = {"seat": 1, "from": 0, "tiles": "123m456p789s11222z"}
    assert do(client, "value", **hand)[0] == 409  # South is the dealer of the hand in play
    status, value = do(client, "value", **hand, hand=0)
    assert (status, value["yaku"]) == (200, [["seat_wind", 1]])
    assert do(client, "value", **hand, hand=1)[0] == 400


def test_the_sticks_left_at_the_end_and_a_bust_are_told(client: FlaskClient) -> None:
    big = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "yakuman": 1}]}
    assert do(client, "preview", hand=0, result=big)[1]["next"] == "East is bust: the game ends."
    for hand in range(7):
        assert do(client, "tell", hand=hand, result={"kind": "draw", "tenpai": []})[0] == 202
    last = {"kind": "draw", "tenpai": [1], "riichi": [1]}
    preview = do(client, "preview", hand=7, result=last)[1]
    assert any(each.startswith("Sticks left at the end: ") and "+1,000" in each for each in preview["notes"])
    do(client, "tell", hand=7, result=last)
    if table_view(client)["final"]:
        assert "Sticks left at the end: " in table_view(client)["tie"]


def test_after_a_hand_a_seat_without_a_name_has_its_number_and_keeps_it(client: FlaskClient) -> None:
    for hand, winner in enumerate((2, 3)):
        win = {"seat": winner, "from": 1, "han": 3, "fu": 30}
        do(client, "tell", hand=hand, result={"kind": "ron", "wins": [win]})
    texts = [each["text"] for each in table_view(client)["news"] if each["id"] == "settlement_confirmed"]
    payments = [text.partition(" – ")[2] for text in texts]
    assert payments == ["Seat 4 +3,900, Seat 2 −3,900.", "Seat 3 +3,900, Seat 2 −3,900."]
    assert [seat["number_text"] for seat in table_view(client)["seats"]] == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]

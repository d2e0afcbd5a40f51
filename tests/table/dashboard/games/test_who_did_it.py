"""Who did something stays the same person in every list, whoever changes seats later."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.game.commands.game_commands import NameSeats, Reseat
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.rules.terms.seats import Seat
from tests.fakes.desks import join, joined_phones, token
from tests.table.game.by_hand import table_at, tell, undo, win

NAMES = ("Anna", "Ben", "Cho", "Dana")
FALSE_WIN = {"press": "name_foul", "seat": 3, "clause": "7-05-01", "facts": ["offender_opened_hand"]}


@pytest.fixture
def phones(app: Flask) -> list[FlaskClient]:
    return joined_phones(app, NAMES)


def post(client: FlaskClient, path: str, **body: Any) -> None:
    assert client.post(f"/api/{path}", json=body, headers=token(client)).status_code == 202


def acts(client: FlaskClient) -> list[str]:
    """The history, newest first: what was done, and who did it."""
    found = re.findall(r"<b>([^<]*)</b><span>([^<]*)</span><time", client.get("/game").text)
    return [html.unescape(" · ".join(each)) for each in found]


def deciders(client: FlaskClient) -> list[str]:
    return [each["by"] for each in client.get("/api/fouls").get_json()["logged"]]


def news(client: FlaskClient) -> list[str]:
    return [line["text"] for line in client.get("/api/table").get_json()["news"]]


def play(phones: list[FlaskClient]) -> None:
    """Ben settles a hand; Cho names a false win of Dana and Ben agrees; Ben taps riichi; Cho corrects points."""
    result = {"kind": "ron", "wins": [{"seat": 3, "from": 0, "han": 3, "fu": 30}]}
    post(phones[1], "tell", result=result, hand=0)
    post(phones[2], "press", hand=0, **FALSE_WIN)
    post(phones[1], "press", press="agree")
    post(phones[1], "press", press="riichi", seat=1)
    post(phones[2], "adjust", points=[1000, -1000, 0, 0], hand=1, why="a stick lay wrong")


DONE = [
    "points corrected · Cho",
    "riichi: Ben · Ben",
    "foul: Dana · Ben",
    "result: East 1 · Ben",
]


def test_a_swap_changes_nobody_in_the_record(phones: list[FlaskClient], table: Table, journal: Journal) -> None:
    play(phones)
    before = acts(phones[3])
    assert [each.replace("result of East", "result: East") for each in before[:4]] == DONE
    (decided,) = deciders(phones[3])
    agreed = next(line for line in news(phones[3]) if line.startswith("Agreed"))
    for order in ([1, 0, 2, 3], [2, 1, 0, 3]):
        post(phones[3], "seats", order=order)
    assert acts(phones[3])[2:] == before
    assert deciders(phones[3]) == [decided]
    assert "Cho" in decided
    assert "Ben" in decided
    assert agreed in news(phones[3])
    assert phones[3].get("/api/table").get_json()["adjustments"][0]["text"].startswith("Cho")
    assert table_at(journal).state == table.state


def test_a_swap_that_is_undone_and_a_foul_before_it_keep_their_people(phones: list[FlaskClient], table: Table) -> None:
    play(phones)
    before = acts(phones[3])
    post(phones[3], "seats", order=[1, 0, 2, 3])
    post(phones[1], "press", press="riichi", seat=1)  # Anna sits there now
    undo(table)
    undo(table)
    assert acts(phones[3])[4:] == before
    assert acts(phones[3])[2:4] == ["riichi: Anna · Ben", "seats swapped: Anna, Ben · Dana"]


def test_the_line_of_a_swap_names_both(phones: list[FlaskClient]) -> None:
    post(phones[0], "seats", order=[0, 3, 2, 1])
    assert acts(phones[0])[0] == "seats swapped: Ben, Dana · Anna"


def test_a_foul_that_waits_for_an_answer_goes_with_its_people(phones: list[FlaskClient]) -> None:
    post(phones[2], "press", **(FALSE_WIN | {"seat": 1}))
    post(phones[3], "seats", order=[0, 2, 1, 3])
    rename = phones[3].get("/api/fouls").get_json()["named"]
    assert "Ben" in rename["name"]
    assert "Cho" in rename["agreed_text"]
    post(phones[0], "press", press="agree")
    (foul,) = phones[3].get("/api/fouls").get_json()["logged"]
    assert foul["name"] == rename["name"]
    assert {"Cho", "Anna"} <= set(re.findall(r"\w+", foul["by"]))


def test_who_moves_to_another_seat_by_name_keeps_what_was_done_before(table: Table) -> None:
    table.handle(NameSeats(names=NAMES))
    tell(table, win(0, 1, 3), by="seat 1")
    table.handle(NameSeats(names=("Anna", "Dana", "Cho", "Ben"), by="seat 0"))
    by = [change.by for change in table.board.latest.changes.all]
    assert by[1] == "seat 3"


def test_where_nobody_has_a_name_the_seats_that_people_have_now_are_said(table: Table) -> None:
    tell(table, win(0, 1, 3), by="seat 1")
    table.handle(Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT), by="seat 3"))
    assert [change.by for change in table.board.latest.changes.all] == ["seat 0", "seat 3"]


def fouls(client: FlaskClient) -> list[str]:
    return [each["name"] for each in client.get("/api/fouls").get_json()["logged"]]


def rename(client: FlaskClient, seat: int, name: str, **form: str) -> None:
    """Types another name into a field of the game page."""
    names = {f"{field}{at}": each for field in ("was", "name") for at, each in enumerate(NAMES)}
    body = {"token": token(client)["X-Tachiai-Token"], "do": "names", **names, f"name{seat}": name, **form}
    assert client.post("/game", data=body).status_code == 302


def test_what_was_done_stays_with_whom_a_substitute_sits_down_for(phones: list[FlaskClient], table: Table) -> None:
    play(phones)
    done, lines = acts(phones[3])[:4], [line for line in news(phones[3]) if "Dana" in line or "Cho" in line]
    (decided,), offenders = deciders(phones[3]), fouls(phones[3])
    rename(phones[0], 3, 'Eve, "owner"', substitute="on")
    rename(phones[0], 2, "Finn", substitute="on")
    assert acts(phones[3])[:2] == ["substitute sat down: Finn · Anna", 'substitute sat down: Eve, "owner" · Anna']
    assert acts(phones[3])[2:6] == done
    assert lines == [line for line in news(phones[3]) if "Dana" in line or "Cho" in line]
    assert deciders(phones[3]) == [decided]
    assert fouls(phones[3]) == offenders
    assert phones[3].get("/api/table").get_json()["adjustments"][0]["text"].startswith("Cho")
    post(phones[2], "press", press="riichi", seat=2)
    assert acts(phones[3])[0] == "riichi: Finn · Finn"
    rename(phones[0], 2, "Cho", was2="Finn", substitute="on")  # is back
    assert acts(phones[3])[1] == "riichi: Finn · Finn"
    assert acts(phones[3])[4:8] == done
    assert table.board.latest.names[2] == "Cho"


def test_a_foul_found_after_its_hand_is_listed_for_whom_sat_there_then(phones: list[FlaskClient], table: Table) -> None:
    post(phones[1], "tell", result={"kind": "ron", "wins": [{"seat": 3, "from": 0, "han": 3, "fu": 30}]}, hand=0)
    table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Eve"), substitute=True))
    for hand in (0, 1):
        post(phones[2], "press", hand=hand, **FALSE_WIN)
        post(phones[1], "press", press="agree")
    assert fouls(phones[1]) == ["Eve", "Dana"]
    assert [each.partition(" · ")[0] for each in acts(phones[1])[:2]] == ["foul: Eve", "foul: Dana"]


def test_points_and_a_foul_within_a_hand_stay_with_whom_a_substitute_sits_down_for(phones: list[FlaskClient]) -> None:
    for _ in range(2):
        post(phones[2], "adjust", points=[0, 0, 1000, -1000], hand=0, why="a stick lay wrong")
        post(phones[2], "press", hand=0, **FALSE_WIN | {"clause": "7-05-11", "facts": []})
        post(phones[1], "press", press="agree")
        rename(phones[0], 3, "Eve", substitute="on")
        rename(phones[0], 2, "Finn", substitute="on")
    texts = [each["text"] for each in phones[3].get("/api/table").get_json()["adjustments"]]
    assert ["Cho" in texts[0], "Dana" in texts[0], "Finn" in texts[1], "Eve" in texts[1]] == [True] * 4
    assert fouls(phones[3]) == ["Eve", "Dana"]


def test_an_archived_game_says_whose_points_were_corrected_before_a_substitute_sat_down(
    phones: list[FlaskClient], table: Table
) -> None:
    number = table.board.latest.opened_by
    for _ in range(2):
        post(phones[2], "adjust", points=[0, 0, 1000, -1000], hand=0, why="a stick lay wrong")
        rename(phones[0], 2, "Finn", substitute="on")
    post(phones[1], "tell", result={"kind": "ron", "wins": [{"seat": 3, "from": 0, "yakuman": 2}]}, hand=0)
    lines = re.findall(r"[^<>]*a stick lay wrong", html.unescape(phones[3].get(f"/game/{number}").text))
    assert ["Cho" in lines[0], "Finn" in lines[0], "Cho" in lines[1], "Finn" in lines[1]] == [True, False, False, True]


def test_a_corrected_name_and_an_undone_substitution_are_the_same_person(phones: list[FlaskClient]) -> None:
    play(phones)
    done = acts(phones[3])[:4]
    rename(phones[0], 2, "Chō")
    assert acts(phones[3])[1:5] == [line.replace("Cho", "Chō") for line in done]
    rename(phones[0], 2, "Finn", was2="Chō", substitute="on")
    post(phones[0], "undo", act=int(phones[0].get("/api/table").get_json()["keeping"]["undo"]["act"]))
    assert acts(phones[3])[3:7] == [line.replace("Cho", "Chō") for line in done]


def test_a_substitute_with_a_phone_says_so_on_joining(app: Flask, phones: list[FlaskClient]) -> None:
    play(phones)
    done = acts(phones[3])[:4]
    assert phones[1].post("/join", data={"role": "spectator", "token": token(phones[1])["X-Tachiai-Token"]})
    eve = app.test_client()
    assert 'name="substitute"' in eve.get("/join").text
    assert join(eve, seat="1", name="Eve", substitute="on") == 302
    assert acts(eve)[:5] == ["substitute sat down: Eve · Eve", *done]


def test_a_swap_after_a_substitution_moves_both(phones: list[FlaskClient]) -> None:
    play(phones)
    done = acts(phones[3])[:4]
    rename(phones[0], 1, "Eve", substitute="on")
    post(phones[3], "seats", order=[1, 0, 2, 3])
    assert acts(phones[3])[2:6] == done
    assert acts(phones[3])[:2] == ["seats swapped: Anna, Eve · Dana", "substitute sat down: Eve · Anna"]


def test_a_hand_is_replayed_with_those_who_played_it(phones: list[FlaskClient]) -> None:
    play(phones)
    rename(phones[0], 3, "Eve", substitute="on")
    seats = phones[0].get("/api/hands/0").get_json()["base"]["seats"]
    assert [seat["player"] for seat in seats] == ["Anna", "Ben", "Cho", "Dana"]

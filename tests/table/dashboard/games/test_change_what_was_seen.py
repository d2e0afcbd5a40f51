"""A change on the game page counts only for what the page showed: two people, each with the page open."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from table.game.commands.game_commands import NameSeats, OpenGame
from table.game.journal.entries import CountedInSeason
from table.game.table_loop import Table
from tests.fakes.desks import PIN, do, join
from tests.table.game.by_hand import draw, tell, win

NAMES = ("Anna", "Ben", "Cho", "Dana")
SEATS_MOVED = "The seats or results changed meanwhile: look at them again."
POINTS_MOVED = "The points changed meanwhile: look at them again."
RON = {"kind": "ron", "wins": [{"seat": 1, "from": 2, "han": 5, "fu": 30}], "riichi": [1]}


@pytest.fixture
def people(app: Flask, table: Table) -> tuple[FlaskClient, FlaskClient]:
    table.handle(NameSeats(names=NAMES))
    one, other = app.test_client(), app.test_client()
    for client in (one, other):
        join(client, "owner", pin=PIN)
    return one, other


def form_of(page: str, do: str) -> dict[str, str]:
    """The fields that a form of the page holds."""
    (form,) = (each for each in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'value="{do}"' in each)
    return dict(re.findall(r'<input[^>]*? name="(\w+)" value="([^"]*)"', form))


def shown_form(client: FlaskClient, do: str) -> dict[str, str]:
    return form_of(client.get("/game").text, do)


def send(client: FlaskClient, form: dict[str, str], **entered: str) -> TestResponse:
    return client.post("/game", data={**form, **entered})


def test_two_people_who_swap_the_same_seats_do_not_undo_each_other(
    people: tuple[FlaskClient, FlaskClient], table: Table
) -> None:
    tell(table, win(0, 2, 5))
    seats, forms = {"one": "0", "other": "1", "why": "sat wrongly"}, []
    for client in people:
        answer = send(client, shown_form(client, "swap"), **seats)
        assert answer.status_code == 409
        forms.append(form_of(answer.text, "swap"))
    assert send(people[0], forms[0], **seats, sure="on").status_code == 302
    swapped = table.state.scores
    again = send(people[1], forms[1], **seats, sure="on")
    assert again.status_code == 409
    assert SEATS_MOVED in again.text
    assert (table.state.scores, table.board.latest.names[0]) == (swapped, "Ben")


@pytest.mark.parametrize("hands", [0, 1])
def test_a_swap_on_a_page_with_earlier_seats_is_refused_before_it_is_previewed(
    people: tuple[FlaskClient, FlaskClient], table: Table, hands: int
) -> None:
    tell(table, *[win(0, 2, 5)] * hands)
    pages = [shown_form(client, "swap") for client in people]
    for client, page, sure in ((people[0], pages[0], {"sure": "on"}), (people[1], pages[1], {})):
        answer = send(client, page, one="0", other="3", why="sat wrongly", **sure)
    assert (SEATS_MOVED in answer.text, table.board.latest.names[0]) == (True, "Dana")
    assert 'value="sat wrongly"' in answer.text
    assert '<option value="3" selected>' not in answer.text, "somebody else sits there now"


def test_a_hand_settled_since_the_preview_of_a_swap_is_previewed_first(
    people: tuple[FlaskClient, FlaskClient], table: Table
) -> None:
    tell(table, win(0, 2, 5))
    form = form_of(send(people[0], shown_form(people[0], "swap"), one="0", other="3").text, "swap")
    tell(table, win(1, 2, 5))
    refused = send(people[0], form, one="0", other="3", sure="on").text
    assert SEATS_MOVED in refused
    assert '<option value="3" selected>Dana' in refused
    page = shown_form(people[0], "swap")
    tell(table, draw())
    assert "E1-0" not in send(people[0], page, one="0", other="1").text
    assert table.board.latest.names == NAMES


def test_two_people_who_add_the_same_stick_add_one(people: tuple[FlaskClient, FlaskClient], table: Table) -> None:
    pages = [shown_form(client, "adjust") for client in people]
    first, second = (
        send(client, page, sticks="1", why="it lay on the floor", sum="on")
        for client, page in zip(people, pages, strict=True)
    )
    assert first.status_code == 302
    assert POINTS_MOVED in second.text
    assert table.state.deposits == 1


def test_points_corrected_on_a_page_from_before_a_swap_are_looked_at_again(
    people: tuple[FlaskClient, FlaskClient], table: Table
) -> None:
    page = shown_form(people[0], "adjust")
    assert do(people[1], "seats", order=[0, 2, 1, 3])[0] == 202
    assert POINTS_MOVED in send(people[0], page, sticks="1", why="it lay on the floor", sum="on").text
    assert table.state.deposits == 0


@pytest.mark.parametrize("change", ["end", "time", "season"])
def test_ending_or_time_on_the_page_of_a_game_before_does_nothing_to_the_next(
    people: tuple[FlaskClient, FlaskClient], table: Table, change: str
) -> None:
    page = shown_form(people[0], change)
    table.handle(OpenGame(names=NAMES))
    assert send(people[0], page).status_code == 409
    assert (table.state.is_over, table.state.ends_after) == (False, None)
    assert not any(isinstance(each.body, CountedInSeason) for each in table.board.latest.changes.all)


def previewed(client: FlaskClient) -> dict[str, Any]:
    body = {"result": RON, "hand": 0}
    return body | {"seen": do(client, "preview", **body)[1]["key"]}


def test_a_result_or_foul_that_was_seen_before_a_swap_is_looked_at_again(
    people: tuple[FlaskClient, FlaskClient],
) -> None:
    result = previewed(people[0])
    asking = "/api/fouls/foreseen?seat=1&clause=7-05-01&hand=0"
    foul = {"seat": 1, "clause": "7-05-01", "hand": 0, "seen": people[0].get(asking).get_json()["key"]}
    assert do(people[1], "seats", order=[0, 2, 1, 3])[0] == 202
    assert do(people[0], "tell", **result)[0] == 409
    assert do(people[0], "press", press="name_foul", **foul)[0] == 409
    assert do(people[0], "tell", **previewed(people[0]))[0] == 202


def test_a_name_corrected_on_a_page_from_before_a_swap_stays_with_its_person(
    people: tuple[FlaskClient, FlaskClient], table: Table
) -> None:
    page = shown_form(people[0], "names")
    assert do(people[1], "seats", order=[0, 2, 1, 3])[0] == 202
    assert send(people[0], page, name1="Benjamin").status_code == 302
    assert table.board.latest.names == ("Anna", "Cho", "Benjamin", "Dana")

"""A person never has two seats of a table: at the set-up, joining, on the page of the game and by the API."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.web.access import roles
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import NameSeats
from table.game.table_loop import Table
from table.records.season.people import People
from tests.fakes.desks import join, token

SEATED = "“Yuki” has another seat already: take that seat, or enter another name."
TWICE = "“Yuki” is entered for two seats: enter another name for one of them."
MARKED = re.compile(
    r'<input name="name(\d)" value="([^"]*)"[^>]*aria-invalid="true" aria-describedby="refused"( autofocus)?>'
)
"""A field whose name was refused, and whether the page begins there."""


def post(client: FlaskClient, page: str, **form: str) -> Any:
    return client.post(page, data={"token": token(client)[TOKEN_HEADER], **form})


def test_who_joins_with_the_name_of_another_seat_is_refused_and_gets_no_seat(app: Flask, table: Table) -> None:
    first, second = app.test_client(), app.test_client()
    assert join(first, seat="1", name="Yuki") == 302
    answer = post(second, "/join", role="seat", seat="2", name=" Yuki ")
    assert answer.status_code == 409
    assert SEATED in answer.text
    assert second.get("/api/session").get_json()["seat"] is None
    assert table.board.latest.names == ("", "Yuki", "", "")
    assert join(second, seat="2", name="Yuka") == 302


def test_who_moves_takes_the_name_along(app: Flask, table: Table) -> None:
    phone = app.test_client()
    join(phone, seat="1", name="Yuki")
    assert join(phone, seat="3", name="Yuki") == 302
    assert table.board.latest.names == ("", "", "", "Yuki")


@pytest.mark.parametrize("address", ["names", "game"])
def test_no_command_names_a_person_twice(owner: FlaskClient, table: Table, address: str) -> None:
    answer = owner.post(f"/api/{address}", json={"names": ["Yuki", "", "", "Yuki"]}, headers=token(owner))
    assert (answer.status_code, answer.get_json()["said"]) == (409, TWICE)
    assert table.board.latest.names == ("", "", "", "")


def test_the_page_of_the_game_names_nobody_twice(owner: FlaskClient, table: Table) -> None:
    answer = post(owner, "/game", do="names", name0="Yuki", name1="Ben", name2="Yuki", name3="")
    assert answer.status_code == 409
    assert TWICE in answer.text
    assert MARKED.findall(answer.text) == [("0", "Yuki", " autofocus"), ("2", "Yuki", "")]
    assert answer.text.index('value="names"') < answer.text.index(TWICE) < answer.text.index('value="swap"')
    assert table.board.latest.names == ("", "", "", "")
    game = re.findall(r'name="game" value="([^"]*)"', answer.text)[0]
    names = {"name0": "Ben", "name1": "Yuki", "name2": "", "name3": "Yuki"}
    again = post(owner, "/game", do="open", game=game, first_dealer="0", rules="", **names)
    assert [seat for seat, _, _ in MARKED.findall(again.text)] == ["1", "3"]
    assert again.text.index('value="open"') < again.text.index(TWICE)


def test_names_of_one_person_of_the_season_are_told_apart_no_more(
    app: Flask, owner: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = KnownPeople(None)
    people.change(People(persons={"Yukiko": "Yuki"}))
    access = replace(app.extensions[roles.ACCESS], person=people.person)
    monkeypatch.setitem(app.extensions, roles.ACCESS, access)
    answer = owner.post("/api/names", json={"names": ["Yuki", "", "Yukiko", ""]}, headers=token(owner))
    refusal = "“Yuki” and “Yukiko” are one person in the season: enter another name."
    assert (answer.status_code, answer.get_json()["said"]) == (409, refusal)


def test_names_that_were_the_same_before_keep_nobody_from_another_name(owner: FlaskClient, table: Table) -> None:
    table.handle(NameSeats(names=("Yuki", "Yuki", "", "")))
    answer = owner.post("/api/names", json={"names": ["Yuki", "Yuki", "Ben", ""]}, headers=token(owner))
    assert answer.status_code == 202

"""A finished game stays with those who played it: a name given on joining is for the next one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.wizard import setup_pages
from table.game.table_loop import Table, TableLoop
from table.i18n import catalogue, languages
from tests.fakes.desks import PIN, join, token
from tests.fakes.setup_tools import FakeTools

PLAYERS = ["Chie", "Dan", "Eve", "Finn"]
YAKUMAN = {"kind": "ron", "wins": [{"seat": 2, "from": 0, "yakuman": 1, "yaku": [["thirteen_orphans", 13]]}]}


def finish(owner: FlaskClient, names: list[str]) -> None:
    """Plays one hand, which busts seat 0, in the game on the table."""
    join(owner, "owner", pin=PIN)
    headers = token(owner)
    assert owner.post("/api/names", json={"names": names}, headers=headers).status_code == 202
    assert owner.post("/api/tell", json={"hand": 0, "result": YAKUMAN}, headers=headers).status_code == 202


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    """The owner's phone, once a game of four named players is over; no phone has a seat."""
    client = app.test_client()
    finish(client, PLAYERS)
    return client


def next_names(owner: FlaskClient) -> list[str]:
    """Returns the names in the form of a new game."""
    return re.findall(r'<input name="name\d" value="([^"]*)"', owner.get("/game").text.split('value="open"')[1])


def test_who_sits_down_after_the_end_is_in_the_next_game_and_not_in_the_finished_one(
    app: Flask, owner: FlaskClient, table: Table
) -> None:
    xaver = app.test_client()
    assert join(xaver, seat="0", name="Xaver") == 302
    assert table.board.latest.names == tuple(PLAYERS)
    assert [seat["player"] for seat in owner.get("/api/table").get_json()["seats"]] == PLAYERS
    assert next_names(owner) == ["Xaver", "Dan", "Eve", "Finn"]
    assert "<b>Xaver</b>" in owner.get("/join").text
    assert join(xaver, seat="3", name="Xaver") == 302
    assert table.board.latest.names == tuple(PLAYERS)
    assert next_names(owner) == ["", "Dan", "Eve", "Xaver"]


def test_the_form_of_a_new_game_offers_who_sat_down_since(app: Flask, owner: FlaskClient, table: Table) -> None:
    xaver = app.test_client()
    join(xaver, seat="0", name="Xaver")
    assert next_names(owner)[0] == "Xaver"
    assert '<input name="name0" value="Chie"' in owner.get("/game").text.split('value="open"')[0]
    form = {"do": "open", "token": token(owner)[TOKEN_HEADER], "first_dealer": "0"}
    for seat, name in enumerate(["Xaver", "Dan", "Eve", "Finn"]):
        form |= {f"name{seat}": name, f"was{seat}": name}
    assert owner.post("/game", data=form).status_code == 302
    assert table.board.latest.names == ("Xaver", "Dan", "Eve", "Finn")
    assert xaver.get("/api/session").get_json()["seat"] == 0
    act = table.board.latest.changes.undo
    assert owner.post("/api/undo", json={"act": act}, headers=token(owner)).status_code == 202
    assert table.board.latest.names == tuple(PLAYERS)
    assert next_names(owner)[0] == "Xaver"
    assert xaver.get("/api/session").get_json()["seat"] == 0


def test_a_game_begun_from_the_page_of_rules_has_who_sat_down_since(
    app: Flask, owner: FlaskClient, table: Table
) -> None:
    join(app.test_client(), seat="0", name="Xaver")
    owner.post("/api/rules/play", json={"name": "ema-2025"}, headers=token(owner))
    assert table.board.latest.names == ("Xaver", "Dan", "Eve", "Finn")


def test_the_button_of_the_next_game_takes_who_sits_at_the_table(app: Flask, owner: FlaskClient, table: Table) -> None:
    join(app.test_client(), seat="0", name="Xaver")
    assert owner.post("/api/game", json={"names": None}, headers=token(owner)).status_code == 202
    assert table.board.latest.names == ("Xaver", "Dan", "Eve", "Finn")


def test_a_player_who_changes_seats_or_names_after_the_end_keeps_the_result(
    app: Flask, owner: FlaskClient, table: Table
) -> None:
    chie, dan = app.test_client(), app.test_client()
    assert join(chie, seat="0", name="Chie") == 302
    assert join(chie, seat="3", name="Chie") == 302
    assert join(dan, seat="1", name="Daniel") == 302
    assert table.board.latest.names == tuple(PLAYERS)
    assert next_names(owner) == ["", "Daniel", "Eve", "Chie"]


def test_a_player_of_the_finished_game_may_sit_anywhere_that_no_phone_has(
    app: Flask, owner: FlaskClient, table: Table
) -> None:
    finn, other = app.test_client(), app.test_client()
    assert join(finn, seat="0", name="Finn") == 302
    assert next_names(owner) == ["Finn", "Dan", "Eve", ""]
    assert join(other, seat="3", name="Finn") == 409
    assert table.board.latest.names == tuple(PLAYERS)


def test_a_nameless_seat_of_the_finished_game_is_named_only_by_who_says_that_it_is_theirs(
    app: Flask, table: Table
) -> None:
    owner, guest, eve = app.test_client(), app.test_client(), app.test_client()
    finish(owner, ["Chie", "Dan", "", ""])
    assert 'name="played"' in guest.get("/join").text
    assert join(guest, seat="3", name="Xaver") == 302
    assert table.board.latest.names == ("Chie", "Dan", "", "")
    assert join(eve, seat="2", name="Dan", played="on") == 409
    assert table.board.latest.names == ("Chie", "Dan", "", ""), "one person did not play at two seats"
    assert join(eve, seat="2", name="Eve", played="on") == 302
    assert table.board.latest.names == ("Chie", "Dan", "Eve", "")
    assert join(eve, seat="0", name="Eve", played="on") == 302
    assert table.board.latest.names == ("Chie", "Dan", "Eve", "")
    assert next_names(owner) == ["Eve", "Dan", "", "Xaver"]


@pytest.mark.parametrize("language", languages())
def test_the_page_says_that_a_name_is_for_the_next_game(app: Flask, owner: FlaskClient, language: str) -> None:
    phone, notice = app.test_client(), catalogue(language).text("page.name_for_next")
    phone.get(f"/language/{language}")
    assert notice in phone.get("/join").text
    assert 'name="played"' not in phone.get("/join").text
    owner.post("/api/game", json={"names": PLAYERS}, headers=token(owner))
    assert notice not in phone.get("/join").text


def test_names_for_the_next_game_outlast_a_restart(table: Table, tmp_path: Path) -> None:
    with TableLoop(table) as loop:
        first = create_app(table.board, loop, Vault(tmp_path / "secrets"))
        finish(first.test_client(), PLAYERS)
        join(first.test_client(), seat="0", name="Xaver")
        again = create_app(table.board, loop, Vault(tmp_path / "secrets")).test_client()
        join(again, "owner", pin=PIN)
        assert next_names(again) == ["Xaver", "Dan", "Eve", "Finn"]


def test_the_set_up_after_a_game_names_the_next_one(table: Table) -> None:
    tools = FakeTools()
    with TableLoop(table) as loop:
        app = create_app(table.board, loop)
        app.register_blueprint(setup_pages.blueprint(table.board, Vault(), tools))
        tools.finish()
        owner = app.test_client()
        finish(owner, PLAYERS)
        form = {"token": token(owner)[TOKEN_HEADER], **{f"name{seat}": name for seat, name in enumerate("ABCD")}}
        assert owner.post("/begin/names", data=form).status_code == 302
        assert table.board.latest.names == tuple(PLAYERS)
        assert next_names(owner) == list("ABCD")
        assert 'name="name0" value="A"' in owner.get("/begin/names").text

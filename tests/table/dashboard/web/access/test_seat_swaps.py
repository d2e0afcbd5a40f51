"""A swap of seats at a table kept by hand: each phone stays its player's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import OpenGame, Reseat
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, restore
from table.game.table_loop import Table, TableLoop
from table.rules.terms.seats import SEATS
from tests.fakes.desks import joined_phones, token
from tests.table.game.by_hand import redo, table_at, tell, undo, win

NAMES = ("Aoi", "Ben", "Chie", "Dan")
PIN = "kingfisher"


@pytest.fixture
def phones(app: Flask) -> list[FlaskClient]:
    return joined_phones(app, NAMES)


def seats(phones: list[FlaskClient]) -> list[int | None]:
    return [client.get("/api/session").get_json()["seat"] for client in phones]


def post(client: FlaskClient, path: str, **body: Any) -> int:
    return client.post(f"/api/{path}", json=body, headers=token(client)).status_code


def form(client: FlaskClient, **fields: str) -> int:
    return client.post("/join", data={"role": "seat", "token": token(client)[TOKEN_HEADER], **fields}).status_code


def test_the_phones_follow_a_swap_with_their_players_and_so_do_its_undoing_and_redoing(
    phones: list[FlaskClient], table: Table
) -> None:
    tell(table, win(1, 0, 3))
    assert post(phones[0], "seats", order=[1, 0, 2, 3]) == 202
    assert table.board.latest.names == ("Ben", "Aoi", "Chie", "Dan")
    assert seats(phones) == [1, 0, 2, 3]
    act = table.board.latest.changes.undo
    assert post(phones[2], "undo", act=act) == 202
    assert seats(phones) == [0, 1, 2, 3]
    assert post(phones[2], "redo", act=act) == 202
    assert seats(phones) == [1, 0, 2, 3]


def test_two_swaps_add_up_and_a_free_seat_stays_free(phones: list[FlaskClient], table: Table) -> None:
    phones[3].post("/join", data={"role": "spectator", "token": token(phones[3])[TOKEN_HEADER]})
    assert post(phones[0], "seats", order=[1, 2, 3, 0]) == 202
    assert seats(phones) == [1, 2, 3, None]
    assert post(phones[0], "seats", order=[1, 0, 2, 3]) == 202
    assert seats(phones) == [0, 2, 3, None]
    assert [table.board.latest.names[seat] for seat in (0, 2, 3)] == ["Aoi", "Ben", "Chie"]


def open_game(table: Table, *names: str) -> None:
    first, second, third, fourth = names
    table.handle(OpenGame(names=(first, second, third, fourth), by="owner"))


def test_the_phones_follow_their_players_into_a_game_with_other_seats_and_back(
    phones: list[FlaskClient], table: Table
) -> None:
    tell(table, win(1, 0, 3))
    open_game(table, "Aoi", "Dan", "Chie", "Ben")
    assert seats(phones) == [0, 3, 2, 1]
    undo(table)
    assert seats(phones) == [0, 1, 2, 3]
    redo(table)
    assert seats(phones) == [0, 3, 2, 1]
    open_game(table, "Chie", "Aoi", "Ben", "Dan")
    assert seats(phones) == [1, 2, 0, 3]


def test_who_does_not_play_the_next_game_is_asked_for_a_seat(phones: list[FlaskClient], table: Table) -> None:
    open_game(table, "Aoi", "Emi", "Ben", "Dan")
    assert seats(phones) == [0, 2, None, 3]
    question = "Another player has your seat in this game: choose yours."
    assert [question in client.get("/").text for client in phones] == [False, False, True, False]
    assert form(phones[2], seat="1", name="Emi") == 302
    assert seats(phones) == [0, 2, 1, 3]
    assert question not in phones[2].get("/").text


def test_phones_stay_where_nobody_is_known(phones: list[FlaskClient], table: Table) -> None:
    open_game(table, "", "", "", "")
    assert seats(phones) == [0, 1, 2, 3]
    open_game(table, "Emi", "Fay", "Gen", "Hal")
    assert seats(phones) == [0, 1, 2, 3]
    open_game(table, "Fay", "Emi", "", "Ian")
    assert seats(phones) == [1, 0, 2, None]


def test_a_next_game_moves_nobody(phones: list[FlaskClient], table: Table) -> None:
    post(phones[0], "seats", order=[1, 0, 2, 3])
    table.handle(OpenGame(names=table.board.latest.names))
    assert seats(phones) == [1, 0, 2, 3]
    assert post(phones[0], "seats", order=[1, 0, 2, 3]) == 202
    assert seats(phones) == [0, 1, 2, 3]


def test_a_pin_and_a_request_for_a_seat_go_with_the_phone(phones: list[FlaskClient], app: Flask) -> None:
    other, guest = app.test_client(), app.test_client()
    assert form(phones[0], do="pin", seat_pin=PIN) == 302
    assert form(guest, do="ask", seat="1") == 302
    post(phones[2], "seats", order=[1, 0, 2, 3])
    assert form(phones[1], do="give", seat="0") == 302
    assert form(other, seat="1", seat_pin=PIN) == 302
    assert seats([guest, other, *phones]) == [0, 1, None, None, 2, 3]


def test_a_seat_chosen_on_a_page_from_before_a_swap_is_chosen_anew(phones: list[FlaskClient], app: Flask) -> None:
    phones[1].post("/join", data={"role": "spectator", "token": token(phones[1])[TOKEN_HEADER]})
    seats_field = re.search(r'name="seats" value="([^"]*)"', phones[1].get("/join").text)
    assert seats_field is not None
    assert form(app.test_client(), seat="1", name="Ben", seats=seats_field[1]) == 302
    assert form(phones[1], role="spectator") == 302
    post(phones[0], "seats", order=[0, 2, 1, 3])
    assert form(phones[1], seat="2", seats=seats_field[1]) == 409
    assert seats(phones)[1] is None


@contextmanager
def started_anew(journal: Path, vault: Path, phones: list[FlaskClient]) -> Iterator[tuple[Table, list[FlaskClient]]]:
    """Starts the table with its pages again; yields it and the same phones."""
    with Journal(journal) as opened:
        table = table_at(opened)
        with TableLoop(table) as loop:
            app = create_app(table.board, loop, Vault(vault))
            clients = [app.test_client() for _ in phones or NAMES]
            for client, phone in zip(clients, phones, strict=False):
                cookie = phone.get_cookie("tachiai")
                assert cookie is not None
                client.set_cookie("tachiai", cookie.value)
            yield table, clients if phones else joined_phones(app, NAMES)


def test_the_phones_go_back_with_their_players_to_a_backup_from_before_a_swap(tmp_path: Path) -> None:
    journal, vault = tmp_path / "table.journal", tmp_path / "secrets.json"
    with started_anew(journal, vault, []) as (table, phones):
        backup = back_up(journal, tmp_path / "backups", day="2026-11-28", keep=9)
        assert post(phones[0], "seats", order=[1, 2, 0, 3]) == 202
        assert seats(phones) == [1, 2, 0, 3]
    restore(backup, journal, stamp="now")
    with started_anew(journal, vault, phones) as (table, phones):
        assert table.board.latest.names == NAMES
        assert seats(phones) == [0, 1, 2, 3]


def test_the_phones_go_back_with_their_players_to_a_backup_from_an_earlier_game(tmp_path: Path) -> None:
    journal, vault = tmp_path / "table.journal", tmp_path / "secrets.json"
    with started_anew(journal, vault, []) as (table, phones):
        backup = back_up(journal, tmp_path / "backups", day="2026-11-28", keep=9)
        open_game(table, "Ben", "Aoi", "Chie", "Emi")
        assert seats(phones) == [1, 0, 2, None]
    restore(backup, journal, stamp="now")
    with started_anew(journal, vault, phones) as (_, phones):
        assert seats(phones) == [0, 1, 2, None]


def test_a_power_cut_after_a_swap_was_written_leaves_no_phone_at_another_s_seat(tmp_path: Path) -> None:
    journal, vault = tmp_path / "table.journal", tmp_path / "secrets.json"
    with started_anew(journal, vault, []) as (_, phones):
        pass
    with Journal(journal) as opened:
        table_at(opened).handle(Reseat(order=(SEATS[1], SEATS[0], SEATS[2], SEATS[3])))
    with started_anew(journal, vault, phones) as (_, phones):
        assert seats(phones) == [1, 0, 2, 3]
    with started_anew(journal, vault, phones) as (_, phones):
        assert seats(phones) == [1, 0, 2, 3]

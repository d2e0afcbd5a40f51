"""A game that people take out of the season counts for nobody in it, and everything else of it stays."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from table.cli.main import main
from table.dashboard import create_app
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import EndGame, OpenGame
from table.game.journal.journal import Journal
from table.game.table_loop import Table, TableLoop
from table.records.season.season_folder import read_season
from tests.fakes.desks import PIN, join, token
from tests.table.game.by_hand import table_at, tell, win

NAMES = ("Ann", "Ben", "Cem", "Dora")
LEFT_OUT = "This game does not count for the season."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    """Ann has won a game."""
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=NAMES, by="owner"))
        tell(table, win(0, 3, 3))
        table.handle(EndGame(by="owner"))
        yield table


@pytest.fixture
def owner(table: Table) -> Iterator[FlaskClient]:
    with TableLoop(table) as loop:
        client = create_app(table.board, loop).test_client()
        join(client, "owner", pin=PIN)
        yield client


def post(owner: FlaskClient, address: str, **body: object) -> int:
    return owner.post(f"/api/{address}", json=body, headers=token(owner)).status_code


def leave_out(owner: FlaskClient, table: Table) -> None:
    form = {"do": "season", "counts": "no", "game": str(table.board.latest.opened_by)}
    assert owner.post("/game", data={**form, "token": token(owner)[TOKEN_HEADER]}).status_code == 302


def season_counts(owner: FlaskClient) -> list[tuple[str, int, int]]:
    """Everybody with games and hands of the season."""
    return [(each["name"], each["games"], each["hands"]) for each in owner.get("/season.json").get_json()["people"]]


def test_it_counts_for_nobody_and_the_pages_say_so(owner: FlaskClient, table: Table) -> None:
    assert [each[1:] for each in season_counts(owner)] == [(1, 1)] * 4
    leave_out(owner, table)
    assert season_counts(owner) == []
    assert owner.get("/season.json").get_json()["left_out"] == 1
    assert "Games that do not count: 1" in owner.get("/season").text
    page = owner.get("/game").text
    assert LEFT_OUT in page
    assert "game left out of the season" in page
    assert '<h2 id="season">' not in page, "the ranking of all games leaves it out, too"
    assert LEFT_OUT in owner.get("/api/table").get_json()["tie"]


def test_its_sheets_say_so_too(owner: FlaskClient, table: Table) -> None:
    leave_out(owner, table)
    number = table.board.latest.opened_by
    assert list(csv.reader(io.StringIO(owner.get(f"/game/{number}/sheet.csv").text)))[-1][2] == "not for the season"
    assert owner.get(f"/game/{number}/sheet.json").get_json()["counts"] is False


def test_undo_and_the_same_switch_take_it_back(owner: FlaskClient, table: Table) -> None:
    leave_out(owner, table)
    assert table.board.latest.changes.undo is not None
    assert post(owner, "undo", act=table.board.latest.changes.undo) == 202
    assert len(season_counts(owner)) == 4
    leave_out(owner, table)
    assert post(owner, "season", counts=True) == 202
    assert len(season_counts(owner)) == 4
    assert LEFT_OUT not in owner.get("/game").text


def test_it_stays_so_once_the_next_game_has_begun_and_the_table_starts_again(
    owner: FlaskClient, table: Table, path: Path
) -> None:
    leave_out(owner, table)
    number = table.board.latest.opened_by
    table.handle(OpenGame(names=NAMES, by="owner"))
    tell(table, win(1, 2, 2))
    assert [each[1:] for each in season_counts(owner)] == [(0, 1)] * 4
    assert LEFT_OUT in owner.get(f"/game/{number}").text
    assert "not for the season" in owner.get("/games").text
    found = read_season(path).season
    assert (found.games, found.left_out) == (2, 1)


def test_the_command_counts_it_for_nobody_and_says_so(
    owner: FlaskClient, table: Table, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave_out(owner, table)
    table.handle(OpenGame(names=NAMES, by="owner"))
    tell(table, win(1, 2, 2))
    for _ in range(2):  # counted, and from what was kept
        assert main(["season", str(path.parent)]) == 0
        output = capsys.readouterr().out
        assert "2 games, 0 of them finished and with a named player, 1 not for the season" in output
    assert main(["season", str(path.parent), "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == ",games_left_out,1,,,,,"

"""Journals in which people took back what is not there, as an earlier program wrote them: they open, and all works."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from table.appliance.appliance import run_appliance
from table.appliance.files.data_folder import SECRETS
from table.cli.main import main
from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.game.commands.game_commands import NameSeats, OpenGame
from table.game.journal.entries import Entry, Envelope, GameOpened, Redone, Source, Undone
from table.game.journal.history.change_history import Changes, changes_of
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, restore
from table.game.table_loop import Table, TableLoop
from tests.fakes.desks import join, token
from tests.fakes.waiting import PATIENCE_S
from tests.table.appliance.configured import make_config
from tests.table.game.by_hand import draw, redo, table_at, tell, undo, win

NAMES = ("Aoi", "Ben", "Chie", "Dan")
WALL = "2026-11-20T20:00:00.000+00:00"
PAGES = ("/", "/game", "/api/table", "/fouls", "/api/fouls", "/join", "/game/1", "/hand/0", "/api/hands/0")
TAKEN_BACK = {
    "the opening": [Undone(act=-1)],
    "the opening twice": [Undone(act=-1), Redone(act=-1), Undone(act=-1)],
    "an act of another game": [Undone(act=2)],
    "an act that never was": [Undone(act=9999), Redone(act=9998)],
}
"""What stands in the journal of a game behind its opening; -1 stands for the opening's own number."""


def write_bodies(path: Path, bodies: list[Undone | Redone]) -> int:
    """A journal of two games, the second with those entries behind its opening; returns the opening's number."""
    with Journal(path) as journal:
        table = table_at(journal)
        tell(table, win(0, 1, 3), draw())
        opening = journal.append(
            Envelope(utc=WALL, source=Source.PRESS, by="owner"),
            GameOpened(ruleset=table.folded_game.ruleset, names=NAMES),
        ).number
        for body in bodies:
            act = opening if body.act == -1 else body.act
            entry_body = Undone(act=act) if isinstance(body, Undone) else Redone(act=act)
            journal.append(Envelope(utc=WALL, source=Source.PRESS, by="seat 1"), entry_body)
    return opening


@pytest.fixture(params=TAKEN_BACK.values(), ids=[name.replace(" ", "_") for name in TAKEN_BACK])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "table.journal"
    write_bodies(path, request.param)
    return path


@pytest.fixture
def table(path: Path) -> Iterator[Table]:
    with Journal(path) as journal:
        yield table_at(journal)


def test_a_table_takes_up_the_game_and_plays_on(table: Table) -> None:
    assert table.board.latest.names == NAMES
    assert (table.board.latest.changes.undo, table.board.latest.changes.redo) == (None, None)
    tell(table, win(1, 0, 3))
    undo(table)
    redo(table)
    assert table.state.scores == (21100, 28900, 25000, 25000)
    assert table_at(table.journal).state == table.state


def test_every_page_answers(table: Table) -> None:
    tell(table, win(1, 0, 3))
    with TableLoop(table) as loop:
        client = create_app(table.board, loop).test_client()
        answers = {page: client.get(page).status_code for page in (*PAGES, f"/game/{table.board.latest.opened_by}")}
        assert set(answers.values()) == {200}, answers


def test_a_backup_of_it_is_restored_and_opens(path: Path, tmp_path: Path) -> None:
    copy = back_up(path, tmp_path / "backups", day="2026-11-20", keep=2)
    restore(copy, path, stamp="now")
    with Journal(path) as journal:
        assert table_at(journal).board.latest.names == NAMES


def test_check_finds_it_well_and_a_restart_serves_the_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Vault(path.parent / SECRETS).set_pin("805316")
    assert main(["check", "--json", "--data", str(path.parent)]) == 0
    assert json.loads(capsys.readouterr().out)["journal"]["notes"] == []
    with (
        run_appliance(make_config(path.parent)) as appliance,
        urlopen(f"http://127.0.0.1:{appliance.port}/game", timeout=PATIENCE_S) as page,
    ):
        assert page.status == 200
        assert "Chie" in page.read().decode()


# What check says of a journal that no table could take up


def test_check_follows_the_last_game_and_says_where_that_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = write_bodies(tmp_path / "table.journal", [])
    Vault(tmp_path / SECRETS).set_pin("805316")

    def cannot(entries: Sequence[Entry], **_: object) -> Changes:
        raise ValueError("list.remove(x): x not in list")

    monkeypatch.setattr("table.game.journal.history.game_history.changes_of", cannot)
    assert main(["check", "--json", "--data", str(tmp_path)]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["troubles"]) == (False, ["journal"])
    assert answer["journal"]["notes"] == [
        f"the last game of the journal (entries {opening} to {opening}) cannot be taken up: "
        "ValueError: list.remove(x): x not in list"
    ]


def test_check_reads_the_journal_of_a_running_table_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("table.cli.upkeep_commands.check.health_of_parts")
    Vault(tmp_path / SECRETS).set_pin("805316")
    with run_appliance(make_config(tmp_path)) as appliance:
        file = tmp_path / "tachiai.toml"
        file.write_text(f'[table]\nname = "felt-1"\ndata = "{tmp_path}"\n[page]\nport = {appliance.port}\n')
        assert main(["check", "--json", "--config", str(file)]) == 0
        well = json.loads(capsys.readouterr().out)
        monkeypatch.setattr(
            "table.cli.upkeep_commands.parts_check.journal_trouble", lambda path, **_: "it cannot be taken up"
        )
        assert main(["check", "--json", "--config", str(file)]) == 1
        answer = json.loads(capsys.readouterr().out)
    assert (well["troubles"], answer["troubles"], answer["journal"]["notes"]) == (
        [],
        ["journal"],
        ["it cannot be taken up"],
    )


# What wrote such journals


@pytest.fixture
def client(tmp_path: Path) -> Iterator[tuple[FlaskClient, Table]]:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            join(client, seat="1")
            yield client, table


def test_opening_the_first_game_is_never_offered_to_be_taken_back(client: tuple[FlaskClient, Table]) -> None:
    phone, table = client
    table.handle(OpenGame(names=NAMES, by="owner"))
    keeping = phone.get("/api/table").get_json()["keeping"]
    assert (keeping["undo"], keeping["redo"]) == (None, None)
    assert table.board.latest.changes.all == ()
    assert phone.get("/game").status_code == 200


def test_a_phone_that_takes_an_opening_back_all_the_same_is_refused_and_nothing_is_written(
    client: tuple[FlaskClient, Table],
) -> None:
    phone, table = client
    table.handle(OpenGame(names=NAMES, by="owner"))
    last = table.journal.last
    for deed in ("undo", "redo"):
        answer = phone.post(f"/api/{deed}", json={"act": last}, headers=token(phone))
        assert answer.status_code == 409
        assert "expected something that people did, got nothing left" in answer.get_json()["error"]
    assert table.journal.last == last


def test_what_is_applied_is_what_was_written(client: tuple[FlaskClient, Table]) -> None:
    """The table shows the changes that its journal has, whatever was done."""
    _, table = client
    tell(table, win(0, 1, 3), draw())
    undo(table)
    redo(table)
    table.handle(NameSeats(names=NAMES, by="seat 2"))
    assert changes_of(table.journal.entries(), table.folded_game.hand_ends) == table.board.latest.changes
    table.handle(OpenGame(by="owner"))
    tell(table, draw())
    entries = table.journal.entries(after=table.board.latest.opened_by - 1)
    changes = changes_of(entries, table.folded_game.hand_ends, has_undoable_opening=True)
    assert changes == table.board.latest.changes

"""An open hand entered tile by tile at a table kept by hand: its melds stay with its result."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table.cli.main import main
from table.dashboard.games.hand_replay import steps_view
from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import DeclareResult, NameSeats
from table.game.journal.history.game_history import game_history, hand_steps
from table.game.journal.journal import Journal
from table.game.live_table import Table
from table.game.snapshot import Snapshot
from table.i18n import catalogue
from table.records.season.game_count import count_journal
from table.rules.terms.rule_errors import InvalidValueError
from table.runtime.table_errors import PressError
from tests.contracts import assert_keeps
from tests.table.game.by_hand import table_at, undo

MELDS = "555z,340p,(1111s)"
TILES = "66m78m9m"
"""With the winning tile 9m last."""
YAKU = [["haku", 1], ["dora", 2], ["red_five", 1]]
WIN = {"seat": 2, "from": 1, "han": 4, "fu": 60, "yaku": YAKU}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "table.journal"
    path.parent.mkdir()
    return path


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        yield journal


def result_with_tiles(table: Table, tiles: str = TILES, melds: Any = MELDS, **win: Any) -> DeclareResult:
    result = {"kind": "ron", "wins": [{**WIN, **win}], "riichi": []}
    hand = {"seat": 2, "tiles": tiles, "melds": melds}
    return read_command(DeclareResult, {"hand": table.folded_game.hand, "hands": [hand], "result": result}, by="seat 2")


def last_step(table: Table) -> dict[str, Any]:
    entries = table.journal.entries()
    game = game_history(entries)
    snapshot = Snapshot(version=0, game=game.state, names=game.names, ruleset=game.ruleset)
    *_, end = steps_view(hand_steps(entries, 0), snapshot, catalogue())["steps"]
    assert isinstance(end, dict)
    return end


def test_the_melds_lie_in_the_replay_and_none_points_at_a_discarder(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(result_with_tiles(table))
    end = last_step(table)
    assert [[tile["face"] for tile in meld["tiles"]] for meld in end["seats"][2]["melds"]] == [
        ["5z", "5z", "5z"],
        ["3p", "4p", "0p"],
        ["back", "1s", "1s", "back"],
    ]
    assert not any(tile["sideways"] for meld in end["seats"][2]["melds"] for tile in meld["tiles"])
    assert [end["seats"][seat]["melds"] for seat in (0, 1, 3)] == [[], [], []]
    assert [tile["face"] for tile in end["ending"]["wins"][0]["tiles"]] == ["6m", "6m", "7m", "8m", "9m"]


def test_the_best_hand_has_its_melds(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    table.handle(result_with_tiles(table))
    best = count_journal(journal.entries()).tallies["Chie"].best
    assert best is not None
    assert (best.tiles, best.winning_tile, best.melds) == ("6678m", "9m", ("555z", "340p", "(1111s)"))


def test_everything_is_undone_as_one_and_entered_again(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(result_with_tiles(table))
    undo(table)
    assert (table.state.history, table.state.live) == ((), None)
    table.handle(result_with_tiles(table))
    assert len(last_step(table)["seats"][2]["melds"]) == 3


@pytest.mark.parametrize(
    ("tiles", "melds"),
    [
        ("66m78m9m", "555z,340p"),
        ("66m78m9m", "555z,340p,124s"),
        ("66m78m9m", "555z,340p,(111s)"),
        ("5m", "555z,340p,111s,222s,333s"),
        ("66m78m9m", 5),
        ("66m78m9m", "555z,340p,????"),
        ("55z78m9m", "555z,340p,(1111s)"),
        ("66m78m9m", "555z,000p,(1111s)"),
        ("11111m23456789m", ""),
    ],
)
def test_melds_that_cannot_be_are_refused_and_nothing_is_written(journal: Journal, tiles: str, melds: Any) -> None:
    table = table_at(journal)
    before = journal.last
    with pytest.raises((PressError, InvalidValueError)):
        table.handle(result_with_tiles(table, tiles, melds))
    assert (journal.last, table.state.history) == (before, ())


def exported(path: Path, style: str, capsys: pytest.CaptureFixture[str]) -> str:
    code = int(path.suffix != ".journal")  # the game goes on, so that a record of it is cut short
    assert main(["export", str(path), "--format", style]) == code
    return capsys.readouterr().out


def audited(path: Path, capsys: pytest.CaptureFixture[str], *, code: int = 0) -> dict[str, Any]:
    assert main(["audit", "--json", str(path)]) == code
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert_keeps("audit", first)
    assert isinstance(first, dict)
    return first


def test_mjai_has_the_melds_in_a_field_of_the_win_and_no_call_without_its_discarder(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(result_with_tiles(table))
    text = exported(path, "mjai", capsys)
    lines = [json.loads(line) for line in text.splitlines()]
    assert not {"chi", "pon", "daiminkan", "ankan", "kakan"} & {line["type"] for line in lines}
    (hora,) = (line for line in lines if line["type"] == "hora")
    assert_keeps("event", hora)
    assert hora["entered_melds"] == [
        {"type": "pon", "tiles": ["P", "P", "P"]},
        {"type": "chi", "tiles": ["3p", "4p", "5pr"]},
        {"type": "ankan", "tiles": ["1s", "1s", "1s", "1s"]},
    ]
    assert (hora["pai"], sorted(hora["hora_tehais"])) == ("9m", ["6m", "6m", "7m", "8m"])
    record = path.parent / "game.mjson"
    record.write_text(text, encoding="utf-8")
    (again,) = (line for line in map(json.loads, exported(record, "mjai", capsys).splitlines()) if "pai" in line)
    assert again | {"yakus": sorted(again["yakus"])} == hora | {"yakus": sorted(hora["yakus"])}
    assert '"5z","5z","5z"' in exported(record, "html", capsys)


def test_other_formats_leave_the_calls_out_and_keep_the_value(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(result_with_tiles(table))
    page, (hand,) = exported(path, "html", capsys), json.loads(exported(path, "tenhou6", capsys))["log"]
    assert '"5z","5z","5z"' in page
    assert not any(isinstance(code, str) for column in hand[4:16] for code in column)
    assert "60符4飜8000点" in hand[16][2][3]
    (row,) = csv.DictReader(io.StringIO(exported(path, "csv", capsys)))
    assert (row["winner"], row["han"]) == ("2", "4")


@pytest.mark.parametrize("style", ["journal", "mjai"])
def test_an_audit_values_it_again(path: Path, style: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(result_with_tiles(table))
    if style == "mjai":
        path.with_name("game.mjson").write_text(exported(path, "mjai", capsys), encoding="utf-8")
        path = path.with_name("game.mjson")
    line = audited(path, capsys, code=int(style == "mjai"))  # the game goes on, so that a record of it is cut short
    assert "checked" not in line
    assert line["disagreements"] == []
    assert (line["wins"][0]["han"], line["wins"][0]["fu"], line["wins"][0]["yaku"]) == (4, 60, YAKU)


@pytest.mark.parametrize("style", ["journal", "mjai"])
def test_an_audit_tells_a_value_that_its_tiles_cannot_have(
    path: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(
            result_with_tiles(table, han=5, fu=40, yaku=[["haku", 1], ["tanyao", 1], ["dora", 2], ["red_five", 1]])
        )
    if style == "mjai":
        path.with_name("game.mjson").write_text(exported(path, "mjai", capsys), encoding="utf-8")
        path = path.with_name("game.mjson")
    line = audited(path, capsys, code=1)
    facts = {each["what"]: (each["record"], each["rules"]) for each in line["disagreements"]}
    assert facts["han"] == (5, 4)
    assert facts["yaku"][1] == sorted(YAKU)

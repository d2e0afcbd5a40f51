"""The sheet says where somebody else sat down: no hand stands under the name of somebody who did not play it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from re import findall

import pytest

from table.cli.main import main
from table.dashboard.live.table_view import table_view
from table.dashboard.scores.sheet_export import as_csv, as_json, as_svg
from table.game.commands.game_commands import NameSeats, OpenGame
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from tests.table.game.by_hand import draw, table_at, tell, win

ENGLISH = catalogue()
FIRST = ("Ann", "Ben", "Cem", "Dora")
LATER = ("Ann", "Ben", "Cem", "Eve")
LINE = "Eve sits down for Dora: the hands before are Dora’s."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal(path) as journal:
        yield journal


@pytest.fixture
def table(journal: Journal) -> Table:
    """Dora deals in, Eve sits down for her, and draws."""
    table = table_at(journal)
    table.handle(OpenGame(names=FIRST, by="owner"))
    tell(table, win(0, 3, 3))
    table.handle(NameSeats(names=LATER, substitute=True, by="owner"))
    tell(table, draw(0, 3))
    return table


@pytest.fixture
def game(table: Table, journal: Journal) -> GameHistory:
    return game_history(journal.entries())


def test_the_pages_sheet_says_before_which_hand_who_sat_down_for_whom(table: Table) -> None:
    assert table_view(table.board.latest, ENGLISH)["changeovers"] == [{"hand": 1, "text": LINE}]


def test_a_name_that_is_put_right_is_no_change(table: Table) -> None:
    table.handle(NameSeats(names=("Anna", *LATER[1:]), by="owner"))
    assert table_view(table.board.latest, ENGLISH)["changeovers"] == [{"hand": 1, "text": LINE}]


def test_a_column_of_the_csv_is_headed_by_all_who_sat_there_and_a_row_says_from_where_on(game: GameHistory) -> None:
    head, first, changed, second, final = csv.reader(io.StringIO(as_csv(game, ENGLISH)))
    assert head[3:11] == ["Ann +/-", "Ben +/-", "Cem +/-", "Dora → Eve +/-", "Ann", "Ben", "Cem", "Dora → Eve"]
    assert [row[2] for row in (first, changed, second, final)] == ["ron", "substitute", "draw", "with uma and oka"]
    assert changed[3:] == ["", "", "", "", "", "", "", "Eve"]


def test_the_picture_heads_a_column_with_who_sat_there_first(game: GameHistory) -> None:
    texts = findall(r">([^<>]*)</text>", as_svg(game, ENGLISH))
    at = texts.index("substitute sat down")
    assert texts[at + 1 : at + 5] == ["", "", "", "Eve"]
    assert texts.index("Dora") < texts.index("E1") < at


def test_the_json_has_the_names_of_every_hand(game: GameHistory) -> None:
    assert [hand["names"] for hand in as_json(game)["hands"]] == [list(FIRST), list(LATER)]


@pytest.mark.usefixtures("table")
def test_the_exported_csv_has_the_names_of_every_hand(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(path), "--format", "csv"]) == 0
    assert [row["name_3"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["Dora", "Eve"]
    assert main(["export", str(path), "--format", "csv", "--names", "a,b,c,d"]) == 0
    assert [row["name_3"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))] == ["d", "d"]


def test_somebody_who_leaves_for_a_guest_without_a_name_keeps_the_hands(table: Table, journal: Journal) -> None:
    table.handle(NameSeats(names=("Ann", "", "Cem", "Eve"), substitute=True, by="owner"))
    tell(table, draw(0, 3))
    assert [names[1] for names in game_history(journal.entries()).hand_names] == ["Ben", "Ben", ""]

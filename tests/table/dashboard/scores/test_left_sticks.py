"""The sticks left at the end have a row in every sheet, so that its rows add up to the final points."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from re import findall

import pytest

from table.cli.main import main
from table.dashboard.broadcast.broadcast_view import broadcast_view
from table.dashboard.live.table_view import table_view
from table.dashboard.scores.sheet_export import as_csv, as_json, as_svg
from table.game.commands.game_commands import AdjustPoints, EndGame, OpenGame
from table.game.journal.history.game_history import GameHistory, game_history
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.records.score_sheet import score_sheet
from tests.table.game.by_hand import draw, table_at, tell, win

ENGLISH = catalogue()
NAMES = ("Ann", "Ben", "Cem", "Dora")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def play_game(
    journal: Journal, *, ends: bool = True, corrected: bool = False, names: tuple[str, str, str, str] = NAMES
) -> Table:
    """Ann wins a hand, two in riichi draw the next one, and the last train goes."""
    table = table_at(journal)
    table.handle(OpenGame(names=names, by="owner"))
    tell(table, win(0, 3, 3), draw(0, 1, riichi=(0, 1)))
    if corrected:
        table.handle(AdjustPoints(points=(-500, 500, 0, 0), hand=2, why="a stick fell", by="owner"))
    if ends:
        table.handle(EndGame(why="last train", by="owner"))
    return table


def followed(journal: Journal) -> GameHistory:
    return game_history(journal.entries())


def rows(game: GameHistory) -> list[list[str]]:
    return list(csv.reader(io.StringIO(as_csv(game, ENGLISH))))


@pytest.mark.parametrize("corrected", [False, True])
def test_the_rows_of_the_csv_add_up_to_the_final_points(path: Path, corrected: bool) -> None:
    with Journal(path) as journal:
        play_game(journal, corrected=corrected)
        game = followed(journal)
    found = rows(game)
    assert found[-2][2:11] == ["left sticks", "2000", "0", "0", "0", *map(str, game.state.scores)]
    changes = [[int(each) for each in row[3:7]] for row in found[1:-1]]
    assert [25000 + sum(each) for each in zip(*changes, strict=True)] == list(game.state.scores)
    assert {len(row) for row in found} >= {11}


def test_the_picture_and_the_json_have_them_too(path: Path) -> None:
    with Journal(path) as journal:
        play_game(journal)
        game = followed(journal)
    texts = findall(r">([^<>]*)</text>", as_svg(game, ENGLISH))
    at = texts.index("sticks left")
    assert texts[at + 1 : at + 5] == ["+2,000", "0", "0", "0"]
    assert as_json(game)["at_end"] == [2000, 0, 0, 0]


def test_the_pages_sheet_has_a_row_with_who_takes_them(path: Path) -> None:
    with Journal(path) as journal:
        table = play_game(journal)
    row = table_view(table.board.latest, ENGLISH)["adjustments"][-1]
    assert (row["hand"], row["deltas"], row["text"]) == (2, [2000, 0, 0, 0], "Sticks left at the end: Ann +2,000.")
    assert row["score_texts"][0] == "33,300"


def test_who_takes_them_without_a_name_is_called_by_the_seat_as_in_the_line_below_the_places(path: Path) -> None:
    with Journal(path) as journal:
        view = table_view(play_game(journal, names=("",) * 4).board.latest, ENGLISH)
    assert view["adjustments"][-1]["text"] == "Sticks left at the end: Seat 1 +2,000."
    assert "Sticks left at the end: Seat 1 +2,000." in view["tie"]


def test_the_graph_of_points_ends_with_the_final_points(path: Path) -> None:
    with Journal(path) as journal:
        table = play_game(journal)
        drawn_lines = findall(r'points="([^"]*)"', as_svg(followed(journal), ENGLISH))
    graph = table_view(table.board.latest, ENGLISH)["graph"]
    assert len(graph) == 4
    assert graph[-1] == list(table.state.scores)
    assert {len(line.split()) for line in drawn_lines} == {4}


def test_a_broadcast_says_who_takes_them_beside_the_payments_of_the_last_hand(path: Path) -> None:
    with Journal(path) as journal:
        won = broadcast_view(play_game(journal).board.latest, ENGLISH, with_waits=False)["won"]
    assert won["at_end"] == "Sticks left at the end: Ann +2,000."
    with Journal(path.with_name("unnamed.journal")) as journal:
        won = broadcast_view(play_game(journal, names=("",) * 4).board.latest, ENGLISH, with_waits=False)["won"]
    assert won["at_end"] == "Sticks left at the end: Seat 1 +2,000."
    with Journal(path.with_name("other.journal")) as journal:
        going = broadcast_view(play_game(journal, ends=False).board.latest, ENGLISH, with_waits=False)["won"]
    assert going is None or going["at_end"] == ""


def test_the_exported_csv_ends_with_the_final_points(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(path) as journal:
        table = play_game(journal, corrected=True)
    assert main(["export", str(path), "--format", "csv"]) == 0
    *_, last = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert last["result"] == "end"
    assert [last[f"delta_{seat}"] for seat in range(4)] == ["2000", "0", "0", "0"]
    assert [int(last[f"score_{seat}"]) for seat in range(4)] == list(table.state.scores)
    assert sum(table.state.scores) == 100_000


def test_the_terminals_sheet_has_them(path: Path) -> None:
    with Journal(path) as journal:
        table = play_game(journal)
    assert "at end  left sticks" in score_sheet(table.state, table.folded_game.ruleset)


def test_a_game_in_progress_and_one_without_sticks_have_no_such_row(path: Path, tmp_path: Path) -> None:
    with Journal(path) as journal:
        play_game(journal, ends=False)
        assert [row[2] for row in rows(followed(journal))] == ["result", "ron", "draw", "with uma and oka"]
    with Journal(tmp_path / "other.journal") as journal:
        table = table_at(journal)
        tell(table, win(0, 3, 3))
        table.handle(EndGame(why="last train", by="owner"))
        assert [row[2] for row in rows(followed(journal))] == ["result", "ron", "with uma and oka"]
        assert "at_end" not in as_json(followed(journal))
        assert table_view(table.board.latest, ENGLISH)["adjustments"] == []

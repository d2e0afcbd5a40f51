from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from table.cli.main import main
from table.game.commands.game_commands import OpenGame
from table.game.journal.journal import Journal
from table.records.season.people import FILE as PEOPLE
from table.records.season.people import People, write_people
from tests.contracts import assert_keeps
from tests.endurance.power_cuts import table_at
from tests.table.game.by_hand import draw, tell
from tests.table.game.journal.played_games import PLAYERS, declared_game, write_games


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games at a club's table, one of them with a name that a spreadsheet would take for a formula."""
    found = tmp_path_factory.mktemp("club")
    with Journal(found / "table.journal") as journal:
        write_games(journal, 2, session=declared_game())
    return found


def run_season(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["season", *words]) == 0
    return capsys.readouterr().out


def test_a_season_is_printed_a_line_a_person(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_season(capsys, str(folder)).splitlines()
    assert [line.split()[0] for line in lines[1:5]] != []
    assert {line.split()[0] for line in lines[1:5]} == set(PLAYERS)
    assert lines[-1] == "2 games"
    assert "?" in lines[1]  # nobody saw a call


def test_games_that_count_for_nobody_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        write_games(journal, 2, session=declared_game())
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, draw(0))
    assert run_season(capsys, str(tmp_path)).splitlines()[-1] == "3 games, 2 of them finished and with a named player"


def test_an_opening_is_no_game_before_its_first_hand_has_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        write_games(journal, 1, session=declared_game()[:1])
    for _ in range(2):  # the second time from what was kept
        assert run_season(capsys, str(tmp_path)).splitlines()[-1] == "0 games"
    with Journal(tmp_path / "table.journal") as journal:
        write_games(journal, 1, session=declared_game())
        write_games(journal, 1, session=declared_game()[:1])
    assert run_season(capsys, str(tmp_path)).splitlines()[-1] == "1 game"


def test_the_line_of_a_person_has_the_interval_that_the_json_has(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run_season(capsys, str(folder)).splitlines()
    people = json.loads(run_season(capsys, str(folder), "--json"))["people"]
    assert len(people) == 4
    for person in people:
        line = next(line for line in lines if line.startswith(person["name"]))
        (low, high), mean = person["place"]["interval"], person["place"]["mean"]
        assert f" {mean:.2f} ({low:.1f}–{high:.1f}) " in line


def test_names_of_wide_letters_leave_the_columns_under_each_other(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.journal").write_bytes((folder / "table.journal").read_bytes())
    write_people(tmp_path / PEOPLE, People().renamed("Aoi", "欧阳小明"))
    head, *lines, _ = run_season(capsys, str(tmp_path)).splitlines()
    assert {len(line) + line.count("欧阳小明") * 4 for line in lines} == {len(head)}


def test_the_json_keeps_the_contract_and_says_null_for_what_is_not_known(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(run_season(capsys, str(folder), "--json"))
    assert_keeps("season", data)
    first = data["people"][0]
    assert first["calls"]["rate"] is None
    assert first["calls"]["unknown"] == first["hands"]
    assert first["wins"]["of"] == first["hands"]


def test_the_table_has_everything_that_the_json_has(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(run_season(capsys, str(folder), "--csv"))))
    first = json.loads(run_season(capsys, str(folder), "--json"))["people"][0]
    row_by_figure = {row["figure"]: row for row in rows if row["person"] == first["name"]}
    assert int(row_by_figure["games"]["value"]) == first["games"]
    assert float(row_by_figure["wins"]["value"]) == first["wins"]["rate"]
    assert row_by_figure["calls"]["value"] == ""
    assert int(row_by_figure["calls"]["unknown"]) == first["calls"]["unknown"]
    assert float(row_by_figure["place"]["low"]) == first["place"]["interval"][0] if first["place"]["interval"] else True
    other = first["against"][0]
    assert int(row_by_figure[f"against {other['name']}: above"]["value"]) == other["above"]


def test_a_folder_without_games_and_no_folder_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["season", str(tmp_path)]) == 1
    assert "expected journals or game records" in capsys.readouterr().err
    assert main(["season", str(tmp_path / "none")]) == 1
    assert "got nothing" in capsys.readouterr().err


def test_a_record_that_is_broken_fails_the_command_and_stops_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.journal").write_bytes((folder / "table.journal").read_bytes())
    (tmp_path / "torn.mjlog").write_text("<mjloggm", encoding="utf-8")
    assert main(["season", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "2 games" in out
    assert "torn.mjlog" in err


def test_json_and_csv_exclude_each_other(folder: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["season", str(folder), "--json", "--csv"])
    assert stopped.value.code == 2

"""A finished game that was on the table again, after the next was opened by mistake, counts once, as corrected."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from table.cli.main import main
from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.games.season.season_archive import SeasonArchive
from table.game.commands.game_commands import EditResult, EndGame, OpenGame
from table.game.journal.history.game_history import latest_games
from table.game.journal.history.summary_file import SummaryFile
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.journal.recovery.journal_check import journal_trouble
from table.game.journal.stored_games import stored_games
from table.game.table_loop import Table, TableLoop
from table.mqtt.played_games import MOST_GAMES, PlayedGames
from table.records.season.season_folder import read_season
from table.rules.terms.seats import Seat
from tests.contracts import assert_keeps
from tests.table.game.by_hand import draw, redo, table_at, tell, undo, win

NAMES = ("Aoi", "Ben", "Chie", "Dan")
WRONG, RIGHT = win(0, 1, 3), win(1, 0, 3)


def opened_by_mistake(journal: Journal) -> Table:
    """A table whose game ended with a wrong hand, and where the next one was opened and a hand told in it."""
    table = table_at(journal)
    table.handle(OpenGame(names=NAMES))
    tell(table, WRONG, draw())
    table.handle(EndGame())
    table.handle(OpenGame(names=NAMES))
    tell(table, draw())
    return table


def correct_mistake(table: Table) -> None:
    """The mistake is undone, the wrong hand corrected, and the next game opened again."""
    undo(table)
    undo(table)
    table.handle(EditResult(hand=0, result=RIGHT, why="the other won"))
    table.handle(OpenGame(names=NAMES))
    tell(table, draw())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "evening").mkdir()
    return tmp_path / "evening" / "table.journal"


def test_the_commands_that_read_a_journal_tell_what_happened_in_the_end(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        table = opened_by_mistake(journal)
        mistake = table.board.latest.opened_by
        correct_mistake(table)
        numbers = [1, 2, table.board.latest.opened_by]
    assert journal_trouble(path) == ""
    with stored_games(path) as games:
        assert games.numbers == numbers
    assert main(["export", "--list", str(path)]) == 0
    list_text = capsys.readouterr().out
    assert f"{mistake:>6} " not in list_text
    assert list_text.count("ended") == 1
    assert main(["export", "--game", "2", "--format", "mjai", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["actor"] for line in lines if line["type"] == "hora"] == [1]
    assert main(["export", "--game", str(mistake), str(path)]) == 1
    capsys.readouterr()
    assert main(["audit", "--json", str(path)]) == 0
    audit_lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hands = [(line["log"].rpartition("#")[2], line["hand"]) for line in audit_lines if "hand" in line]
    assert hands == [("2", 0), ("2", 1), (str(numbers[-1]), 0)]


def test_the_season_of_a_folder_counts_it_once_also_beside_an_older_copy(path: Path) -> None:
    with Journal(path) as journal:
        table = opened_by_mistake(journal)
        table.handle(EndGame())
    copy = path.parent / "copies" / "older.journal"
    copy.parent.mkdir()
    shutil.copy(path, copy)
    before = read_season(path.parent).season
    with Journal(path) as journal:
        table = table_at(journal)
        undo(table)
        correct_mistake(table)
    after = read_season(path.parent)
    assert (before.games, after.season.games, after.faults, after.notes) == (2, 2, [], [])
    ranked = {person.name: [place.place for place in person.games] for person in after.season.people}
    assert {name: len(places) for name, places in ranked.items()} == dict.fromkeys(NAMES, 1)
    assert ranked["Ben"] == [1]


def test_the_pages_list_and_count_it_once_however_often_they_look(path: Path) -> None:
    memory, summaries = path.with_suffix(".season"), path.with_suffix(".games")
    with Journal(path) as journal, TableLoop(table := opened_by_mistake(journal)) as loop:
        archive = GameArchive(loop, SummaryFile(summaries))
        season = SeasonArchive(table.board, loop, KnownPeople(None), memory)
        assert games_and_places(archive, season) == (1, [1, 4])
        undo(table)
        undo(table)
        assert games_and_places(archive, season) == (0, [1, 4])
        table.handle(EditResult(hand=0, result=RIGHT, why="the other won"))
        assert games_and_places(archive, season) == (0, [4, 1])
        table.handle(OpenGame(names=NAMES))
        for each in (GameArchive(loop, SummaryFile(summaries)), archive):
            assert games_and_places(each, season) == (1, [4, 1])
        undo(table)
        redo(table)
        again = SeasonArchive(table.board, loop, KnownPeople(None), memory)
        assert games_and_places(archive, again) == games_and_places(archive, season) == (1, [4, 1])


def games_and_places(archive: GameArchive, season: SeasonArchive) -> tuple[int, list[int]]:
    """The number of finished games before the last, and the places of two players, as the archives agree on them."""
    overview = archive.overview()
    people = {person.name: person.games for person in season.season()[0].people}
    assert {person.name: person.games for person in overview.season} == dict.fromkeys(NAMES, 1)
    found = archive.find(2)
    assert found is not None
    ranking = found[0].standings.ranking
    places = [place.place for name in ("Aoi", "Ben") for place in people[name]]
    assert places == [ranking.index(seat) + 1 for seat in (Seat.NEAR, Seat.RIGHT)]
    return len(overview.past_games), places


def test_the_hall_hears_of_it_once_also_after_a_restart(path: Path) -> None:
    with Journal(path) as journal:
        table = opened_by_mistake(journal)
        games = PlayedGames(table.board)
        games.add_earlier(latest_games(JournalReader(journal), MOST_GAMES))
        undo(table)
        undo(table)
        game_lines = games.message["games"]
        assert [(line["number"], line["is_over"]) for line in game_lines] == [(1, False), (2, True)]
        redo(table)
        assert [each["number"] for each in games.message["games"]] == [1, 2, table.board.latest.opened_by]
        undo(table)
        table.handle(EditResult(hand=0, result=RIGHT, why="the other won"))
        table.handle(OpenGame(names=NAMES))
        message = games.message
        assert_keeps("mqtt_games", message)
        assert [game["number"] for game in message["games"]] == [1, 2, table.board.latest.opened_by]
        assert message["games"][1]["scores"][1] > 25000
        again = PlayedGames(table.board)
        again.add_earlier(latest_games(JournalReader(journal), MOST_GAMES))
        assert again.message == message

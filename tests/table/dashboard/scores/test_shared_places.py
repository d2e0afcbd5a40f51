"""Where equal scores share the points of their places, they share the place, too, wherever it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.dashboard.broadcast.broadcast_view import broadcast_view
from table.dashboard.games.archive.past_games import PointsTable
from table.dashboard.games.game_view import ranking_view
from table.dashboard.scores.score_text import final_view
from table.dashboard.scores.sheet_export import COLOURS, as_svg
from table.game.commands.game_commands import EndGame, OpenGame
from table.game.journal.history.game_history import GameHistory, game_history, games_of
from table.game.journal.history.game_summary import summary_of
from table.game.journal.history.summary_file import SummaryFile
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.records.season.season_folder import read_season
from table.rulebook.play_presets import HOME
from table.rules.ruleset import Ruleset
from tests.table.game.by_hand import draw, table_at, tell

ENGLISH = catalogue()
NAMES = ("Ann", "Ben", "Cem", "Dora")
SPLIT = HOME.but(ties="split")
PLACES = {"split": {"Ann": 1, "Ben": 1, "Cem": 3, "Dora": 3}, "seat": {"Ann": 1, "Ben": 2, "Cem": 3, "Dora": 4}}


@pytest.fixture(params=[SPLIT, HOME], ids=["split", "seat"])
def rules(request: pytest.FixtureRequest) -> Ruleset:
    found: Ruleset = request.param
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def table(path: Path, rules: Ruleset) -> Iterator[Table]:
    """Ann and Ben were tenpai in the only hand, Cem and Dora were not."""
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=NAMES, ruleset=rules, by="owner"))
        tell(table, draw(0, 1))
        table.handle(EndGame(why="last train", by="owner"))
        yield table


@pytest.fixture
def game(table: Table, path: Path) -> GameHistory:
    with Journal(path) as journal:
        return game_history(games_of(journal.entries())[-1])


@pytest.fixture
def places(rules: Ruleset) -> list[int]:
    return list(PLACES[rules.ties].values())


def test_the_pages_of_the_table_and_of_the_game_say_the_place_that_is_shared(
    table: Table, game: GameHistory, rules: Ruleset, places: list[int]
) -> None:
    texts = [f"Place {place}" for place in places]
    final = final_view(table.state, rules, ENGLISH)
    assert final is not None
    assert [row["place"] for row in final] == texts
    assert [row["place"] for row in ranking_view(game, ENGLISH)["rows"]] == texts
    assert [
        line["place"] for line in broadcast_view(table.board.latest, ENGLISH, with_waits=False)["standings"]
    ] == texts


def test_the_picture_of_the_result_has_the_place_that_is_shared(game: GameHistory, places: list[int]) -> None:
    picture = as_svg(game, ENGLISH)
    told = [re.search(rf'fill="{colour}"[^>]*>(\d)</text>', picture) for colour in COLOURS]
    assert [found and int(found[1]) for found in told] == places


def test_the_season_counts_the_place_that_is_shared_and_nobody_above_who_shares_it(
    game: GameHistory, path: Path, rules: Ruleset, places: list[int]
) -> None:
    season = read_season(path.parent).season
    people = {person.name: person for person in season.people}
    assert [people[name].games[0].place for name in NAMES] == places
    assert [people["Ann"].against[name].above for name in NAMES[1:]] == [rules.ties == "seat", 1, 1]
    assert people["Ben"].against["Ann"].above == 0
    kept = SummaryFile(path.with_suffix(".games"))
    kept.add("ab", summary_of(game))
    for summary in (summary_of(game), *kept.read().values()):
        points = PointsTable()
        points.add(summary)
        assert [points.players[name].places for name in NAMES] == places
        assert [points.players[name].firsts for name in NAMES] == [place == 1 for place in places]

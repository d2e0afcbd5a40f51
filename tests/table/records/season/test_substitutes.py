"""A hand counts for those who sat there then; the place and its points for those who sat there at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.game.commands.game_commands import EndGame, NameSeats, OpenGame, Reseat
from table.game.journal.journal import Journal
from table.records.season.season_figures import PersonFigures, Season
from table.records.season.season_folder import read_season
from table.rules.terms.seats import SEATS
from tests.table.game.by_hand import draw, table_at, tell, win

FIRST = ("Ann", "Ben", "Cem", "Dora")
LATER = ("Ann", "Ben", "Cem", "Eve")


@pytest.fixture
def season(tmp_path: Path) -> Season:
    """Dora deals in twice, wins twice, and is dealer; Eve sits down for one more hand of that dealership, a draw."""
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=FIRST, by="owner"))
        tell(table, win(0, 3, 3), win(1, 3, 3, 40, riichi=(3,)), win(2, 1, 1), win(3, 3, 5, None, riichi=(3,)))
        tell(table, win(3, 0, 1))
        table.handle(NameSeats(names=LATER, substitute=True, by="owner"))
        tell(table, draw(0, 3))
        table.handle(EndGame(why="last train", by="owner"))
    return read_season(tmp_path).season


def person(season: Season, name: str) -> PersonFigures:
    (found,) = (each for each in season.people if each.name == name)
    return found


def test_deal_ins_wins_and_riichi_stay_with_the_one_who_left(season: Season) -> None:
    dora, eve = person(season, "Dora").tally, person(season, "Eve").tally
    assert (dora.hands, eve.hands) == (5, 1)
    assert [(each.shares["deal_ins"].hits, each.shares["deal_ins"].of) for each in (dora, eve)] == [(2, 5), (0, 1)]
    assert [each.shares["wins"].hits for each in (dora, eve)] == [2, 0]
    assert [each.shares["riichi"].hits for each in (dora, eve)] == [2, 0]
    assert [each.amounts["deal_in_value"].count for each in (dora, eve)] == [2, 0]
    assert [each.shares["tenpai"].hits for each in (dora, eve)] == [0, 1]
    assert dora.best is not None
    assert eve.best is None


def test_points_lost_to_others_are_of_the_one_who_dealt_in(season: Season) -> None:
    assert person(season, "Dora").against["Ann"].lost.count == 1
    assert person(season, "Eve").against["Ann"].lost.count == 0


def test_the_game_with_place_and_points_counts_for_the_new_name(season: Season) -> None:
    assert [len(person(season, name).games) for name in ("Dora", "Eve")] == [0, 1]
    assert [len(person(season, name).games) for name in ("Ann", "Ben", "Cem")] == [1, 1, 1]


def test_a_row_of_dealerships_is_of_one_person(season: Season) -> None:
    assert [person(season, name).tally.dealership for name in ("Dora", "Eve")] == [1, 1]


def test_a_name_that_is_put_right_keeps_all_hands(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=FIRST, by="owner"))
        tell(table, win(0, 3, 3))
        table.handle(NameSeats(names=LATER, by="owner"))
        tell(table, draw(0, 3))
    found = read_season(tmp_path).season
    assert [each.name for each in found.people if each.name == "Dora"] == []
    assert person(found, "Eve").tally.hands == 2


def test_hands_follow_those_who_swap_their_seats(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=FIRST, by="owner"))
        tell(table, win(0, 3, 3))
        table.handle(NameSeats(names=LATER, substitute=True, by="owner"))
        table.handle(Reseat(order=(SEATS[3], SEATS[1], SEATS[2], SEATS[0]), by="owner"))
        tell(table, draw(0, 3))
    found = read_season(tmp_path).season
    assert person(found, "Ann").tally.shares["wins"].hits + person(found, "Dora").tally.shares["wins"].hits == 1
    assert person(found, "Eve").tally.hands == 1

"""A game that ended before its first hand did is placed from its first dealer on, everywhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.dashboard.games.game_view import ranking_view
from table.dashboard.scores.score_text import final_view
from table.game.commands.game_commands import CallTime, EndGame, OpenGame
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.mqtt.played_games import PlayedGames
from table.rules.notation.event_notation import parse_events
from table.rules.terms.seats import Seat
from tests.table.game.by_hand import see, table_at

ENGLISH = catalogue()
NAMES = ("Ann", "Ben", "Cem", "Dora")
FIRST_HAND = "start E1 dealer=2 scores=25000,25000,25000,25000 dora=1z; 2 discards 5m"


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal(None) as found:
        yield found


@pytest.fixture
def table(journal: Journal) -> Table:
    table = table_at(journal)
    table.handle(OpenGame(names=NAMES, first_dealer=Seat.FAR, by="owner"))
    return table


@pytest.mark.parametrize("hand", ["", FIRST_HAND], ids=["before the deal", "in the first hand"])
@pytest.mark.parametrize("end", [EndGame(why="last train", by="owner"), CallTime(by="owner")])
def test_the_first_dealer_has_the_first_place_and_its_points(
    table: Table, journal: Journal, hand: str, end: EndGame | CallTime
) -> None:
    see(table, *parse_events(hand))
    table.handle(end)
    if not table.state.is_over:
        table.handle(EndGame(why="last train", by="owner"))
    view = final_view(table.state, table.folded_game.ruleset, ENGLISH)
    assert view is not None
    places = [(2, "+35.0"), (3, "+5.0"), (0, "−15.0"), (1, "−25.0")]
    assert [(row["seat"], row["points"]) for row in view] == places
    rows = ranking_view(game_history(games_of(journal.entries())[-1]), ENGLISH)["rows"]
    assert [(row["seat"], row["points"]) for row in rows] == places


def test_a_desk_hears_of_the_same_first_dealer_then_and_later(table: Table, journal: Journal) -> None:
    games = PlayedGames(table.board)
    table.handle(EndGame(why="last train", by="owner"))
    now = games.message["games"]
    assert now[0]["first_dealer"] == 2
    later = PlayedGames(table_at(journal).board)
    later.add_earlier([game_history(games_of(journal.entries())[-1])])
    assert later.message["games"] == now


def test_a_game_that_begins_with_a_later_hand_has_the_same_first_dealer_in_play_and_after(table: Table) -> None:
    see(table, *parse_events(FIRST_HAND.replace("E1", "E3")))
    assert table.state.first_dealer is Seat.NEAR
    table.handle(EndGame(why="last train", by="owner"))
    assert (table.state.first_dealer, table.state.ranking[0]) == (Seat.NEAR, Seat.NEAR)

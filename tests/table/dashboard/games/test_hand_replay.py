"""A finished hand can be watched again, event by event, as it is believed in the end."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.journal.entries import Corrected
from table.game.journal.history.game_history import game_history, hand_steps
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Board, Snapshot
from table.game.table_loop import Table, TableLoop
from table.rulebook.play_presets import HOME
from table.rules.events import Discarded
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.clock import LogicalClock
from tests.fakes.desks import Shelf, journal
from tests.table.game.by_hand import draw, tell, win

OTHERWISE = Corrected(entry=3, event=Discarded(seat=Seat.NEAR, tile=Tile("8m")))


@pytest.fixture
def client() -> FlaskClient:
    desk = Shelf()
    state = game_history(desk.journal).state
    return create_app(Board(Snapshot(version=1, game=state)), desk).test_client()


def test_every_event_of_a_hand_is_a_step() -> None:
    steps = hand_steps(journal(), 0)
    discard_counts = [sum(len(river) for river in step.state.hand.rivers) for step in steps if step.state.hand]
    assert discard_counts[:5] == [0, 1, 2, 2, 3]
    assert steps[-1].state.live is None
    assert steps[-1].state.history[0].scores == (24000, 27000, 24000, 24000)


def test_a_corrected_tile_is_seen_as_it_was() -> None:
    step = hand_steps(journal(OTHERWISE), 0)[1]
    assert step.state.hand is not None
    assert step.state.hand.rivers[0][0].tile == Tile("8m")


def test_a_hand_in_play_or_still_to_come_has_no_steps() -> None:
    assert hand_steps(journal(), 1) == hand_steps(journal(), 7) == ()


def test_the_page_gets_what_stays_once_and_each_step(client: FlaskClient) -> None:
    replay = client.get("/api/hands/0").get_json()
    assert len(replay["steps"]) == len(hand_steps(journal(), 0))
    assert replay["steps"][2]["seats"][1]["river"][0]["sideways"]
    assert replay["steps"][3]["seats"][1]["stick"]
    assert replay["base"]["sheet"] == []
    assert "sheet" not in replay["steps"][0]
    assert client.get("/hand/0").status_code == 200


def test_no_step_shows_announcements_of_the_hand_before() -> None:
    """After a hand in which somebody won, the next one begins with its own start alone."""
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        tell(table, win(1, 0, 3), draw(1, 2))
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            steps = client.get("/api/hands/1").get_json()["steps"]
    news_ids = [[item["id"] for item in step["news"]] for step in steps]
    assert all("settlement_confirmed" not in ids for ids in news_ids[:-1])
    assert "settlement_confirmed" in news_ids[-1]


def test_what_was_not_played_is_not_found(client: FlaskClient) -> None:
    assert client.get("/hand/1").status_code == client.get("/api/hands/1").status_code == 404


def test_a_hand_that_was_only_told_begins_as_it_began_and_ends_as_itself() -> None:
    """No step shows the round, the counters or the dealer of the hand after it."""
    with Journal(None) as journal:
        table = Table(journal=journal, referee=Referee(), ruleset=HOME, clock=LogicalClock())
        tell(table, draw(0), win(1, 0, 3), draw(1, 2))
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            watched: list[Any] = [client.get(f"/api/hands/{number}").get_json()["steps"] for number in range(3)]
    for steps, round_, honba in zip(watched, ("East 1", "East 1", "East 2"), (0, 1, 0), strict=True):
        assert [(step["centre"]["round"], step["centre"]["honba"]) for step in steps] == [(round_, honba)] * 2
    scores = [[[seat["score"] for seat in step["seats"]] for step in steps] for steps in watched]
    assert scores == [
        [[25000] * 4, [28000, 24000, 24000, 24000]],
        [[28000, 24000, 24000, 24000], [23800, 28200, 24000, 24000]],
        [[23800, 28200, 24000, 24000], [22300, 29700, 25500, 22500]],
    ]
    assert [next(seat["seat"] for seat in step["seats"] if seat["is_dealer"]) for step in watched[1]] == [0, 0]

"""The page of an evening's moments: what happened, each with its hand to watch again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.games.archive import game_archive
from table.game.commands.game_commands import OpenGame
from table.game.journal.journal import Journal
from table.game.table_loop import TableLoop
from table.i18n import catalogue, languages
from tests.table.game.by_hand import table_at, tell, win
from tests.table.game.journal.played_games import PLAYERS, declared_game, write_games


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    """An evening's two games: one with a dear win, and one that goes on with a small one."""
    with Journal(None) as journal:
        table = table_at(journal)
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(3, 1, 13, None))
        table.handle(OpenGame(names=PLAYERS))
        tell(table, win(2, 0, 1))
        with TableLoop(table) as loop:
            yield create_app(table.board, loop).test_client()


def lines(page: str) -> list[tuple[str, str, str]]:
    """Each moment: its kind, where it leads, and what it says."""
    return re.findall(r'<li data-kind="(\w+)"><a href="([^"]*)">(.*?)</a>', page)


@pytest.mark.parametrize("language", languages())
def test_the_moments_of_tonights_games_lead_to_their_hands(client: FlaskClient, language: str) -> None:
    page = client.get("/moments", headers={"Accept-Language": language}).text
    (kind, hand, sentence), *others = lines(page)
    assert (kind, others) == ("swing", [])  # of all games the biggest
    assert sentence == catalogue(language).text("moment.swing", winner="Dan", loser="Ben", points="64,000")
    assert client.get(hand).status_code == 200


def test_another_days_moments_are_none_of_this_evening() -> None:
    with Journal(None) as journal:
        write_games(journal, 2, session=declared_game())
        table = table_at(journal)
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            moments = lines(client.get("/moments").text)
            assert moments
            assert all(hand.startswith(f"/game/{loop.games(0)[-1].number}/") for _, hand, _ in moments)


def test_an_evening_without_moments_says_so_and_a_game_that_never_was_has_none(client: FlaskClient) -> None:
    assert client.get("/game/9999/moments").status_code == 404
    with Journal(None) as journal:
        table = table_at(journal)
        with TableLoop(table) as loop:
            page = create_app(table.board, loop).test_client().get("/moments").text
    assert catalogue("en").text("moment.none") in page


def test_the_page_says_how_many_games_are_still_to_be_read(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = catalogue("en").text("page.games_unread", count=2)
    assert hint not in client.get("/moments").text
    monkeypatch.setattr(game_archive.GameArchive, "unread_count", lambda _: 2)
    assert hint in client.get("/moments").text

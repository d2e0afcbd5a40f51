"""A long history costs little: a game that is over is read once, and a page shows so many, however many there are."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.games import game_page
from table.dashboard.games.archive import background_reader, game_archive
from table.dashboard.games.archive.game_archive import LISTED_GAMES, GameArchive
from table.dashboard.games.archive.known_people import KnownPeople
from table.dashboard.games.archive.past_games import PointsTable
from table.dashboard.games.season.season_archive import SeasonArchive
from table.dashboard.web.table_port import TablePort
from table.game.commands.game_commands import OpenGame
from table.game.journal.entries import Entry, Envelope, GameOpened, Source
from table.game.journal.fold import FoldedGame, fold_steps
from table.game.journal.history.game_history import GameHistory, game_history, games_of
from table.game.journal.history.game_summary import summary_of
from table.game.journal.history.summary_file import SummaryFile
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import GameStart
from table.game.table_loop import Table, TableLoop
from table.records.season.people import person_id
from table.rulebook.play_presets import HOME
from table.runtime.table_errors import JournalError
from tests.fakes.time_zone import time_zone
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.game.by_hand import draw, table_at, tell, win
from tests.table.game.journal.played_games import PLAYERS, declared_game, write_games

GamesRead = list[tuple[str, int]]


@pytest.fixture
def background() -> threading.Event:
    """Set: what reads in the background may go on."""
    goes_on = threading.Event()
    goes_on.set()
    return goes_on


@pytest.fixture
def games_read(monkeypatch: pytest.MonkeyPatch, background: threading.Event) -> GamesRead:
    """Every game that is read from now on: in which thread, and which."""
    found: GamesRead = []

    def reading(entries: tuple[Entry, ...]) -> GameHistory:
        assert threading.current_thread().name != "archive" or background.wait(PATIENCE_S)
        found.append((threading.current_thread().name, entries[0].number))
        return game_history(entries)

    monkeypatch.setattr(game_archive, "game_history", reading)
    return found


@pytest.fixture
def table(journal: Journal) -> Table:
    """The table, which continues the games that a test wrote before it asked for it."""
    return table_at(journal)


@pytest.fixture
def loop(table: Table) -> Iterator[TableLoop]:
    """A table that goes on after as many games as the test wrote before it asks for this."""
    with TableLoop(table) as loop:
        yield loop


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """So many games are read while a page waits, and the background takes no rest: a long history is short then."""
    monkeypatch.setattr(background_reader, "PAUSE_FACTOR", 0)
    monkeypatch.setattr(game_archive, "FEW_GAMES", 2)
    return game_archive.FEW_GAMES


class FlakyPort:
    """The table's loop, whose disk fails once when an earlier game is read."""

    def __init__(self, loop: TableLoop) -> None:
        self._loop, self._fails = loop, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        if self._fails and upto is not None:
            self._fails = False
            raise JournalError("cannot read the journal: disk I/O error")
        return self._loop.entries(after, upto)


@dataclass
class ReopenedPort:
    """A journal whose newest game was opened and undone; `on_search` is called while all its games are looked for."""

    games_left: int
    on_search: Callable[[], object] = lambda: None

    def games(self, after: int) -> tuple[GameStart, ...]:
        if not after:
            self.on_search()
        return tuple(GameStart(number=number) for number in range(1, self.games_left + 1) if number > after)

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        opening = GameOpened(ruleset=HOME)
        return (Entry(number=after + 1, envelope=Envelope(utc="", source=Source.TABLE), body=opening),)


def of_page(games_read: GamesRead) -> list[int]:
    return [number for thread, number in games_read if thread != "archive"]


def test_a_page_waits_for_no_more_than_the_last_game_of_a_long_history(
    journal: Journal,
    games_read: GamesRead,
    background: threading.Event,
    few: int,
    request: pytest.FixtureRequest,
) -> None:
    background.clear()
    write_games(journal, few + 2, session=declared_game())
    with GameArchive(request.getfixturevalue("loop")) as archive:
        overview = archive.overview()
        assert (overview.unread, of_page(games_read)) == (few + 1, [journal.last_game()[0].number])
        background.set()
        wait_for(lambda: archive.overview().unread == 0)
    assert sorted(number for _, number in games_read) == [game[0].number for game in games_of(journal.entries())]


def test_nothing_is_read_twice_and_a_game_that_ends_is_read_once_more(
    journal: Journal, games_read: GamesRead, request: pytest.FixtureRequest
) -> None:
    write_games(journal, 3, session=declared_game())
    loop, numbers = request.getfixturevalue("loop"), [game[0].number for game in games_of(journal.entries())]
    archive = GameArchive(loop)
    for _ in range(3):
        archive.overview()
    assert sorted(of_page(games_read)) == numbers
    games_read.clear()
    loop.handle(OpenGame(by="owner"))
    for _ in range(3):
        archive.overview()
    assert sorted(of_page(games_read)) == [numbers[-1], journal.last]


def test_the_season_is_the_same_however_its_games_were_read(
    journal: Journal, few: int, request: pytest.FixtureRequest
) -> None:
    write_games(journal, few + 1, session=declared_game())
    expected = PointsTable()
    for game in games_of(journal.entries()):
        expected.add(summary_of(game_history(game)))
    archive = GameArchive(request.getfixturevalue("loop"))
    wait_for(lambda: archive.overview().unread == 0)
    assert sorted(archive.season(), key=str) == sorted(expected.ranking(), key=str)
    assert sum(player.games for player in archive.season()) == 4 * (few + 1)
    assert archive.overview().evening.games == 1


def test_the_games_page_and_the_season_s_pages_count_the_same_points_and_places(
    journal: Journal, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Also of one person under two names, of a guest, and of a game that has not ended."""
    write_games(journal, 4, session=declared_game())
    table, loop = request.getfixturevalue("table"), request.getfixturevalue("loop")
    loop.handle(OpenGame(by="owner"))
    first, second, *_, guest = PLAYERS
    people = KnownPeople(tmp_path)
    people.change(people.people.renamed(second, first).with_guest(guest))
    season, unread = SeasonArchive(table.board, loop, people).season()
    expected = [
        (each.name, each.result, len(each.games), sum(game.place for game in each.games), each.places[0].hits)
        for each in season.people
        if each.games
    ]
    records = GameArchive(loop, known_people=people).season()
    assert (unread, len(records)) == (0, 2)
    assert sorted((one.name, one.points, one.games, one.places, one.firsts) for one in records) == sorted(expected)


def test_what_was_read_once_is_not_read_again_at_the_next_start(tmp_path: Path, games_read: GamesRead) -> None:
    path, summaries = tmp_path / "table.journal", SummaryFile(tmp_path / "table.games")
    with Journal(path) as journal, TableLoop(table_at(journal)) as loop:
        write_games(journal, 5, session=declared_game())
        first = GameArchive(loop, summaries).overview()
    games_read.clear()
    with Journal(path) as journal, TableLoop(table_at(journal)) as loop:
        second = GameArchive(loop, summaries).overview()
    assert of_page(games_read) == [first.last.number]
    assert (second.past_games, second.evening, second.unread) == (first.past_games, first.evening, 0)
    assert sorted(second.season, key=str) == sorted(first.season, key=str)


def test_what_is_kept_of_another_journal_is_not_believed(tmp_path: Path, games_read: GamesRead) -> None:
    summaries, overviews = SummaryFile(tmp_path / "table.games"), []
    for name, session in (("one", declared_game()), ("other", declared_game(loser=3))):
        with Journal(tmp_path / name) as journal, TableLoop(table := table_at(journal)) as loop:
            tell(table, draw(int(name == "other")))
            write_games(journal, 3, session=session)
            games_read.clear()
            overviews.append(GameArchive(loop, summaries).overview())
            assert len(of_page(games_read)) == 4
    assert overviews[0].past_games[0].number == overviews[1].past_games[0].number
    assert overviews[0].past_games[0].points != overviews[1].past_games[0].points


def test_a_game_that_cannot_be_read_leaves_the_others(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    write_games(journal, 4, session=declared_game())
    first, second, third, last = (game[0].number for game in games_of(journal.entries()))

    def reading(entries: tuple[Entry, ...]) -> GameHistory:
        if entries[0].number == second:
            raise ValueError("expected something else")
        return game_history(entries)

    monkeypatch.setattr(game_archive, "game_history", reading)
    overview = GameArchive(request.getfixturevalue("loop")).overview()
    assert ([game.number for game in overview.past_games], overview.last.number) == ([third, first], last)
    assert overview.unread == 0


def test_a_game_that_the_disk_did_not_give_is_read_on_the_next_visit(
    journal: Journal, request: pytest.FixtureRequest
) -> None:
    write_games(journal, 3, session=declared_game())
    loop = request.getfixturevalue("loop")
    archive = GameArchive(cast(TablePort, FlakyPort(loop)))
    archive.overview()
    assert archive.overview() == GameArchive(loop).overview()


def test_a_game_that_the_disk_did_not_give_is_in_the_season_on_the_next_visit(
    journal: Journal, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    write_games(journal, 3, session=declared_game())
    loop = request.getfixturevalue("loop")
    board, memory = request.getfixturevalue("table").board, tmp_path / "table.season"
    archive = SeasonArchive(board, cast(TablePort, FlakyPort(loop)), KnownPeople(None), memory)
    assert [archive.season()[0].games for _ in range(2)] == [2, 3]
    assert SeasonArchive(board, loop, KnownPeople(None), memory).season() == archive.season()


def test_all_games_stay_known_while_they_are_looked_for_anew() -> None:
    port = ReopenedPort(games_left=4)
    archive = GameArchive(cast(TablePort, port))
    archive.find(None)
    port.games_left, known = 3, list[int]()
    port.on_search = lambda: known.append(archive.unread_count())
    archive.find(None)
    assert (known, archive.unread_count()) == ([3], 2)


def test_a_page_that_asks_while_all_games_are_listed_anew_gets_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    port, found = ReopenedPort(games_left=4), list[int]()
    archive = GameArchive(cast(TablePort, port))
    archive.find(None)
    port.games_left, search = 3, archive._note_new_games
    page = threading.Thread(target=lambda: found.append(archive.last_game().number))

    def points_while_the_list_is_empty() -> PointsTable:
        page.start()
        page.join(0.1)
        return PointsTable()

    monkeypatch.setattr(archive, "_note_new_games", lambda: threading.current_thread() is page or search())
    monkeypatch.setattr(game_archive, "PointsTable", points_while_the_list_is_empty)
    archive.find(None)
    page.join(PATIENCE_S)
    assert found == [3]


def test_the_game_page_is_as_long_after_many_games_as_after_a_few(
    journal: Journal, request: pytest.FixtureRequest
) -> None:
    write_games(journal, LISTED_GAMES + 2, session=declared_game())
    page = _client(request).get("/game").text
    numbers = [game[0].number for game in games_of(journal.entries())]
    assert _listed_games(page) == numbers[-2 : -2 - LISTED_GAMES : -1]
    assert 'href="/games"' in page


def test_every_game_is_on_one_page_of_all_games(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr(game_page, "GAMES_PER_PAGE", 3)
    write_games(journal, 2 * 3 + 2, session=declared_game())
    client, found, address = _client(request), list[list[int]](), "/games"
    while address:
        page = client.get(address).text
        found.append(_listed_games(page))
        older = re.search(r'href="(/games\?before=\d+)"', page)
        address = older[1] if older else ""
    numbers = [game[0].number for game in games_of(journal.entries())][-2::-1]
    assert found == [numbers[:3], numbers[3:6], numbers[6:]]
    assert "Aoi" in client.get("/games").text
    assert client.get("/games?before=x").status_code == 200


def test_everywhere_people_read_the_day_of_their_own_clock() -> None:
    """The games were opened at midnight in UTC, in the evening before in New York."""
    with time_zone("America/New_York"), Journal(None) as journal:
        table = table_at(journal)
        for _ in range(2):
            table.handle(OpenGame(names=PLAYERS))
            tell(table, win(3, 1, 13, None))
        with TableLoop(table) as loop:
            client, number = create_app(table.board, loop).test_client(), table.board.latest.opened_by
            pages = ("/games", "/game", *(f"/game/{number}{part}" for part in ("", "/moments", "/sheet.svg")))
            for address in (*pages, f"/game/{number}/game.html", f"/season/people/{person_id(PLAYERS[3])}"):
                text = re.sub(r'(datetime|src|href)="[^"]*"', "", client.get(address).text)
                assert "1999-12-31" in text, address
                assert "2000-01-01" not in text, address
            times = re.findall(r"<time[^>]*>(\d\d:\d\d)<", client.get("/game").text)
            assert times
            assert set(times) == {"19:00"}
            for name in ("sheet.csv?save", "game.html", "tenhou6.json"):
                found = client.get(f"/game/{number}/{name}").headers["Content-Disposition"]
                assert f'filename="tachiai-1999-12-31-{number}.' in found


def _client(request: pytest.FixtureRequest) -> FlaskClient:
    loop: TableLoop = request.getfixturevalue("loop")
    return create_app(request.getfixturevalue("table").board, loop).test_client()


def _listed_games(page: str) -> list[int]:
    return [int(number) for number in re.findall(r'href="/game/(\d+)"', page)]


def test_the_season_follows_no_game_again_that_was_read_for_the_list_of_games(
    journal: Journal, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games(journal, 4, session=declared_game())
    table, loop, followed = request.getfixturevalue("table"), request.getfixturevalue("loop"), list[int]()

    def following(start: FoldedGame, entries: Sequence[Entry]) -> Iterator[FoldedGame]:
        followed.append(start.last)
        return fold_steps(start, entries)

    alone = SeasonArchive(table.board, loop, KnownPeople(None)).season()
    monkeypatch.setattr("table.game.journal.history.game_history.fold_steps", following)
    client = create_app(table.board, loop).test_client()
    for page in ("/season", "/game", "/games", "/season"):
        assert client.get(page).status_code == 200
    assert sorted(followed) == [game[0].number for game in games_of(journal.entries())]
    with_archive = SeasonArchive(table.board, loop, KnownPeople(None), games=GameArchive(loop)).season()
    assert with_archive == alone

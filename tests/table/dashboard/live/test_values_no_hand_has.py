"""Values that no hand has are refused when they are told; a journal that holds them opens, and its pages say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import ClaimRon, ClaimTsumo
from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent, Referee
from table.game.table_loop import Table, TableLoop
from table.rulebook import rules_named
from table.rules.events import Event, FoulLogged, ResultDeclared, RiichiReported, WinClaimed, WinKind
from table.rules.notation.event_notation import parse_event, parse_events
from table.rules.state import GameState
from table.rules.terms.results import DeclaredResult, DeclaredWin, ResultKind
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.fakes.desks import do, join, token
from tests.table.rules.situations import START
from vision.felt import Felt, FeltReport

PAGES = (
    *("/", "/game", "/game/1", "/fouls", "/staff", "/rules", "/api/table", "/api/fouls", "/api/values", "/hand/0"),
    *("/game/1/sheet.csv", "/game/1/sheet.json", "/game/1/sheet.svg", "/game/1/tenhou6.json", "/api/hands/0"),
)
RULES = rules_named("home").ruleset
DEALT = (parse_event(START), RiichiReported(seat=Seat.NEAR))
LANGUAGES = {
    "en": "No hand has 3 han and 7 fu.",
    "ja": "3翻7符の手はありません。",
    "ko": "3판 7부인 손패는 없습니다.",
    "zh-Hans": "没有3番7符的牌。",
    "zh-Hant": "沒有3番7符的牌。",
}


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=RULES, clock=LogicalClock())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client, seat="0")
    return client


def press(client: FlaskClient, **body: Any) -> tuple[int, dict[str, Any]]:
    return do(client, "press", **body)


def ending(client: FlaskClient) -> Any:
    return client.get("/api/table").get_json()["ending"]


def assert_every_page_opens(client: FlaskClient) -> None:
    for page in PAGES:
        assert client.get(page).status_code < 500, page


# --- At the border -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_win_told_with_7_fu_is_refused_in_the_player_s_language(
    client: FlaskClient, journal: Journal, language: str
) -> None:
    press(client, press="riichi", seat=0)
    before = journal.last
    body = {"press": "tsumo", "seat": 1, "han": 3, "fu": 7}
    answer = client.post("/api/press", json=body, headers={**token(client), "Accept-Language": language})
    assert (answer.status_code, answer.get_json()["said"]) == (400, LANGUAGES[language])
    assert journal.last == before
    assert ending(client) is None


@pytest.mark.parametrize(
    ("yaku", "sentence"),
    [
        (["nonsense", 3], "There is no yaku called “nonsense”."),
        (["riichi", 0], "“Riichi” is not worth 0 han."),
        (["four_kans", 1], "“Four kans” is not worth 1 han."),
    ],
)
def test_a_yaku_that_there_is_not_is_refused(client: FlaskClient, yaku: list[Any], sentence: str) -> None:
    win = {"seat": 1, "from": 0, "han": 3, "fu": 30, "yaku": [yaku]}
    body = {"hand": 0, "result": {"kind": "ron", "wins": [win]}}
    answer = client.post("/api/tell", json=body, headers=token(client))
    assert (answer.status_code, answer.get_json()["said"]) == (400, sentence)


@pytest.mark.parametrize(
    "fields",
    [
        {"press": "ron", "seat": 1, "han": 3, "fu": 7},
        {"press": "ron", "seat": 1, "han": 0},
        {"press": "ron", "seat": 1, "han": 10**40},
        {"press": "ron", "seat": 1, "fu": 30},
        {"press": "ron", "seat": 1, "han": 2, "fu": 20},
        {"press": "ron", "seat": 1, "han": 1, "fu": 25},
        {"press": "tsumo", "seat": 1, "han": 2, "fu": 25},
        {"press": "ron", "seat": 1, "melds": ["123m,456m"]},
        {"press": "ron", "seat": 1, "melds": ["12m"]},
        {"press": "ron", "seat": 1, "tiles": "1m" * 35},
        {"press": "ron", "seat": 1, "tiles": "123456789m11p7s"},
        {"press": "ron", "seat": 1, "tiles": "123456789m111p78s44z"},
        {"press": "tsumo", "seat": 1, "tiles": "123456789m11p78s"},
        {"press": "tsumo", "seat": 1, "tiles": "1m"},
        {"press": "ron", "seat": 4},
        {"press": "wait", "seat": 1, "tiles": ["8z"]},
        {"press": "wait", "seat": 1, "tiles": {"1m": 1}},
        {"press": "correct", "discard": 0, "to": "?"},
        {"press": "correct", "discard": 0, "to": ["1m"]},
        {"press": "correct", "discard": -1, "to": "1m"},
        {"press": "foul", "seat": 1, "facts": ["deliberat"]},
        {"press": "foul", "seat": 1, "facts": ["exposed=" + "9" * 5000]},
        {"press": "foul", "seat": 1, "facts": ["exposed=1000"]},
        {"press": "foul", "seat": 1, "clause": "\ud800"},
        {"press": "foul", "seat": 1, "clause": "x" * 65},
        {"press": "foul", "seat": 1, "reason": "two\nlines"},
        {"press": "cancel", "foul": 10**40},
        {"press": "cancel", "foul": 0, "hand": 1.5},
        {"press": "confirm", "held": 1},
        {"press": ["ron"]},
    ],
    ids=repr,
)
def test_a_press_with_a_value_that_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(PressError):
        read_press(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"press": "ron", "seat": 1, "han": 4, "fu": 110},
        {"press": "tsumo", "seat": 1, "han": 2, "fu": 20},
        {"press": "ron", "seat": 1, "han": 5, "fu": 140},
        {"press": "ron", "seat": 1, "han": 13},
        {"press": "ron", "seat": 1, "han": 3},
        {"press": "ron", "seat": 1, "melds": "123m,(2222s)"},
        {"press": "ron", "seat": 1, "tiles": "11p78s"},
        {"press": "ron", "seat": 1, "tiles": "11p789s"},
        {"press": "tsumo", "seat": 1, "tiles": "11p789s"},
    ],
    ids=repr,
)
def test_a_value_that_a_hand_has_is_taken(fields: dict[str, Any]) -> None:
    press = read_press(fields)
    assert isinstance(press, ClaimRon | ClaimTsumo)
    assert press.seat is Seat.RIGHT


class Watching(Referee):
    """Sees a hand up to its fifth discard, all four 1z among dora and rivers."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        for event in parse_events(
            f"{START}; 0 discards 2z; 1 discards 1z; 2 discards 1z; 3 discards 1z; 0 discards 5m"
        ):
            yield FoundEvent(event=event, source=Source.CAMERA, frame=0, confidence=1.0)


@pytest.fixture
def watched_table(journal: Journal) -> Table:
    table = Table(journal=journal, referee=Watching(), ruleset=RULES, clock=LogicalClock())
    table.report(FeltReport(frame=0, t_ns=0, felt=Felt(), changes=()))
    return table


@pytest.mark.parametrize(
    "fields",
    [
        {"press": "correct", "discard": 4, "to": "1z"},
        {"press": "ron", "seat": 2, "tiles": "1111z23456m234p5s"},
    ],
    ids=repr,
)
def test_what_is_refused_leaves_nothing_behind(watched_table: Table, journal: Journal, fields: dict[str, Any]) -> None:
    before, entries, announcements = watched_table.state, journal.entries(), list(watched_table.announcements)
    with pytest.raises(PressError, match="at most 4 copies of 1z"):
        watched_table.handle(read_press(fields))
    assert (watched_table.state, journal.entries(), watched_table.announcements) == (before, entries, announcements)
    watched_table.handle(read_press({"press": "correct", "discard": 4, "to": "6m"}))
    assert journal.last == len(entries) + 1
    assert watched_table.state.hand is not None
    assert watched_table.state.hand.rivers[0][-1].tile.text == "6m"


# --- The value of a win that was claimed without one ---------------------------------------------------------------


def test_han_and_fu_are_taken_after_the_win_was_claimed_without_them(client: FlaskClient, table: Table) -> None:
    press(client, press="riichi", seat=0)
    press(client, press="tsumo", seat=1)
    assert ending(client)["wins"][0]["uncounted"]
    assert press(client, press="tsumo", seat=1, han=3, fu=30)[0] == 202
    end = ending(client)
    assert (end["wins"][0]["value"], end["wins"][0]["uncounted"]) == ("3 han 30 fu", False)
    assert press(client, press="confirm")[0] == 202
    settlement = table.state.history[0].settlement
    assert settlement is not None
    assert settlement.deltas == (-3000, 5000, -1000, -1000)


def test_a_value_that_was_counted_wrongly_is_counted_again(client: FlaskClient) -> None:
    press(client, press="riichi", seat=0)
    press(client, press="tsumo", seat=1, han=3, fu=30)
    press(client, press="tsumo", seat=1, han=4, fu=30)
    assert ending(client)["wins"][0]["value"] == "4 han 30 fu"


# --- Journals that hold it already -----------------------------------------------------------------------------------


def reopened(journal: Journal, *events: Event) -> Table:
    """A table that takes up a journal in which an older program wrote these events."""
    journal.append(Envelope(utc="2026-01-01T20:00:00+00:00", source=Source.TABLE), GameOpened(ruleset=RULES))
    for event in events:
        number = journal.last + 1
        journal.append(Envelope(utc="", source=Source.PRESS, by="seat 1", act=number), event)
    return Table(journal=journal, referee=Referee(), ruleset=RULES, clock=LogicalClock())


def loop_and_client(table: Table) -> tuple[TableLoop, FlaskClient]:
    loop = TableLoop(table)
    client = create_app(table.board, loop).test_client()
    return loop, client


def test_a_journal_with_a_win_of_7_fu_opens_and_says_what_could_not_be_valued(journal: Journal) -> None:
    claim = WinClaimed(seat=Seat.RIGHT, kind=WinKind.TSUMO, han=3, fu=7)
    loop, client = loop_and_client(reopened(journal, *DEALT, claim))
    with loop:
        join(client, seat="1")
        end = ending(client)
        assert end["wins"][0]["value"] == "3 han 7 fu: there is no such hand"
        assert (end["wins"][0]["uncounted"], end["deltas"], end["missing"]) == (True, None, ["South’s hand"])
        assert_every_page_opens(client)
        assert press(client, press="tsumo", seat=1, han=3, fu=70)[0] == 202
        assert ending(client)["wins"][0]["value"] == "3 han 70 fu"


def test_a_journal_with_two_own_draws_opens_with_the_first_and_asks_about_the_second(journal: Journal) -> None:
    claims = [WinClaimed(seat=seat, kind=WinKind.TSUMO, han=3, fu=30) for seat in (Seat.NEAR, Seat.RIGHT)]
    table = reopened(journal, *DEALT, *claims)
    loop, client = loop_and_client(table)
    with loop:
        join(client, seat="1")
        assert [win["seat"] for win in ending(client)["wins"]] == [0]
        assert len(table.board.latest.rejected_entries) == 1
        assert_every_page_opens(client)


def test_a_journal_with_a_yaku_that_there_is_not_shows_it_as_it_was_told(journal: Journal) -> None:
    win = DeclaredWin(seat=Seat.RIGHT, from_seat=Seat.NEAR, han=3, fu=30, yaku=(("nonsense", 3),))
    loop, client = loop_and_client(
        reopened(journal, ResultDeclared(result=DeclaredResult(kind=ResultKind.RON, wins=(win,))))
    )
    with loop:
        join(client, seat="1")
        (row,) = client.get("/api/table").get_json()["sheet"]
        assert row["settled"]["wins"][0]["yaku"] == ["nonsense 3"]
        assert row["told"]["wins"][0]["yaku"] == [], "an edit does not begin with what is refused"
        assert_every_page_opens(client)


def test_a_journal_with_letters_that_cannot_be_written_opens(journal: Journal) -> None:
    foul = FoulLogged(seat=Seat.RIGHT, clause="x\ud800", note="\udfff", by="seat 1, seat 2")
    loop, client = loop_and_client(reopened(journal, *DEALT, foul))
    with loop:
        join(client, seat="1")
        assert_every_page_opens(client)

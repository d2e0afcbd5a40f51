"""The page for fouls over HTTP: what it is told, and what one phone may send."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.game.commands.foul_vote import FoulProposal
from table.game.commands.game_commands import AgreeToFoul, NameFoul
from table.game.snapshot import Board, Mode, Snapshot
from table.rulebook import rules_named
from table.rules.terms.announcements import Suspicion
from table.rules.terms.seats import Seat
from tests.fakes.desks import PIN, FakeDesk, do, join
from tests.table.rules.situations import START, Table


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def client(desk: FakeDesk) -> FlaskClient:
    rules = rules_named("home").ruleset
    table = Table(rules).feed(START).feed("0 discards 9m")
    proposal = FoulProposal(seat=Seat.FAR, clause="7-05-11", agreed_by=("seat 0",))
    board = Board(Snapshot(version=1, game=table.state, ruleset=rules, proposal=proposal))
    client = create_app(board, desk).test_client()
    join(client, seat="2")
    return client


@pytest.mark.parametrize(("language", "title"), [("en", "Fouls"), ("ja", "反則"), ("ko", "반칙"), ("zh-TW", "犯規")])
def test_the_page_speaks_the_browsers_language_and_runs_only_its_own_files(
    client: FlaskClient, language: str, title: str
) -> None:
    answer = client.get("/fouls", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert re.search(f"<h1[^>]*>{title}</h1>", answer.text)
    assert "<script>" not in answer.text
    assert "style=" not in answer.text
    assert 'aria-label=""' not in answer.text


def test_our_own_translations_say_that_nobody_has_reviewed_them(client: FlaskClient) -> None:
    assert "not yet checked" in client.get("/rules", headers={"Accept-Language": "en"}).text
    assert "未經審校" not in client.get("/rules", headers={"Accept-Language": "zh-TW"}).text


def test_the_page_is_told_who_it_is(client: FlaskClient) -> None:
    view = client.get("/api/fouls").get_json()
    assert (view["you"], view["may_act"], view["named"]["agreed"]) == ("seat 2", True, ["seat 0"])


@pytest.mark.parametrize(
    ("role", "mode", "reads"),
    [
        ("seat", Mode.HOME, True),
        ("seat", Mode.CLUB, True),
        ("seat", Mode.TOURNAMENT, False),
        ("owner", Mode.TOURNAMENT, True),
        ("spectator", Mode.HOME, False),
    ],
)
def test_suspicions_are_for_players_and_at_a_tournament_for_the_staff(role: str, mode: Mode, reads: bool) -> None:
    rules = rules_named("home").ruleset
    doubt = Suspicion(clause="7-05-09", seat=Seat.RIGHT, evidence=("x",))
    game = Table(rules).feed(START).state
    board = Board(Snapshot(version=1, game=game, ruleset=rules, suspicions=(doubt,), mode=mode))
    client = create_app(board, FakeDesk()).test_client()
    join(client, role, pin=PIN)
    assert bool(client.get("/api/fouls").get_json()["suspected"]) is reads


@pytest.mark.parametrize(
    ("role", "mode", "reads"), [("seat", Mode.HOME, False), ("seat", Mode.CLUB, False), ("owner", Mode.HOME, True)]
)
def test_r08_what_is_for_the_staff_alone_no_player_reads(role: str, mode: Mode, reads: bool) -> None:
    rules = rules_named("ema-2025").ruleset
    table = Table(rules).feed(START).feed("0 discards 5z sideways")
    board = Board(Snapshot(version=1, game=table.state, ruleset=rules, suspicions=tuple(table.suspicions), mode=mode))
    client = create_app(board, FakeDesk()).test_client()
    join(client, role, pin=PIN)
    suspected = client.get("/api/fouls").get_json()["suspected"]
    assert [each["clause"] for each in suspected] == ["EMA 6.6"] * reads


def test_what_would_follow_is_asked_for_without_changing_anything(client: FlaskClient, desk: FakeDesk) -> None:
    query = {"seat": "1", "clause": "7-06-01", "option": "d", "fact": ["exposed=3"]}
    view = client.get("/api/fouls/foreseen", query_string=query).get_json()
    assert view["sentences"] == ["South puts 3,000 in the pot.", "Play goes on."]
    assert view["asks"] == [{"ask": "exposed", "kind": "number", "text": "How many tiles were exposed?", "value": 3}]
    assert desk.commands == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"clause": "7-05-01"}, "expected a seat from 0 to 3, got None"),
        ({"seat": "4", "clause": "7-05-01"}, "expected a seat from 0 to 3, got '4'"),
        ({"seat": "1", "clause": "7-05-01", "option": "z"}, "expected an option of a, b"),
        ({"seat": "1", "clause": "7-05-01", "fact": "deliberat"}, "did you mean deliberate"),
    ],
)
def test_what_cannot_be_foreseen_is_refused(client: FlaskClient, query: dict[str, str], message: str) -> None:
    answer = client.get("/api/fouls/foreseen", query_string=query)
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]


def press(client: FlaskClient, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return do(client, "press", **body)


def test_a_phone_names_a_foul_as_itself_whoever_it_says_it_is(client: FlaskClient, desk: FakeDesk) -> None:
    status, _ = press(client, {"press": "name_foul", "seat": 1, "clause": "7-05-11", "by": "owner"})
    assert status == 202
    assert desk.commands == [NameFoul(seat=Seat.RIGHT, clause="7-05-11", by="seat 2")]


def test_the_only_phone_of_a_table_without_an_owner_agrees_for_everybody(client: FlaskClient, desk: FakeDesk) -> None:
    proposal = client.get("/api/fouls").get_json()["named"]
    assert (proposal["agree"], proposal["needs"]) == (
        "All agree",
        "This is the table’s only phone: do all players agree?",
    )
    assert press(client, {"press": "agree"})[0] == 202
    assert desk.commands == [AgreeToFoul(by="table")]


@pytest.mark.parametrize(("role", "seat"), [("seat", "1"), ("owner", "2")])
def test_beside_a_second_phone_or_an_owner_each_phone_agrees_for_itself(
    client: FlaskClient, desk: FakeDesk, role: str, seat: str
) -> None:
    join(client.application.test_client(), role, seat=seat, pin=PIN)
    proposal = client.get("/api/fouls").get_json()["named"]
    assert (proposal["agree"], proposal["needs"]) == ("I agree", "One more person must agree.")
    press(client, {"press": "agree"})
    assert desk.commands == [AgreeToFoul(by="seat 2")]


def test_what_the_owner_names_is_recorded_without_asking_and_no_missing_button_is_named(client: FlaskClient) -> None:
    assert client.get("/api/fouls").get_json()["naming"] == "Ask the table"
    join(client, "owner", pin=PIN)
    assert client.get("/api/fouls").get_json()["naming"] == "Record the foul"
    assert "table’s button" not in client.get("/fouls").text


@pytest.mark.parametrize(
    "body",
    [
        {"press": "foul", "seat": 1, "clause": "7-05-11"},
        {"press": "foul_button", "seat": 1},
        {"press": "table_button"},
        {"press": "cancel", "foul": 0, "reason": "no"},
    ],
)
def test_no_phone_decides_a_foul_alone(client: FlaskClient, desk: FakeDesk, body: dict[str, Any]) -> None:
    status, answer = press(client, body)
    assert (status, desk.commands) == (403, [])
    assert "name the foul instead" in answer["error"]


def test_a_spectator_names_nothing(client: FlaskClient, desk: FakeDesk) -> None:
    join(client, "spectator")
    assert client.get("/api/fouls").get_json()["may_act"] is False
    assert press(client, {"press": "agree"})[0] == 403
    assert desk.commands == []


def test_the_table_page_leads_to_the_fouls_and_shows_that_one_is_named(client: FlaskClient) -> None:
    assert 'href="/fouls"' in client.get("/").text
    table = client.get("/api/table").get_json()
    assert (table["foul_named"], table["centre"]["penalties"]) == (True, 0)
    assert table["foul_asked"] == "A foul reported for West waits for an answer"

"""What a phone cannot mean is refused in words of the game and changes nothing: the real server and table."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.rules.terms.results import AbortReason
from tests.fakes.desks import PIN, do, join
from tests.table.dashboard.live.dealt_table import dealing_table
from vision.felt import Felt, FeltReport

RON = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
FALSE_WIN = {"clause": "7-05-01", "facts": ["offender_opened_hand"]}
WALL_BROKEN = {"clause": "7-04-01", "option": "a"}


@pytest.fixture
def table(journal: Journal) -> Table:
    return dealing_table(journal)


@pytest.fixture
def near(app: Flask) -> FlaskClient:
    return phone(app, "0")


@pytest.fixture
def right(app: Flask) -> FlaskClient:
    return phone(app, "1")


def phone(app: Flask, seat: str) -> FlaskClient:
    client = app.test_client()
    join(client, seat=seat)
    return client


def press(client: FlaskClient, kind: str, **body: Any) -> tuple[int, dict[str, Any]]:
    return do(client, "press", press=kind, **body)


def agree_on(near: FlaskClient, right: FlaskClient, **foul: Any) -> None:
    assert press(near, "name_foul", **foul)[0] == 202
    assert press(right, "agree")[0] == 202


# --- A result beside a foul that ends the hand ----------------------------------------------------------------------


@pytest.mark.parametrize("deed", ["tell", "preview"])
@pytest.mark.parametrize("foul", [{"seat": 1, **FALSE_WIN}, {"seat": 2, **WALL_BROKEN}], ids=["own", "another's"])
def test_a_win_told_where_a_chombo_ends_the_hand_is_refused(
    near: FlaskClient, right: FlaskClient, table: Table, deed: str, foul: dict[str, Any]
) -> None:
    agree_on(near, right, **foul)
    before = table.journal.last
    status, answer = do(near, deed, hand=0, result=RON)
    assert (status, answer["said"]) == (409, "A foul ends this hand: confirm that, or cancel the foul first.")
    assert table.journal.last == before
    assert press(near, "confirm")[0] == 202
    settlement = table.state.history[0].settlement
    assert settlement is not None
    assert settlement.reason is AbortReason.CHOMBO


def test_a_win_told_beside_the_false_one_of_another_seat_stands_as_the_house_says(
    near: FlaskClient, right: FlaskClient, table: Table
) -> None:
    agree_on(near, right, seat=2, **FALSE_WIN)
    assert do(near, "tell", hand=0, result=RON)[0] == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_win_is_told_once_the_chombo_was_taken_back(near: FlaskClient, right: FlaskClient, table: Table) -> None:
    agree_on(near, right, seat=2, **WALL_BROKEN)
    agree_on(near, right, seat=2, foul=0, reason="the wall stood")
    assert do(near, "tell", hand=0, result=RON)[0] == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_win_is_told_beside_a_foul_that_only_costs_a_deposit(
    near: FlaskClient, right: FlaskClient, table: Table
) -> None:
    agree_on(near, right, seat=2, clause="7-05-11")
    assert do(near, "tell", hand=0, result=RON)[0] == 202
    assert table.state.history[0].settlement is not None
    assert table.state.history[0].settlement.wins


# --- Fouls that nobody could agree to -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("foul", "expected"),
    [
        ({"clause": "7-05-11", "hand": 998}, "hand 999"),
        ({"clause": "7-05-11", "foul": 5}, "got 5"),
        ({"foul": 5, "reason": "by mistake"}, "got 5"),
    ],
)
def test_a_foul_that_cannot_be_agreed_to_is_refused_when_it_is_named(
    near: FlaskClient, table: Table, foul: dict[str, Any], expected: str
) -> None:
    press(near, "riichi", seat=0)
    status, answer = press(near, "name_foul", seat=2, **foul)
    assert status == 409
    assert expected in answer["error"]
    assert table.board.latest.proposal is None


@pytest.mark.parametrize("clause", ["nonsense", "7-99-99"])
def test_a_clause_that_there_is_not_is_refused_when_a_foul_is_named(
    near: FlaskClient, table: Table, clause: str
) -> None:
    status, answer = press(near, "name_foul", seat=2, clause=clause)
    assert (status, answer["said"]) == (409, f"There is no foul called “{clause}”.")
    assert table.board.latest.proposal is None


@pytest.mark.parametrize("clause", ["other", "7-05-11", "R34"])
def test_a_clause_that_there_is_may_be_named(near: FlaskClient, clause: str) -> None:
    assert press(near, "name_foul", seat=2, clause=clause)[0] == 202


def test_no_foul_is_named_once_the_game_is_ended(near: FlaskClient, app: Flask, table: Table) -> None:
    owner = app.test_client()
    join(owner, role="owner", pin=PIN)
    assert do(owner, "end", why="late")[0] == 202
    status, _ = press(near, "name_foul", seat=2, clause="7-05-11")
    assert (status, table.board.latest.proposal) == (409, None)


# --- Two wins that exclude each other --------------------------------------------------------------------------------

TSUMO = {"kind": "tsumo", "seat": 1, "han": 3, "fu": 30}
OTHER_TSUMO = {"kind": "tsumo", "seat": 3}
OTHER_RON = {"kind": "ron", "seat": 3, "han": 2, "fu": 30}
NOT_BOTH = "Another seat already claims a win, and there cannot be both a ron and a tsumo."
ONE_DRAW = "Another seat already claims a tsumo, and only one can have drawn."


@pytest.mark.parametrize(
    ("wins", "reason"),
    [((TSUMO, OTHER_RON), NOT_BOTH), ((OTHER_RON, TSUMO), NOT_BOTH), ((TSUMO, OTHER_TSUMO), ONE_DRAW)],
    ids=["tsumo, ron", "ron, tsumo", "tsumo, tsumo"],
)
def test_of_two_wins_that_exclude_each_other_the_first_stays_until_it_is_cancelled(
    table: Table, near: FlaskClient, right: FlaskClient, wins: tuple[dict[str, Any], dict[str, Any]], reason: str
) -> None:
    first, second = wins
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    assert press(near, **first)[0] == 202
    stays = table.state.live
    status, answer = press(near, **second)
    assert (status, answer["said"]) == (409, f"{reason} Cancel that win first if it was a mistake.")
    assert table.state.live == stays
    assert press(right, "cancel")[0] == 202
    assert press(near, **second)[0] == 202


# --- Results in words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deed", ["tell", "preview"])
def test_rons_from_two_discards_are_refused_in_words(near: FlaskClient, deed: str) -> None:
    wins = [{"seat": 1, "from": 0, "han": 3, "fu": 30}, {"seat": 2, "from": 3, "han": 3, "fu": 30}]
    status, answer = do(near, deed, hand=0, result={"kind": "ron", "wins": wins})
    assert status == 409
    assert "expected rons of different seats from one discarder" in answer["error"]
    assert not {"<", "(", "="} & set(answer["error"])


@pytest.mark.parametrize("count", [2, 30])
def test_the_same_yaku_told_twice_is_refused(near: FlaskClient, count: int) -> None:
    win = {"seat": 1, "from": 0, "han": 3, "fu": 30, "yaku": [["tanyao", 1]] * count}
    status, answer = do(near, "tell", hand=0, result={"kind": "ron", "wins": [win]})
    assert (status, answer["said"]) == (400, "“Tanyao” was entered twice.")


@pytest.mark.parametrize("deed", ["tell", "preview", "edit"])
def test_a_result_of_a_game_that_another_one_followed_is_refused(
    app: Flask, near: FlaskClient, table: Table, deed: str
) -> None:
    owner = app.test_client()
    join(owner, role="owner", pin=PIN)
    game = near.get("/api/table").get_json()["keeping"]["game"]
    assert do(near, "tell", game=game, hand=0, result=RON)[0] == 202
    assert do(owner, "game")[0] == 202
    status, answer = do(near, deed, game=game, hand=0, result=RON)
    assert (status, answer["said"]) == (409, "Another game is on the table now: open the sheet again.")
    assert table.state.history == ()
    next_game = near.get("/api/table").get_json()["keeping"]["game"]
    assert do(near, "tell", game=next_game, hand=0, result=RON)[0] == 202

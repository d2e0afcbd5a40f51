"""A confirmation counts for what its phone showed: the real server and table, and phones that act between."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.game.commands.game_commands import Confirm, PressTableButton, Reseat
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.rules.terms.seats import Seat
from tests.fakes.desks import do, join
from tests.table.dashboard.live.dealt_table import dealing_table
from vision.felt import Felt, FeltReport

RON = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
WALL_BROKEN = {"press": "name_foul", "seat": 2, "clause": "7-04-01", "option": "a"}
PHONES = 16


@pytest.fixture
def table(journal: Journal) -> Table:
    return dealing_table(journal)


@pytest.fixture
def phones(app: Flask) -> list[FlaskClient]:
    found = [app.test_client() for _ in range(4)]
    for seat, client in enumerate(found):
        join(client, seat=str(seat))
    return found


def press(client: FlaskClient, kind: str, **body: Any) -> int:
    return do(client, "press", press=kind, **body)[0]


def shown_key(client: FlaskClient) -> str:
    """The key of what the page would confirm now."""
    return str(client.get("/api/table").get_json()["keeping"]["seen"])


@pytest.fixture
def claim_phones(phones: list[FlaskClient], table: Table) -> list[FlaskClient]:
    """Phones at a table where a ron of 3,900 is claimed."""
    table.report(FeltReport(frame=0, t_ns=0, changes=(), felt=Felt()))
    assert press(phones[1], "ron", seat=1, han=3, fu=30) == 202
    return phones


# --- A watched table --------------------------------------------------------------------------------------------------


def test_what_is_shown_is_confirmed(claim_phones: list[FlaskClient], table: Table) -> None:
    assert press(claim_phones[0], "confirm", seen=shown_key(claim_phones[0])) == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_confirm_of_another_settlement_is_refused_and_the_new_one_is_there_to_see(
    claim_phones: list[FlaskClient], table: Table
) -> None:
    key = shown_key(claim_phones[0])
    assert press(claim_phones[1], "ron", seat=1, han=5) == 202
    before = table.journal.last
    status, answer = do(claim_phones[0], "press", press="confirm", seen=key)
    assert (status, answer["said"]) == (409, "The payments have changed: look again, then confirm.")
    assert table.journal.last == before
    assert shown_key(claim_phones[0]) != key
    assert press(claim_phones[0], "confirm", seen=shown_key(claim_phones[0])) == 202
    assert table.state.scores == (17000, 33000, 25000, 25000)


@pytest.mark.parametrize(
    "act",
    [
        {"press": "ron", "seat": 2, "han": 1, "fu": 30},
        {"press": "cancel"},
        {"press": "riichi", "seat": 3},
    ],
    ids=["a second ron", "no win after all", "a riichi"],
)
def test_whatever_another_phone_does_between_seeing_and_confirming_it_pays_nothing_unseen(
    claim_phones: list[FlaskClient], table: Table, act: dict[str, Any]
) -> None:
    key = shown_key(claim_phones[0])
    status, _ = do(claim_phones[2], "press", **act)
    is_changed = status == 202 and shown_key(claim_phones[0]) != key
    assert press(claim_phones[0], "confirm", seen=key) == (409 if is_changed else 202)
    assert bool(table.state.history) is not is_changed


def test_a_win_shown_before_two_people_changed_seats_is_looked_at_again(
    claim_phones: list[FlaskClient], table: Table
) -> None:
    key = shown_key(claim_phones[0])
    table.handle(Reseat(order=(Seat.NEAR, Seat.FAR, Seat.RIGHT, Seat.LEFT)))
    assert press(claim_phones[0], "confirm", seen=key) == 409
    assert press(claim_phones[0], "confirm", seen=shown_key(claim_phones[0])) == 202


def test_a_claimed_win_that_voids_a_chombo_says_so(claim_phones: list[FlaskClient]) -> None:
    assert do(claim_phones[2], "press", press="name_foul", seat=3, clause="7-05-01", option="a")[0] == 202
    assert press(claim_phones[3], "agree") == 202
    ending = claim_phones[0].get("/api/table").get_json()["ending"]
    assert ending["notes"] == ["North: A valid win counts; the chombo is ignored."]


def test_a_confirm_that_saw_no_settlement_settles_none(claim_phones: list[FlaskClient], table: Table) -> None:
    assert press(claim_phones[0], "confirm", seen="") == 409
    assert not table.state.history


def test_sixteen_phones_confirm_what_they_saw_and_it_counts_once(app: Flask, claim_phones: list[FlaskClient]) -> None:
    key = shown_key(claim_phones[0])
    answers: list[int] = []

    cookie = claim_phones[0].get_cookie("tachiai")
    assert cookie is not None
    signed = cookie.value

    def confirm() -> None:
        client = app.test_client()
        client.set_cookie("tachiai", signed)
        answers.append(press(client, "confirm", seen=key))

    threads = [threading.Thread(target=confirm) for _ in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [202] + [409] * (PHONES - 1)


@pytest.mark.parametrize("command", [Confirm(), PressTableButton()], ids=["a recording", "the panel"])
def test_the_panel_and_recordings_say_nothing_of_what_they_saw_and_are_taken(
    claim_phones: list[FlaskClient], table: Table, command: Confirm | PressTableButton
) -> None:
    table.handle(command)
    assert table.state.scores == (21100, 28900, 25000, 25000)


@pytest.mark.parametrize("key", [5, ["x"], "x" * 65])
def test_what_is_no_key_is_not_readable(claim_phones: list[FlaskClient], key: object) -> None:
    assert press(claim_phones[0], "confirm", seen=key) == 400


# --- By hand ----------------------------------------------------------------------------------------------------------


def test_what_was_previewed_is_what_is_told(phones: list[FlaskClient], table: Table) -> None:
    _, outcome = do(phones[0], "preview", hand=0, result=RON)
    assert do(phones[0], "tell", hand=0, result=RON, seen=outcome["key"])[0] == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_riichi_between_preview_and_confirm_is_not_paid_unseen(phones: list[FlaskClient], table: Table) -> None:
    _, outcome = do(phones[0], "preview", hand=0, result=RON)
    result = RON | {"riichi": [3]}
    status, answer = do(phones[0], "tell", hand=0, result=result, seen=outcome["key"])
    assert (status, answer["said"]) == (409, "The payments have changed: look again, then confirm.")
    _, anew = do(phones[0], "preview", hand=0, result=result)
    assert do(phones[0], "tell", hand=0, result=result, seen=anew["key"])[0] == 202
    assert table.state.scores == (21100, 29900, 25000, 24000)


def test_a_riichi_that_another_phone_declared_since_the_preview_is_not_taken_back_unseen(
    phones: list[FlaskClient], table: Table
) -> None:
    result = RON | {"riichi": []}
    _, outcome = do(phones[0], "preview", hand=0, result=result)
    assert press(phones[3], "riichi", seat=3) == 202
    status, answer = do(phones[0], "tell", hand=0, result=result, seen=outcome["key"])
    assert (status, answer["said"]) == (409, "The payments have changed: look again, then confirm.")
    _, anew = do(phones[0], "preview", hand=0, result=result)
    assert do(phones[0], "tell", hand=0, result=result, seen=anew["key"])[0] == 202
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_foul_logged_between_preview_and_confirm_is_not_paid_unseen(phones: list[FlaskClient], table: Table) -> None:
    _, outcome = do(phones[0], "preview", hand=0, result=RON)
    assert do(phones[2], "press", press="name_foul", seat=3, clause="7-05-11")[0] == 202
    assert press(phones[3], "agree") == 202
    assert do(phones[0], "tell", hand=0, result=RON, seen=outcome["key"])[0] == 409
    assert not table.state.history


def test_a_win_that_voids_a_chombo_says_so_before_it_is_confirmed(phones: list[FlaskClient]) -> None:
    assert do(phones[2], "press", press="name_foul", seat=3, clause="7-05-01", option="a")[0] == 202
    assert press(phones[3], "agree") == 202
    _, outcome = do(phones[0], "preview", hand=0, result=RON)
    assert (outcome["deltas"], outcome["notes"][:1]) == (
        [-3900, 3900, 0, 0],
        ["North: A valid win counts; the chombo is ignored."],
    )
    assert do(phones[0], "preview", hand=0, result={"kind": "draw", "tenpai": []})[1].get("notes") in (None, [])


@pytest.mark.parametrize(
    ("deed", "meanwhile"),
    [("tell", {"hand": 1, "result": RON}), ("edit", {"hand": 0, "result": {"kind": "draw", "tenpai": [3]}})],
    ids=["a later hand", "another edit"],
)
def test_an_edit_pays_what_was_previewed(phones: list[FlaskClient], deed: str, meanwhile: dict[str, Any]) -> None:
    assert do(phones[0], "tell", hand=0, result=RON)[0] == 202
    draw = {"kind": "draw", "tenpai": [0]}
    _, outcome = do(phones[0], "preview", hand=0, result=draw, edit=True)
    assert do(phones[1], deed, **meanwhile)[0] == 202
    assert do(phones[0], "edit", hand=0, result=draw, seen=outcome["key"])[0] == 409
    _, anew = do(phones[0], "preview", hand=0, result=draw, edit=True)
    assert do(phones[0], "edit", hand=0, result=draw, seen=anew["key"])[0] == 202


# --- Fouls ------------------------------------------------------------------------------------------------------------


def proposal_key(client: FlaskClient) -> str:
    return str(client.get("/api/fouls").get_json()["named"]["key"])


def test_who_agrees_to_a_foul_agrees_to_the_one_that_was_shown(phones: list[FlaskClient], table: Table) -> None:
    assert do(phones[0], "press", **WALL_BROKEN)[0] == 202
    key = proposal_key(phones[1])
    assert press(phones[0], "drop", seen=key) == 202
    assert do(phones[0], "press", **WALL_BROKEN | {"seat": 3})[0] == 202
    status, answer = do(phones[1], "press", press="agree", seen=key)
    assert (status, answer["said"]) == (409, "The foul or its consequences have changed: look again.")
    assert press(phones[1], "drop", seen=key) == 409
    assert press(phones[1], "agree", seen=proposal_key(phones[1])) == 202
    assert [foul.seat for foul in table.state.hand.fouls] == [3] if table.state.hand else False


def test_an_owner_who_names_a_foul_alone_logs_what_was_foreseen(phones: list[FlaskClient], table: Table) -> None:
    address = "/api/fouls/foreseen?seat=2&clause=7-04-01&option=a&hand=0"
    key = phones[0].get(address).get_json()["key"]
    other = phones[0].get(address.replace("option=a", "option=b")).get_json()["key"]
    assert do(phones[0], "press", **WALL_BROKEN, hand=0, seen=other)[0] == 409
    assert do(phones[0], "press", **WALL_BROKEN, hand=0, seen=key)[0] == 202
    assert table.board.latest.proposal is not None
    assert table.board.latest.proposal.seat == 2


def test_a_foul_that_another_one_has_made_cheaper_since_is_looked_at_again(phones: list[FlaskClient]) -> None:
    """A second chombo of one seat costs nothing."""
    address = "/api/fouls/foreseen?seat=2&clause=7-04-01&option=a&hand=0"
    key = phones[0].get(address).get_json()["key"]
    assert do(phones[1], "press", **WALL_BROKEN | {"clause": "7-04-02"})[0] == 202
    assert press(phones[3], "agree") == 202
    assert do(phones[0], "press", **WALL_BROKEN, hand=0, seen=key)[0] == 409


def test_a_chombo_that_ends_the_hand_is_confirmed_as_it_was_shown(phones: list[FlaskClient], table: Table) -> None:
    assert do(phones[0], "press", **WALL_BROKEN)[0] == 202
    assert press(phones[1], "agree", seen=proposal_key(phones[1])) == 202
    key = shown_key(phones[0])
    assert key
    assert do(phones[0], "press", press="name_foul", seat=3, clause="7-05-11")[0] == 202
    assert press(phones[1], "agree") == 202
    before = shown_key(phones[0])
    assert press(phones[0], "confirm", seen=key) == (202 if before == key else 409)

"""What people do from their phones, through the server to a real table kept by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import EndGame, LogFoul, OpenGame
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.terms.seats import Seat
from tests.fakes.desks import PIN, do, join, token

RON = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}
DRAW: dict[str, Any] = {"kind": "draw", "tenpai": []}

NO_OWNER = {"error": "expected the owner of the table for this", "said": "Only the table’s owner may do that."}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client, seat="1")
    return client


def table_view(client: FlaskClient) -> dict[str, Any]:
    table: dict[str, Any] = client.get("/api/table").get_json()
    return table


def test_a_hand_is_told_and_the_sheet_has_it(client: FlaskClient, table: Table) -> None:
    assert do(client, "tell", hand=0, result=RON) == (202, {"taken": "tell"})
    row = table_view(client)["sheet"][0]
    assert row["deltas"] == [-3900, 3900, 0, 0]
    assert row["told"]["wins"][0]["from"] == 0
    assert table.board.latest.changes.all[0].by == "seat 1"


def test_a_press_that_comes_late_does_not_count_in_the_next_hand(client: FlaskClient, table: Table) -> None:
    keeping = table_view(client)["keeping"]
    riichi = {"press": "riichi", "seat": 1, "shown": [keeping["game"], keeping["hand"]], "mark": "12345678"}
    assert do(client, "press", **riichi)[0] == 202
    do(client, "tell", hand=0, result=RON | {"riichi": [1]})
    assert do(client, "press", **riichi) == (202, {"taken": "riichi"}), "it had counted, and its answer was lost"
    status, answer = do(client, "press", **riichi | {"mark": "87654321"})
    assert (status, answer["said"]) == (409, "Another phone was faster: look again.")
    assert not table.state.live or not table.state.live.riichi[1].is_declared


def test_a_preview_has_arrows_scores_and_the_next_hand(client: FlaskClient) -> None:
    status, preview = do(client, "preview", hand=0, result=RON)
    assert status == 200
    assert preview["flows"] == [{"from": 0, "to": 1, "text": "3,900"}]
    assert preview["score_texts"] == ["21,100", "28,900", "25,000", "25,000"]
    assert preview["next"] == "Next: East 2, 0 honba"
    assert table_view(client)["sheet"] == []


def test_a_preview_has_what_changes_the_points_shown_with_the_riichi_stick_that_lies_already(
    client: FlaskClient,
) -> None:
    do(client, "press", press="riichi", seat=1)
    assert table_view(client)["seats"][1]["score_text"] == "24,000"
    _, preview = do(client, "preview", hand=0, result=RON | {"riichi": [1]})
    assert preview["delta_texts"] == ["−3,900", "+4,900", "0", "0"]
    assert preview["flows"] == [{"from": 0, "to": 1, "text": "3,900"}, {"from": None, "to": 1, "text": "1,000"}]
    assert preview["score_texts"] == ["21,100", "28,900", "25,000", "25,000"]
    assert preview["notes"] == ["Paid already: South −1,000."]
    do(client, "tell", hand=0, result=RON | {"riichi": [1]})
    settled = next(line["text"] for line in table_view(client)["news"] if line["id"] == "settlement_confirmed")
    assert settled == "Ron · 3 han 30 fu – Seat 2 +3,900 (riichi stick included), Seat 1 −3,900."


def test_a_preview_leaves_out_what_a_foul_has_moved_already(client: FlaskClient, table: Table) -> None:
    table.handle(OpenGame(ruleset=rules_named("home").ruleset))
    table.handle(LogFoul(seat=Seat.FAR, clause="7-05-11", by="owner"))
    assert table_view(client)["seats"][2]["score_text"] == "24,000"
    _, preview = do(client, "preview", hand=0, result={"kind": "draw"})
    assert (preview["deltas"], preview["flows"], preview["score_texts"][2]) == ([0, 0, 0, 0], [], "24,000")
    assert preview["notes"] == ["Paid already: West −1,000."]


def test_who_is_noten_in_riichi_by_a_logged_foul_is_not_offered_as_tenpai(client: FlaskClient, table: Table) -> None:
    do(client, "press", press="riichi", seat=1)
    assert table_view(client)["keeping"]["tenpai"] == [1]
    table.handle(LogFoul(seat=Seat.RIGHT, clause="7-05-07", by="owner"))
    assert table_view(client)["keeping"]["tenpai"] == []


def test_what_cannot_be_is_refused_with_the_reason(client: FlaskClient) -> None:
    wrong = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 2, "fu": 20}]}
    for deed in ("preview", "tell"):
        status, answer = do(client, deed, hand=0, result=wrong)
        assert (status, answer["error"][:39]) == (409, "expected 20 fu for a drawn pinfu only, ")


def test_two_phones_settling_at_once_one_wins_and_the_other_is_told(app: Flask, table: Table) -> None:
    phones = [app.test_client() for _ in range(4)]
    for number, phone in enumerate(phones):
        join(phone, seat=str(number))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda phone: do(phone, "tell", hand=0, result=RON), phones))
    assert sorted(status for status, _ in answers) == [202, 409, 409, 409]
    assert all("another phone was faster" in answer["error"] for status, answer in answers if status == 409)
    assert len(table.state.history) == 1


def test_a_settlement_sent_twice_over_a_bad_network_counts_once(client: FlaskClient, table: Table) -> None:
    for _ in range(2):
        assert do(client, "tell", hand=0, result=RON, mark="a1b2c3d4")[0] == 202
    assert len(table.state.history) == 1


def test_undo_and_redo_by_what_the_page_shows(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    undo = table_view(client)["keeping"]["undo"]
    assert undo["text"] == "Undo: result"
    assert do(client, "undo", act=undo["act"], why="by mistake")[0] == 202
    assert table_view(client)["sheet"] == []
    redo = table_view(client)["keeping"]["redo"]
    assert do(client, "redo", act=redo["act"])[0] == 202
    assert table_view(client)["keeping"]["redo"] is None
    assert do(client, "undo", act=999)[0] == 409


def test_an_earlier_hand_is_edited_after_a_look_at_what_it_changes(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    do(client, "tell", hand=1, result=DRAW)
    mangan = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 5}]}
    _, preview = do(client, "preview", hand=0, result=mangan, edit=True, why="dora")
    assert preview["deltas"] == [-8000, 8000, 0, 0]
    assert preview["score_texts"][0] == "17,000"
    assert do(client, "edit", hand=0, result=mangan, why="dora")[0] == 202
    table = table_view(client)
    assert table["seats"][0]["score"] == 17000
    assert [row["edited"] for row in table["sheet"]] == ["edited", ""]
    assert table["news"][0]["text"] == "East 1 corrected: Ron · Mangan – Seat 2 +8,000, Seat 1 −8,000."
    assert "Draw, 0 in tenpai – nobody pays." in [line["text"] for line in table["news"]]
    history = client.get("/game").text
    assert "<b>hand edited: East 1</b>" in history
    assert "<b>result: East 2</b>" in history


def test_an_edit_that_ends_the_game_says_how_many_hands_it_costs(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    do(client, "tell", hand=1, result=DRAW)
    yakuman = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "yakuman": 1}]}
    _, preview = do(client, "preview", hand=0, result=yakuman, edit=True)
    assert (preview["lost"], preview["next"]) == (
        "Later hands that would no longer fit: 1",
        "East is bust: the game ends.",
    )


def test_names_and_seats(client: FlaskClient) -> None:
    assert do(client, "names", names=["Aoi", "Ben", " Jose\u0301  Luis", "Dan"])[0] == 202
    do(client, "tell", hand=0, result=RON)
    assert do(client, "seats", order=[1, 0, 2, 3], why="wrong way round")[0] == 202
    seats = table_view(client)["seats"]
    assert [seat["player"] for seat in seats] == ["Ben", "Aoi", "José Luis", "Dan"]
    assert [seat["score"] for seat in seats] == [30800, 19200, 25000, 25000]


def test_only_the_owner_begins_a_game(client: FlaskClient, table: Table) -> None:
    game = {"names": ["A", "B", "C", "D"], "first_dealer": 2, "rules": "ema-2025"}
    assert do(client, "game", **game) == (403, NO_OWNER)
    assert join(client, "owner", pin=PIN) == 302
    assert do(client, "game", **game)[0] == 202
    assert table.folded_game.ruleset.name == "ema-2025"
    assert table_view(client)["seats"][2]["is_dealer"]


def test_two_phones_that_begin_the_next_game_begin_one(client: FlaskClient) -> None:
    assert join(client, "owner", pin=PIN) == 302
    game = table_view(client)["keeping"]["game"]
    assert do(client, "game", game=game)[0] == 202
    assert do(client, "game", game=game)[0] == 409


def test_the_owner_calls_time_and_takes_that_back(client: FlaskClient, table: Table) -> None:
    assert do(client, "time") == (403, NO_OWNER)
    assert join(client, "owner", pin=PIN) == 302
    assert do(client, "time") == (202, {"taken": "calltime"})
    assert do(client, "time")[0] == 409
    assert do(client, "undo", act=table.board.latest.changes.undo)[0] == 202
    assert table_view(client)["clock"] is None
    assert do(client, "time")[0] == 202
    clock = {"until": None, "called_at": None, "is_called": True}
    assert table_view(client)["clock"] == clock | {"is_last": False}
    assert do(client, "preview", hand=0, result=RON)[1]["next"] == "Next: East 2, 0 honba, the last hand"
    assert do(client, "tell", hand=0, result=RON)[0] == 202
    assert table_view(client)["final"] is None
    assert table_view(client)["clock"] == clock | {"is_last": True}
    assert do(client, "tell", hand=1, result=RON)[0] == 202
    assert [row["seat"] for row in table_view(client)["final"]] == [1, 2, 3, 0]


def test_the_owner_ends_a_game_early_and_takes_that_back(client: FlaskClient, table: Table) -> None:
    do(client, "tell", hand=0, result=RON)
    assert do(client, "end") == (403, NO_OWNER)
    assert join(client, "owner", pin=PIN) == 302
    assert do(client, "end", why="the last train")[0] == 202
    assert [row["seat"] for row in table_view(client)["final"]] == [1, 2, 3, 0]
    assert do(client, "tell", hand=1, result=RON)[0] == 409
    assert do(client, "end")[0] == 409
    change = table.board.latest.changes.all[-1]
    assert (change.by, change.reason) == ("owner 1", "the last train")
    assert do(client, "undo", act=table.board.latest.changes.undo)[0] == 202
    assert table_view(client)["final"] is None
    assert do(client, "tell", hand=1, result=DRAW)[0] == 202


def test_spectators_only_read(app: Flask, table: Table) -> None:
    client = app.test_client()
    for _ in range(2):
        status, answer = do(client, "tell", hand=0, result=RON)
        assert (status, answer["error"]) == (403, "expected somebody who sits at the table: join with a seat first")
        assert join(client, "spectator") == 302
    assert client.get("/").status_code == 200
    assert table.state.history == ()


@pytest.mark.parametrize(
    ("deed", "body", "message"),
    [
        ("tell", {"hand": 0}, "expected a result as an object, got None"),
        ("tell", {"hand": -1, "result": RON}, "expected hand as a number from 0"),
        ("tell", {"hand": 0, "result": {"kind": "win"}}, "expected kind out of ron, tsumo, draw, abort, got 'win'"),
        ("tell", {"hand": 0, "result": {**DRAW, "winner": 1}}, "got 'winner'"),
        ("tell", {"hand": 0, "result": {"kind": "abort", "reason": "rain"}}, "expected reason out of"),
        ("tell", {"hand": 0, "result": {"kind": "draw", "tenpai": 3}}, "expected tenpai as a list of 4 at most, got 3"),
        (
            "tell",
            {"hand": 0, "result": {"kind": "draw", "tenpai": [4]}},
            "expected a seat from 0 to 3, got 4",
        ),
        ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0}]}}, "expected han or a number"),
        ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 1, "pao": []}]}}, "fu"),
        ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "pao": [1]}]}}, "expected pao as"),
        (
            "tell",
            {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0, "yaku": [1]}]}},
            "expected a yaku",
        ),
        ("edit", {"hand": 0, "result": DRAW, "why": "x" * 201}, "expected why as a line of 200 letters at most"),
        ("edit", {"hand": 0, "result": DRAW, "why": "a\nb"}, "expected why as a line"),
        ("undo", {}, "expected act as a number"),
        ("redo", {"act": True}, "expected act as a number"),
        ("seats", {"order": [0, 0, 1, 2]}, "expected each seat once in order"),
        ("names", {"names": ["A"]}, "expected four names by seat, got 1"),
        ("names", {"names": ["A" * 25, "", "", ""]}, "expected a name of 24 letters at most, got 25"),
        ("preview", {"hand": 0, "result": 3}, "expected a result as an object, got 3"),
    ],
)
def test_what_cannot_be_read_is_refused_with_one_clear_message(
    client: FlaskClient, deed: str, body: dict[str, Any], message: str
) -> None:
    status, answer = do(client, deed, **body)
    assert status in (400, 409)
    assert message in answer["error"]
    assert table_view(client)["sheet"] == []


@pytest.mark.parametrize(
    "body", ["[" * 15_000, '{"names":' * 99 + "0" + "}" * 99, '{"result":' + "[" * 500 + "]" * 500 + "}"]
)
def test_a_body_that_is_nested_without_end_is_no_object(client: FlaskClient, body: str) -> None:
    answer = client.post("/api/names", data=body, headers=token(client), content_type="application/json")
    assert (answer.status_code, answer.get_json()["error"][:22]) == (400, "expected a JSON object")


def test_unknown_rules_are_refused(client: FlaskClient) -> None:
    join(client, "owner", pin=PIN)
    status, answer = do(client, "game", rules="chess")
    assert status == 400
    assert "expected one of the rule sets" in answer["error"]


def test_values_are_those_of_the_rules(client: FlaskClient) -> None:
    values = client.get("/api/values").get_json()
    at = values["other_ron"]["fu"].index(30)
    assert [row[at] for row in values["other_ron"]["cells"]] == ["1,000", "2,000", "3,900", "7,700"]
    assert values["other_tsumo"]["cells"][2][at] == "1,000/2,000"
    assert values["dealer_tsumo"]["cells"][2][at] == "2,000 all"
    assert values["other_ron"]["cells"][1][0] == ""
    assert [limit["text"] for limit in values["other_ron"]["limits"]] == ["8,000", "12,000", "16,000", "24,000"]
    assert values["other_ron"]["counted"] == "32,000"
    assert values["other_ron"]["yakuman"] == {"name": "Yakuman", "text": "32,000", "most": 4}


def test_yakuman_that_do_not_add_up_are_offered_once(client: FlaskClient) -> None:
    join(client, "owner", pin=PIN)
    do(client, "game", rules="ema-2025")
    values = client.get("/api/values").get_json()["other_ron"]
    assert values["yakuman"]["most"] == 1
    assert values["counted"] == "24,000", "thirteen han are a sanbaiman"


# Joining


def test_the_first_owner_chooses_the_pin_and_later_ones_need_it(app: Flask) -> None:
    first, second = app.test_client(), app.test_client()
    assert "Choose a PIN: six digits" in first.get("/join").text
    form = {"role": "owner", "pin": PIN, "token": token(first)[TOKEN_HEADER]}
    for other in ({}, {"again": "739125"}):
        refused = first.post("/join", data=form | other)
        assert (refused.status_code, "The two PINs are not the same." in refused.text) == (403, True)
    assert join(first, "owner", pin=PIN) == 302
    assert "Choose a PIN: six digits" not in second.get("/join").text
    assert join(second, "owner", pin="845173") == 403
    assert join(second, "owner", pin=PIN) == 302
    assert second.get("/api/session").get_json()["role"] == "owner"


def test_an_owner_may_sit_and_stays_the_owner(app: Flask) -> None:
    client = app.test_client()
    join(client, "owner", pin=PIN)
    join(client, seat="3")
    session = client.get("/api/session").get_json()
    assert (session["role"], session["seat"]) == ("owner", 3)


@pytest.mark.parametrize("form", [{"role": "king"}, {"role": "seat", "seat": "7"}, {"role": "seat", "seat": ""}])
def test_a_form_of_nobody_is_refused(app: Flask, form: dict[str, str]) -> None:
    assert join(app.test_client(), **form) == 400


def test_joining_needs_the_page_s_own_token(app: Flask) -> None:
    client = app.test_client()
    forged = {"token": "forged"}
    assert join(client, **forged) == 403
    assert client.get("/api/session").get_json()["role"] == "spectator"


def edit_first_hand(client: FlaskClient) -> None:
    """Three hands are told, then it turns out that the dealer won the first: it dealt the second too."""
    for hand, (winner, loser) in enumerate(((1, 0), (2, 3), (3, 0))):
        win = {"seat": winner, "from": loser, "han": 3, "fu": 30}
        do(client, "tell", hand=hand, result={"kind": "ron", "wins": [win]})
    win = {"seat": 0, "from": 1, "han": 3, "fu": 30}
    do(client, "edit", hand=0, result={"kind": "ron", "wins": [win]})


def test_after_an_edit_each_hand_is_told_with_the_seats_of_its_players(client: FlaskClient) -> None:
    edit_first_hand(client)
    texts = {line["key"]: line["text"] for line in reversed(table_view(client)["news"])}
    assert texts["0.settlement_confirmed.-.2"] == "East 1 corrected: Ron · 3 han 30 fu – Seat 1 +5,800, Seat 2 −5,800."
    assert texts["1.settlement_confirmed.-.4"] == "East 1 corrected: Ron · 3 han 30 fu – Seat 3 +4,200, Seat 4 −4,200."
    assert texts["2.settlement_confirmed.-.6"] == "Ron · 3 han 30 fu – Seat 4 +3,900, Seat 1 −3,900."


def test_an_undone_edit_is_told_as_such(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result=RON)
    do(client, "edit", hand=0, result={"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 5}]})
    do(client, "undo", act=table_view(client)["keeping"]["undo"]["act"])
    assert table_view(client)["news"][0]["text"].startswith("East 1, correction undone: Ron · ")


def test_the_history_says_whose_and_which_and_what_was_undone(client: FlaskClient) -> None:
    do(client, "press", press="riichi", seat=2)
    do(client, "tell", hand=0, result=DRAW)
    do(client, "tell", hand=1, result={"kind": "abort", "reason": "four_winds"})
    do(client, "undo", act=table_view(client)["keeping"]["undo"]["act"])
    history = client.get("/game").text
    assert "<b>riichi: Seat 3</b>" in history
    assert "<b>undone: result</b>" in history
    do(client, "redo", act=table_view(client)["keeping"]["redo"]["act"])
    history = client.get("/game").text
    assert "<b>redone: result: " in history
    assert "<b>result: East 1</b>" in history


def test_news_of_a_draw_name_its_kind(client: FlaskClient) -> None:
    do(client, "tell", hand=0, result={"kind": "draw", "tenpai": [], "nagashi": [1]})
    do(client, "tell", hand=1, result={"kind": "abort", "reason": "nine_terminals"})
    texts = [line["text"] for line in table_view(client)["news"]]
    assert any(text.startswith("Draw: nagashi mangan – Seat 2 +8,000, Seat 1 −4,000") for text in texts), texts
    assert any(text.startswith("Abortive draw: nine terminals and honours – nobody pays") for text in texts), texts


def test_a_hand_kept_by_hand_begins_when_the_one_before_is_settled_and_is_read_out_then(client: FlaskClient) -> None:
    do(client, "names", names=["Anna", "Ben", "Cho", "Dana"])

    def news_lines() -> list[tuple[str, bool]]:
        return [(line["text"].split(" – ")[0], line["aloud"]) for line in table_view(client)["news"]]

    assert news_lines() == [("East 1 begins. Dealer: Anna.", True)]
    do(client, "tell", hand=0, result=RON)
    settled = [("East 2 begins. Dealer: Ben.", True), ("Ron · 3 han 30 fu", True)]
    assert news_lines() == [*settled, ("East 1 begins. Dealer: Anna.", False)]
    do(client, "press", press="riichi", seat=2)
    starts = [line for line in table_view(client)["news"] if line["id"] == "hand_started"]
    assert [line["text"] for line in starts] == ["East 2 begins. Dealer: Ben.", "East 1 begins. Dealer: Anna."]
    assert not any(line["aloud"] for line in starts)
    assert table_view(client)["news"].index(starts[0]) == len(table_view(client)["news"]) - 3
    for _ in range(2):
        do(client, "undo", act=table_view(client)["keeping"]["undo"]["act"])
    assert sum("begins" in text for text, _ in news_lines()) == 1


def test_after_an_edit_nothing_is_told_of_hands_as_they_were_before_it(client: FlaskClient) -> None:
    edit_first_hand(client)
    texts = [line["text"] for line in table_view(client)["news"] if line["status"] != "withdrawn"]
    assert sum("Ron · " in text for text in texts) == 3
    assert sum(text.startswith(("East 1 begins", "East 1, 1 honba, begins")) for text in texts) == 2


def test_after_an_edit_the_beginning_of_an_earlier_hand_is_not_read_out(client: FlaskClient) -> None:
    edit_first_hand(client)
    aloud = [line["key"] for line in table_view(client)["news"] if line["aloud"] and "hand_started" in line["key"]]
    assert aloud == ["3.hand_started.2.coming"]


def test_the_grid_of_values_names_its_rules_and_so_does_the_table(app: Flask) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    before = owner.get("/api/values").get_json()
    assert before["rules"] == table_view(owner)["keeping"]["rules"]
    assert do(owner, "game", rules="wrc-2025")[0] == 202
    after = owner.get("/api/values").get_json()
    assert after["rules"] == table_view(owner)["keeping"]["rules"] != before["rules"]


def test_the_next_game_opened_by_mistake_is_undone_and_the_ended_game_corrected(
    client: FlaskClient, app: Flask, table: Table
) -> None:
    do(client, "tell", hand=0, result=RON)
    table.handle(EndGame(by="owner"))
    game, place = table_view(client)["keeping"]["game"], table_view(client)["final"]
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    names = ["Chie", "Aoi", "Dan", "Ben"]
    assert do(owner, "game", game=game, names=names, first_dealer=2)[0] == 202
    keeping = table_view(client)["keeping"]
    assert keeping["undo"]["text"] == "Undo: new game"
    assert do(client, "undo", act=keeping["undo"]["act"])[0] == 202
    page = table_view(client)
    assert (page["keeping"]["game"], page["final"]) == (game, place)
    assert page["news"][0]["text"] == "The start of the new game was undone. The game before it is back."
    assert page["keeping"]["redo"]["text"] == "Redo: new game"
    assert do(client, "edit", hand=0, game=game, result=DRAW, why="nobody won")[0] == 202
    assert [seat["score_text"] for seat in table_view(client)["seats"]] == ["25,000"] * 4
    assert table_view(client)["keeping"]["redo"] is None
    for page_of in ("/game", f"/game/{game}", "/games", "/season"):
        assert client.get(page_of).status_code == 200
    assert client.get(f"/game/{keeping['undo']['act']}").status_code == 404

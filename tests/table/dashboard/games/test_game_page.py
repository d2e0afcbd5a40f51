"""The page beside the table: standings, report, sheets to take along, players, new games, a season."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.games.archive.past_games import evening_of
from table.dashboard.scores.sheet_export import as_svg
from table.dashboard.web.security import TOKEN_HEADER
from table.game.commands.game_commands import NameSeats
from table.game.journal.history.game_history import game_history
from table.game.journal.history.game_summary import GameFigures, summary_of
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Mode
from table.game.table_loop import Table, TableLoop
from table.i18n import catalogue
from table.records.formats.csv_writer import spreadsheet_text
from table.rulebook.play_presets import HOME
from table.rules.terms.results import AbortReason
from table.runtime.clock import LogicalClock
from tests.fakes.desks import PIN, join, token
from tests.fakes.typed_numbers import NO_NUMBERS

YAKUMAN = {"kind": "ron", "wins": [{"seat": 2, "from": 0, "yakuman": 1, "yaku": [["thirteen_orphans", 13]]}]}
NAMES = {"name0": "Aoi", "name1": "Ben", "name2": "Chie", "name3": "Dan <3"}


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client, "owner", pin=PIN)
    return client


def fill(client: FlaskClient, do: str, **fields: str) -> Any:
    return client.post("/game", data={"do": do, "token": token(client)[TOKEN_HEADER], **fields})


def tell(client: FlaskClient, hand: int, result: dict[str, Any]) -> None:
    assert client.post("/api/tell", json={"hand": hand, "result": result}, headers=token(client)).status_code == 202


def sheet(client: FlaskClient, style: str, number: int = 1) -> Any:
    return client.get(f"/game/{number}/sheet.{style}")


def test_the_page_stands_before_any_hand_and_for_spectators(app: Flask) -> None:
    page = app.test_client().get("/game")
    assert page.status_code == 200
    assert 'href="/games"' in page.text, "it is the only way to everybody's figures"
    assert "Standings" in page.text
    assert "<form" not in page.text


@pytest.mark.parametrize("do", ["names", "open"])
def test_who_joined_since_the_page_was_opened_keeps_the_name(client: FlaskClient, table: Table, do: str) -> None:
    names_before = {f"{kind}{seat}": "" for kind in ("name", "was") for seat in range(4)}
    table.handle(NameSeats(names=("", "Ben", "", "Dan"), by="seat 1"))
    first = {"first_dealer": "0", "game": "1"}
    assert fill(client, do, **{**names_before, "name0": "Aoi", **first}).status_code == 302
    assert table.board.latest.names == ("Aoi", "Ben", "", "Dan")


def test_two_taps_begin_one_game(client: FlaskClient, table: Table) -> None:
    opened_by = str(table.board.latest.opened_by)
    answers = [fill(client, "open", **NAMES, first_dealer="0", game=opened_by) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 409]
    assert 'role="alert"' in answers[1].text


def test_a_game_that_is_being_played_is_ended_only_by_somebody_who_said_so(client: FlaskClient, table: Table) -> None:
    assert 'name="sure"' not in client.get("/game").text
    tell(client, 0, {"kind": "draw"})
    assert 'name="sure" required' in client.get("/game").text
    answer = fill(client, "open", **NAMES, first_dealer="0")
    assert (answer.status_code, len(table.state.history)) == (409, 1)
    assert "A game is being played: tick that it ends here." in answer.text
    assert fill(client, "open", **NAMES, first_dealer="0", sure="on").status_code == 302
    assert table.state.history == ()


def test_who_looks_for_the_next_game_learns_how_to_become_the_owner(app: Flask) -> None:
    seated = app.test_client()
    join(seated)
    for page in ("/", "/game"):
        assert 'href="/join#owner">Choose a PIN and become the owner</a>' in seated.get(page).text
    join(app.test_client(), "owner", pin=PIN)
    for page in ("/", "/game"):
        assert "The owner starts the next game." in seated.get(page).text


def test_the_end_of_a_game_has_ranking_uma_and_oka(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, YAKUMAN)
    page = client.get("/game").text
    assert "Final result" in page
    assert page.index("<b>Chie</b>") < page.index("<b>Ben</b>") < page.index("<b>Dan &lt;3</b>")
    assert "<strong>+67.0</strong>" in page
    assert "<small>uma, oka +40.0</small>" in page
    assert "<strong>−57.0</strong>" in page


def test_the_sheet_as_a_table_adds_up(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, {"kind": "draw", "tenpai": [1], "riichi": [1]})
    tell(client, 1, YAKUMAN)
    head, *rows = csv.reader(io.StringIO(sheet(client, "csv").text))
    assert head[-4:] == ["Aoi", "Ben", "Chie", "Dan <3"]
    assert rows[0] == ["E1", "0", "draw", "-1000", "2000", "-1000", "-1000", "24000", "27000", "24000", "24000"]
    assert rows[-1][:3] == ["final", "", "with uma and oka"]
    assert sum(int(points) for points in rows[-1][-4:]) == 100000


def test_a_downloaded_table_names_its_encoding_for_spreadsheets_and_one_that_is_only_read_does_not(
    client: FlaskClient,
) -> None:
    assert client.get("/game/1/sheet.csv?save").data.startswith(b"\xef\xbb\xbfround,")
    assert client.get("/game/1/sheet.csv").data.startswith(b"round,")
    assert client.get("/game/1/sheet.json?save").data.startswith(b"{")


def test_a_table_for_spreadsheets_with_decimal_commas_has_semicolons(client: FlaskClient) -> None:
    tell(client, 0, {"kind": "draw"})
    assert client.get("/game/1/sheet.csv?save&semicolons").data.startswith(b"\xef\xbb\xbfround;honba;")
    commas, other = (client.get(f"/game/1/sheet.csv{query}").text for query in ("", "?semicolons"))
    assert other == commas.replace(",", ";")
    assert "/game/1/sheet.csv?save=&amp;semicolons=" in client.get("/game").text


def test_places_are_given_once_a_game_has_begun_and_equal_points_are_explained(client: FlaskClient) -> None:
    assert "Place 1" not in client.get("/game").text
    tell(client, 0, {"kind": "draw"})
    assert "Place 1" in client.get("/game").text
    tie = "Equal points: whoever dealt earlier is placed higher."
    assert tie not in client.get("/game").text
    fill(client, "end")
    assert tie in client.get("/game").text
    assert client.get("/api/table").get_json()["tie"] == f"Ended early · {tie}"


def test_long_names_lie_over_nothing_on_the_sheet_as_a_picture(client: FlaskClient) -> None:
    fill(client, "names", name0="さくらももこ" * 4, name1="Maximilian Wolkenstein-W", name2="Chie", name3="")
    texts = ["".join(each.itertext()) for each in ElementTree.fromstring(sheet(client, "svg").text).iter()]  # noqa: S314 - our own
    assert [text for text in texts if "さくら" in text][1:] == [
        "さくらももこさくらももこさくらももこさく…",
        "さくらももこさくら…",
    ]
    assert [text for text in texts if "Maxi" in text][1:] == ["Maximilian Wolkenstein-W", "Maximilian Wo…"]
    assert texts.count("Chie") == 2


def test_no_spreadsheet_takes_a_name_for_a_formula_and_points_stay_numbers(client: FlaskClient) -> None:
    fill(client, "names", name0='=HYPERLINK("http://x")', name1="+41", name2="@SUM(A1)", name3="-x")
    tell(client, 0, {"kind": "draw", "tenpai": [1], "riichi": []})
    head, *rows = csv.reader(io.StringIO(sheet(client, "csv").text))
    assert head[-4:] == ['\'=HYPERLINK("http://x")', "+41", "'@SUM(A1)", "'-x"]
    assert all(not cell.startswith(("=", "@")) for row in (head, *rows) for cell in row)
    assert rows[0][3:7] == ["-1000", "3000", "-1000", "-1000"]


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\t=1", "\r=1", "\n=1", "＝1", "-", "+1;=1"])
def test_a_text_that_begins_like_a_formula_is_quoted(text: str) -> None:
    assert spreadsheet_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "Aoi", "-5200", "+8000", "-0.5", "a=1", "'=1"])
def test_a_number_or_a_plain_text_stays_as_it_is(text: str) -> None:
    assert spreadsheet_text(text) == text


def test_chips_stand_on_every_sheet_of_a_game_that_is_played_with_them() -> None:
    with Journal(None) as journal:
        rules = HOME.but(chips={"yakuman": 5})
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=LogicalClock())
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            join(client, "owner", pin=PIN)
            tell(client, 0, {"kind": "draw", "tenpai": []})
            tell(client, 1, YAKUMAN)
            head, first, second, final = csv.reader(io.StringIO(sheet(client, "csv").text))
            assert head[-4:] == ["Seat 1 chips", "Seat 2 chips", "Seat 3 chips", "Seat 4 chips"]
            assert [row[-4:] for row in (first, second, final)] == [["0"] * 4, *[["-5", "0", "5", "0"]] * 2]
            data = sheet(client, "json").get_json()
            assert (data["chips"], data["hands"][1]["chips"]) == ([-5, 0, 5, 0], [-5, 0, 5, 0])
            assert "chips +5" in sheet(client, "svg").text
            assert "chips +5" in client.get("/game").text
            view = client.get("/api/table").get_json()
            assert view["sheet"][1]["settled"]["title"].endswith("· chips +5")
            assert [row["chips"] for row in view["final"]] == [5, 0, 0, -5]
            assert view["final"][0]["score_text"].endswith("· chips +5")


def test_a_bust_bonus_stands_in_the_standings_with_what_it_is() -> None:
    with Journal(None) as journal:
        rules = HOME.but(bust_bonus=10000)
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=LogicalClock())
        with TableLoop(table) as loop:
            client = create_app(table.board, loop).test_client()
            join(client, "owner", pin=PIN)
            tell(client, 0, YAKUMAN)
            page = client.get("/game").text
            assert "<small>uma, oka +40.0 · bust +10.0</small>" in page
            assert "<strong>+77.0</strong>" in page
            data = sheet(client, "json").get_json()
            assert (data["bust_bonus"], data["points"]) == ([-10000, 0, 10000, 0], [-67000, 5000, 77000, -15000])


def test_no_sheet_of_another_game_speaks_of_chips(client: FlaskClient) -> None:
    tell(client, 0, YAKUMAN)
    view = client.get("/api/table").text.replace('"chips":false', "")
    for text in (sheet(client, "csv").text, sheet(client, "json").text, sheet(client, "svg").text, view):
        assert "chips" not in text


def test_the_sheet_as_json_has_every_hand(client: FlaskClient) -> None:
    tell(client, 0, YAKUMAN)
    data = sheet(client, "json").get_json()
    (hand,) = data["hands"]
    assert hand["wins"][0]["yaku"] == [["thirteen_orphans", 13]]
    assert hand["deltas"] == [-32000, 0, 32000, 0]
    assert (data["is_over"], data["points"], data["ranking"]) == (True, [-57000, 5000, 67000, -15000], [2, 1, 3, 0])


def test_the_sheet_as_a_picture_is_whole_and_safe(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    for hand in range(3):
        tell(client, hand, {"kind": "draw", "tenpai": [0]})
    answer = sheet(client, "svg")
    assert answer.mimetype == "image/svg+xml"
    texts = [node.text for node in ElementTree.fromstring(answer.text).iter() if node.text]  # noqa: S314 - our own
    assert {"Tachiai", "Dan <3", "E1", "E1-1", "E1-2", "+3,000"} <= set(texts)
    assert "script" not in answer.text


def test_a_sheet_of_no_game_or_style_is_not_found(client: FlaskClient) -> None:
    assert sheet(client, "csv", 99).status_code == sheet(client, "exe").status_code == 404
    saved = client.get("/game/1/sheet.csv?save")
    assert "attachment" in saved.headers["Content-Disposition"]


def test_the_report_counts_hands_and_taps(client: FlaskClient) -> None:
    tell(client, 0, {"kind": "draw"})
    tell(client, 1, {"kind": "draw"})
    page = client.get("/game").text
    assert "<dt>Hands</dt><dd>2</dd>" in page
    assert "<dt>Taps per hand</dt><dd>1.0</dd>" in page


def test_games_of_one_evening_are_reported_together_too(client: FlaskClient) -> None:
    tell(client, 0, {"kind": "draw"})
    assert "The whole evening" not in client.get("/game").text
    fill(client, "open", **NAMES, first_dealer="0", sure="on")
    tell(client, 0, {"kind": "draw"})
    tell(client, 1, {"kind": "draw"})
    page = client.get("/game").text
    assert "<dt>Hands</dt><dd>2</dd>" in page
    assert "<dt>Hands</dt><dd>3</dd>" in page.partition("The whole evening")[2]


def test_an_evening_ends_where_no_game_begins_for_hours(table: Table) -> None:
    first = summary_of(game_history(table.journal.entries()))
    game = replace(first, figures=GameFigures(hands=1))
    games = [replace(game, utc=f"2026-11-{when}:00:00.000+00:00") for when in ("19T20", "20T19", "20T21")]
    assert evening_of(reversed(games)).games == 2
    assert evening_of([*reversed(games), replace(game, utc="unknown")]).games == 2
    assert evening_of([replace(first, utc=games[-1].utc), *reversed(games)]).games == 2, "no hand has ended in it yet"


def test_an_evening_is_the_same_however_many_of_its_games_are_known_before(table: Table) -> None:
    game = summary_of(game_history(table.journal.entries()))
    games = [
        replace(game, utc=f"2026-11-{when}:00:00.000+00:00", figures=GameFigures(hands=2**at))
        for at, when in enumerate(("19T20", "20T12", "20T17", "20T22", "21T03"))
    ]
    for count in range(len(games)):
        evening = evening_of(reversed(games[:count]))
        for game in games[count:]:
            evening = evening.with_game(game)
        assert (evening.games, evening.figures.hands) == (4, 2 + 4 + 8 + 16)


def test_whoever_has_no_name_is_found_by_the_number_of_the_seat(client: FlaskClient) -> None:
    tell(client, 0, {"kind": "draw", "tenpai": [1]})
    page = client.get("/game").text
    assert "Seat 2" in page.split('id="players"')[0]
    assert re.findall(r"<label>(Seat \d · \w+)", page) == [
        "Seat 1 · North",
        "Seat 2 · East",
        "Seat 3 · South",
        "Seat 4 · West",
    ]


def test_seats_entered_wrongly_are_swapped(client: FlaskClient, table: Table) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, {"kind": "draw", "tenpai": [0]})
    answer = fill(client, "swap", one="0", other="3", why="sat the other way")
    assert answer.status_code == 409
    assert "E1-1 → E2-1" in answer.text
    assert "Next: East 2, 1 honba" in answer.text
    assert 'value="sat the other way"' in answer.text
    assert table.board.latest.names[0] == "Aoi"
    assert fill(client, "swap", one="0", other="3", why="sat the other way", sure="on").status_code == 302
    assert table.board.latest.names == ("Dan <3", "Ben", "Chie", "Aoi")
    assert table.state.scores == (24000, 24000, 24000, 28000)
    page = client.get("/game").text
    assert "<b>seats swapped: Aoi, Dan &lt;3</b><span>Owner</span>" in page
    assert "<q>sat the other way</q>" in page
    news = [line["text"] for line in client.get("/api/table").get_json()["news"]]
    assert news[0] == "Seats swapped, with all hands of this game: Dan <3, Aoi."


def test_the_payments_that_a_swap_of_seats_changes_stay_with_names_written_from_right_to_left(
    client: FlaskClient,
) -> None:
    fill(client, "names", **{**NAMES, "name0": "שרה", "name3": "דוד"})
    tell(client, 0, {"kind": "tsumo", "wins": [{"seat": 1, "from": 1, "han": 5, "fu": 30}]})
    answer = fill(client, "swap", one="0", other="3", why="sat the other way")
    lines = re.findall(r"<li>([^<]*)</li>", answer.text)
    assert lines == ["E1: \u2068שרה\u2069 −4,000 → −2,000, \u2068דוד\u2069 −2,000 → −4,000"]


def test_a_swap_of_seats_that_ends_the_game_says_so_before(client: FlaskClient, table: Table) -> None:
    for hand in range(6):
        tell(client, hand, {"kind": "draw", "tenpai": []})
    for hand in (6, 7):
        tell(client, hand, {"kind": "ron", "wins": [{"seat": 2, "from": 0, "han": 2, "fu": 30}]})
    assert repr(table.state.next_start and table.state.next_start.round) == "S3"
    answer = fill(client, "swap", one="1", other="2", why="sat the other way")
    assert answer.status_code == 409
    assert "The game is over." in answer.text
    assert fill(client, "swap", one="1", other="2", why="sat the other way", sure="on").status_code == 302
    assert table.state.is_over


def test_a_game_ended_early_has_its_sheet_and_counts_in_the_season(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, {"kind": "draw", "tenpai": [0]})
    assert fill(client, "end", why="the last train").status_code == 302
    page = client.get("/game").text
    assert "<b>game ended early</b><span>Owner</span>" in page
    assert "<q>the last train</q>" in page
    assert '<p class="hint">Ended early: the last train</p>' in page
    assert client.get("/api/table").get_json()["tie"].startswith("Ended early: the last train")
    assert '<tr><th scope="row">Aoi</th>' in page
    assert 'name="do" value="end"' not in page
    assert sheet(client, "csv").status_code == 200
    assert fill(client, "end").status_code == 409


@pytest.mark.parametrize(("reason", "hint"), [("the last train", "Ended early: the last train"), ("", "Ended early")])
def test_an_earlier_game_that_was_ended_early_still_says_why(
    client: FlaskClient, table: Table, reason: str, hint: str
) -> None:
    tell(client, 0, {"kind": "draw", "tenpai": [0]})
    fill(client, "end", why=reason)
    fill(client, "open", first_dealer="0")
    assert not table.state.is_over
    assert f'<p class="hint">{hint}</p>' in client.get("/game/1").text


def test_a_finished_game_whose_names_are_emptied_counts_for_nobody(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, {"kind": "draw", "tenpai": [0]})
    fill(client, "end", why="only a trial")
    names_before = {f"was{seat}": NAMES[f"name{seat}"] for seat in range(4)}
    assert fill(client, "names", **dict.fromkeys(NAMES, ""), **names_before).status_code == 302
    assert '<th scope="row">Aoi</th>' not in client.get("/game").text
    assert "Aoi" not in client.get("/season").text


def test_several_games_make_a_season_and_names_are_offered_again(client: FlaskClient, table: Table) -> None:
    for game in range(2):
        fill(client, "open", **NAMES, first_dealer=str(game), rules="ema-2025" if game else "")
        tell(client, 0, YAKUMAN)
    page = client.get("/game").text
    assert '<option value="Aoi">' in page
    assert table.folded_game.ruleset.name == "ema-2025"
    assert sheet(client, "csv", table.journal.entries()[1].number).status_code == 200
    assert '<tr><th scope="row">Chie</th>' in page


def test_an_earlier_game_can_be_read_and_its_hands_watched_again(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    tell(client, 0, {"kind": "draw", "tenpai": [0]})
    assert "Earlier games" not in client.get("/game").text
    fill(client, "open", first_dealer="1", sure="on")
    assert '<a href="/game/1">' in client.get("/game").text
    page = client.get("/game/1").text
    assert "Aoi · " not in page
    assert "<dt>Hands</dt><dd>1</dd>" in page
    assert 'href="/game/1/hand/0"' in page
    assert 'data-hand="games/1/hands/0"' in client.get("/game/1/hand/0").text
    steps = client.get("/api/games/1/hands/0").get_json()["steps"]
    assert [seat["player"] for seat in steps[-1]["seats"]] == list(NAMES.values())
    for missing in ("/game/9", "/game/9/hand/0", "/game/1/hand/1", "/hand/0", "/api/games/9/hands/0"):
        assert client.get(missing).status_code == 404


def test_seats_are_drawn_by_lot_with_the_same_people(client: FlaskClient, table: Table) -> None:
    fill(client, "open", **NAMES, first_dealer="0", draw="on")
    assert sorted(table.board.latest.names) == sorted(NAMES.values())


@pytest.mark.parametrize(
    ("do", "fields", "message"),
    [
        ("names", {"name0": "A" * 25}, "is too long: a name has at most 24 letters."),
        ("names", {"name0": "A" * 25}, f'<input name="name0" value="{"A" * 25}"'),
        ("open", {"name3": "葵" * 25, "first_dealer": "2"}, f'<input name="name3" value="{"葵" * 25}"'),
        ("open", {"name3": "葵" * 25, "first_dealer": "2"}, '<option value="2" selected>Seat 3'),
        ("swap", {"one": "7", "other": "x"}, "That could not be understood"),
        ("swap", {"one": "7", "other": "x", "why": "sat <wrongly>"}, 'value="sat &lt;wrongly&gt;"'),
        ("end", {"game": "9999", "why": "it is <late>"}, 'value="it is &lt;late&gt;"'),
        ("open", {"rules": "chess", "first_dealer": "0"}, "These rules are no longer stored here."),
        ("open", {"first_dealer": "4"}, "That could not be understood"),
    ],
)
def test_a_form_that_cannot_be_read_says_why(
    client: FlaskClient, do: str, fields: dict[str, str], message: str
) -> None:
    answer = fill(client, do, **fields)
    assert answer.status_code == 409
    assert message in answer.text


def test_forms_keep_to_rights_and_tokens(app: Flask, client: FlaskClient, table: Table) -> None:
    seated = app.test_client()
    join(seated)
    assert fill(seated, "open", **NAMES, first_dealer="0").status_code == 403
    assert fill(app.test_client(), "names", **NAMES).status_code == 403
    assert client.post("/game", data={"do": "names", "token": "forged"}).status_code == 403
    assert fill(client, "burn").status_code == 400
    assert table.board.latest.names == ("", "", "", "")


def corrected(**fields: str) -> dict[str, str]:
    """The form for points that are put right, as it is sent where nothing is changed but these fields."""
    points = {f"{name}{seat}": "25000" for name in ("points", "was") for seat in range(4)}
    other_fields = {"sticks": "0", "sticks_was": "0", "honba": "0", "honba_was": "0", "hand": "0", "why": "paid twice"}
    return points | other_fields | fields


def test_points_are_put_right_from_the_page_with_a_reason(client: FlaskClient) -> None:
    fill(client, "names", **NAMES)
    assert fill(client, "adjust", **corrected(points0="24000", points1="26000")).status_code == 302
    page = client.get("/game").text
    assert "paid twice" in page
    table = client.get("/api/table").get_json()
    assert [seat["score"] for seat in table["seats"]] == [24000, 26000, 25000, 25000]
    (line,) = table["adjustments"]
    assert line["text"] == "Owner corrected the points: Aoi −1,000 → Ben +1,000. Reason: paid twice"
    assert line["hand"] == 0


def test_the_sum_of_all_points_changes_only_with_a_tick(client: FlaskClient) -> None:
    refused = fill(client, "adjust", **corrected(points0="24000", why="<b>lost</b>"))
    assert refused.status_code == 409
    assert "The sum of all points would change by −1,000." in refused.text
    assert 'value="24000"' in refused.text  # what was typed stays
    assert "&lt;b&gt;lost&lt;/b&gt;" in refused.text
    assert fill(client, "adjust", **corrected(points0="24000", sum="on")).status_code == 302
    assert fill(client, "adjust", **corrected(points0="x")).status_code == 409


def test_a_stick_and_the_counter_are_put_right_from_the_page(client: FlaskClient) -> None:
    assert fill(client, "adjust", **corrected(points0="24000", sticks="1", honba="2")).status_code == 302
    centre = client.get("/api/table").get_json()["centre"]
    assert (centre["deposits"], centre["honba"]) == (1, 2)


@pytest.mark.parametrize("field", ["points0", "sticks", "honba", "was0"])
def test_whatever_is_typed_where_points_are_put_right_is_refused_in_a_sentence(client: FlaskClient, field: str) -> None:
    for text in NO_NUMBERS:
        refused = fill(client, "adjust", **corrected(**{field: text}))
        assert refused.status_code == 409
        assert refusing_forms(refused.text) == ["adjust"]


def refusing_forms(page: str) -> list[str]:
    """The forms of a page that say why they are refused."""
    forms = re.findall(r'name="do" value="(\w+)"(.*?)</form>', page, re.DOTALL)
    found = [name for name, content in forms if 'class="refusal' in content]
    assert page.count('class="refusal') == len(found), "and nothing else says so"
    return found


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("names", {"name0": "A" * 99}),
        ("swap", {"one": "0", "other": "1", "why": "x" * 999}),
        ("season", {"counts": "no", "game": "99"}),
        ("adjust", corrected(points0="24000")),
        ("open", {"first_dealer": "9"}),
        ("time", {"game": "99"}),
        ("end", {"game": "99"}),
    ],
)
def test_a_refused_form_says_why_where_it_was_filled_in(client: FlaskClient, form: str, fields: dict[str, str]) -> None:
    refused = fill(client, form, **fields)
    assert refused.status_code == 409
    assert refusing_forms(refused.text) == [form]


@pytest.mark.parametrize(("mode", "status"), [(Mode.HOME, 302), (Mode.CLUB, 403), (Mode.TOURNAMENT, 403)])
def test_a_player_puts_points_right_at_home_and_only_the_owner_elsewhere(
    app: Flask, table: Table, mode: Mode, status: int
) -> None:
    seated = app.test_client()
    join(seated, "seat", seat="1")
    table.set_mode(mode)
    assert ('id="adjust"' in seated.get("/game").text) == (mode is Mode.HOME)
    assert fill(seated, "adjust", **corrected(points0="24000", points1="26000")).status_code == status


def test_time_is_called_from_the_page_and_the_last_hand_is_told(client: FlaskClient) -> None:
    assert "Call time" in client.get("/game").text
    assert fill(client, "time").status_code == 302
    assert "Call time" not in client.get("/game").text
    assert "Time has been called" in client.get("/game").text
    news = [line["text"] for line in client.get("/api/table").get_json()["news"]]
    assert news[0] == "Time is up: one more hand."


def test_an_earlier_game_shows_what_was_put_right(client: FlaskClient) -> None:
    fill(client, "adjust", **corrected(points0="24000", points1="26000", why="<i>"))
    tell(client, 0, YAKUMAN)
    past = client.get("/game/1").text
    assert "Reason: &lt;i&gt;" in past
    assert "points corrected" in sheet(client, "svg").text


def test_a_hand_that_a_penalty_ended_is_told_from_its_replay_in_the_picture(client: FlaskClient, table: Table) -> None:
    tell(client, 0, {"kind": "abort", "reason": "nine_terminals"})
    game = game_history(table.journal.entries())
    hand = game.state.history[0]
    assert hand.settlement is not None
    chombo_hand = replace(hand, settlement=replace(hand.settlement, reason=AbortReason.CHOMBO))
    picture = as_svg(replace(game, state=replace(game.state, history=(chombo_hand, hand))), catalogue("en"))
    assert ">E1 chombo<" in picture
    assert ">E1<" in picture

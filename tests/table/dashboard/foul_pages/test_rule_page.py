"""Choosing rules over HTTP: every clause shown, sets compared, files brought and taken away."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from itertools import permutations
from pathlib import Path
from typing import Any, get_args, get_type_hints
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from werkzeug.http import parse_options_header

from table.dashboard import create_app
from table.dashboard.foul_pages.play_switches import CONTROLS
from table.dashboard.foul_pages.rule_view import rules_view
from table.dashboard.web.clause_names import article_title
from table.game.commands.game_commands import OpenGame
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rulebook import SHIPPED, catalogue_of_clauses, parse_house, rules_named
from table.rulebook.ruleset_registry import imported_names
from table.rules.ruleset import Ruleset
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.table.rules.situations import START, Table

ENGLISH = catalogue("en")


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def client(desk: FakeDesk, tmp_path: Path) -> FlaskClient:
    """The owner's phone at a table that plays by the home rules."""
    rules = rules_named("home").ruleset
    board = Board(Snapshot(version=1, game=Table(rules).feed(START).state, ruleset=rules, names=("A", "", "", "")))
    client = create_app(board, desk, rules=tmp_path).test_client()
    join(client, "owner", pin=PIN)
    return client


# What the page shows


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SHIPPED)
def test_every_clause_is_shown_in_every_language_with_what_was_chosen(name: str, language: str) -> None:
    view = rules_view(rules_named(name), None, catalogue(language))
    clauses = [clause for group in view["groups"] for clause in group["clauses"]]
    assert [clause["number"] for clause in clauses] == list(catalogue_of_clauses())
    assert sum(len(clause["options"]) for clause in clauses) == 194
    assert all(clause["title"] and clause["chosen"] for clause in clauses)
    assert not any(clause["differs"] for clause in clauses)


def test_what_two_sets_decide_differently_is_marked_with_both_answers() -> None:
    view = rules_view(rules_named("ema-2025"), rules_named("wrc-2025"), ENGLISH)
    clauses = {clause["number"]: clause for group in view["groups"] for clause in group["clauses"]}
    many = clauses["7-04-01"]
    assert (many["differs"], many["chosen"], many["other"]) == (
        True,
        "Dead hand from discovery.",
        "Chombo upon discovery (hand ends).",
    )
    late = next(each for each in view["settings"] if each["key"] == "after_last_discard")
    assert (late["chosen"], late["other"]) == ("is a dead hand", "is a chombo")
    assert {"key": "Several rons on one tile", "mine": "all", "theirs": "only the first in turn"} in view["differences"]
    assert view["count"] > sum(clause["differs"] for clause in clauses.values())


@pytest.mark.parametrize("language", languages())
def test_what_two_sets_play_differently_is_told_in_words(language: str) -> None:
    texts = catalogue(language)
    hints = get_type_hints(Ruleset)
    switches = {each.name for each in fields(Ruleset)} - {"name", "penalties", *CONTROLS}
    choices = {value for name in switches for part in (hints[name], *get_args(hints[name])) for value in get_args(part)}
    assert [value for value in choices if isinstance(value, str) and f"choice.{value}" not in texts.texts] == []
    assert [name for name in sorted(switches) if f"switch.{name}" not in texts.texts] == []
    for one, other in permutations(SHIPPED, 2):
        differences = rules_view(rules_named(one), rules_named(other), texts)["differences"]
        assert not re.search(r"[a-z]_|[a-z] = |True|False|None", str([list(each.values()) for each in differences]))


@pytest.mark.parametrize("language", languages())
def test_sticks_that_go_back_are_called_sticks_where_a_yaku_has_the_same_name(language: str) -> None:
    texts = catalogue(language)
    settings = {each["key"]: each for each in rules_view(rules_named("home"), None, texts)["settings"]}
    options = {value: text for value, text, _ in settings["returned_sticks"]["options"]}
    assert options["riichi"] == texts.text("choice.riichi")


def test_uma_is_compared_in_points_and_a_rule_is_played_or_not() -> None:
    differences = rules_view(rules_named("ema-2025"), rules_named("jpml-a"), ENGLISH)["differences"]
    uma = next(each for each in differences if each["key"].startswith("Uma by place"))
    assert (uma["key"], uma["mine"]) == ("Uma by place", "15,000, 5,000, −5,000, −15,000")
    view = rules_view(rules_named("jpml-a"), rules_named("m-league"), catalogue("ja"))
    assert {"key": "一発", "mine": "なし", "theirs": "あり"} in view["differences"]
    yes_or_no = next(each for each in view["settings"] if each["key"] == "short_is_bust")
    assert {text for _, text, _ in yes_or_no["options"]} == {"はい", "いいえ"}


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_what_is_marked_as_english_is_english_and_what_stands_between_texts_is_the_language_s_own(
    client: FlaskClient, language: str
) -> None:
    client.get(f"/language/{language}")
    page = re.sub('<p class="original".*', "", client.get("/rules?set=ema-2025&against=wrc-2025").text)
    assert re.findall(r'lang="en">[^<]*[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]', page) == []
    if language != "ko":
        assert re.findall(r"[\u3040-\u30ff\u4e00-\u9fff](?::| ?[(])[^<]{0,9}", re.sub(r"<[^>]*>", "", page)) == []


def test_an_amount_whose_digit_is_lost_is_shown_as_a_guess_until_the_house_sets_it() -> None:
    text = 'format = 1\nname = "x"\n[choices]\n"7-01" = "f"\n'
    guessed = parse_house(text, "x.toml", rules_named("home"))
    corrected = parse_house(f'{text}[amounts]\n"7-01 f" = {{ each = 3900 }}', "x.toml", rules_named("home"))
    clauses = [rules_view(house, None, ENGLISH)["groups"][0]["clauses"][0] for house in (guessed, corrected)]
    assert [(each["amounts"], each["is_guess"]) for each in clauses] == [("4,000", True), ("3,900", False)]
    assert "{?}" in clauses[1]["chosen"]


def test_quick_fouls_say_with_which_facts_they_are_logged() -> None:
    quick = rules_view(rules_named("wrc-2025"), None, ENGLISH)["quick"]
    assert quick[0] == {
        "clause": "WRC exposed",
        "title": "Tiles are exposed: 1-2 a warning, 5P if repeated; 3-6 dead hand; 7 or more chombo",
        "facts": ["How many tiles were exposed? 1"],
    }
    home = rules_view(rules_named("home"), None, ENGLISH)["quick"]
    assert [each["facts"] for each in home[-2:]] == [
        ["Did that player open the hand? No"],
        ["Did that player open the hand? Yes"],
    ]


def test_articles_say_where_they_are_second_hand() -> None:
    view = rules_view(rules_named("wrc-2025"), None, ENGLISH)
    assert {article["evidence"] for article in view["articles"]} == {"hearsay"}
    assert rules_view(rules_named("ema-2025"), None, ENGLISH)["articles"][0]["evidence"] == ""


def test_sets_that_come_with_tachiai_are_called_by_titles_and_own_ones_by_their_names(client: FlaskClient) -> None:
    assert keep(client, base="home", name="our_rules")[0] == 201
    client.get("/language/ja")
    page = client.get("/rules?against=tenhou").text
    titles = re.findall(
        r'<option value="[^"]*"[^>]*>([^<]*)</option>', page.split('id="shown"')[1].split("</select>")[0]
    )
    assert {"Mリーグ", "天鳳", "雀魂", "家庭麻雀 ✓", "our_rules"} <= set(titles)
    assert "m-league" not in titles
    assert "✓ この対局のルール：家庭" in page


def test_the_page_opens_with_the_rules_in_force_and_runs_only_its_own_files(client: FlaskClient) -> None:
    page = client.get("/rules").text
    assert 'data-set="home"' in page
    assert page.count('class="clause"') == 49
    assert page.count('class="clause own"') == 6
    assert 'data-clause="R22" data-choice="b"' in page
    assert "not yet checked" in page
    assert 'aria-label=""' not in page
    assert "<script>" not in page
    assert "style=" not in page


@pytest.mark.parametrize("query", ["?set=nobody", "?set=home&against=nobody"])
def test_an_unknown_set_is_not_found(client: FlaskClient, query: str) -> None:
    assert client.get(f"/rules{query}").status_code == 404
    assert client.get("/rules/nobody.toml").status_code == 404


def test_a_downloaded_set_is_the_commented_file_that_comes_back_as_the_same_set(client: FlaskClient) -> None:
    answer = client.get("/rules/ema-2025.toml", headers={"Accept-Language": "ja"})
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ema-2025.toml"'
    assert "ノーテンリーチ" in answer.text
    assert parse_house(answer.text, "x.toml") == rules_named("ema-2025")


# Keeping a set


def keep(client: FlaskClient, path: str = "/api/rules", **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(path, json=body, headers=token(client))
    return answer.status_code, answer.get_json()


def test_an_uploaded_file_is_kept_under_its_name(client: FlaskClient, tmp_path: Path) -> None:
    text = client.get("/rules/parlour.toml").text.replace('name = "parlour"', 'name = "friday"')
    status, answer = keep(client, toml=text)
    assert (status, answer["name"]) == (201, "friday")
    assert "keeps its own rules" in answer["said"]
    assert rules_named("friday", tmp_path).choices == rules_named("parlour").choices
    assert client.get("/rules?set=friday&against=parlour").status_code == 200


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ('[rules]\ntobi = "maybe"', 'Line 4 of the file is not understood: tobi = "maybe"'),
        ('[rules]\ntoby = "never"', 'Line 4 of the file is not understood: toby = "never" – perhaps tobi?'),
        ('[choices]\n"7-02" = "z"', 'Line 4 of the file is not understood: "7-02" = "z"'),
        ("[rules", "Line 3 of the file is not understood: [rules"),
        ("uma =", "Line 3 of the file is not understood: uma ="),
        ('base = "emma"', 'Line 3 of the file is not understood: base = "emma"'),
        ("[rules]\numa = [1, 2]", "Line 4 of the file is not understood: uma = [1, 2]"),
    ],
)
def test_a_broken_file_is_refused_with_the_line_that_is_wrong(client: FlaskClient, broken: str, sentence: str) -> None:
    status, answer = keep(client, toml=f'format = 1\nname = "x"\n{broken}')
    assert status == 400
    assert answer["said"] == sentence


def test_a_broken_file_is_told_in_the_persons_language(client: FlaskClient) -> None:
    client.get("/language/ja")
    _, answer = keep(client, toml='format = 1\nname = "x"\n[rules]\ntobi = "maybe"')
    assert answer["said"] == 'ファイルの4行目が読めません：tobi = "maybe"'


def test_an_uploaded_file_may_build_on_one_of_ours(client: FlaskClient, tmp_path: Path) -> None:
    keep(client, toml='format = 1\nname = "x"\nbase = "ema-2025"\n[choices]\n"7-04-01" = "a"')
    assert rules_named("x", tmp_path).choices == {**rules_named("ema-2025").choices, "7-04-01": "a"}


def test_answers_changed_on_the_page_make_a_set_of_ones_own(client: FlaskClient, tmp_path: Path) -> None:
    body: dict[str, Any] = {
        "base": "ema-2025",
        "name": "ours",
        "choices": {"7-01": "f"},
        "amounts": {"7-01 f": {"each": 3900}},
    }
    assert keep(client, **body)[0] == 201
    ours = rules_named("ours", tmp_path)
    assert (ours.choices["7-01"], ours.amounts["7-01 f"]) == ("f", {"each": 3900})
    assert "7-01" not in ours.sources
    assert ours.ruleset.name == "ours"
    assert ours.articles == rules_named("ema-2025").articles


def test_an_amount_that_is_changed_leaves_the_other_one_of_its_option(client: FlaskClient, tmp_path: Path) -> None:
    both, one = {"per_tile": 300, "deposit": 3000}, {"per_tile": 500}
    for name, base, amounts in (("first", "home", both), ("second", "first", one)):
        assert keep(client, base=base, name=name, amounts={"7-07-01-01 b": amounts})[0] == 201
    assert rules_named("second", tmp_path).amounts["7-07-01-01 b"] == {"per_tile": 500, "deposit": 3000}


def test_settings_changed_on_the_page_are_kept_too(client: FlaskClient, tmp_path: Path) -> None:
    settings = {"fouls_decided_by": "owner", "short_is_bust": "True", "win_voids_chombo": "False"}
    assert keep(client, base="ema-2025", name="ours", settings=settings)[0] == 201
    ours = rules_named("ours", tmp_path)
    assert (ours.fouls_decided_by, ours.short_is_bust, ours.win_voids_chombo) == ("owner", True, False)
    assert ours.after_last_discard == "dead_hand"


def test_rules_of_play_changed_on_the_page_are_kept_and_oka_follows_start_and_target(
    client: FlaskClient, tmp_path: Path
) -> None:
    play = {
        "starting_points": 27000,
        "uma": "30000,10000,-10000,-30000",
        "reds": "1,2,1",
        "tobi": "never",
        "agari_yame": "never",
        "length": "east",
        "west_in": "True",
        "time_limit": "90",
        "time_signal": "this_hand",
    }
    assert keep(client, base="home", name="ours", play=play)[0] == 201
    ours = rules_named("ours", tmp_path).ruleset
    assert (ours.starting_points, ours.target_points, ours.oka) == (27000, 30000, 12000)
    assert (ours.uma, ours.tobi, ours.agari_yame) == ((30000, 10000, -10000, -30000), "never", "never")
    assert (ours.red_man, ours.red_pin, ours.red_sou) == (1, 2, 1)
    assert (ours.length, ours.west_in, ours.time_signal) == ("east", True, "this_hand")
    assert ours.time_limit == 90
    assert "90 min" in client.get("/rules?set=ours").text


def test_an_oka_that_is_said_or_was_never_what_is_left_over_stays(client: FlaskClient, tmp_path: Path) -> None:
    keep(client, base="home", name="said", play={"starting_points": 27000, "oka": 5000})
    keep(client, base="mahjong-soul", name="none", play={"target_points": 35000})
    assert [rules_named(name, tmp_path).ruleset.oka for name in ("said", "none")] == [5000, 0]


def test_an_uma_of_ones_own_replaces_one_by_how_many_end_above_the_start(client: FlaskClient, tmp_path: Path) -> None:
    keep(client, base="jpml-a", name="as-before", play={"tobi": "never"})
    keep(client, base="jpml-a", name="plain", play={"uma": "20000,10000,-10000,-20000"})
    before, by_places = (rules_named(name, tmp_path).ruleset for name in ("as-before", "plain"))
    assert before.floating_uma == rules_named("jpml-a").ruleset.floating_uma
    assert (by_places.floating_uma, by_places.uma) == ((), (20000, 10000, -10000, -20000))


def test_a_changed_switch_no_longer_cites_the_rulebook(client: FlaskClient, tmp_path: Path) -> None:
    assert "tobi" in rules_named("ema-2025").switch_sources
    keep(client, base="ema-2025", name="ours", play={"tobi": "below_zero"})
    assert set(rules_named("ema-2025").switch_sources) - set(rules_named("ours", tmp_path).switch_sources) == {"tobi"}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SHIPPED)
def test_the_rules_of_play_come_first_as_controls_in_every_language(name: str, language: str) -> None:
    texts = catalogue(language)
    view = rules_view(rules_named(name), rules_named("home"), texts)
    assert [each["key"] for each in view["play"]] == list(CONTROLS)
    for each in view["play"]:
        offered = dict(each["options"])
        assert each["value"] in offered or each["value"].isdecimal()
        assert all(offered.values())


def test_the_controls_stand_above_the_clauses(client: FlaskClient) -> None:
    page = client.get("/rules").text
    assert page.index('data-play="starting_points"') < page.index('data-play="time_signal"') < page.index('id="find"')
    assert page.index('id="find"') < page.index('data-clause="7-01"')


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"base": "home", "name": "x", "play": {"kuikae": "allowed"}}, "the page: play: expected one of these"),
        ({"base": "home", "name": "x", "play": {"tobi": "always"}}, "the page: tobi: expected one of these"),
        ({"base": "home", "name": "x", "play": {"uma": "1,1,1,1"}}, "the page: uma: expected one of these"),
        ({"base": "home", "name": "x", "play": {"west_in": True}}, "the page: west_in: expected one of these"),
        ({"base": "home", "name": "x", "play": {"starting_points": 25050}}, "paid in sticks of 100"),
        ({"base": "home", "name": "x", "play": {"starting_points": None}}, "expected points from 0 to 1,000,000"),
        ({"base": "home", "name": "x", "play": {"oka": -100}}, "expected points from 0 to 4,000,000"),
        (
            {"toml": 'format = 1\nname = "x"\n[choices]\n"7-02" = "z"'},
            'the uploaded file line 4: choices."7-02": expected an',
        ),
        (
            {"toml": 'format = 1\nname = "x"\nbase = "emma"'},
            "the uploaded file: base: expected a shipped rule set",
        ),
        ({"toml": "format ="}, "the uploaded file: expected a TOML file"),
        ({"toml": 3}, "expected the text of a file, got 'int'"),
        ({"toml": 'format = 1\nname = "home"'}, "got 'home', which is built in"),
        ({"base": "home", "name": "x/y"}, "the page: name: expected a name"),
        ({"base": "home", "name": "x" * 41}, "a name of at most 40 letters"),
        ({"base": "home", "name": None}, "the page: name: expected a name"),
        ({"base": "nobody", "name": "x"}, "the page: base: expected a stored rule set, got 'nobody'"),
        ({"base": "n" * 5000, "name": "x"}, "the page: base: expected a stored rule set"),
        ({"base": "/etc/rules.toml", "name": "x"}, "the page: base: expected a stored rule set"),
        ({"base": "home", "name": "x", "choices": {"7-99": "a"}}, "expected a number from 7-01 to 7-09-06"),
        ({"base": "home", "name": "x", "choices": {"7-01": 3}}, "expected an option"),
        ({"base": "home", "name": "x", "settings": {"tobi": "never"}}, "the page: settings: expected one of these"),
        ({"base": "home", "name": "x", "settings": {"returned_sticks": "none"}}, "returned_sticks: expected one of"),
        ({"base": "home", "name": "x", "settings": {"short_is_bust": "maybe"}}, "short_is_bust: expected one of"),
        ({"base": "home", "name": "x", "settings": {"short_is_bust": ["True"]}}, "short_is_bust: expected one of"),
        ({"base": "home", "name": "x", "choices": ["7-01"]}, "the page: choices: expected an object"),
        ({"base": "home", "name": "x", "amounts": {"7-01 f": 3}}, "the page: 7-01 f: expected an object"),
        ({"base": "home", "name": "x", "amounts": {"7-01 f": {"each": 150}}}, "points in whole hundreds"),
        ({"base": "home", "name": "x", "amounts": {"7-01 f": {"each": None}}}, "points in whole hundreds"),
    ],
)
def test_what_cannot_be_understood_whole_changes_nothing_and_says_why(
    client: FlaskClient, tmp_path: Path, body: dict[str, Any], message: str
) -> None:
    status, answer = keep(client, **body)
    assert status == 400
    assert message in answer["error"]
    assert imported_names(tmp_path) == ()


def test_a_file_larger_than_any_rule_set_is_refused(client: FlaskClient) -> None:
    body = {"toml": "#" * 300_000}
    assert client.post("/api/rules", json=body, headers=token(client)).status_code == 413


def test_only_the_owner_changes_rules(client: FlaskClient, desk: FakeDesk, tmp_path: Path) -> None:
    join(client, "spectator")
    join(client, "seat", seat="1")
    for path in ("/api/rules", "/api/rules/play"):
        assert keep(client, path, name="home")[0] == 403
    assert (imported_names(tmp_path), desk.commands) == ((), [])
    assert "Only the owner changes rules." in client.get("/rules").text


# Playing by a set


def test_a_new_game_begins_under_a_set_with_the_same_people(client: FlaskClient, desk: FakeDesk) -> None:
    status, _ = keep(client, "/api/rules/play", name="ema-2025")
    assert status == 202
    (act,) = desk.commands
    assert isinstance(act, OpenGame)
    assert (act.ruleset, act.names, act.by) == (rules_named("ema-2025").ruleset, ("A", "", "", ""), "owner")


def test_the_first_dealer_stays_or_is_named_when_a_game_begins_under_a_set(desk: FakeDesk, tmp_path: Path) -> None:
    rules = rules_named("home").ruleset
    state = Table(rules).feed(START.replace("E1", "E1 dealer=2")).state
    board = Board(Snapshot(version=1, game=state, ruleset=rules))
    client = create_app(board, desk, rules=tmp_path).test_client()
    join(client, "owner", pin=PIN)
    assert keep(client, "/api/rules/play", name="ema-2025")[0] == 202
    assert keep(client, "/api/rules/play", name="ema-2025", first_dealer=1)[0] == 202
    for odd in (4, "1", True, None):
        assert keep(client, "/api/rules/play", name="ema-2025", first_dealer=odd)[0] == 400
    dealers = [int(act.first_dealer) for act in desk.commands if isinstance(act, OpenGame)]
    assert dealers == [2, 1]


def test_no_game_begins_under_a_set_with_a_person_at_two_seats(desk: FakeDesk, tmp_path: Path) -> None:
    """Such names may be those of a game from before people were told apart, or two that became one person since."""
    rules = rules_named("home").ruleset
    state = Table(rules).feed(START).state
    client = create_app(
        Board(Snapshot(version=1, game=state, ruleset=rules, names=("Aki", "", "Aki", ""))), desk, rules=tmp_path
    ).test_client()
    join(client, "owner", pin=PIN)
    status, answer = keep(client, "/api/rules/play", name="ema-2025")
    assert (status, desk.commands) == (409, [])
    assert answer["said"] == "“Aki” is entered for two seats: enter another name for one of them."


def test_a_game_cannot_begin_under_a_set_that_is_not_kept_here(client: FlaskClient, desk: FakeDesk) -> None:
    for name in ("nobody", "/etc/passwd.toml", None):
        assert keep(client, "/api/rules/play", name=name)[0] == 400
    assert desk.commands == []


@pytest.mark.parametrize("preset", SHIPPED)
def test_articles_of_every_rulebook_are_named_in_every_language(preset: str) -> None:
    for article in rules_named(preset).articles:
        titles = {article_title(article.number, article.title, catalogue(each)) for each in languages()}
        assert len(titles) == len(languages()), article.number
        assert article_title(article.number, "Our own words", catalogue("ja")) == "Our own words"


# What lies in the folder


@pytest.mark.parametrize("name", ["日本", "тест", "🀄", "a;b x%y", "ä'é"])
def test_a_set_of_any_name_can_be_taken_away_under_it(client: FlaskClient, name: str) -> None:
    assert keep(client, base="home", name=name)[0] == 201
    answer = client.get(f"/rules/{quote(name)}.toml")
    assert answer.status_code == 200
    _, options = parse_options_header(answer.headers["Content-Disposition"])
    assert options["filename"] == f"{name}.toml"
    for value in answer.headers.values():
        assert value.encode("latin-1")


def faulty(folder: Path, kind: str) -> None:
    """Makes `odd.toml` in the folder what no rule set is."""
    path = folder / "odd.toml"
    match kind:
        case "folder":
            path.mkdir()
        case "loop":
            path.symlink_to(path)
        case "pipe":
            os.mkfifo(path)
        case "binary":
            path.write_bytes(bytes(range(256)))
        case _:
            path.write_text(kind, encoding="utf-8")


@pytest.mark.parametrize(
    "kind", ["", "folder", "loop", "binary", 'format = 1\nname = "odd"\n[rules]\nstarting_points = 25.000\n']
)
def test_a_set_whose_file_became_faulty_is_refused_in_a_sentence_and_hides_no_other(
    client: FlaskClient, desk: FakeDesk, tmp_path: Path, kind: str
) -> None:
    faulty(tmp_path, kind)
    assert "odd" in client.get("/rules").text
    for place in ("/rules?set=odd", "/rules?set=home&against=odd", "/rules/odd.toml"):
        answer = client.get(place, headers={"Accept": "text/html"})
        assert (answer.status_code, "These rules cannot be used." in answer.text) == (409, True)
    answer = client.post("/api/rules/play", json={"name": "odd"}, headers=token(client))
    assert (answer.status_code, answer.get_json()["said"]) == (409, "These rules cannot be used.")
    status, refused = keep(client, base="odd", name="mine")
    assert (status in (400, 409), refused["said"]) == (True, "These rules cannot be used.")
    assert desk.commands == []


def test_the_rules_in_force_are_shown_though_their_file_became_faulty(desk: FakeDesk, tmp_path: Path) -> None:
    rules = rules_named("ema-2025").ruleset.but(name="odd", starting_points=31000)
    board = Board(Snapshot(version=1, game=Table(rules).feed(START).state, ruleset=rules))
    faulty(tmp_path, "")
    page = create_app(board, desk, rules=tmp_path).test_client().get("/rules")
    assert page.status_code == 200
    assert 'value="31000"' in page.text


def test_a_file_whose_name_no_page_can_show_is_left_out(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xe9t\xe9.toml")).write_text("", encoding="utf-8")
    (tmp_path / "a\nb.toml").write_text("", encoding="utf-8")
    assert imported_names(tmp_path) == ()
    for place in ("/rules", "/game"):
        assert client.get(place).status_code == 200

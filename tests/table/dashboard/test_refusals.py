"""Whatever the API refuses is told in a sentence about the game, in every language, and never in the program's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import table
from table.dashboard.web.answers import refusal_sentence
from table.dashboard.web.security import TOKEN_HEADER
from table.i18n import catalogue, languages
from table.rules.notation.hand_text import NO_WIN
from tests.fakes.desks import PIN, join, token

HOUSE = Path(table.__file__).parent
REFUSALS = {"PressError", "PinError", "StepUnavailableError", "refusal_answer", "refuse"}
"""What ends in an answer that refuses something."""
BODIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("press", {}),
    ("press", {"press": "pon"}),
    ("press", {"press": "ron"}),
    ("press", {"press": "confirm"}),
    ("press", {"press": "ron", "seat": 1}),
    ("press", {"press": "cancel"}),
    ("press", {"press": "abort"}),
    ("press", {"press": "abort", "reason": "rain"}),
    ("press", {"press": "agree"}),
    ("press", {"press": "drop"}),
    ("press", {"press": "foul", "seat": 1}),
    ("press", {"press": "open", "seat": 0, "tiles": "3p"}),
    ("press", {"press": "discard", "discard": 3, "to": "1m"}),
    ("press", {"press": "wait", "seat": 2, "tiles": "3p"}),
    ("press", {"press": "name_foul", "seat": 1, "clause": "none"}),
    ("press", {"press": "name_foul", "seat": 1, "foul": 3}),
    ("press", {"press": "name_foul", "seat": 1, "clause": "7-05-11", "hand": 900}),
    ("press", {"press": "riichi", "seat": 0, "mark": "short"}),
    ("tell", {}),
    ("tell", {"hand": 5, "result": {"kind": "draw"}}),
    ("tell", {"hand": 0, "result": {"kind": "ron"}}),
    ("tell", {"hand": 0, "result": {"kind": "abort"}}),
    ("tell", {"hand": 0, "result": {"kind": "draw", "riichi": [1]}}),
    ("tell", {"hand": 0, "result": {"kind": "abort", "reason": "four_riichi"}}),
    ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 1, "han": 1, "fu": 30}]}}),
    ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0}]}}),
    ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3}]}}),
    ("tell", {"hand": 0, "result": {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 7}]}}),
    ("preview", {"hand": 5, "result": {"kind": "draw"}}),
    ("preview", {"edit": True, "hand": 5, "result": {"kind": "draw"}}),
    ("edit", {"hand": 5, "result": {"kind": "draw"}}),
    ("undo", {"act": 5}),
    ("redo", {"act": 5}),
    ("seats", {"order": [0, 0, 1, 2]}),
    ("names", {"names": ["a"]}),
    ("game", {"rules": "none"}),
    ("end", {}),
    ("time", {}),
    ("value", {}),
    ("value", {"seat": 0, "from": 0, "tiles": "123m"}),
    ("value", {"seat": 0, "from": 0, "tiles": "123m456p789s1122z3z"}),
    ("shown", {"seat": 0}),
    ("shown", {"seat": 0, "tiles": "123m"}),
    ("photo", {}),
    ("rules", {"toml": "no rules"}),
    ("rules/play", {"name": "none"}),
    ("nothing", {}),
    ("values", {}),
)
"""Posts that an open table of nobody's game must refuse, each for a reason of its own."""


def names(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def calls() -> Iterator[tuple[str, ast.Call, bool]]:
    """Every call in the program that may refuse something, where it stands, and whether it is raised from a cause."""
    for path in sorted(HOUSE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        caused = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.cause is not None}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield f"{path.relative_to(HOUSE)}:{node.lineno}", node, id(node) in caused


def said_by(node: ast.Call) -> set[str]:
    """The names of sentences that a call gives as `says`, by word."""
    values = [keyword.value for keyword in node.keywords if keyword.arg == "says"]
    texts = (each for value in values for each in ast.walk(value) if isinstance(each, ast.Constant))
    return {text.value for text in texts if isinstance(text.value, str) and text.value}


def has_sentence(node: ast.Call, *, is_caused: bool) -> bool:
    """Whether a refusal names its sentence, or hands on an error that does."""
    if is_caused or any(keyword.arg in ("says", None) for keyword in node.keywords):
        return True
    return not isinstance(node.args[0], ast.Constant | ast.JoinedStr)


def test_every_refusal_in_the_program_names_the_sentence_that_players_read() -> None:
    found = [(place, node, is_caused) for place, node, is_caused in calls() if names(node) in REFUSALS and node.args]
    assert len(found) > 60
    assert [place for place, node, is_caused in found if not has_sentence(node, is_caused=is_caused)] == []


@cache
def all_named() -> frozenset[str]:
    """The names of the sentences that any refusal in the program gives."""
    return frozenset(name for place, node, _ in calls() for name in said_by(node) if "_forms" not in place)


@pytest.mark.parametrize("language", languages())
def test_every_sentence_that_a_refusal_names_is_in_every_language(language: str) -> None:
    texts = catalogue(language).group("refused")
    faults = {key.removeprefix("why_") for key in catalogue(language).group("health") if key.startswith("why_")}
    names = all_named()
    assert len(names) > 50
    assert sorted(name for name in names - texts.keys() - faults if re.fullmatch(r"\w+", name)) == []
    assert sorted(NO_WIN.keys() - texts.keys()) == []


@pytest.fixture(params=languages())
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(app: Flask, language: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    join(client, seat="0")
    return client


def patterns(language: str) -> list[str]:
    sentences = catalogue(language).group("refused").values()
    return [re.sub(r"\\\{\w+\\\}", ".+", re.escape(sentence)) for sentence in sentences]


def test_whatever_the_api_refuses_is_told_in_a_sentence_of_the_phone_s_language(
    client: FlaskClient, language: str
) -> None:
    sentences, answers = patterns(language), {}
    headers = token(client)
    for address, body in BODIES:
        answer = client.post(f"/api/{address}", json=body, headers=headers)
        assert 400 <= answer.status_code < 500, (address, body, answer.status_code)
        answers[address, str(body)] = answer.get_json()["said"]
    assert [
        request for request, text in answers.items() if not any(re.fullmatch(each, text) for each in sentences)
    ] == []
    assert len(set(answers.values())) > 20


@pytest.mark.parametrize(
    ("headers", "data", "reason"),
    [({}, "{}", "old_page"), (None, "[]", "unreadable"), (None, "x" * 20000, "too_large")],
    ids=["no token", "no object", "too large"],
)
def test_a_post_that_is_none_is_refused_in_words_too(
    client: FlaskClient, language: str, headers: dict[str, str] | None, data: str, reason: str
) -> None:
    sent_headers = token(client) if headers is None else headers
    answer = client.post("/api/press", data=data, headers=sent_headers, content_type="application/json")
    assert answer.get_json()["said"] == catalogue(language).text(f"refused.{reason}")


def test_a_browser_that_keeps_no_cookies_reads_that_it_must_and_not_that_it_lacks_a_right(
    app: Flask, language: str
) -> None:
    client = app.test_client(use_cookies=False)
    accepted = {"Accept": "text/html", "Accept-Language": language}
    needed = catalogue(language).text("refused.no_cookie")
    assert needed in client.post("/join", data={"role": "seat", "seat": "0"}, headers=accepted).text
    assert client.post("/api/press", json={"press": "ron"}, headers=accepted).get_json()["said"] == needed


@pytest.mark.parametrize("address", ["/join", "/join/hints", "/game", "/season/people", "/staff/pin"])
def test_a_form_of_an_earlier_page_says_that_the_page_is_old_and_not_that_a_right_is_missing(
    app: Flask, address: str
) -> None:
    owner = app.test_client()
    join(owner, "owner", pin=PIN)
    form = {"token": "of an earlier page", "role": "seat", "seat": "1", "do": "names"}
    answer = owner.post(address, data=form, headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert catalogue().text("refused.old_page") in answer.text


def test_a_phone_that_lost_its_seat_reads_so_when_it_sends_a_form_of_the_game(app: Flask) -> None:
    former, latest = app.test_client(), app.test_client()
    assert join(former, seat="1") == 302
    mark = token(former)[TOKEN_HEADER]
    join(latest, "owner", pin=PIN)
    assert join(latest, seat="1") == 302
    answer = former.post("/game", data={"token": mark, "do": "names"}, headers={"Accept": "text/html"})
    assert (answer.status_code, catalogue().text("refused.seat_none") in answer.text) == (403, True)


@pytest.mark.parametrize("name", ["riichi", "dora", "Max_1"])
def test_a_refused_name_is_quoted_as_it_was_entered_even_if_a_yaku_has_it(name: str) -> None:
    for says in ("name_long", "name_twice", "name_seated", "name_same_person", "desk_plays"):
        assert name in refusal_sentence(says, {"name": name, "other": "Aoi", "most": 24}, catalogue("ja"))
    assert "リーチ" in refusal_sentence("yaku_twice", {"name": "riichi"}, catalogue("ja"))


def test_no_script_of_the_pages_shows_what_an_answer_tells_programs() -> None:
    scripts = sorted((HOUSE / "dashboard" / "static").rglob("*.js"))
    assert scripts
    assert [
        path.name for path in scripts if re.search(r"\bsaid\.error\b|\{ *error\b|\banswer\.error\b", path.read_text())
    ] == []


def test_a_browser_reads_in_its_own_language_what_is_not_there(client: FlaskClient, language: str) -> None:
    answer = client.get("/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert f'<html lang="{language}">' in answer.text
    assert catalogue(language).text("refused.gone") in answer.text
    assert "Not Found" not in answer.text


def test_a_program_that_asks_for_a_page_that_is_not_there_gets_a_plain_error(client: FlaskClient) -> None:
    assert "Not Found" in client.get("/nowhere").text


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/game/1/tenhou6.json", 409, "no_tenhou"),
        ("/game/9/tenhou6.json", 404, "gone"),
        ("/game/9/sheet.json", 404, "gone"),
        ("/api/games/9/hands/0", 404, "gone"),
        ("/broadcast/state.json?delay=soon", 400, "unreadable"),
    ],
)
def test_a_file_of_json_that_is_refused_says_so_to_programs_and_a_browser_shows_a_page(
    client: FlaskClient, language: str, address: str, status: int, says: str
) -> None:
    sentence = catalogue(language).text(f"refused.{says}")
    answer = client.get(address)
    assert (answer.status_code, answer.get_json()["said"]) == (status, sentence)
    if not address.startswith("/api/"):
        shown = client.get(address, headers={"Accept": "text/html"})
        assert (shown.status_code, shown.mimetype) == (status, "text/html")
        assert sentence in shown.text

from __future__ import annotations

import json
import threading
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.answers import MARKS_PER_SENDER, SeenRequests
from table.dashboard.web.base_page import art_version
from table.dashboard.web.browser_language import available_language
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.web.static_files import versioned_path
from table.game.commands.game_commands import ClaimRon
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rules.state import GameState
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.places import ROOT
from vision.art import ALL_FACES

PATIENCE_S = 20.0


def snapshot(version: int, *, first: int = 25000) -> Snapshot:
    return Snapshot(version=version, game=GameState(scores=(first, 25000, 25000, 25000)))


@pytest.fixture
def board() -> Board:
    return Board(snapshot(1))


@pytest.fixture
def inbox() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def app(board: Board, inbox: FakeDesk) -> Flask:
    return create_app(board, inbox)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client)
    return client


def press(client: FlaskClient, body: Any, headers: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/press", json=body, headers=token(client) if headers is None else headers)
    return answer.status_code, answer.get_json()


# The page and its pictures


def test_a_home_screen_finds_an_icon_of_each_size_that_it_is_told_of(client: FlaskClient) -> None:
    def static(address: str) -> bytes:
        with client.get(address) as answer:
            return bytes(answer.data)

    icons = json.loads(static("/static/tachiai.webmanifest"))["icons"]
    sizes = {each["src"]: each["sizes"] for each in icons if each["type"] == "image/png"}
    assert sorted(sizes.values()) == ["192x192", "512x512", "512x512"]
    assert f'rel="apple-touch-icon" href="{versioned_path()}/apple-touch-icon.png"' in client.get("/").text
    for address, size in {**sizes, "/static/apple-touch-icon.png": "180x180"}.items():
        picture = cv2.imdecode(np.frombuffer(static(address), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        high, wide = picture.shape[:2]
        assert f"{wide}x{high}" == size
        assert tuple(picture[high // 2, wide // 2]) == (0x2F, 0x40, 0xD8)  # the mark's red dot, in OpenCV's order


def test_the_page_loads_only_its_own_files_and_has_no_inline_code(client: FlaskClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "<h1>Tachiai</h1>" in answer.text
    assert "http" not in answer.text.replace("http-equiv", "")
    assert "style=" not in answer.text
    assert "onclick" not in answer.text


def test_the_arrow_back_is_drawn_in_one_template() -> None:
    templates = (ROOT / "table" / "dashboard" / "templates").rglob("*.html")
    drawn = [each.name for each in templates if 'd="M14.5 5l-7 7 7 7"' in each.read_text("utf-8")]
    assert drawn == ["back_arrow.html"]


def test_the_wall_is_the_same_table_without_presses(client: FlaskClient) -> None:
    assert "data-press" in client.get("/").text
    assert "data-press" not in client.get("/wall").text


def test_the_wall_shows_phones_the_address_that_it_was_opened_with(client: FlaskClient) -> None:
    address = {"base_url": "http://192.168.1.4:8000"}
    assert "<b>http://192.168.1.4:8000</b>" in client.get("/wall", **address).text
    assert client.get("/join.svg", **address).text.startswith("<?xml")


@pytest.mark.parametrize("address", ["http://localhost:8000", "http://127.0.0.1:8000", "http://[::1]:8000"])
def test_an_address_that_no_phone_could_open_is_not_offered(client: FlaskClient, address: str) -> None:
    assert "join.svg" not in client.get("/wall", base_url=address).text
    assert client.get("/join.svg", base_url=address).status_code == 404


def test_every_answer_tells_the_browser_to_run_nothing_foreign(client: FlaskClient) -> None:
    for address in ("/", "/api/table", "/tile/1m.svg", "/nowhere"):
        headers = client.get(address).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_browser_keeps_the_files_of_a_page_but_not_that_there_is_none(client: FlaskClient) -> None:
    script = f"{versioned_path()}/live/table.js"
    assert f'src="{script}"' in client.get("/").text
    for address, is_kept in ((script, True), ("/static/live/table.js", False), (f"{versioned_path()}/no.js", False)):
        with client.get(address) as answer:
            assert ("immutable" in answer.headers["Cache-Control"]) == is_kept, address


@pytest.mark.parametrize("face", [*ALL_FACES, "unread"])
def test_every_face_has_a_picture_that_is_kept_for_long(client: FlaskClient, face: str) -> None:
    answer = client.get(f"/tile/{face}.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.startswith("<svg")
    assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("address", ["/tile/8z.svg", "/tile/.svg", "/tile/../art.svg", "/stick/7.svg", "/stick/-1.svg"])
def test_unknown_pictures_are_not_found(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_pictures_are_asked_for_by_their_version(client: FlaskClient) -> None:
    assert f'data-art="{art_version()}"' in client.get("/").text


# Languages


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("ja-JP", "ja"),
        ("ko", "ko"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("en-GB", "en"),
        ("tlh", None),
    ],
)
def test_a_browsers_language_tag_finds_our_language(tag: str, language: str | None) -> None:
    assert available_language(tag) == language


def test_a_page_speaks_the_first_language_asked_for_that_it_has(client: FlaskClient) -> None:
    headers = {"Accept-Language": "tlh, ja;q=0.9, en;q=0.8"}
    assert '<html lang="ja">' in client.get("/", headers=headers).text
    assert client.get("/api/table", headers=headers).get_json()["seats"][0]["name"] == "東家"
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "tlh"}).text


def test_a_chosen_language_stays_chosen(client: FlaskClient) -> None:
    assert client.get("/language/ko").location == "/"
    assert '<html lang="ko">' in client.get("/", headers={"Accept-Language": "ja"}).text


def test_a_language_that_there_is_not_cannot_be_chosen(client: FlaskClient) -> None:
    assert client.get("/language/tlh").status_code == 404


def test_the_page_offers_every_language_by_its_own_name(client: FlaskClient) -> None:
    page = client.get("/").text
    for language in languages():
        assert catalogue(language).text("page.language") in page


# The table as JSON


def test_the_table_is_the_latest_snapshot(client: FlaskClient, board: Board) -> None:
    board.publish(snapshot(2, first=24000))
    view = client.get("/api/table").get_json()
    assert view["version"] == 2
    assert view["seats"][0]["score_text"] == "24,000"


def test_the_address_of_a_form_leads_to_its_page_if_it_is_opened_again(app: Flask, client: FlaskClient) -> None:
    """It stays in the browser once a form was refused; a phone that was locked for long opens it anew."""
    join(client, "owner", pin=PIN)
    posts = [rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    forms = [address for address in posts if not address.startswith("/api/")]
    assert "/staff/pin" in forms
    assert [address for address in forms if client.get(address, follow_redirects=True).status_code != 200] == []


def test_what_changes_is_never_kept_by_the_browser(client: FlaskClient) -> None:
    assert client.get("/api/table").headers["Cache-Control"] == "no-store"


# Presses


def test_a_press_reaches_the_inbox(client: FlaskClient, inbox: FakeDesk) -> None:
    assert press(client, {"press": "ron", "seat": 2}) == (202, {"taken": "ron"})
    assert inbox.commands == [ClaimRon(seat=Seat.FAR, by="seat 0")]


@pytest.mark.parametrize("headers", [{}, {TOKEN_HEADER: "guessed"}])
def test_a_press_without_this_browsers_token_is_forbidden(
    client: FlaskClient, inbox: FakeDesk, headers: dict[str, str]
) -> None:
    token(client)
    status, answer = press(client, {"press": "confirm"}, headers)
    assert status == 403
    assert "token" in answer["error"]
    assert inbox.commands == []


def test_the_token_of_another_browser_does_not_count(app: Flask, client: FlaskClient, inbox: FakeDesk) -> None:
    assert press(client, {"press": "confirm"}, token(app.test_client()))[0] == 403
    assert inbox.commands == []


def test_the_token_stays_the_same_for_a_browser(client: FlaskClient) -> None:
    assert token(client) == token(client)


def test_scripts_cannot_read_the_cookie_and_other_sites_do_not_send_it(client: FlaskClient) -> None:
    cookie = client.get("/", headers={"Accept": "text/html"}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"press": "dance"}, "expected a press out of ron, tsumo"),
        ({"press": "ron"}, "expected a seat from 0 to 3 for 'ron', got none"),
        ({"press": "ron", "seat": 4}, "expected a seat from 0 to 3, got 4"),
        ({"press": "correct", "discard": 1, "to": "9z"}, "expected a tile such as 1m"),
        ({"press": "correct", "discard": 1}, "expected 'to' for 'correct', got none"),
        ({"press": "correct", "to": "1m"}, "expected 'discard' for 'correct', got none"),
        (["press"], "expected a JSON object, got a list"),
        ({"press": "confirm", "mark": "short"}, "expected mark as a text of 8 to 64 letters"),
        ({"press": "confirm", "mark": 5}, "expected mark as a text of 8 to 64 letters"),
    ],
)
def test_what_is_no_press_is_refused_with_one_clear_message(
    client: FlaskClient, inbox: FakeDesk, body: Any, message: str
) -> None:
    status, answer = press(client, body)
    assert status == 400
    assert message in answer["error"]
    assert inbox.commands == []


def test_a_body_that_is_no_json_is_refused(client: FlaskClient) -> None:
    answer = client.post("/api/press", data=b"\xff{", headers=token(client))
    assert answer.status_code == 400
    assert "JSON" in answer.get_json()["error"]


def test_a_body_far_larger_than_any_press_is_refused(client: FlaskClient, inbox: FakeDesk) -> None:
    assert client.post("/api/press", json={"press": "x" * 20000}, headers=token(client)).status_code in (400, 413)
    assert inbox.commands == []


def test_a_press_that_cannot_be_now_is_told_why(client: FlaskClient, inbox: FakeDesk) -> None:
    inbox.refusal = PressError("expected an open claim, there is none", says="no_win")
    refusal = {"error": "expected an open claim, there is none", "said": "There is no win to cancel."}
    assert press(client, {"press": "confirm"}) == (409, refusal)


def test_a_table_that_does_not_answer_in_time_asks_to_press_again(client: FlaskClient, inbox: FakeDesk) -> None:
    inbox.refusal = TimeoutError()
    status, answer = press(client, {"press": "confirm"})
    assert status == 503
    assert "got none in time: try again" in answer["error"]


def test_a_table_that_does_not_answer_a_preview_or_a_form_in_time_says_so(client: FlaskClient, inbox: FakeDesk) -> None:
    inbox.refusal = TimeoutError()
    preview = {"result": {"kind": "draw", "tenpai": []}, "hand": 0}
    answer = client.post("/api/preview", json=preview, headers=token(client))
    assert (answer.status_code, answer.get_json()["said"]) == (503, "The table did not answer: try again.")
    form = {"do": "swap", "one": "0", "other": "1", "why": "", "token": token(client)[TOKEN_HEADER]}
    page = client.post("/game", data=form, headers={"Accept": "text/html"})
    assert page.status_code == 503
    assert "The table did not answer: try again." in page.text


def test_a_mark_is_its_sender_s_own(app: Flask, inbox: FakeDesk) -> None:
    phones = [app.test_client(), app.test_client()]
    for seat, phone in enumerate(phones):
        join(phone, seat=str(seat))
        assert press(phone, {"press": "confirm", "mark": "a1b2c3d4"})[0] == 202
    assert len(inbox.commands) == 2


def test_nobody_uses_up_another_one_s_marks() -> None:
    requests, acts = SeenRequests(), list[str]()
    assert requests.act_once("one", "its-mark", lambda: acts.append("one"))
    for number in range(MARKS_PER_SENDER + 1):
        requests.act_once("other", f"mark-{number}", lambda: acts.append("other"))
    assert not requests.act_once("one", "its-mark", lambda: acts.append("one"))
    assert requests.act_once("other", "mark-0", lambda: acts.append("other")), "its own oldest is forgotten"
    assert acts.count("one") == 1


def test_a_sender_whose_act_takes_long_holds_up_nobody_else_and_counts_once() -> None:
    requests, has_begun, goes_on = SeenRequests(), threading.Event(), threading.Event()
    acts, results = list[str](), list[bool]()

    def slow() -> None:
        has_begun.set()
        assert goes_on.wait(PATIENCE_S)
        acts.append("one")

    def quick(sender: str) -> None:
        results.append(requests.act_once(sender, "its-mark", lambda: acts.append(sender)))

    first = threading.Thread(target=requests.act_once, args=("one", "its-mark", slow))
    again, other = (threading.Thread(target=quick, args=(sender,)) for sender in ("one", "other"))
    for thread in (first, again, other):
        thread.start()
        assert has_begun.wait(PATIENCE_S)
    other.join(PATIENCE_S / 2)
    assert acts == ["other"]
    goes_on.set()
    first.join()
    again.join()
    assert (acts, results) == (["other", "one"], [True, False])


def test_an_act_that_failed_may_be_sent_again() -> None:
    requests = SeenRequests()
    with pytest.raises(ZeroDivisionError):
        requests.act_once("one", "its-mark", lambda: print(1 // 0))
    assert requests.act_once("one", "its-mark", lambda: None)


def test_a_press_sent_twice_over_a_bad_network_counts_once(client: FlaskClient, inbox: FakeDesk) -> None:
    body = {"press": "confirm", "mark": "a1b2c3d4"}
    assert press(client, body) == press(client, body) == (202, {"taken": "confirm"})
    assert len(inbox.commands) == 1


def test_a_refused_press_may_be_sent_again(client: FlaskClient, inbox: FakeDesk) -> None:
    inbox.refusal = PressError("not now")
    body = {"press": "confirm", "mark": "a1b2c3d4"}
    assert press(client, body)[0] == 409
    inbox.refusal = None
    assert press(client, body)[0] == 202
    assert len(inbox.commands) == 1

"""The pages of the first start: who may, what is asked, what is kept, and that nothing disturbs a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.wizard.setup_pages import blueprint
from table.dashboard.wizard.setup_port import (
    GuideState,
    TablePlace,
)
from table.dashboard.wizard.setup_view import STEPS, rehearsal_view, scan_view
from table.game.commands.game_commands import NameSeats
from table.game.snapshot import Board, Mode, Snapshot
from table.i18n import catalogue, languages
from table.panel.panel_trial import PanelTrial
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_reader import SHIPPED
from table.rules.advance import new_game
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import PressError, TachiaiError
from tests.fakes.desks import PIN, FakeDesk, join, token
from tests.fakes.setup_tools import FakeGuide, FakeScan, FakeTools
from vision.errors import CalibrationError, TileSetError, VisionError
from vision.geometry.visibility.visibility import Fault


@pytest.fixture
def tools() -> FakeTools:
    return FakeTools()


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def board() -> Board:
    return Board(Snapshot(version=1, game=new_game(HOME)))


@pytest.fixture
def app(board: Board, tools: FakeTools, desk: FakeDesk) -> Flask:
    vault = Vault()
    app = create_app(board, desk, vault)
    app.register_blueprint(blueprint(board, vault, tools))
    return app


@pytest.fixture
def first(app: Flask) -> FlaskClient:
    """The first phone of a new table."""
    return app.test_client()


def send(client: FlaskClient, step: str, **form: str) -> Any:
    return client.post(f"/begin/{step}", data={"token": token(client)[TOKEN_HEADER], **form})


def ask(client: FlaskClient, step: str, data: Mapping[str, Any]) -> Any:
    return client.post(f"/api/begin/{step}", json=data, headers=token(client))


FORMS = {
    "language": {"language": "ja"},
    "rules": {"rules": "ema-2025"},
    "names": {"name0": "さくら", "name2": " Jo "},
}
WATCHED = ("language", "rules", "names", "camera", "place", "tiles", "panel", "rehearsal", "invite")
BY_HAND = ("language", "rules", "names", "invite")


def keep_by_hand(tools: FakeTools) -> None:
    """Takes the camera and the panel away."""
    tools.has_camera, tools.trial, tools.guide = False, None, None


def followed(client: FlaskClient, steps: tuple[str, ...]) -> None:
    """Goes through the steps as their forms ask, from the table's page to the table."""
    assert client.get("/").location == "/begin/language"
    for step, following in pairwise(steps):
        assert send(client, step, **FORMS.get(step, {})).location == f"/begin/{following}"
    assert send(client, "over").location == "/"
    assert client.get("/").status_code == 200


def test_without_a_camera_the_first_phone_is_led_through_four_steps(
    first: FlaskClient, tools: FakeTools, desk: FakeDesk
) -> None:
    keep_by_hand(tools)
    followed(first, BY_HAND)
    assert tools.steps == dict.fromkeys((*BY_HAND, "over"), "done")
    assert ("rules", "ema-2025", "") in tools.done
    assert desk.commands == [NameSeats(names=("さくら", "", "Jo", ""))]


def test_with_a_camera_the_steps_of_the_camera_and_the_panel_apply_too(first: FlaskClient, tools: FakeTools) -> None:
    followed(first, WATCHED)
    assert tools.steps == dict.fromkeys((*WATCHED, "over"), "done")


def test_no_step_is_listed_that_does_not_apply(first: FlaskClient, tools: FakeTools) -> None:
    assert re.findall('<li><a href="/begin/([a-z]+)" data-state', first.get("/begin").text) == list(WATCHED)
    keep_by_hand(tools)
    assert re.findall('<li><a href="/begin/([a-z]+)" data-state', first.get("/begin").text) == list(BY_HAND)


def test_the_first_start_goes_on_where_it_was_left(first: FlaskClient) -> None:
    send(first, "language", language="en")
    assert first.get("/").location == "/begin/rules"


def test_whom_the_last_step_invites_comes_to_the_table_and_the_host_back_to_the_set_up_until_it_is_over(
    app: Flask, first: FlaskClient, tools: FakeTools
) -> None:
    keep_by_hand(tools)
    for step in BY_HAND[:-1]:
        assert app.test_client().get("/").location == f"/begin/{step}"
        send(first, step, **FORMS[step])
    assert app.test_client().get("/").status_code == 200
    assert first.get("/").location == "/begin/invite"
    send(first, "over")
    assert first.get("/").status_code == 200


def test_every_rule_set_says_in_one_line_what_it_is(first: FlaskClient, tools: FakeTools) -> None:
    tools.rules = (*SHIPPED, "friday")
    for language in languages():
        send(first, "language", language=language)
        page, texts = first.get("/begin/rules").text, catalogue(language)
        assert all(f"<span>{texts.text(f'wizard.set_{each}')}</span>" in page for each in (*SHIPPED, "own"))


def test_names_that_were_entered_after_a_game_without_a_hand_stay_with_other_rules(
    app: Flask, first: FlaskClient, board: Board, tools: FakeTools
) -> None:
    over = replace(new_game(HOME), next_start=None, ranking=SEATS)
    board.publish(replace(board.latest, version=2, game=over, opened_by=1, names=("Ann", "", "", "")))
    send(first, "names", name1="Ben")
    send(first, "rules", rules="ema-2025")
    assert tools.names == ("Ann", "Ben", "", "")


def test_nobody_is_named_where_nothing_is_said(first: FlaskClient, desk: FakeDesk) -> None:
    assert send(first, "names", name0="", name1=" ").location == "/begin/camera"
    assert desk.commands == []


def test_a_name_that_another_page_saved_meanwhile_stays(first: FlaskClient, board: Board, desk: FakeDesk) -> None:
    page = first.get("/begin/names").text
    shown = dict(re.findall(r'name="(was\d)" value="([^"]*)"', page))
    assert shown == {f"was{seat}": "" for seat in range(4)}
    board.publish(replace(board.latest, version=board.latest.version + 1, names=("Zoe", "", "", "")))
    send(first, "names", **shown, name0="", name1="Max", name2="", name3="")
    assert desk.commands == [NameSeats(names=("Zoe", "Max", "", ""))]


def test_a_name_that_is_too_long_stays_in_its_field(first: FlaskClient, desk: FakeDesk) -> None:
    answer = send(first, "names", name0="Jo", name1="葵" * 25)
    assert answer.status_code == 409
    assert "a name has at most 24 letters" in answer.text
    assert all(f'value="{name}"' in answer.text for name in ("Jo", "葵" * 25))
    assert desk.commands == []


def test_the_same_name_twice_is_refused_beside_both_fields(first: FlaskClient, desk: FakeDesk) -> None:
    answer = send(first, "names", name0="Anna", name1="Ben", name2="Anna ")
    assert (answer.status_code, desk.commands) == (409, [])
    assert "“Anna” is entered for two seats: enter another name for one of them." in answer.text
    marked = re.findall(r'name="name(\d)"[^>]*aria-invalid="true" aria-describedby="refused"( autofocus)?', answer.text)
    assert marked == [("0", " autofocus"), ("2", "")]


def test_pin_and_mode_are_a_line_each_in_the_last_step_and_lead_back_to_it(
    first: FlaskClient, tools: FakeTools
) -> None:
    page = first.get("/begin/invite").text
    assert '<a href="/begin/pin"><b>Owner’s PIN</b><span>none · choose</span>' in page
    assert '<a href="/begin/mode"><b>Mode</b><span>Home</span>' in page
    assert send(first, "pin", pin=PIN, again=PIN).location == "/begin/invite"
    assert send(first, "mode", mode="club").location == "/begin/invite"
    assert ("mode", Mode.CLUB) in tools.done
    assert '<a href="/begin/pin"><b>Owner’s PIN</b><span>chosen</span>' in first.get("/begin/invite").text


def test_each_step_can_be_skipped_and_is_found_again(first: FlaskClient, tools: FakeTools) -> None:
    for step in STEPS:
        assert send(first, step, do="skip").status_code == 302
    assert tools.steps == dict.fromkeys(STEPS, "skipped")
    assert tools.done == ["left"] * len(STEPS)
    page = first.get("/begin").text
    assert all(f"/begin/{step}" in page for step in STEPS)


def test_a_form_of_another_phone_does_not_end_what_a_phone_does_on_the_felt(
    app: Flask, first: FlaskClient, tools: FakeTools
) -> None:
    other = app.test_client()
    ask(first, "rehearsal", {"do": "begin"})
    tools.done.clear()
    send(other, "names", name0="Ann")
    send(other, "mode", do="skip")
    assert "left" not in tools.done
    send(first, "camera")
    assert tools.done == ["left"]
    ask(first, "rehearsal", {"do": "begin"})
    send(other, "rehearsal", do="skip")
    assert tools.done[-1] == "left"


def test_once_there_is_a_pin_only_the_owner_may(app: Flask, first: FlaskClient) -> None:
    other = app.test_client()
    join(first, "owner", pin=PIN)
    assert first.get("/begin/mode").status_code == 200
    assert other.get("/").status_code == 200
    assert {other.get(path).location for path in ("/begin", "/begin/mode")} == {"/join"}
    assert other.get("/begin/place/now").status_code == 403
    assert other.get("/begin/picture.jpg").status_code == 404
    assert send(other, "mode", mode="club").status_code == 403
    assert ask(other, "place", {"do": "find"}).status_code == 403
    assert first.get("/begin/picture.jpg").data == b"jpeg"


def test_a_form_without_its_token_is_refused(first: FlaskClient, tools: FakeTools) -> None:
    assert first.post("/begin/mode", data={"mode": "club"}).status_code == 403
    first.get("/begin/mode")
    refused = first.post("/api/begin/place", json={"do": "find"})
    assert (refused.status_code, refused.get_json()["said"]) == (403, catalogue().text("refused.old_page"))
    assert tools.done == []


@pytest.mark.parametrize(
    ("step", "form", "sentence"),
    [
        ("pin", {"pin": PIN, "again": "845173"}, "The two PINs are not the same."),
        ("pin", {"pin": "12", "again": "12"}, "A PIN has six digits or more"),
        ("mode", {"mode": "loud"}, "That is not possible now."),
    ],
)
def test_what_cannot_be_taken_is_said_on_the_step_itself(
    first: FlaskClient, tools: FakeTools, step: str, form: dict[str, str], sentence: str
) -> None:
    answer = send(first, step, **form)
    assert answer.status_code == 409
    assert sentence in answer.text
    assert step not in tools.steps


def test_every_step_shows_in_every_language_with_and_without_its_parts(first: FlaskClient, tools: FakeTools) -> None:
    for language in languages():
        send(first, "language", language=language)
        for has_parts in (True, False):
            tools.has_camera = has_parts
            tools.trial = PanelTrial() if has_parts else None
            tools.guide = FakeGuide() if has_parts else None
            tools.rules = ("home",) if has_parts else ()
            for step in ("", *(f"/{each}" for each in STEPS)):
                answer = first.get(f"/begin{step}")
                assert answer.status_code == 200
                assert f'lang="{language}"' in answer.text
    assert first.get("/begin/else").status_code == 404
    assert first.get("/begin/mode/now").status_code == 404


@pytest.mark.parametrize("fault", get_args(Fault))
@pytest.mark.parametrize("language", languages())
def test_a_table_that_is_not_seen_well_is_told_with_what_to_do(
    first: FlaskClient, tools: FakeTools, language: str, fault: Fault
) -> None:
    place = TablePlace(corners=((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)), by="hand", when="")
    sentence = catalogue(language).text(f"sight.{fault}")
    for tools.found, count in ((place, 0), (replace(place, fault=fault), 1)):
        for address in ("/begin/place", "/begin/place/now"):
            answer = first.get(address, headers={"Accept-Language": language})
            assert (answer.status_code, answer.text.count(sentence)) == (200, count)


def test_the_table_is_found_or_put_by_four_corners(first: FlaskClient, tools: FakeTools) -> None:
    assert ask(first, "place", {"do": "find"}).get_json()["by"] == "picture"
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    assert ask(first, "place", {"do": "put", "corners": corners}).get_json()["corners"] == corners
    for wrong in (corners[:3], [[0, 0, 0]] * 4, "here", [[9, 9]] * 4, None):
        assert ask(first, "place", {"do": "put", "corners": wrong}).status_code == 400
    assert tools.done == [("find",), ("put", tuple(map(tuple, corners)))]


def test_a_table_that_was_found_by_its_felt_for_want_of_markers_says_at_which_corners(
    first: FlaskClient, tools: FakeTools
) -> None:
    tools.found = TablePlace(corners=((0.1, 0.1),) * 4, by="picture", when="", is_kept=False, unmarked=(1, 2))
    assert "no marker was seen here: Far right corner · Near right corner." in first.get("/begin/place/now").text
    tools.found = replace(tools.found, unmarked=())
    assert "no marker" not in first.get("/begin/place").text


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (TachiaiError("expected no hand"), "That is not possible now."),
        (
            TileSetError("expected one of each"),
            "Lay one of each tile in the order shown; the second time, in another place.",
        ),
        (TileSetError("expected one of each, got no 7p", missing=["7p"]), "Missing: 7 pin."),
        (
            TileSetError("expected one of each, got …", missing=["7p", "1z"], misplaced=["2s"]),
            "Missing: 7 pin, East wind.",
        ),
        (TileSetError("expected one of each, got 2s out of order", misplaced=["2s"]), "Not in its place: 2 sou."),
    ],
)
def test_what_the_appliance_refuses_is_told(
    first: FlaskClient, tools: FakeTools, refusal: Exception, sentence: str
) -> None:
    tools.refusal = refusal
    answer = ask(first, "tiles", {"do": "look"})
    assert (answer.status_code, answer.get_json()) == (409, {"error": str(refusal), "said": sentence})


@pytest.mark.parametrize("kind", [CalibrationError, TileSetError])
def test_a_result_that_the_disk_does_not_take_is_not_called_a_bad_picture(
    first: FlaskClient, tools: FakeTools, kind: type[VisionError]
) -> None:
    tools.refusal = kind("expected a writable file")
    tools.refusal.__cause__ = OSError(28, "No space left on device")
    answer = ask(first, "tiles", {"do": "look"})
    said = "This could not be saved: the table’s disk is full or broken. After the next start it is as before."
    assert (answer.status_code, answer.get_json()["said"]) == (409, said)


@pytest.mark.parametrize(
    ("step", "body"),
    [
        ("mode", {"do": "find"}),
        ("place", {}),
        ("panel", {"do": "light"}),
        ("panel", {"do": "light", "seat": -1, "colour": "red"}),
        ("panel", {"do": "light", "seat": 1.5, "colour": "red"}),
        ("rehearsal", {"do": "say"}),
        ("tiles", []),
    ],
)
def test_what_a_step_does_not_do_is_refused(first: FlaskClient, step: str, body: Any) -> None:
    answer = ask(first, step, body)
    assert answer.status_code == 400
    assert "Error(" not in answer.get_json()["error"]


def test_the_panel_is_tried_out(first: FlaskClient, tools: FakeTools) -> None:
    assert tools.trial is not None
    assert ask(first, "panel", {"do": "begin"}).status_code == 200
    assert ask(first, "panel", {"do": "light", "seat": 2, "colour": "blue"}).status_code == 200
    assert tools.trial.colours[Seat.FAR] == (0, 0, 255)
    assert "not yet" in first.get("/begin/panel/now").text


def test_the_panel_is_not_tried_out_while_a_hand_is_played(first: FlaskClient, tools: FakeTools) -> None:
    tools.refusal = PressError("expected no hand being played, got one", says="hand_first")
    for fields in ({"do": "begin"}, {"do": "light", "seat": 2, "colour": "blue"}):
        assert ask(first, "panel", fields).status_code == 409
    assert tools.trial is not None
    assert not tools.trial.is_on


def test_the_rehearsal_says_that_no_picture_comes(first: FlaskClient, tools: FakeTools) -> None:
    sentence = catalogue().text("refused.no_camera")
    shown = [sentence in first.get("/begin/rehearsal/now").text]
    tools.has_pictures = False
    shown.append(sentence in first.get("/begin/rehearsal/now").text)
    assert shown == [False, True]


def test_the_rehearsal_shows_what_to_lay_what_was_seen_and_asks_who_erred(first: FlaskClient, tools: FakeTools) -> None:
    page = first.get("/begin/rehearsal/now").text
    assert "Seat 1 discards." in page
    assert "Seen: Seat 1 discards · 71 % sure" in page
    assert "2 / 15" in page
    assert ask(first, "rehearsal", {"do": "say", "step": 1, "word": "mine"}).status_code == 200
    assert ask(first, "rehearsal", {"do": "end"}).status_code == 200
    assert ask(first, "rehearsal", {"do": "begin"}).status_code == 200
    assert tools.guide is not None
    assert tools.guide.answers == [(1, "mine"), (-1, "end")]
    tools.guide.state = replace(tools.guide.state, state=GuideState.OVER)
    over = first.get("/begin/rehearsal/now").text
    assert "check what it says" in over
    assert "not tried" in over
    assert "Tiles were mixed up" in over


def test_views_say_shares_and_names() -> None:
    view = scan_view(FakeScan().status(), catalogue())
    assert view["verdict"] == "Not ready: 97 % read correctly."
    assert view["lines"] == ["9 man is still read as 6 man, in 25 %."]
    assert view["misreadings"] == ["Without this scan, 9 sou would be read as 7 sou."]
    rehearsal = rehearsal_view(FakeGuide().status(), catalogue())
    assert rehearsal["done"][0]["seconds"] == "0.6"
    assert rehearsal["needs"][0] == "1m"
    assert [each["said"] for each in rehearsal["trust"]] == ["check what it says", "not tried"]

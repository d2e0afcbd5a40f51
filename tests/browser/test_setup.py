"""The first start in a real browser: corners dragged by finger and by key, presses told back, and axe on every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table.dashboard import create_app, serve
from table.dashboard.web.access.vault import Vault
from table.dashboard.wizard.setup_pages import blueprint
from table.dashboard.wizard.setup_port import ScanStatus, TablePlace
from table.dashboard.wizard.setup_view import STEPS
from table.game.snapshot import Board, Snapshot
from table.panel.buttons import Push
from table.panel.panel_port import WINS
from table.rulebook.play_presets import HOME
from table.rulebook.ruleset_reader import SHIPPED
from table.rules.advance import new_game
from tests.browser.axe import complaints
from tests.browser.screen_fit import faults, letters_of
from tests.browser.waiting import HeldRequests, press_enter
from tests.fakes.desks import FakeDesk
from tests.fakes.setup_tools import FakeScan, FakeTools
from vision.errors import CalibrationError, TileSetError

pytestmark = pytest.mark.browser


class Tools(FakeTools):
    def picture(self) -> bytes | None:
        return cv2.imencode(".jpg", np.full((480, 480, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.fixture
def address(tools: Tools) -> Iterator[str]:
    vault, board = Vault(), Board(Snapshot(version=1, game=new_game(HOME)))
    app = create_app(board, FakeDesk(), vault)
    app.register_blueprint(blueprint(board, vault, tools))
    with serve(app, "127.0.0.1", 0) as port:
        yield f"http://127.0.0.1:{port}"
    board.close()


def last_stored_corners(tools: Tools) -> tuple[tuple[float, float], ...]:
    """The corners that were kept last."""
    return next(step[1] for step in reversed(tools.done) if isinstance(step, tuple) and step[0] == "put")


def test_corners_are_dragged_by_finger_and_moved_by_key_and_kept(phone: Page, address: str, tools: Tools) -> None:
    phone.goto(f"{address}/begin/place")
    corner = phone.get_by_role("button", name="Far right corner")
    expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 480)
    frame, handle = phone.locator("#corners").bounding_box(), corner.bounding_box()
    assert frame is not None
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    phone.mouse.move(x, y)
    phone.mouse.down()
    phone.mouse.move(x - 0.1 * frame["width"], y + 0.05 * frame["height"], steps=4)
    expect(phone.locator("#loupe")).to_be_visible()
    phone.mouse.up()
    expect(phone.locator("#loupe")).to_be_hidden()
    corner.press("ArrowDown")
    with phone.expect_response("**/api/begin/place"):
        phone.get_by_role("button", name="Use these corners").click()
    corners = last_stored_corners(tools)
    assert corners[1] == pytest.approx((0.75, 0.2 + 1 / 480), abs=0.005)
    assert corners[0] == (0.15, 0.15)


def test_what_is_pressed_at_the_panel_is_told_back_as_it_happens(phone: Page, address: str, tools: Tools) -> None:
    assert tools.trial is not None
    with phone.expect_response("**/api/begin/panel"):
        phone.goto(f"{address}/begin/panel")
    expect(phone.locator(".pushes li").first).to_contain_text("not yet")
    tools.trial.record_press(WINS[0], Push.HELD)
    expect(phone.locator(".pushes li.heard")).to_have_text("Win 1held")


def test_corners_that_somebody_moved_are_not_called_saved_until_they_are(
    phone: Page, address: str, tools: Tools
) -> None:
    tools.found = TablePlace(corners=((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)), by="picture", when="")
    phone.goto(f"{address}/begin/place")
    expect(phone.locator("#place")).to_have_text("Found and saved.")
    expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 480)
    corner, use = (phone.get_by_role("button", name=name) for name in ("Far right corner", "Use these corners"))
    corner.press("ArrowDown")
    expect(phone.locator("#place")).to_contain_text("Not saved yet.")
    tools.refusal = CalibrationError("unused")
    use.click()
    expect(phone.locator("#refusal")).to_be_visible()
    expect(phone.locator("#place")).to_contain_text("Not saved yet.")
    tools.refusal = None
    for nudges in ((), ("ArrowDown", "ArrowUp")):
        for nudge in nudges:
            corner.press(nudge)
            expect(phone.locator("#place")).to_contain_text("Not saved yet.")
        use.click()
        expect(phone.locator("#place")).to_have_text("Your corners are saved.")


def test_next_uses_the_corners_that_somebody_moved_and_skip_does_not(phone: Page, address: str, tools: Tools) -> None:
    for button, kept in (("Skip", []), ("Next", [(0.15, 0.15)])):
        phone.goto(f"{address}/begin/place")
        expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 480)
        phone.get_by_role("button", name="Far right corner").press("ArrowDown")
        if kept:
            tools.refusal = CalibrationError("unused")
            phone.get_by_role("button", name=button).click()
            expect(phone.locator("#refusal")).to_be_visible()
            tools.refusal = None
        phone.get_by_role("button", name=button).click()
        phone.wait_for_url("**/begin/tiles")
        assert [step[1][0] for step in tools.done if isinstance(step, tuple) and step[0] == "put"] == kept


def test_next_waits_for_corners_that_are_being_saved_and_loses_none_that_is_moved_meanwhile(
    phone: Page, address: str, tools: Tools
) -> None:
    phone.goto(f"{address}/begin/place")
    expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 480)
    corner = phone.get_by_role("button", name="Far right corner")
    held_requests = HeldRequests(phone, "**/api/begin/place")
    corner.press("ArrowDown")
    phone.locator("[data-do=put]").click()
    held_requests.wait()
    phone.get_by_role("button", name="Next").click()
    corner.press("ArrowDown")
    held_requests.let_through()
    phone.wait_for_url("**/begin/tiles")
    first, second = [step[1][1][1] for step in tools.done if isinstance(step, tuple) and step[0] == "put"]
    assert 0.15 < first < second


def test_a_finger_on_the_picture_scrolls_a_phone_on_its_side(phone: Page, address: str) -> None:
    phone.set_viewport_size({"width": 568, "height": 320})
    phone.goto(f"{address}/begin/place")
    expect(phone.locator("#picture")).to_have_js_property("naturalWidth", 480)
    devtools = phone.context.new_cdp_session(phone)
    for kind, y in (("touchStart", 250), *(("touchMove", y) for y in range(230, 49, -20)), ("touchEnd", None)):
        points = [] if y is None else [{"x": 284, "y": y}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    phone.wait_for_function("() => scrollY > 100")


def test_names_that_were_filled_in_are_there_again_after_the_help_or_another_step_and_not_after_the_table(
    phone: Page, address: str
) -> None:
    phone.goto(f"{address}/begin/names")
    name = phone.locator("[name=name1]")
    name.fill("Ayame")
    for is_back in (True, False):
        phone.get_by_role("link", name="Help").click()
        phone.wait_for_url("**/help/**", wait_until="load")
        phone.go_back() if is_back else phone.goto(f"{address}/begin/names")
        expect(name).to_have_value("Ayame")
    for between, entered in (("begin/language", "Ayame"), ("join", "")):
        phone.goto(f"{address}/{between}")
        phone.wait_for_load_state()
        phone.goto(f"{address}/begin/names")
        expect(name).to_have_value(entered)


SHOW_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
"""What a browser does once its phone is woken."""


def test_the_panel_is_tried_on_by_a_phone_that_slept_until_its_trial_was_over(
    phone: Page, address: str, tools: Tools
) -> None:
    assert tools.trial is not None
    with phone.expect_response("**/api/begin/panel"):
        phone.goto(f"{address}/begin/panel")
    tools.trial.record_press(WINS[0], Push.HELD)
    expect(phone.locator(".pushes li.heard")).to_have_count(1)
    tools.trial.end()
    expect(phone.locator("[data-over]")).to_be_visible()
    assert not tools.trial.is_on
    with phone.expect_response("**/api/begin/panel"):
        phone.evaluate(SHOW_AGAIN)
    assert tools.trial.is_on


def test_a_page_that_nobody_sees_does_not_keep_the_panel_from_the_table(phone: Page, address: str) -> None:
    with phone.expect_response("**/api/begin/panel"):
        phone.goto(f"{address}/begin/panel")
    with phone.expect_response("**/begin/panel/now"):
        phone.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    polls: list[str] = []
    phone.on("request", lambda request: polls.append(request.url))
    phone.wait_for_timeout(2_000)
    assert len(polls) <= 1  # the one that was already due


def test_a_refusal_is_shown_where_it_happened(phone: Page, address: str, tools: Tools) -> None:
    tools.refusal = RuntimeError("unused")
    phone.goto(f"{address}/begin/tiles")
    tools.refusal = TileSetError("no 7s, 8s twice")
    phone.get_by_role("button", name="Start again").click()
    expect(phone.locator("#refusal")).to_contain_text("Lay one of each tile in the order shown")


class HalfScan(FakeScan):
    """A scan that has looked at one half."""

    def status(self) -> ScanStatus:
        return ScanStatus(scans=1, faces=19, misread=(), readiness=None)


def test_nothing_else_is_begun_while_the_camera_measures(phone: Page, address: str, tools: Tools) -> None:
    tools.scan = HalfScan()
    phone.goto(f"{address}/begin/tiles")
    held_requests = HeldRequests(phone, "**/api/begin/tiles")
    phone.locator("[data-do=look]").click()
    expect(phone.locator("#now button:disabled")).to_have_count(2)
    held_requests.let_through()
    expect(phone.locator("#now button:enabled")).to_have_count(2)
    assert tools.done == [("look",)]


def test_what_was_tapped_stays_until_it_is_answered_though_the_page_hears_something_else(
    phone: Page, address: str, tools: Tools
) -> None:
    assert tools.guide is not None
    phone.goto(f"{address}/begin/rehearsal")
    held_requests = HeldRequests(phone, "**/api/begin/rehearsal")
    phone.locator("[data-word=misread]").click()
    expect(phone.locator("[data-word]:disabled")).to_have_count(1)
    tools.guide.state = replace(tools.guide.state, doubt=None)
    for _ in range(2):
        with phone.expect_response("**/begin/rehearsal/now"):
            pass
    expect(phone.locator("[data-word=missed]")).to_have_count(0)
    held_requests.let_through()
    expect(phone.locator("[data-word=missed]")).to_be_enabled()
    assert tools.guide.answers == [(1, "misread")]


def test_whoever_uses_the_keys_stays_where_the_button_was_that_another_one_replaced(
    phone: Page, address: str, tools: Tools
) -> None:
    assert tools.guide is not None
    phone.goto(f"{address}/begin/rehearsal")
    press_enter(phone.locator("[data-word=misread]"))
    tools.guide.state = replace(tools.guide.state, doubt=None)
    expect(phone.locator("#now")).to_be_focused()
    press_enter(phone.locator("[data-word=missed]"))
    tools.guide.state = replace(tools.guide.state, done=2)
    expect(phone.locator("[data-word=missed][data-number='2']")).to_be_focused()
    press_enter(phone.locator("[data-do=end]"))  # the page shows it as before
    expect(phone.locator("[data-do=end]")).to_be_focused()


@pytest.mark.parametrize(("step", "buttons"), [("place", 2), ("tiles", 1), ("panel", 12), ("rehearsal", 3)])
def test_nothing_of_a_step_can_be_tapped_before_its_script_is_there(
    phone: Page, address: str, step: str, buttons: int
) -> None:
    scripts = HeldRequests(phone, "**/wizard.js")
    phone.goto(f"{address}/begin/{step}", wait_until="commit")
    expect(phone.locator("[data-do]:disabled")).to_have_count(buttons)
    expect(phone.locator("[data-do]:enabled")).to_have_count(0)
    scripts.let_through()
    expect(phone.locator("[data-do]:enabled")).to_have_count(buttons)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_step(chromium: Browser, address: str, scheme: str) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    found = {}
    for step in ("", *(f"/{each}" for each in STEPS)):
        page.goto(f"{address}/begin{step}")
        if wrong := complaints(page):
            found[step] = wrong
        assert faults(page) == [], step
    context.close()
    assert found == {}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_step_fits_narrow_phones_in_letters_of_twice_the_size(
    phone: Page, address: str, tools: Tools, language: str
) -> None:
    tools.rules = (*SHIPPED, "x" * 24)
    phone.goto(f"{address}/language/{language}")
    found = []
    for width, height in ((360, 640), (320, 568)):
        phone.set_viewport_size({"width": width, "height": height})
        for step in ("", *(f"/{each}" for each in STEPS)):
            phone.goto(f"{address}/begin{step}")
            with letters_of(phone, 200):
                found += [f"{width}{step}: {each}" for each in faults(phone)]
    assert found == []

"""A form whose button a finger taps twice is sent once, and its page shows what the first tap did."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.by_hand import KeptTable, begin_adjustment, declare, middle_of, own_the_table, sit
from tests.browser.waiting import COME_BACK, LEAVE, HeldRequests, stop_clock

pytestmark = pytest.mark.browser
LATE_MS = 100


def tap_twice(page: Page, selector: str) -> list[Request]:
    """Taps a button again while its form is on its way; returns what was sent until the next page is there."""
    button, requests = page.locator(selector), list[Request]()
    middle = middle_of(button)
    page.on("request", lambda request: requests.append(request) if request.method == "POST" else None)
    sent = HeldRequests(page, "**/game")
    with page.expect_navigation():
        page.mouse.click(*middle)
        sent.wait()
        page.mouse.click(*middle)
        sent.let_through()
    return requests


def form(action: str) -> str:
    return f"form:has([name=do][value={action}]) button"


def test_a_form_is_sent_once_however_often_its_button_is_tapped(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/game")
    phone.locator("summary", has_text="End the game here").click()
    for action in ("end", "open"):
        assert len(tap_twice(phone, form(action))) == 1
        expect(phone.locator(".standing")).to_be_visible()
        expect(phone.locator(".refusal")).to_have_count(0)
    assert kept_table.table.board.latest.opened_by > 0


def test_a_form_whose_answer_was_lost_can_be_sent_again_after_a_while(kept_table: KeptTable, phone: Page) -> None:
    stop_clock(phone)
    phone.goto(f"{kept_table.address}/join")
    methods: list[str] = []

    def lose(route: Route) -> None:
        methods.append(route.request.method)
        route.fulfill(status=204)

    phone.route("**/join", lose)
    seat = phone.locator(".sitting button").first
    for taps in (1, 2):
        for _ in range(2):
            seat.click()
            expect(seat).to_have_css("opacity", "0.5")
        assert methods == ["POST"] * taps
        phone.clock.run_for(9_000)
        expect(seat).to_have_css("opacity", "1")


def test_a_page_that_somebody_comes_back_to_sends_its_form_again(kept_table: KeptTable, phone: Page) -> None:
    page = sit(phone, kept_table, 0)
    page.go_back()
    page.locator(".sitting button").nth(1).click()
    expect(page.locator("#you")).to_contain_text("South")


def test_a_page_that_safari_shows_as_it_was_left_is_loaded_again(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/game")
    declare(kept_table, 0)
    with phone.expect_navigation():
        phone.evaluate(LEAVE)
        phone.evaluate(COME_BACK)
    expect(phone.locator(".standing").first).to_contain_text("32,700")


def test_what_was_filled_in_and_not_sent_is_there_for_somebody_who_comes_back(
    kept_table: KeptTable, phone: Page
) -> None:
    begin_adjustment(phone, kept_table)
    phone.evaluate("window.isLeft = true")
    phone.evaluate(COME_BACK)
    phone.wait_for_timeout(LATE_MS)
    assert phone.evaluate("window.isLeft")
    phone.route("**/game", lambda route: route.fulfill(status=204), times=1)  # sent, and the answer has another page
    phone.locator("#adjust [name=why]").fill("a stick")
    phone.locator("#sum input").check()
    with phone.expect_request("**/game"):
        phone.locator("#adjust button").click()
    expect(phone.locator("form[data-sent]")).to_have_count(1)
    with phone.expect_navigation():
        phone.evaluate(COME_BACK)
    expect(phone.locator("[name=points0]")).to_have_value("25000")


def test_a_refused_form_is_not_sent_again_by_coming_back(kept_table: KeptTable, phone: Page) -> None:
    phone.goto(f"{kept_table.address}/join")
    phone.locator("[name=name]").fill("W" * 60)
    phone.locator(".sitting button").first.click()
    expect(phone.get_by_role("alert")).to_be_visible()
    methods = list[str]()

    def note(request: Request) -> None:
        if request.is_navigation_request() or request.method == "POST":
            methods.append(request.method)

    phone.on("request", note)
    phone.evaluate(COME_BACK)
    phone.wait_for_timeout(LATE_MS)
    assert methods == []
    phone.get_by_role("link", name="Help").click()
    phone.wait_for_url("**/help/**", wait_until="load")
    phone.go_back()  # a browser would ask whether to send the form again
    expect(phone.locator("[name=name]").first).to_have_value("W" * 60)
    assert "POST" not in methods


def test_rules_that_safari_shows_as_they_were_left_name_their_own_set_and_are_saved_again(
    kept_table: KeptTable, phone: Page
) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/rules")
    phone.route("**/rules?*", lambda route: route.fulfill(status=204))  # the next page is another one
    phone.locator("[data-play=starting_points]").fill("27000")
    phone.locator("[data-play=starting_points]").blur()
    phone.locator("#shown").select_option("ema-2025")
    phone.evaluate(LEAVE)
    expect(phone.locator("#shown")).to_have_value("home")
    phone.route("**/api/rules", lambda route: route.fulfill(json={"name": "ours"}))
    for _ in range(2):
        with phone.expect_request("**/rules?set=ours*"):
            phone.locator("#save button").click()
        phone.evaluate(LEAVE)


def test_what_was_filled_in_is_there_after_the_help_unless_the_server_changed_it(
    kept_table: KeptTable, phone: Page
) -> None:
    begin_adjustment(phone, kept_table)
    phone.locator("#adjust [name=why]").fill("a stick")
    phone.locator("[name=rules]").select_option("ema-2025")
    for points, ended_hands in (("24000", ()), ("32700", (0,))):
        declare(kept_table, *ended_hands)
        phone.get_by_role("link", name="Help").click()
        phone.wait_for_url("**/help/**", wait_until="load")
        phone.go_back()
        expect(phone.locator("[name=points0]")).to_have_value(points)
        expect(phone.locator("#adjust [name=why]")).to_have_value("a stick")
        expect(phone.locator("[name=rules]")).to_have_value("ema-2025")

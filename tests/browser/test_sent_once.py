"""A form whose button a finger taps twice is sent once, and its page shows what the first tap did."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.by_hand import KeptTable, middle_of, own_the_table, sit

pytestmark = pytest.mark.browser
LATE_MS = 100


def answer_late(page: Page) -> None:
    """Answers of the server are on their way for a while."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    speed = {"downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATE_MS, **speed})


def tap_twice(page: Page, selector: str) -> list[Request]:
    """Taps a button again once its form is on its way; returns what was sent until the next page is there."""
    button, requests = page.locator(selector), list[Request]()
    middle = middle_of(button)
    page.on("request", lambda request: requests.append(request) if request.method == "POST" else None)
    with page.expect_navigation():
        with page.expect_request(lambda request: request.method == "POST"):
            page.mouse.click(*middle)
        page.mouse.click(*middle)
    return requests


def form(action: str) -> str:
    return f"form:has([name=do][value={action}]) button"


def test_a_form_is_sent_once_however_often_its_button_is_tapped(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/game")
    answer_late(phone)
    phone.locator("summary", has_text="End the game here").click()
    for action in ("end", "open"):
        assert len(tap_twice(phone, form(action))) == 1
        expect(phone.locator(".standing")).to_be_visible()
        expect(phone.locator(".refusal")).to_have_count(0)
    assert kept_table.table.board.latest.opened_by > 0


def test_a_form_whose_answer_was_lost_can_be_sent_again_after_a_while(kept_table: KeptTable, phone: Page) -> None:
    phone.clock.install()
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

"""An older phone: whatever decides over points works, and what is chosen is seen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from table.game.commands.game_commands import DeclareRiichi, OpenGame
from table.rulebook import rules_named
from table.rules.events import StickPlaced
from table.rules.terms.seats import Seat
from tests.browser.by_hand import KeptTable, chip, confirm, press, sit, value
from tests.browser.live_page import RIICHI, START
from tests.browser.old_browser import make_old
from tests.browser.shown_pages import sit_as_owner, watched_table

pytestmark = pytest.mark.browser


@pytest.fixture
def old_page(kept_table: KeptTable, phone: Page) -> Page:
    return sit(make_old(phone), kept_table, 0)


def look(element: Locator) -> bytes:
    """How an element looks once nothing about it has the focus."""
    element.evaluate("() => document.activeElement.blur()")
    return element.screenshot(animations="disabled")


def test_a_win_is_entered_with_its_value_pressed(old_page: Page) -> None:
    press(old_page, "Win")
    chip(old_page, "loser", "West").click()
    value(old_page, 3, 40).click()
    expect(value(old_page, 3, 40)).to_have_attribute("aria-pressed", "true")
    confirm(old_page)
    expect(old_page.locator(".score").first).to_have_text("32,700")


def test_the_values_have_the_room_that_no_payments_need_yet(old_page: Page) -> None:
    old_page.set_viewport_size({"width": 375, "height": 667})
    press(old_page, "Win")
    expect(value(old_page, 1, 30)).to_be_visible()
    expect(old_page.locator("#preview")).to_be_hidden()
    chip(old_page, "loser", "West").click()
    value(old_page, 3, 40).click()
    expect(old_page.locator("#paying .flow")).to_be_in_viewport()


def test_a_small_phone_has_its_seat_in_one_line(old_page: Page) -> None:
    old_page.set_viewport_size({"width": 320, "height": 568})
    expect(old_page.locator("#you")).to_be_visible()
    expect(old_page.locator(".bar .mark")).to_have_count(0)


def test_a_refusal_is_told(old_page: Page) -> None:
    press(old_page, "Draw")
    old_page.locator("#settle-close").click()
    old_page.route("**/api/press", lambda route: route.fulfill(status=409, json={"said": "Not now."}))
    old_page.get_by_role("button", name="Riichi: South").click()
    expect(old_page.locator("#toast")).to_have_text("Not now.")


def test_the_waits_of_an_open_riichi_are_sent(kept_table: KeptTable, old_page: Page) -> None:
    kept_table.table.handle(OpenGame(ruleset=rules_named("home").ruleset.but(open_riichi=True)))
    kept_table.table.handle(DeclareRiichi(seat=Seat.NEAR))
    old_page.locator("#open-riichi").click()
    old_page.locator("#waits [value='4m']").click()
    old_page.locator("#waits .confirm").click()
    expect(old_page.locator("#news")).to_contain_text("waits for 4 man")


def test_reading_aloud_is_turned_on_and_clauses_are_searched(kept_table: KeptTable, old_page: Page) -> None:
    old_page.locator("#speak").click()
    expect(old_page.locator("#speak")).to_have_attribute("aria-pressed", "true")
    old_page.goto(f"{kept_table.address}/rules")
    old_page.locator("#find").fill("no such clause")
    expect(old_page.locator("#no-match")).to_be_visible()


def test_rules_are_shown_only_where_they_differ(kept_table: KeptTable, old_page: Page) -> None:
    old_page.goto(f"{kept_table.address}/rules?set=home&against=ema-2025")
    old_page.locator("#only").check()
    expect(old_page.locator(".clause:not(.other):visible, .play .setting:not(.other):visible")).to_have_count(0)
    expect(old_page.locator(".clause.other:visible").first).to_be_visible()
    empty_group = old_page.locator(".group:visible:not(.clauses)", has_not=old_page.locator(".other"))
    expect(empty_group).to_have_count(0)
    old_page.locator("#only").uncheck()
    expect(old_page.locator(".clause:not(.other):visible").first).to_be_visible()


def test_who_committed_a_foul_is_seen_as_chosen(kept_table: KeptTable, old_page: Page) -> None:
    old_page.goto(f"{kept_table.address}/fouls")
    seat = old_page.locator("#who label").nth(1)
    before = look(seat)
    seat.click()
    expect(seat.locator("input")).to_be_checked()
    assert look(seat) != before


def test_the_part_of_a_hand_that_tiles_are_entered_for_is_seen(old_page: Page) -> None:
    press(old_page, "Win")
    chip(old_page, "loser", "West").click()
    old_page.locator("#by-tiles").click()
    part = old_page.locator("#hand .slots label").nth(1)
    before = look(part)
    part.click()
    assert look(part) != before


def test_a_watched_table_has_a_felt_with_its_four_seats(chromium: Browser) -> None:
    with watched_table(("Aki", "Botan", "Chika", "Daigo")) as live:
        live.happen(START, RIICHI, StickPlaced(seat=Seat.NEAR))
        context = chromium.new_context(viewport={"width": 390, "height": 664}, color_scheme="light")
        page = make_old(context.new_page())
        sit_as_owner(page, live.address)
        page.goto(live.address)
        expect(page.locator("body[data-version]")).to_be_attached()
        felt = page.locator("#felt").bounding_box()
        assert felt is not None
        assert felt["width"] > 250
        assert felt["width"] == pytest.approx(felt["height"], abs=1)
        assert page.locator("#felt").evaluate("felt => getComputedStyle(felt).backgroundImage") != "none"
        for card in page.locator(".card").all():
            box = card.bounding_box()
            assert box is not None
            assert box["x"] >= felt["x"] - 1
            assert box["x"] + box["width"] <= felt["x"] + felt["width"] + 1
            assert box["y"] >= felt["y"] - 1
            assert box["y"] + box["height"] <= felt["y"] + felt["height"] + 1
        tile = page.locator(".river .tile").first.bounding_box()
        assert tile is not None
        assert max(tile["width"], tile["height"]) > 12
        seat = page.locator("label.card").nth(1)
        before = look(seat)
        seat.click(position={"x": 4, "y": 4})
        expect(seat.locator("input")).to_be_checked()
        assert look(seat) != before
        page.get_by_role("button", name="Ron").click()
        context.close()

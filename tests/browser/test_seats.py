"""A seat that another phone holds: asked for, given, and its holder told, on real phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.by_hand import KeptTable, sit

pytestmark = pytest.mark.browser


def test_a_held_seat_is_asked_for_and_given_and_both_phones_see_it(
    kept_table: KeptTable, phone: Page, chromium: Browser
) -> None:
    sit(phone, kept_table, 0)
    with chromium.new_context(viewport={"width": 390, "height": 844}) as context:
        other = context.new_page()
        other.goto(f"{kept_table.address}/join")
        other.locator(".sitting button").nth(0).click()
        expect(other.get_by_role("alert")).to_contain_text("Another phone has this seat.")
        other.get_by_role("button", name="Ask for the seat").click()
        expect(other.locator("body[data-seat='']")).to_be_attached()
        phone.locator("#asked a").click()
        phone.get_by_role("button", name="Give it").click()
        expect(phone.locator("#toast")).to_have_text("Another phone has your seat now.")
        expect(other.locator("body[data-seat='0']")).to_be_attached()
        expect(other.locator(".actions .kept")).to_be_visible()


def test_a_phone_that_refuses_site_data_shows_the_table_keeps_a_seat_and_turns_it(
    kept_table: KeptTable, phone: Page
) -> None:
    phone.add_init_script("""
        const denied = { get() { throw new DOMException("denied", "SecurityError"); } };
        for (const store of ["localStorage", "sessionStorage"]) Object.defineProperty(window, store, denied);
    """)
    sit(phone, kept_table, 0)
    expect(phone.locator("#link")).to_have_attribute("data-state", "on")
    expect(phone.locator(".actions").get_by_role("button", name="Win", exact=True)).to_be_visible()
    expect(phone.locator(".place .score").first).to_have_attribute("data-seat", "0")
    phone.locator("#turn").click()
    expect(phone.locator(".place .score").first).to_have_attribute("data-seat", "1")

"""The staff's page follows the table, and leaves in place what has not changed: somebody may be typing there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.game_commands import NameSeats
from tests.browser.by_hand import KeptTable, own_the_table

pytestmark = pytest.mark.browser


def test_an_answer_that_is_no_page_leaves_the_old_one_standing(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/staff")
    expect(phone.locator("body[data-version]")).to_be_attached()
    text = phone.locator("main").inner_text()
    phone.route("**/staff", lambda route: route.fulfill(status=502, content_type="text/html", body="<p>gone</p>"))
    for names in ("ABCD", "DCBA"):  # the second is asked for when the first answer was taken in
        with phone.expect_response("**/staff"):
            kept_table.table.handle(NameSeats(names=(names[0], names[1], names[2], names[3]), by="owner"))
    assert phone.locator("main").inner_text() == text


def test_what_somebody_types_stays_whatever_happens_at_the_table(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/staff")
    expect(phone.locator("body[data-version]")).to_be_attached()
    fouls = phone.locator(".take a").first.element_handle()
    phone.locator("[name=present]").press_sequentially("123")
    for number, name in enumerate(("Aoi", "Ben"), start=1):
        kept_table.table.handle(NameSeats(names=(name, "", "", ""), by="owner"))
        expect(phone.locator("[aria-labelledby=changes] li b")).to_have_count(number)
    phone.locator("[name=present]").press_sequentially("456")
    expect(phone.locator("[name=present]")).to_have_value("123456")
    expect(phone.locator("[name=present]")).to_be_focused()
    assert fouls.evaluate("link => link.isConnected")


def test_whoever_is_not_the_owner_any_more_is_led_to_the_page_of_joining(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/staff")
    expect(phone.locator("body[data-version]")).to_be_attached()
    phone.context.clear_cookies()
    kept_table.table.handle(NameSeats(names=("Aoi", "", "", ""), by="owner"))
    phone.wait_for_url("**/join")

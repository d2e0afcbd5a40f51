"""Taps on a page whose scripts, or whose news of the table, arrive late: they wait, or nothing invites them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.by_hand import (
    KeptTable,
    begin_adjustment,
    confirm,
    draw_with_nobody_tenpai,
    middle_of,
    own_the_table,
    sit,
)
from tests.browser.waiting import HeldRequests

pytestmark = pytest.mark.browser


def test_a_tap_on_an_empty_score_is_one_on_its_seat_and_waits_for_the_table(kept_table: KeptTable, phone: Page) -> None:
    sit(phone, kept_table, 0)
    news = HeldRequests(phone, "**/api/stream")
    phone.goto(kept_table.address)
    phone.mouse.click(*middle_of(phone.locator(".card .score").first))
    news.let_through()
    expect(phone.locator("#winners input:checked")).to_have_value("0")
    expect(phone.locator("#settle")).to_be_visible()
    expect(phone.locator(".card .score")).to_have_text(["25,000"] * 4)


def test_nothing_of_the_table_can_be_tapped_before_its_scripts_are_there(kept_table: KeptTable, phone: Page) -> None:
    sit(phone, kept_table, 0)
    scripts = HeldRequests(phone, "**/live/table.js")
    phone.goto(kept_table.address, wait_until="commit")
    waiting = phone.locator("#speak, #turn, .card input")
    expect(waiting).to_have_count(6)
    expect(phone.locator("button:enabled:visible, input:enabled:visible")).to_have_count(0)
    scripts.let_through()
    expect(phone.locator("#turn")).to_be_enabled()
    expect(phone.locator(".card input:enabled")).to_have_count(4)


def test_a_hand_that_the_network_lost_is_asked_for_again(kept_table: KeptTable, page: Page) -> None:
    draw_with_nobody_tenpai(page)
    confirm(page)
    page.route("**/api/games/*/hands/0", lambda route: route.abort(), times=1)
    page.goto(f"{kept_table.address}/hand/0")
    expect(page.locator("button:enabled, input:enabled")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_text("Connection lost, trying again …")
    expect(page.get_by_role("button", name="One step on")).to_be_enabled()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_rules_that_are_changed_before_the_script_is_there_can_be_saved(kept_table: KeptTable, phone: Page) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    scripts = HeldRequests(phone, "**/rules.js")
    phone.goto(f"{kept_table.address}/rules", wait_until="commit")
    phone.locator("[data-play=starting_points]").fill("27000")
    phone.locator("[data-clause='7-01'] [value=f]").evaluate("option => { option.checked = true; }")
    expect(phone.locator("#shown, #against, #play")).to_have_count(3)
    expect(phone.locator("#shown:enabled, #against:enabled, #play:enabled")).to_have_count(0)
    scripts.let_through()
    expect(phone.locator("#save p")).to_have_text("2 changed, not saved yet")
    expect(phone.locator("#shown")).to_be_enabled()


def test_rules_that_the_browser_kept_for_somebody_who_comes_back_count_as_shown(
    kept_table: KeptTable, phone: Page
) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/rules")
    phone.locator("[data-play=starting_points]").fill("27000")
    phone.locator("#shown").select_option("ema-2025")
    phone.wait_for_url("**/rules?set=ema-2025")
    phone.go_back()
    expect(phone.locator("[data-play=starting_points]")).to_have_value("27000")
    expect(phone.locator("#save p")).to_contain_text("changed, not saved yet")
    expect(phone.locator("#shown")).to_have_value("home")


def test_points_that_the_browser_kept_for_somebody_who_comes_back_say_what_they_change(
    kept_table: KeptTable, phone: Page
) -> None:
    begin_adjustment(phone, kept_table)
    phone.goto(f"{kept_table.address}/join")
    phone.go_back()
    expect(phone.locator("#adjusted")).to_have_text("East −1,000")
    expect(phone.locator("#sum")).to_be_visible()

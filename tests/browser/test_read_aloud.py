"""What a screen reader reads on the table's page: names once, what a press does, and what a number is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.by_hand import KeptTable, chip, confirm, draw_with_nobody_tenpai, press

pytestmark = pytest.mark.browser


def test_the_parts_of_a_hand_are_named_once_and_its_tiles_say_what_a_press_does(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    box = page.get_by_role("dialog", name="By tiles")
    for name in ("Hand, the winning tile last", "Melds", "Dora indicator", "Ura indicator"):
        expect(box.get_by_role("radio", name=name, exact=True)).to_have_count(1)
    box.get_by_role("button", name="2 man", exact=True).click()
    take_out = box.get_by_role("button", name="Take out 2 man", exact=True)
    box.get_by_role("radio", name="Melds").check(force=True)
    expect(take_out).to_have_count(0)
    box.get_by_role("radio", name="Hand, the winning tile last").check(force=True)
    take_out.click()
    expect(take_out).to_have_count(0)


def test_a_compared_seat_says_with_whom(page: Page) -> None:
    page.locator(".score").nth(1).click()
    expect(page.get_by_role("radio", name="West ±0 (compared with South)", exact=True)).to_have_count(1)


def test_who_only_watches_is_asked_nothing(kept_table: KeptTable, page: Page, chromium: Browser) -> None:
    expect(page.get_by_role("radiogroup", name="Who?")).to_have_count(1)
    draw_with_nobody_tenpai(page)
    confirm(page)
    with chromium.new_context() as context:
        watching = context.new_page()
        watching.goto(f"{kept_table.address}/wall")
        expect(watching.get_by_role("group", name="Players")).to_have_count(1)
    page.goto(f"{kept_table.address}/hand/0")
    expect(page.locator("body[data-version]")).to_be_attached()
    slider = page.get_by_role("slider")
    steps = slider.evaluate("node => Number(node.max) + 1")
    expect(slider).to_have_attribute("aria-valuetext", f"1 / {steps}")

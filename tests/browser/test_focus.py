"""Whoever uses the keys stays where they are when the button under the focus can no longer be pressed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.by_hand import KeptTable, draw_with_nobody_tenpai
from tests.browser.by_hand import confirm as confirm_result
from tests.browser.waiting import press_enter

pytestmark = pytest.mark.browser


def test_after_the_last_redo_the_focus_is_on_undo_and_after_the_last_undo_on_redo(page: Page) -> None:
    draw_with_nobody_tenpai(page)
    confirm_result(page)
    undo, redo = page.locator("#undo"), page.locator("#redo")
    press_enter(undo)
    expect(redo).to_be_enabled()
    expect(redo).to_be_focused()
    press_enter(redo)
    expect(redo).to_be_disabled()
    expect(undo).to_be_focused()


def test_at_the_last_step_of_a_hand_the_focus_is_on_its_slider(page: Page, kept_table: KeptTable) -> None:
    draw_with_nobody_tenpai(page)
    confirm_result(page)
    page.goto(f"{kept_table.address}/hand/0")
    expect(page.locator("body[data-version]")).to_be_attached()
    for _ in range(page.locator("#step").evaluate("slider => Number(slider.max)")):
        press_enter(page.locator("#on"))
    expect(page.locator("#on")).to_be_disabled()
    expect(page.locator("#step")).to_be_focused()


def test_the_focus_stays_on_an_answer_and_is_at_the_head_of_the_page_after_a_foul_is_named(
    page: Page, kept_table: KeptTable
) -> None:
    page.goto(f"{kept_table.address}/fouls")
    page.locator("#who label").nth(1).click()
    press_enter(page.locator("#clauses button", has_text="False win declaration"))
    press_enter(page.locator("#asks button").first)
    expect(page.locator("#asks button[aria-pressed=true]")).to_be_focused()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 300})
    page.emulate_media(reduced_motion="reduce")
    press_enter(page.locator("#often button").first)
    press_enter(page.locator("#name"))
    expect(page.locator("#case")).to_be_hidden()
    expect(page.locator("h1")).to_be_focused()
    assert page.evaluate("scrollY") == 0, "the page does not move to its head by and by"

"""On paper a page says what it says, without what is pressed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.by_hand import Kept, confirm, draw_with_nobody_tenpai

pytestmark = pytest.mark.browser

PAGES = {
    "": (".sheet tbody tr", "#seats .name"),
    "game": (".standing li", ".report dd"),
    "rules": (".clause h3", ".clause .chosen", ".setting select"),
    "fouls": ("h1", "#logged"),
}
"""Pages, and what paper shows of each."""


def test_the_pages_print_without_buttons_fields_and_forms(page: Page, kept: Kept) -> None:
    draw_with_nobody_tenpai(page)
    confirm(page)
    page.emulate_media(media="print")
    for path, shown in PAGES.items():
        page.goto(f"{kept.address}/{path}")
        for each in shown:
            expect(page.locator(each).first).to_be_visible()
        pressed = page.locator(
            "button:visible, summary:visible, input[type=search]:visible, form:visible, .bar a:visible"
        )
        expect(pressed).to_have_count(0)

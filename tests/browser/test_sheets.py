"""Sheets on a screen that is low, as a phone on its side or over an open keyboard: what ends them stays in sight."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.screen_fit import faults
from tests.browser.shown_pages import PAGES, Tables, open_tables, show_playing

pytestmark = pytest.mark.browser
LOW: Final[tuple[ViewportSize, ...]] = ({"width": 844, "height": 390}, {"width": 390, "height": 420})
LOWEST: Final[tuple[ViewportSize, ...]] = ({"width": 568, "height": 320}, {"width": 422, "height": 195})
"""The smallest phone on its side, and a usual one whose owner reads letters of twice the size."""
IN_SIGHT = """part => {
  const { x, y, width, height } = part.getBoundingClientRect();
  const top = (share) => document.elementFromPoint(x + width / 2, y + height * share);
  return [.1, .3, .5, .7, .9].every((share) => part.contains(top(share)));
}"""
"""Whether the middle of something lies over all else, from its top to its bottom."""


def show_keyboard(tables: Tables) -> None:
    show_playing(tables)
    tables.page.locator("#correct").click()


def show_waits(tables: Tables) -> None:
    show_playing(tables)
    tables.page.locator("#waits").evaluate("sheet => sheet.showModal()")


SHEETS = {
    **{name: PAGES[name] for name in ("a win", "two rons", "a draw", "an edit", "by tiles", "a foul")},
    "which tile": show_keyboard,
    "a wait": show_waits,
}


def test_what_closes_and_confirms_a_sheet_stays_in_sight_wherever_it_is_scrolled(chromium: Browser) -> None:
    hidden = []
    with open_tables(chromium, ("Aoi", "Ben", "Chie", "Dan")) as tables:
        for name, show in SHEETS.items():
            tables.page.set_viewport_size({"width": 390, "height": 844})
            show(tables)
            sheet = tables.page.locator("dialog:modal").last
            ending = sheet.locator("header .icon, .confirm, #name")
            expect(ending).to_have_count(1 if name == "which tile" else 2)
            for size in LOW:
                tables.page.set_viewport_size(size)
                for share in (0, 0.5, 1):
                    sheet.evaluate("(sheet, share) => { sheet.scrollTop = share * sheet.scrollHeight; }", share)
                    hidden += [
                        (name, size, share, at) for at in range(ending.count()) if not ending.nth(at).evaluate(IN_SIGHT)
                    ]
    assert hidden == []


def test_what_closes_and_confirms_a_sheet_covers_nothing_that_is_entered_however_low_the_screen(
    chromium: Browser,
) -> None:
    covered = []
    with open_tables(chromium) as tables:
        for name in ("two rons", "a draw", "an edit"):
            tables.page.set_viewport_size({"width": 390, "height": 844})
            PAGES[name](tables)
            for size in LOWEST:
                tables.page.set_viewport_size(size)
                covered += [(name, size, each) for each in faults(tables.page) if " lies under " in each]
    assert covered == []

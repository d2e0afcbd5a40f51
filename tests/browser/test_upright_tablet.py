"""A tablet held upright has room: names at the sides are whole, and what is confirmed is large."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from table.game.commands.game_commands import NameSeats
from tests.browser.by_hand import KeptTable

pytestmark = pytest.mark.browser
UPRIGHT: tuple[ViewportSize, ...] = ({"width": 768, "height": 1024}, {"width": 820, "height": 1180})
CUT = """() => [...document.querySelectorAll(".who")]
  .filter((each) => each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("size", UPRIGHT, ids=str)
def test_names_of_twelve_letters_are_whole(page: Page, kept_table: KeptTable, size: ViewportSize) -> None:
    names = ("Alexandrinas", "Maximilian K", "Konstantinos", "Wilhelmina-J")
    kept_table.table.handle(NameSeats(names=names))
    page.set_viewport_size(size)
    expect(page.locator(".card", has_text=names[1])).to_be_visible()
    assert page.evaluate(CUT) == []

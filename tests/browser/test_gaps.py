"""A tap on a score shows how far the others are from it, on every layout; another tap shows the scores again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from table.game.commands.game_commands import AdjustPoints, NameSeats
from tests.browser.by_hand import KeptTable, sit

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 664}
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_a_tapped_score_shows_the_gap_to_each_rival_until_the_next_tap(
    kept_table: KeptTable, phone: Page, size: ViewportSize
) -> None:
    phone.set_viewport_size(size)
    kept_table.table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    kept_table.table.handle(AdjustPoints(points=(-1000, 3000, -2000, 0), hand=0, why="a test"))
    page = sit(phone, kept_table, 0)
    scores = page.locator(".card .score")
    plain, gaps = ["24,000", "28,000", "23,000", "25,000"], ["24,000", "+4,000", "−1,000", "+1,000"]
    expect(scores).to_have_text(plain)
    scores.first.click()
    expect(scores).to_have_text(gaps)
    expect(scores.first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Ben: +4,000 (compared with Aoi)")).to_be_visible()
    expect(page.locator("#toast")).to_have_text("Compared with Aoi: + has more, − has fewer")
    expect(page.locator("#settle")).to_be_hidden()
    scores.first.click()
    expect(scores).to_have_text(plain)
    scores.nth(1).focus()
    page.keyboard.press("Enter")
    expect(scores.first).to_have_text("−4,000")
    page.keyboard.press("Escape")
    expect(scores).to_have_text(plain)
    scores.first.click()
    page.locator("#round").click()
    expect(scores).to_have_text(plain)


def test_a_name_with_dollar_signs_is_shown_as_it_is(kept_table: KeptTable, phone: Page) -> None:
    kept_table.table.handle(NameSeats(names=("Ca$$ie", "$&", "Chie", "Dan")))
    page = sit(phone, kept_table, 0)
    page.locator(".card .score").first.click()
    expect(page.locator("#toast")).to_have_text("Compared with Ca$$ie: + has more, − has fewer")
    expect(page.get_by_role("button", name="$&: ±0 (compared with Ca$$ie)")).to_be_visible()


def test_whoever_only_watches_compares_scores_too(kept_table: KeptTable, phone: Page) -> None:
    phone.goto(kept_table.address)
    expect(phone.locator("body[data-version]")).to_be_attached()
    kept_table.table.handle(AdjustPoints(points=(-1000, 1000, 0, 0), hand=0, why="a test"))
    expect(phone.locator(".card .score").first).to_have_text("24,000")
    phone.locator(".card .score").first.click()
    expect(phone.locator(".card .score").nth(1)).to_have_text("+2,000")
    phone.goto(f"{kept_table.address}/wall")
    expect(phone.locator(".card .score[role]")).to_have_count(0)

"""A game's file, opened from the disk by a browser that has no network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from table.dashboard.games.game_file import as_html
from table.game.journal.entries import GameOpened
from table.game.journal.history.game_history import game_history
from table.i18n import catalogue
from tests.table.game.journal.played_games import whole_game

pytestmark = pytest.mark.browser
EVIL = "</script><img src=x onerror=document.title='evil'>"


@pytest.fixture
def offline_page(chromium: Browser) -> Iterator[Page]:
    """A page of a phone's size without a network; the test fails on any complaint of the browser."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    yield page
    context.close()
    assert complaints == []


def test_a_games_file_opens_with_no_network_and_steps_through_hands_and_turns(
    offline_page: Page, tmp_path: Path
) -> None:
    first, *rest = whole_game()
    assert isinstance(first.body, GameOpened)
    names = (EVIL, "Maximilian Wolkenstein-W", "さくらももこさくらももこさくらももこ", "Dan")
    entries = (replace(first, body=replace(first.body, names=names)), *rest)
    path = tmp_path / "game.html"
    path.write_text(as_html(game_history(entries), entries, catalogue("en")), encoding="utf-8")
    addresses: list[str] = []
    offline_page.on("request", lambda request: addresses.append(request.url))
    offline_page.goto(path.as_uri())
    expect(offline_page.locator("#table")).to_contain_text(EVIL)
    expect(offline_page.locator("img[src=x]")).to_have_count(0)
    assert "evil" not in offline_page.title()
    expect(offline_page.locator("#back")).to_be_disabled()
    for key in ("ArrowRight", "ArrowRight"):
        offline_page.keyboard.press(key)
    expect(offline_page.locator("#step")).to_have_value("2")
    offline_page.locator("#back").click()
    expect(offline_page.locator("#step")).to_have_value("1")
    offline_page.keyboard.press("PageDown")
    expect(offline_page.locator("#hand")).to_have_value("1")
    offline_page.locator("#back").click()
    expect(offline_page.locator("#hand")).to_have_value("0")
    expect(offline_page.locator("#ending")).not_to_be_empty()
    expect(offline_page.locator("#news li").first).to_be_visible()
    expect(offline_page.locator("#shown .tiles img").nth(13)).to_be_visible()
    assert offline_page.evaluate("document.documentElement.scrollWidth") <= 390
    assert [url for url in addresses if not url.startswith(("file:", "data:"))] == []

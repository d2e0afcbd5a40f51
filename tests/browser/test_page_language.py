"""What scripts add to a page speaks the page's language, too: a Japanese one has no English and no spaced sentences."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.by_hand import KeptTable
from tests.browser.shown_pages import PAGES, open_tables, speak
from tests.english_words import english_on_page, english_words, spaced_on_page

pytestmark = pytest.mark.browser
NAMES: Final = ("あおい", "さくら", "みなと", "はると")
CAMERAS: Final = "HD Pro Webcam C920 with a very long name, Camera Module 3 Wide NoIR"
NOT_TRANSLATED: Final = frozenset({"W" * 24, "W" * 60, *english_words(CAMERAS)})
"""Names that the pages are given: of people, and of cameras."""

BROKEN_IN: Final = """cells => cells.map(cell => {
  const letter = document.createRange();
  const lines = {};
  for (const node of cell.childNodes) for (let at = 0; at < (node.length ?? 0); at += 1) {
    letter.setStart(node, at); letter.setEnd(node, at + 1);
    const { bottom } = letter.getBoundingClientRect();
    lines[bottom] = (lines[bottom] ?? "") + node.data[at];
  }
  return Object.values(lines).join(" ");
}).filter(text => !/^(各家 [\\d,]+|[\\d,]+ オール)$/.test(text))"""
"""The payments of a grid that break elsewhere than before or after the points, as their lines."""


def test_no_english_and_no_space_after_a_sentence_is_left_on_any_japanese_page(chromium: Browser) -> None:
    left = {}
    with open_tables(chromium, NAMES) as tables:
        for name, show in PAGES.items():
            speak(tables, "ja")
            show(tables)
            html = tables.page.content()
            left[name] = english_on_page(html, allowed=NOT_TRANSLATED) + spaced_on_page(html)
    assert {name: found for name, found in left.items() if found} == {}


@pytest.mark.parametrize("language", ["ja", "zh-Hans"])
def test_what_everybody_pays_breaks_only_beside_its_points(kept_table: KeptTable, page: Page, language: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{kept_table.address}/language/{language}")
    page.locator(".kept [data-settle=win]").click()
    page.locator("#loser label").first.click()
    cells = page.locator("#values .grid span")
    expect(cells.first).to_have_text({"ja": "500オール", "zh-Hans": "各家500"}[language])
    assert cells.evaluate_all(BROKEN_IN) == []

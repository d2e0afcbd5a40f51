"""What scripts add to a page speaks the page's language, too: a Japanese one has no English and no spaced sentences."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.browser.shown_pages import PAGES, open_tables, speak
from tests.english_words import english_on_page, english_words, spaced_on_page

pytestmark = pytest.mark.browser
NAMES: Final = ("あおい", "さくら", "みなと", "はると")
CAMERAS: Final = "HD Pro Webcam C920 with a very long name, Camera Module 3 Wide NoIR"
NOT_TRANSLATED: Final = frozenset({"W" * 24, "W" * 60, *english_words(CAMERAS)})
"""Names that the pages are given: of people, and of cameras."""


def test_no_english_and_no_space_after_a_sentence_is_left_on_any_japanese_page(chromium: Browser) -> None:
    left = {}
    with open_tables(chromium, NAMES) as tables:
        for name, show in PAGES.items():
            speak(tables, "ja")
            show(tables)
            html = tables.page.content()
            left[name] = english_on_page(html, allowed=NOT_TRANSLATED) + spaced_on_page(html)
    assert {name: found for name, found in left.items() if found} == {}

"""What a screen reader is told of the table: what is put into the page's live regions, and in which order."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.by_hand import confirm, press

pytestmark = pytest.mark.browser
LISTEN = """() => {
  window.heard = [];
  const live = "#news[aria-live], [role=log]";
  for (const region of document.querySelectorAll(live)) {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) window.heard.push(node.textContent);
    }).observe(region, { childList: true, subtree: true });
  }
}"""
"""Keeps what is added to the live regions for announcements."""


def new_announcements(page: Page) -> list[str]:
    """What was added since the last call."""
    found: list[str] = page.evaluate("() => window.heard.splice(0)")
    return [each for each in found if each]


def test_only_what_is_new_is_heard_once_and_in_the_order_of_what_happened(page: Page) -> None:
    page.evaluate(LISTEN)
    log = page.get_by_role("log")
    page.get_by_role("button", name="Riichi: South").click()
    expect(log).to_contain_text("South’s riichi stands")
    new_announcements(page)
    page.get_by_role("button", name="Riichi: West").click()
    expect(log).to_contain_text("West’s riichi stands")
    (second,) = new_announcements(page)
    assert "West" in second
    press(page, "Draw")
    confirm(page)
    expect(log).to_contain_text("begins")
    announcements = new_announcements(page)
    assert [each.split(" ")[0] for each in announcements] == ["Draw,", "East"], announcements
    page.locator("#undo").click()
    expect(log).to_contain_text("Withdrawn")
    new_announcements(page)
    page.locator("#redo").click()
    expect(log).to_contain_text("begins")
    assert new_announcements(page) == announcements

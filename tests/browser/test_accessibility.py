"""Usable by keyboard and screen reader: axe finds nothing serious on any page, light or dark, phone or tablet."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.test_by_hand import Kept, kept, press, sit

__all__ = ["kept"]
pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 820, "height": 1180}
SERIOUS = ("serious", "critical")


def complaints(page: Page) -> list[str]:
    """What axe holds to be serious, with the places."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}" for each in found if each["impact"] in SERIOUS for node in each["nodes"]
    ]


def show_sheet(page: Page, kept: Kept) -> None:
    press(page, "Win")
    expect(page.locator("#values button").first).to_be_visible()


def show_played(page: Page, kept: Kept) -> None:
    press(page, "Draw")
    page.locator("#settle .confirm").click()
    expect(page.locator("#sheet button.edit")).to_be_visible()


def show_again(page: Page, kept: Kept) -> None:
    show_played(page, kept)
    page.goto(f"{kept.address}/hand/0")
    expect(page.locator("body[data-version]")).to_be_attached()


def show_tiles(page: Page, kept: Kept) -> None:
    show_sheet(page, kept)
    page.locator("#loser label").first.click()
    page.get_by_role("button", name="By tiles").click()


SHOWN: dict[str, Callable[[Page, Kept], object]] = {
    "table": lambda page, kept: None,
    "settling": show_sheet,
    "played": show_played,
    "tiles": show_tiles,
    "again": show_again,
    "game": lambda page, kept: page.goto(f"{kept.address}/game"),
    "join": lambda page, kept: page.goto(f"{kept.address}/join"),
    "wall": lambda page, kept: page.goto(f"{kept.address}/wall"),
    "fouls": lambda page, kept: page.goto(f"{kept.address}/fouls"),
    "rules": lambda page, kept: page.goto(f"{kept.address}/rules"),
}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("is_dark", [False, True], ids=["light phone", "dark tablet"])
def test_axe_finds_nothing_serious(kept: Kept, chromium: Browser, shown: str, is_dark: bool) -> None:
    size = TABLET if is_dark else PHONE
    context = chromium.new_context(viewport=size, bypass_csp=True, color_scheme="dark" if is_dark else "light")
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    sit(page, kept, 0)
    SHOWN[shown](page, kept)
    found = complaints(page)
    context.close()
    assert found == []

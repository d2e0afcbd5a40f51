"""With the system's colours alone (high contrast), what is chosen still shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.by_hand import KeptTable, chip, press, sit

pytestmark = pytest.mark.browser

LOOK = """node => [node, ...node.children].map((part) => {
    const style = getComputedStyle(part);
    return [style.backgroundColor, style.color, style.borderTopStyle, style.borderTopWidth].join(" ");
}).join("; ")"""


@pytest.fixture(params=["light", "dark"])
def high_contrast(chromium: Browser, kept_table: KeptTable, request: pytest.FixtureRequest) -> Iterator[Page]:
    shape = {"width": 390, "height": 844}
    with chromium.new_context(viewport=shape, color_scheme=request.param, forced_colors="active") as context:  # type: ignore[arg-type]
        yield sit(context.new_page(), kept_table, 0)


def is_marked(chosen: Locator, other: Locator) -> bool:
    return bool(chosen.evaluate(LOOK) != other.evaluate(LOOK))


def test_who_won_who_dealt_in_and_what_the_hand_is_worth_show(high_contrast: Page) -> None:
    press(high_contrast, "Win")
    expect(high_contrast.locator("#winners input:checked")).to_have_count(1)  # the phone's own seat
    chip(high_contrast, "winners", "South").click()
    expect(chip(high_contrast, "winners", "South").locator("input")).to_be_checked()
    chip(high_contrast, "loser", "West").click()
    mangan = high_contrast.locator(".limits button").nth(0)
    mangan.click()
    expect(mangan).to_have_attribute("aria-pressed", "true")
    assert is_marked(high_contrast.locator("#kinds label").nth(0), high_contrast.locator("#kinds label").nth(1))
    assert is_marked(chip(high_contrast, "winners", "South"), chip(high_contrast, "winners", "West"))
    assert is_marked(chip(high_contrast, "loser", "West"), chip(high_contrast, "loser", "North"))
    assert is_marked(mangan, high_contrast.locator(".limits button").nth(1))


def test_the_row_that_takes_the_tiles_and_the_player_of_a_foul_show(high_contrast: Page) -> None:
    press(high_contrast, "Win")
    chip(high_contrast, "winners", "South").click()
    high_contrast.get_by_role("button", name="By tiles").first.click()
    assert is_marked(high_contrast.locator(".slots label").nth(0), high_contrast.locator(".slots label").nth(1))
    high_contrast.goto(high_contrast.url.partition("#")[0] + "fouls")
    who = high_contrast.locator("#who label")
    who.nth(1).click()
    assert is_marked(who.nth(1), who.nth(2))


def test_the_dot_of_the_connection_shows(high_contrast: Page) -> None:
    dot, page = (
        high_contrast.locator(each).evaluate("node => getComputedStyle(node).backgroundColor")
        for each in ("#link i", "body")
    )
    assert dot not in ("rgba(0, 0, 0, 0)", page)

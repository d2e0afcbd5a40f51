"""The result of a game on the phones and in the picture to share: no name covers points, or is cut without need."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.game_commands import EndGame, OpenGame
from table.rulebook import rules_named
from tests.browser.by_hand import KeptTable, sit
from tests.table.game.by_hand import draw, tell, win

pytestmark = pytest.mark.browser
NAMES: Final = ("Nguyễn Thị Minh Khai", "W" * 24, "齋藤" * 12, "Ben")
COVERED: Final = """() => {
  const texts = [...document.querySelectorAll("text")].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => ({ said: text.textContent, box: text.getBBox() }));
  return boxes.flatMap((one, at) => boxes.slice(at + 1).flatMap((other) => {
    const x = Math.min(one.box.x + one.box.width, other.box.x + other.box.width) - Math.max(one.box.x, other.box.x);
    const y = Math.min(one.box.y + one.box.height, other.box.y + other.box.height) - Math.max(one.box.y, other.box.y);
    return x > 0 && y > 8 ? [`${one.said} and ${other.said} by ${x}`] : [];
  }));
}"""


@pytest.fixture(params=[0, 5], ids=["points", "chips"])
def played_table(request: pytest.FixtureRequest, kept_table: KeptTable) -> KeptTable:
    """A finished game of players with wide names, with and without chips."""
    rules = rules_named("home").ruleset.but(chips={"yakuman": request.param})
    kept_table.table.handle(OpenGame(ruleset=rules, names=NAMES))
    tell(kept_table.table, win(1, 2, 2), win(0, 1, 5))
    kept_table.table.handle(EndGame(why="late"))
    return kept_table


def test_no_name_covers_points_in_the_picture_to_share(played_table: KeptTable, phone: Page) -> None:
    game = played_table.table.board.latest.opened_by
    phone.goto(f"{played_table.address}/game/{game}/sheet.svg")
    assert phone.evaluate(COVERED) == []
    assert NAMES[0] in "".join(phone.locator("text").all_text_contents())


@pytest.mark.parametrize("width", [320, 390])
def test_the_winner_of_the_game_is_named_whole(played_table: KeptTable, phone: Page, width: int) -> None:
    phone.set_viewport_size({"width": width, "height": 640})
    page = sit(phone, played_table, 0)
    winner = page.locator("#final li b").first
    expect(winner).to_have_text(NAMES[0])
    assert winner.evaluate("node => node.scrollWidth <= node.clientWidth"), "the name is cut"


def test_a_picture_that_the_network_lost_can_be_asked_for_again(played_table: KeptTable, phone: Page) -> None:
    page = sit(phone, played_table, 0)
    page.route("**/sheet.svg", lambda route: route.abort(), times=1)
    page.locator("#share").click()
    expect(page.get_by_role("alert")).to_have_text("Not sent: tap again.")
    with page.expect_download() as picture:
        page.locator("#share").click()
    assert picture.value.suggested_filename.endswith(".png")


def test_a_saved_picture_is_there_as_long_as_a_browser_asks_where_to_put_it(
    played_table: KeptTable, phone: Page
) -> None:
    page = sit(phone, played_table, 0)
    page.evaluate("() => { window.revoked = 0; URL.revokeObjectURL = () => { window.revoked += 1; }; }")
    with page.expect_download():
        page.locator("#share").click()
    assert page.evaluate("revoked") == 0


def test_whoever_shares_the_first_place_stands_out_as_the_first(kept_table: KeptTable, phone: Page) -> None:
    kept_table.table.handle(OpenGame(by="owner", ruleset=rules_named("home").ruleset.but(ties="split")))
    tell(kept_table.table, draw(0, 1))
    kept_table.table.handle(EndGame(by="owner"))
    phone.goto(kept_table.address)
    rows = phone.locator("#final li")
    expect(rows.locator("span:first-child")).to_have_text(["Place 1", "Place 1", "Place 3", "Place 3"])
    colours = rows.evaluate_all("rows => rows.map((row) => getComputedStyle(row).color)")
    assert colours[0] == colours[1]
    assert colours[1] != colours[2] == colours[3]

"""How many taps each task takes from the table's page, typing not counted: counted here, and told in the README."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from table.game.commands.game_commands import EndGame
from tests.browser.by_hand import INVITED, Fingers, NewTable, chip, own_the_table, sit, value
from tests.places import ROOT

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 664}
README: Final = ROOT / "table" / "dashboard" / "README.md"
MOST: Final = {
    "first start": 5,
    "join": 2,
    "ron by han and fu": 4,
    "ron of another player": 5,
    "two rons on one tile": 6,
    "draw, nobody tenpai": 3,
    "draw, two tenpai": 4,
    "gap to each rival": 1,
    "chombo, on one phone": 4,
    "time called": 3,
    "points put right": 4,
    "next game, same players": 1,
}
"""Each task, and how many taps it may take."""


def first_start(fingers: Fingers) -> None:
    page = fingers.page
    fingers.tap(page.get_by_role("button", name="English"))
    fingers.tap(page.get_by_role("button", name="home"))
    expect(page.locator(".naming")).to_be_visible()
    names = page.locator(".naming input[autocomplete]").all()
    for field, name in zip(names, ("Jo", "さくら", "", "Ben"), strict=True):
        field.fill(name)
    fingers.tap(page.get_by_role("button", name="Next"))
    expect(page.locator(".inviting b")).to_have_text(INVITED)
    expect(page.locator(".lines li")).to_have_text(["Owner’s PIN none · choose", "Mode Home"], use_inner_text=True)
    fingers.tap(page.get_by_role("button", name="To the table"))
    expect(page.locator(".seats .name")).to_have_text(["Jo", "さくら", "Seat 3", "Ben"])


def join(fingers: Fingers) -> None:
    page = fingers.page
    fingers.tap(page.get_by_role("link", name="Join the table"))
    page.get_by_label("Your name").fill("Alexander")
    fingers.tap(page.locator(".sitting button").nth(2))
    expect(page.locator("body[data-seat='2']")).to_be_attached()
    expect(page.locator(".seats .name", has_text="Alexander")).to_be_visible()


def kept_button(page: Page, name: str) -> Callable[[Fingers], None]:
    return lambda fingers: fingers.tap(page.locator(".actions .kept").get_by_role("button", name=name, exact=True))


def confirm_result(fingers: Fingers) -> None:
    page = fingers.page
    expect(page.locator("#settle .confirm")).to_be_enabled()
    fingers.tap(page.locator("#settle .confirm"))
    expect(page.locator("#settle")).to_be_hidden()


def ron(fingers: Fingers) -> None:
    kept_button(fingers.page, "Win")(fingers)
    fingers.tap(chip(fingers.page, "loser", "Jo"))
    fingers.tap(value(fingers.page, 3, 40))
    confirm_result(fingers)


def two_rons(fingers: Fingers) -> None:
    kept_button(fingers.page, "Win")(fingers)
    fingers.tap(chip(fingers.page, "loser", "Jo"))
    fingers.tap(value(fingers.page, 2, 30))
    fingers.tap(chip(fingers.page, "winners", "Ben"))
    fingers.tap(value(fingers.page, 1, 30))
    confirm_result(fingers)


def ron_of_another(fingers: Fingers) -> None:
    kept_button(fingers.page, "Win")(fingers)
    fingers.tap(chip(fingers.page, "winners", "Ben"))
    expect(fingers.page.locator("#winners input:checked")).to_have_count(1)
    fingers.tap(chip(fingers.page, "loser", "Jo"))
    fingers.tap(value(fingers.page, 3, 40))
    confirm_result(fingers)


def draw(*tenpai: str) -> Callable[[Fingers], None]:
    def do(fingers: Fingers) -> None:
        kept_button(fingers.page, "Draw")(fingers)
        for name in tenpai:
            fingers.tap(chip(fingers.page, "tenpai", name))
        confirm_result(fingers)

    return do


def gap(fingers: Fingers) -> None:
    fingers.tap(fingers.page.locator(".card .score").first)
    expect(fingers.page.locator(".card .score").first).to_have_attribute("aria-pressed", "true")


def chombo(fingers: Fingers) -> None:
    page = fingers.page
    fingers.tap(page.locator("#fouls"))
    fingers.tap(page.locator("#who label", has_text="Jo"))
    fingers.tap(page.locator("#often button").first)
    fingers.tap(page.locator("#name"))
    expect(page.locator("#named h2:visible, #logged > li .head b").first).to_contain_text("False win")


def call_time(fingers: Fingers) -> None:
    page = fingers.page
    fingers.tap(page.locator("#game"))
    fingers.tap(page.locator("summary", has_text="Time is up"))
    fingers.tap(page.get_by_role("button", name="Call time"))
    expect(page.get_by_role("button", name="Call time")).to_have_count(0)


def put_right(fingers: Fingers) -> None:
    page = fingers.page
    fingers.tap(page.locator("#game"))
    fingers.tap(page.locator("#adjust summary"))
    before = int(page.locator("[name=points0]").input_value())
    page.locator("[name=points0]").fill(str(before - 1000))
    page.locator("#adjust [name=why]").fill("a stick was lost")
    expect(page.locator("#sum")).to_contain_text("Yes, the sum of all points changes by −1,000")
    fingers.tap(page.locator("#sum input"))
    fingers.tap(page.locator("#adjust button"))
    expect(page.locator(".changes")).to_contain_text("a stick was lost")


def next_game(fingers: Fingers) -> None:
    fingers.tap(fingers.page.get_by_role("button", name="Next game, same players"))
    expect(fingers.page.locator("#final")).to_be_hidden()


def told_in_readme() -> dict[str, int]:
    """The table of the README."""
    rows = README.read_text("utf-8").partition("| task, from the table's page | taps |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.strip().splitlines()[1:]]
    return {task: int(taps) for task, taps in cells}


def test_every_task_takes_few_taps_and_as_many_as_the_readme_says(
    new_table: NewTable, phone: Page, chromium: Browser
) -> None:
    phone.set_viewport_size(PHONE)
    tap_counts: dict[str, int] = {}

    def count(page: Page, task: str, do: Callable[[Fingers], None]) -> None:
        fingers = Fingers(page)
        do(fingers)
        tap_counts[task] = len(fingers.taps)

    phone.goto(new_table.address)
    count(phone, "first start", first_start)
    count(phone, "join", join)
    assert new_table.table.board.latest.names == ("Jo", "さくら", "Alexander", "Ben")
    with chromium.new_context(viewport=PHONE, locale="en-GB") as context:
        page = context.new_page()
        own_the_table(page, int(new_table.address.rpartition(":")[2]))
        sit(page, new_table, 1)
        hands: dict[str, Callable[[Fingers], None]] = {
            "ron by han and fu": ron,
            "ron of another player": ron_of_another,
            "two rons on one tile": two_rons,
            "draw, nobody tenpai": draw("Nobody"),
            "draw, two tenpai": draw("Jo", "Ben"),
            "gap to each rival": gap,
        }
        for task, do in hands.items():
            count(page, task, do)
        for task, do in {
            "chombo, on one phone": chombo,
            "time called": call_time,
            "points put right": put_right,
        }.items():
            page.goto(new_table.address)
            expect(page.locator("body[data-version]")).to_be_attached()
            count(page, task, do)
        new_table.table.handle(EndGame())
        page.goto(new_table.address)
        count(page, "next game, same players", next_game)
    print(*(f"{task}: {taps}" for task, taps in tap_counts.items()), sep="\n")
    assert {task: taps for task, taps in tap_counts.items() if taps > MOST[task]} == {}
    assert tap_counts == told_in_readme()

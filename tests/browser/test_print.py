"""On paper a page says what it says, without what is pressed."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult, NameSeats
from tests.browser.by_hand import KeptTable, confirm, draw_with_nobody_tenpai

pytestmark = pytest.mark.browser

PAGES = {
    "": (".sheet tbody tr", "#seats .name"),
    "game": (".standing li", ".report dd"),
    "rules": (".clause h3", ".clause .chosen", ".setting select"),
    "fouls": ("h1", "#logged"),
}
"""Pages, and what paper shows of each."""


WIDER = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const [{ left, right }, box] = [each.getBoundingClientRect(), each.closest(".place").getBoundingClientRect()];
  return left < box.left || right > box.right;
}).map((each) => each.textContent)"""
"""Returns the texts that run over the box of their seat."""


@pytest.mark.parametrize("media", ["print", "screen"])
def test_points_stay_within_the_box_of_their_seat(
    page: Page, kept_table: KeptTable, media: Literal["print", "screen"]
) -> None:
    result = {"kind": "ron", "wins": [{"seat": 3, "from": 1, "han": 13}]}
    kept_table.table.handle(DeclareResult(result=read_result(result), hand=0))
    page.emulate_media(media=media)
    for width in (320, 390, 740, 1280):
        page.set_viewport_size({"width": width, "height": 1000})
        page.goto(kept_table.address)
        expect(page.locator(".score", has_text="−")).to_have_count(1)
        assert page.evaluate(WIDER, ".score") == []


def test_a_person_s_figures_begin_on_the_first_sheet_of_paper(page: Page, kept_table: KeptTable) -> None:
    names = NameSeats(names=("Ann", "Ben", "Cem", "Dora"), by="owner")
    kept_table.table.handle(names)
    result = {"kind": "ron", "wins": [{"seat": 3, "from": 1, "han": 13}]}
    kept_table.table.handle(DeclareResult(result=read_result(result), hand=0))
    page.goto(f"{kept_table.address}/season")
    page.get_by_role("link", name="Ben").click()
    expect(page.locator("#figures")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("summary:visible", has_text="What it means")).to_have_count(0)
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 3  # and not one of the name alone before them


def test_the_pages_print_without_buttons_fields_and_forms(page: Page, kept_table: KeptTable) -> None:
    draw_with_nobody_tenpai(page)
    confirm(page)
    page.emulate_media(media="print")
    for path, selectors in PAGES.items():
        page.goto(f"{kept_table.address}/{path}")
        for each in selectors:
            expect(page.locator(each).first).to_be_visible()
        pressed = page.locator(
            "button:visible, summary:visible, input[type=search]:visible, form:visible, .bar a:visible"
        )
        expect(pressed).to_have_count(0)

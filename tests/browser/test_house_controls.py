"""Controls that only some house rules need: chips, and riichi with tiles laid open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.game_commands import DeclareRiichi, OpenGame
from table.rulebook import rules_named
from table.rules.terms.seats import Seat
from tests.browser.by_hand import Kept, chip, confirm, press, sit, value

pytestmark = pytest.mark.browser


def test_chips_are_told_where_the_rules_have_them_and_only_there(kept: Kept, phone: Page) -> None:
    page = sit(phone, kept, 0)
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    expect(page.locator("#chips")).to_be_hidden()
    page.locator("#settle-close").click()
    kept.table.handle(OpenGame(ruleset=rules_named("home").play.but(chips={"ura": 1})))
    page.reload()
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    page.get_by_label("Chips from each payer").fill("2")
    expect(page.locator("#settle .confirm")).to_be_enabled()
    confirm(page)
    expect(page.locator("#sheet")).to_contain_text("+2")
    assert kept.table.state.chips == (2, 0, -2, 0)


def test_an_open_riichi_is_declared_on_the_phone_where_the_rules_have_it(kept: Kept, phone: Page) -> None:
    page = sit(phone, kept, 0)
    expect(page.locator("#open-riichi")).to_be_hidden()
    kept.table.handle(OpenGame(ruleset=rules_named("home").play.but(open_riichi=True)))
    kept.table.handle(DeclareRiichi(seat=Seat.NEAR))
    page.locator("#open-riichi").click()
    expect(page.locator("#waits-title")).to_have_text("Which tiles do you lay open?")
    for face in ("4m", "4m", "7m", "7m"):
        page.locator(f"#waits [value='{face}']").click()
    page.locator("#waits .confirm").click()
    expect(page.locator("#news")).to_contain_text("declares open riichi and waits for 4 man, 7 man")

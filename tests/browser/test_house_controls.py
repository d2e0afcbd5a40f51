"""Controls that only some house rules need: chips, and riichi with tiles laid open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.game_commands import DeclareRiichi, OpenGame
from table.rulebook import rules_named
from table.rules.terms.seats import Seat
from tests.browser.by_hand import KeptTable, chip, confirm, press, sit, value

pytestmark = pytest.mark.browser


def test_chips_are_told_where_the_rules_have_them_and_only_there(kept_table: KeptTable, phone: Page) -> None:
    page = sit(phone, kept_table, 0)
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    expect(page.locator("#chips")).to_be_hidden()
    page.locator("#settle-close").click()
    kept_table.table.handle(OpenGame(ruleset=rules_named("home").ruleset.but(chips={"ura": 1})))
    page.reload()
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 3, 40).click()
    chips = page.locator("#chips").get_by_label("East")
    for wrong in ("2.5", "-1", "100"):
        chips.fill(wrong)
        expect(page.locator("#preview p")).to_have_text("Chips are a whole number from 0 to 99.")
    chips.fill("2")
    expect(page.locator("#settle .moved")).to_have_text("West −7,700 · chips −2 → East +7,700 · chips +2")
    confirm(page)
    expect(page.locator("#sheet")).to_contain_text("+2")
    assert kept_table.table.state.chips == (2, 0, -2, 0)


def test_the_chips_of_each_winner_are_asked_and_shown_by_name(kept_table: KeptTable, phone: Page) -> None:
    rules = rules_named("home").ruleset.but(chips={"ura": 1})
    kept_table.table.handle(OpenGame(ruleset=rules, names=("Ann", "Ben", "Cho", "Dee")))
    page = sit(phone, kept_table, 0)
    page.locator(".card").nth(1).click()
    chip(page, "winners", "Cho").click()
    chip(page, "loser", "Ann").click()
    page.locator("#chips").get_by_label("Ben").fill("3")
    value(page, 2, 30).click()
    value(page, 3, 30).click()
    page.locator("#chips").get_by_label("Cho").fill("5")
    expect(page.locator("#settle .moved")).to_contain_text("Ann −5,900 · chips −8")
    expect(page.locator("#preview p")).to_contain_text("Chips: Ben +3, Cho +5, Ann −8.")
    confirm(page)
    assert kept_table.table.state.chips == (-8, 3, 5, 0)
    expect(page.locator("#news")).to_contain_text("Chips: Ben +3, Cho +5, Ann −8.")
    expect(page.locator("#sheet tr").first.locator("td").nth(1)).to_contain_text("chips +3")
    page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    expect(page.locator("#chips").get_by_label("Ben")).to_have_value("3")


def test_an_open_riichi_is_declared_on_the_phone_where_the_rules_have_it(kept_table: KeptTable, phone: Page) -> None:
    page = sit(phone, kept_table, 0)
    expect(page.locator("#open-riichi")).to_be_hidden()
    kept_table.table.handle(OpenGame(ruleset=rules_named("home").ruleset.but(open_riichi=True)))
    kept_table.table.handle(DeclareRiichi(seat=Seat.NEAR))
    page.locator("#open-riichi").click()
    expect(page.locator("#waits-title")).to_have_text("Which tiles do you lay open?")
    for face in ("4m", "4m", "7m", "7m"):
        page.locator(f"#waits [value='{face}']").click()
    page.locator("#waits .confirm").click()
    expect(page.locator("#news")).to_contain_text("declares open riichi and waits for 4 man, 7 man")

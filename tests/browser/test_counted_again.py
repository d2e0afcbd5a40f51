"""Values counted from tiles follow what they depend on, and sheets that the table overtook say so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.command_reader import read_command, read_press
from table.game.commands.game_commands import EditResult, OpenGame, Undo
from table.rulebook import rules_named
from tests.browser.by_hand import RON, KeptTable, chip, confirm, declare, press, sit, value

pytestmark = pytest.mark.browser
PINFU = ("2m", "3m", "4m", "4p", "5p", "6p", "6s", "7s", "8s", "2s", "2s", "6m", "7m", "8m")


def enter(page: Page) -> None:
    page.get_by_role("button", name="By tiles").click()
    for face in PINFU:
        page.locator(f"#hand .keys [value='{face}']").click()
    page.get_by_role("button", name="Take this value").click()


def is_chosen(page: Page, han: int, fu: int) -> None:
    expect(value(page, han, fu)).to_have_attribute("aria-pressed", "true")


def test_a_value_by_tiles_follows_riichi_and_tsumo(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    enter(page)
    is_chosen(page, 2, 30)
    chip(page, "riichi", "East").click()
    is_chosen(page, 3, 30)
    expect(page.locator("#counted p")).to_contain_text("Riichi 1")
    chip(page, "loser", "Tsumo").click()
    is_chosen(page, 4, 20)
    chip(page, "riichi", "East").click()
    is_chosen(page, 3, 20)
    chip(page, "loser", "West").click()
    is_chosen(page, 2, 30)
    confirm(page)
    expect(page.locator("#sheet .note").first).to_contain_text("2 han 30 fu: Pinfu 1, Tanyao 1")


def test_a_hand_that_cannot_win_any_more_is_asked_for_and_comes_back(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    chip(page, "riichi", "East").click()
    page.get_by_role("button", name="By tiles").click()
    for face in ("1m", "2m", "3m", "4p", "5p", "6p", "6s", "7s", "8s", "2s", "2s", "6m", "8m", "7m"):
        page.locator(f"#hand .keys [value='{face}']").click()
    page.get_by_role("button", name="Take this value").click()
    is_chosen(page, 1, 40)
    chip(page, "riichi", "East").click()
    expect(page.locator("#preview p")).to_contain_text("yaku")
    expect(page.locator("#settle .confirm")).to_be_disabled()
    expect(page.locator("#values [aria-pressed='true']")).to_have_count(0)
    chip(page, "riichi", "East").click()
    is_chosen(page, 1, 40)
    expect(page.locator("#settle .confirm")).to_be_enabled()


def test_tiles_are_those_of_the_winner_for_whom_they_were_opened(kept_table: KeptTable, page: Page) -> None:
    kept_table.table.handle(read_press({"press": "riichi", "seat": 0}))
    expect(page.locator("#deposits")).to_have_text("1")
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    for face in ("1m", "2m", "3m", "4p", "5p", "6p", "6s", "7s", "8s", "2s", "2s", "6m", "8m", "7m"):
        page.locator(f"#hand .keys [value='{face}']").click()
    page.get_by_role("button", name="Take this value").click()
    chip(page, "winners", "South").click()
    page.get_by_role("button", name="By tiles").click()
    for face in PINFU:
        page.locator(f"#hand .keys [value='{face}']").click()
    with page.expect_response("**/api/value"):  # without the riichi, the first winner's hand has no yaku
        kept_table.table.handle(Undo(act=kept_table.table.board.latest.changes.undo or 0))
    expect(page.locator("#settle .confirm")).to_be_disabled()
    page.get_by_role("button", name="Take this value").click()
    worth = page.locator("#whose button span")
    expect(worth).to_have_text(["", "2,000"])


def test_a_riichi_that_is_heard_of_while_tiles_are_entered_counts(kept_table: KeptTable, page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    page.get_by_role("button", name="By tiles").click()
    for face in PINFU:
        page.locator(f"#hand .keys [value='{face}']").click()
    worth, riichi = page.locator("#hand .value"), page.locator("#facts [name=riichi]")
    expect(worth).to_contain_text("2 han 30 fu")
    kept_table.table.handle(read_press({"press": "riichi", "seat": 0}))
    expect(riichi).to_be_checked()
    expect(worth).to_contain_text("3 han 30 fu")
    kept_table.table.handle(read_press({"press": "riichi", "seat": 1}))
    kept_table.table.handle(Undo(act=kept_table.table.board.latest.changes.undo or 0))
    kept_table.table.handle(Undo(act=kept_table.table.board.latest.changes.undo or 0))
    expect(riichi).not_to_be_checked()
    expect(worth).to_contain_text("2 han 30 fu")


def test_a_correction_counts_under_the_winds_of_its_own_hand_and_asks_where_the_tiles_are_gone(page: Page) -> None:
    press(page, "Win")
    chip(page, "loser", "West").click()
    chip(page, "riichi", "East").click()
    enter(page)
    is_chosen(page, 3, 30)
    confirm(page)
    page.reload()
    page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    is_chosen(page, 3, 30)
    chip(page, "riichi", "East").click()
    expect(page.locator("#preview p")).to_have_text("Riichi, ron or tsumo has changed: enter the value again.")
    expect(page.locator("#settle .confirm")).to_be_disabled()
    chip(page, "riichi", "East").click()
    is_chosen(page, 3, 30)
    chip(page, "riichi", "East").click()
    enter(page)
    is_chosen(page, 2, 30)


def test_a_correction_that_another_phone_overtook_says_so(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    value(page, 2, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    other = RON | {"wins": [{"seat": 0, "from": 2, "han": 1, "fu": 30}]}
    kept_table.table.handle(read_command(EditResult, {"hand": 0, "result": other}))
    expect(page.locator("#preview p")).to_have_text("This hand was changed elsewhere: close this sheet.")
    expect(page.locator("#settle .confirm")).to_be_disabled()


def test_an_open_sheet_says_that_the_hand_before_was_undone(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    expect(page.locator("#sheet .note")).to_contain_text("Ron")
    press(page, "Win")
    chip(page, "loser", "West").click()
    value(page, 2, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    kept_table.table.handle(Undo(act=kept_table.table.board.latest.changes.undo or 0))
    expect(page.locator("#preview p")).to_have_text("The table went back to an earlier hand: close this sheet.")


def test_a_second_tap_on_redo_has_the_first_ones_answer(kept_table: KeptTable, page: Page) -> None:
    declare(kept_table, 0)
    expect(page.locator("#sheet .note")).to_contain_text("Ron")
    page.locator("#undo").click()
    expect(page.locator("#redo")).to_be_enabled()
    page.locator("#redo").dblclick()
    expect(page.locator("#sheet .note")).to_contain_text("Ron")
    expect(page.locator("#toast")).to_be_empty()


def test_the_offered_seat_that_gives_way_is_named(page: Page) -> None:
    press(page, "Win")
    chip(page, "winners", "North").click()
    expect(page.locator("#only")).to_have_text("Only North wins. If East won, too, tap East.")
    page.locator("#kinds label", has_text="Draw").first.click()
    expect(page.locator("#only")).to_be_hidden()
    page.locator("#kinds label", has_text="Win").click()
    expect(page.locator("#only")).to_be_visible()
    chip(page, "winners", "East").click()
    expect(page.locator("#only")).to_be_hidden()


def test_a_win_that_head_bump_drops_is_named(kept_table: KeptTable, phone: Page) -> None:
    kept_table.table.handle(OpenGame(ruleset=rules_named("m-league").ruleset))
    page = sit(phone, kept_table, 0)
    page.locator(".card").nth(1).click()
    chip(page, "winners", "West").click()
    chip(page, "loser", "East").click()
    value(page, 3, 30).click()
    value(page, 3, 40).click()
    expect(page.locator("#preview p")).to_contain_text("Head bump: no points for West.")

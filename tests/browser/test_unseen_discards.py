"""What a phone asks after the camera was lost: whose tile was won on, who was tenpai, and what a win may be worth."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.game_commands import CallDraw, ClaimRon, ClaimTsumo
from table.game.snapshot import CameraHealth
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import parse_tiles
from tests.browser.by_hand import KeptTable, chip, confirm, sit, value
from tests.browser.waiting import HeldRequests
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Felt, Zone

pytestmark = pytest.mark.browser


def test_a_phone_says_whose_tile_was_won_on(kept_table: KeptTable, phone: Page) -> None:
    by_hand = TableByHand(table=kept_table.table)
    by_hand.discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    page = sit(phone, kept_table, 0)
    page.locator(".actions .watched").get_by_role("button", name="Ron").click()
    question = page.get_by_role("group", name="Who dealt in?")
    expect(question.get_by_role("button")).to_have_text(["South", "West", "North"])
    question.get_by_role("button", name="North").click()
    expect(question).to_have_count(0)
    expect(page.locator("#ending h2")).to_have_text("East wins off North")


def test_a_confirmation_that_cannot_settle_the_hand_yet_says_what_is_missing(
    kept_table: KeptTable, phone: Page
) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.OK)
    by_hand.press(ClaimRon, 0, by="seat 0")
    page = sit(phone, kept_table, 0)
    page.locator("[data-press=confirm]").click()
    expect(page.get_by_role("alert")).to_have_text("Still missing: East’s hand")


@pytest.mark.parametrize(("answer", "pot"), [("Yes: no stick", 0), ("No: a later tile", 1)])
def test_a_phone_says_whether_the_riichi_tile_was_won_on(
    kept_table: KeptTable, phone: Page, answer: str, pot: int
) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m")).lay(1, Zone.RIVER, "2m", sideways=0)
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.press(ClaimRon, 2, discarder=Seat.RIGHT, han=2, fu=30, by="seat 2")
    page = sit(phone, kept_table, 0)
    question = page.get_by_role("group", name="Was South’s riichi tile the one won on?")
    question.get_by_role("button", name=answer).click()
    expect(chip(page, "riichi", "South").locator("input")).to_be_checked(checked=bool(pot))
    confirm(page)
    expect(page.locator(".card").nth(2).locator(".score")).to_have_text(f"{27_000 + pot * 1000:,}")


def test_a_draw_that_nobody_sees_opens_the_sheet_that_asks_who_was_tenpai(kept_table: KeptTable, phone: Page) -> None:
    TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    page = sit(phone, kept_table, 0)
    page.locator(".actions .watched").get_by_role("button", name="Draw").click()
    expect(page.get_by_role("radio", name="Draw", exact=True)).to_be_checked()
    button, question = page.locator("#settle .confirm"), page.locator("#preview p")
    expect(question).to_have_text("Who was tenpai? Tick them, or “Nobody”.")
    expect(button).to_be_disabled()
    chip(page, "tenpai", "Nobody").click()
    expect(question).to_have_text("Who has nagashi mangan? Tick them, or “Nobody”.")
    chip(page, "nagashi", "Nobody").click()
    expect(button).to_be_enabled()
    chip(page, "tenpai", "West").click()
    expect(chip(page, "tenpai", "Nobody").locator("input")).not_to_be_checked()
    confirm(page)
    expect(page.locator(".card").nth(2).locator(".score")).to_have_text("28,000")


def test_a_draw_that_waits_for_who_was_tenpai_leads_to_the_sheet(kept_table: KeptTable, phone: Page) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.press(CallDraw, by="seat 1")
    page = sit(phone, kept_table, 0)
    expect(page.locator("#ending .missing")).to_contain_text("who was tenpai")
    expect(page.locator("#ending .asked")).to_have_text("Tap “By hand” and enter it there.")
    buttons = page.locator(".actions .watched")
    expect(buttons.get_by_role("button", name="Confirm")).to_be_hidden()
    buttons.get_by_role("button", name="By hand").click()
    chip(page, "tenpai", "West").click()
    chip(page, "nagashi", "East").click()
    confirm(page)
    expect(page.locator(".card").first.locator(".score")).to_have_text("37,000")


def test_a_tick_says_what_unseen_play_made_a_win_worth(kept_table: KeptTable, phone: Page) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.press(ClaimTsumo, 2, tiles=parse_tiles("345m456m88p34p678s2p"), by="seat 2")
    page = sit(phone, kept_table, 0)
    expect(page.locator("#ending .missing")).to_contain_text("Riichi, Last tile, After a kan")
    page.locator(".actions .watched").get_by_role("button", name="By hand").click()
    expect(page.locator("#counted")).to_contain_text("3 han 20 fu")
    expect(chip(page, "winners", "West").locator("input")).to_be_checked()
    page.locator("#by-tiles").click()
    expect(page.locator("#hand [data-part=tiles] li")).to_have_count(14)
    take = page.get_by_role("button", name="Take this value")
    expect(take).to_be_enabled()
    held_requests = HeldRequests(page, "**/api/value")
    page.locator("#facts label", has_text="After a kan").click()
    expect(take, "the value of before the tick cannot be taken").to_be_disabled()
    held_requests.let_through()
    take.click()
    confirm(page)
    expect(page.locator(".card").nth(2).locator(".score")).to_have_text("30,200")


def test_a_riichi_that_went_unseen_is_ticked_beside_the_tiles(kept_table: KeptTable, phone: Page) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.press(ClaimTsumo, 2, tiles=parse_tiles("345m456m88p34p678s2p"), by="seat 2")
    page = sit(phone, kept_table, 0)
    page.locator(".actions .watched").get_by_role("button", name="By hand").click()
    page.locator("#by-tiles").click()
    for fact in ("Riichi", "Ippatsu"):
        page.locator("#facts").get_by_role("checkbox", name=fact, exact=True).check()
    page.get_by_role("button", name="Take this value").click()
    expect(chip(page, "riichi", "West").locator("input")).to_be_checked()
    page.locator("#by-tiles").click()
    expect(page.locator("#facts").get_by_role("checkbox", name="Riichi", exact=True)).to_be_checked()
    page.locator("#hand-close").click()
    confirm(page)
    expect(page.locator(".card").nth(2).locator(".score")).to_have_text("33,000")


def test_a_pon_that_went_unseen_is_told_with_the_tiles_of_the_win(kept_table: KeptTable, phone: Page) -> None:
    by_hand = TableByHand(table=kept_table.table).discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.press(ClaimTsumo, 2, by="seat 2")
    page = sit(phone, kept_table, 0)
    page.locator("#ending .put-right").click()
    keys, parts = page.locator("#hand .keys"), page.locator("#hand .slots label")
    expect(parts.filter(visible=True)).to_have_count(2)
    for face in ("2m", "3m", "4m", "4p", "5p", "6p", "6s", "7s", "8s", "8s", "8s"):
        keys.locator(f"[value='{face}']").click()
    parts.filter(has=page.locator("[value=melds]")).click()
    page.locator("#meld-kinds label", has_text="Pon").click()
    keys.locator("[value='5z']").click()
    expect(page.locator("#hand .worth .yaku")).to_contain_text("White dragons")
    page.get_by_role("button", name="Take this value").click()
    expect(page.locator("#hand")).to_be_hidden()
    expect(page.locator("#ending")).to_contain_text("White dragons")
    hand = kept_table.table.state.live
    assert hand is not None
    assert [meld.text for meld in hand.melds[2]] == ["555z"]


def test_what_a_hand_was_settled_without_is_in_the_news_and_the_sheet_corrects_it(
    kept_table: KeptTable, phone: Page
) -> None:
    by_hand = TableByHand(table=kept_table.table)
    by_hand.discard((0, "1z"), (1, "2z"), (2, "3z"), (3, "9m"), (0, "4z")).lay(1, Zone.RIVER, "9s", sideways=0).stick(1)
    kept_table.table.set_camera_health(CameraHealth.LOST)
    by_hand.discard((2, "3p")).press(ClaimRon, 1, tiles=parse_tiles("234m345678s88s45p"), by="seat 1")
    by_hand.observe(Felt()).lay(0, Zone.WALL, "5m")
    page = sit(phone, kept_table, 0)
    expect(page.locator("#news")).to_contain_text("Settled without this: the ura indicators")
    page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    expect(chip(page, "winners", "South").locator("input")).to_be_checked()
    value(page, 4, 30).click()
    page.get_by_label("Reason", exact=True).fill("ippatsu")
    confirm(page)
    expect(page.locator(".card").nth(1).locator(".score")).to_have_text("32,700")

"""People change seats while a sheet is open: what was entered for one person never counts for another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from table.game.commands.command_reader import read_command, read_press, read_result
from table.game.commands.game_commands import DeclareResult, NameSeats, OpenGame, Reseat
from table.rulebook import rules_named
from table.rules.terms.seats import Seat
from tests.browser.by_hand import KeptTable, chip, press, sit, value

pytestmark = pytest.mark.browser
NAMES = ("Anna", "Ben", "Cho", "Dana")
SWAP = Reseat(order=(Seat.NEAR, Seat.FAR, Seat.RIGHT, Seat.LEFT), by="seat 3")
CLOSE = "Another phone has changed the seats: close this sheet."
CLOSED = "The seats were changed: what was being entered is closed."


@pytest.fixture
def annas_page(kept_table: KeptTable, phone: Page) -> Page:
    kept_table.table.handle(NameSeats(names=NAMES))
    return sit(phone, kept_table, 0)


@pytest.fixture
def bens_page(kept_table: KeptTable, annas_page: Page, chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 390, "height": 844}) as context:
        yield sit(context.new_page(), kept_table, 1)


def ben_wins_from_cho(page: Page) -> None:
    press(page, "Win")
    for name in ("Ben", "Anna"):
        box = chip(page, "winners", name)
        if box.locator("input").is_checked() != (name == "Ben"):
            box.click()
    chip(page, "loser", "Cho").click()
    value(page, 3, 40).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()


def is_stopped(page: Page, reason: str = CLOSE) -> None:
    expect(page.locator("#preview p")).to_have_text(reason)
    expect(page.locator("#settle .confirm")).to_be_disabled()
    expect(page.locator("#settle .confirm .moved")).to_be_hidden()
    expect(chip(page, "winners", "Ben").locator("input")).to_be_checked()


def test_hands_that_have_ended_are_told_with_the_names_of_now(kept_table: KeptTable, annas_page: Page) -> None:
    wins = [{"seat": seat, "from": 3, "han": 2, "fu": 30} for seat in (1, 2)]
    kept_table.table.handle(DeclareResult(result=read_result({"kind": "ron", "wins": wins}), hand=0))
    note = annas_page.locator("#sheet .note").first
    expect(note).to_contain_text("Ben")
    kept_table.table.handle(NameSeats(names=("Anna", "Bea", "Cho", "Dana")))
    expect(note).to_contain_text("Bea")


def test_a_result_that_is_being_entered_is_for_the_people_it_was_entered_for(
    kept_table: KeptTable, annas_page: Page
) -> None:
    ben_wins_from_cho(annas_page)
    kept_table.table.handle(SWAP)
    is_stopped(annas_page)
    kept_table.table.handle(SWAP)
    expect(annas_page.locator("#settle .confirm")).to_be_enabled()
    kept_table.table.handle(NameSeats(names=("Anna", "Cho", "Ben", "Dana")))
    is_stopped(annas_page)
    annas_page.locator("#settle-close").click()
    ben_wins_from_cho(annas_page)
    annas_page.locator("#settle .confirm").click()
    expect(annas_page.locator("#settle")).to_be_hidden()
    assert kept_table.table.board.latest.game.scores[2] > 25_000


def test_a_name_that_is_only_spelt_anew_closes_nothing(kept_table: KeptTable, annas_page: Page) -> None:
    ben_wins_from_cho(annas_page)
    kept_table.table.handle(NameSeats(names=("Anna", "Benjamin", "Cho", "Dana")))
    expect(chip(annas_page, "winners", "Benjamin").locator("input")).to_be_checked()
    expect(annas_page.locator("#settle .confirm")).to_be_enabled()


@pytest.mark.parametrize("rules", ["home", "ema-2025"])
def test_a_next_game_with_drawn_seats_takes_no_result_of_the_one_before(
    kept_table: KeptTable, annas_page: Page, rules: str
) -> None:
    ben_wins_from_cho(annas_page)
    kept_table.table.handle(OpenGame(names=("Anna", "Cho", "Ben", "Dana"), ruleset=rules_named(rules).ruleset))
    is_stopped(annas_page, "Another game is on the table now: close this sheet.")


def test_a_correction_and_a_hand_by_tiles_stop_too(kept_table: KeptTable, annas_page: Page) -> None:
    result = {"kind": "ron", "wins": [{"seat": 1, "from": 2, "han": 3, "fu": 40}]}
    kept_table.table.handle(read_command(DeclareResult, {"hand": 0, "result": result}))
    annas_page.get_by_role("button", name="Edit this hand: E1", exact=True).click()
    annas_page.get_by_role("button", name="By tiles").click()
    expect(annas_page.locator("#hand")).to_be_visible()
    kept_table.table.handle(SWAP)
    expect(annas_page.locator("#hand")).to_be_hidden()
    is_stopped(annas_page)


def test_the_sheet_of_a_person_who_was_moved_is_closed_with_a_sentence(kept_table: KeptTable, bens_page: Page) -> None:
    ben_wins_from_cho(bens_page)
    kept_table.table.handle(SWAP)
    expect(bens_page.locator("body[data-seat='2']")).to_be_attached()
    expect(bens_page.locator("#toast")).to_have_text(CLOSED)
    expect(bens_page.locator("#settle")).to_be_hidden()
    kept_table.table.handle(SWAP)
    expect(bens_page.locator("body[data-seat='1']")).to_be_attached()
    expect(bens_page.locator("#toast")).to_have_text("Your seat has changed.")


def test_a_phone_goes_with_its_player_into_a_game_with_drawn_seats(kept_table: KeptTable, bens_page: Page) -> None:
    kept_table.table.handle(OpenGame(names=("Dana", "Anna", "Cho", "Ben")))
    expect(bens_page.locator("body[data-seat='3']")).to_be_attached()
    expect(bens_page.locator("#toast")).to_have_text("Your seat has changed.")
    press(bens_page, "Win")
    expect(chip(bens_page, "winners", "Ben").locator("input")).to_be_checked()
    kept_table.table.handle(OpenGame(names=("Dana", "Anna", "Cho", "Emil")))
    expect(bens_page.locator("body[data-seat='']")).to_be_attached()
    expect(bens_page.locator("#toast")).to_have_text("Another player has your seat in this game: choose yours.")


def test_a_foul_that_is_being_entered_is_closed(kept_table: KeptTable, annas_page: Page) -> None:
    annas_page.goto(f"{kept_table.address}/fouls")
    annas_page.locator("#who label", has_text="Ben").click()
    annas_page.locator("#clauses button", has_text="False win declaration").click()
    expect(annas_page.locator("#case")).to_be_visible()
    kept_table.table.handle(SWAP)
    expect(annas_page.get_by_role("alert")).to_have_text(CLOSED)
    expect(annas_page.locator("#case")).to_be_hidden()
    expect(annas_page.locator("#who input:checked")).to_have_count(0)


def test_a_foul_that_is_being_cancelled_is_closed(kept_table: KeptTable, annas_page: Page) -> None:
    foul = {"press": "foul", "seat": 1, "clause": "7-04-01", "option": "a"}
    kept_table.table.handle(read_press({"press": "riichi", "seat": 3}))
    kept_table.table.handle(read_press(foul))
    annas_page.goto(f"{kept_table.address}/fouls")
    annas_page.locator("#logged .changes button").last.click()
    expect(annas_page.locator("#reason")).to_be_visible()
    kept_table.table.handle(SWAP)
    expect(annas_page.locator("#reason")).to_be_hidden()
    expect(annas_page.get_by_role("alert")).to_have_text(CLOSED)

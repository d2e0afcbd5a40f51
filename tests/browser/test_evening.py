"""A whole evening by hand: names, hands, a server that ends and starts again, an undo, the end, a new game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from table.appliance import table_server
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.runtime.clock import SystemClock
from tests.browser.by_hand import chip, confirm, draw_with_nobody_tenpai, own_the_table, value
from tests.fakes.free_port import free_port

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 820, "height": 1180}


@contextmanager
def served_folder(folder: Path, port: int) -> Iterator[None]:
    """The table of a journal on disk, served as it is by `tachiai run`."""
    with Journal(folder / "table.journal") as journal:
        rules = rules_named("home").ruleset.but(length="east", agari_yame="never")
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=SystemClock())
        with table_server.serve_table(table, host="127.0.0.1", port=port, secrets=folder / "secrets"):
            yield


def name_players(page: Page) -> None:
    page.get_by_role("link", name="Game").click()
    for seat, name in enumerate(("Aoi", "Ben", "Chie", "Dan")):
        page.locator(f"input[name=name{seat}]").first.fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator(".card .name").first).to_have_text("Aoi")


def win(page: Page, winner: int, loser: str, han: int, fu: int) -> None:
    page.locator(".card").nth(winner).click()
    chip(page, "loser", loser).click()
    value(page, han, fu).click()
    expect(page.locator("#settle .confirm")).to_be_enabled()
    confirm(page)


@pytest.mark.parametrize(
    "size", [pytest.param(PHONE, id="phone"), pytest.param(TABLET, id="tablet", marks=pytest.mark.long)]
)
def test_an_evening_from_the_first_name_to_the_next_game(phone: Page, tmp_path: Path, size: ViewportSize) -> None:
    phone.set_viewport_size(size)
    port = free_port()
    with served_folder(tmp_path, port):
        own_the_table(phone, port)
        name_players(phone)
        phone.get_by_role("button", name="Riichi: Ben").click()
        expect(phone.locator("#deposits")).to_have_text("1")
        win(phone, 1, "Aoi", 3, 40)
        expect(phone.locator("#round")).to_have_text("East 2")
    expect(phone.locator("#link")).to_have_attribute("data-state", "off")
    with served_folder(tmp_path, port):
        expect(phone.locator("#link")).to_have_attribute("data-state", "on")
        draw_with_nobody_tenpai(phone)
        confirm(phone)
        phone.get_by_role("button", name="Undo: result").click()
        expect(phone.locator("#round")).to_have_text("East 2")
        win(phone, 2, "Tsumo", 3, 30)
        phone.reload()
        win(phone, 3, "Chie", 4, 30)
        win(phone, 0, "Dan", 2, 30)
        expect(phone.locator("#final li").first).to_contain_text("Dan")
        expect(phone.locator("#final li").first).to_contain_text("uma, oka")
        with phone.expect_download() as saved:
            phone.get_by_role("button", name="Share").click()
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        phone.get_by_role("link", name="Game").click()
        expect(phone.locator(".standing li")).to_have_count(4)
        expect(phone.locator(".standing li").first).to_contain_text("Dan")
        phone.get_by_role("link", name="Back to the table").click()
        phone.get_by_role("button", name="Next game, same players").click()
        expect(phone.locator("#final")).to_be_hidden()
        phone.get_by_role("button", name="Undo: new game").click()
        expect(phone.locator("#final li").first).to_contain_text("Dan")
        expect(phone.locator("#news")).to_contain_text("The start of the new game was undone.")
        expect(phone.locator("#undo")).to_have_text("Undo: result")
        phone.reload()
        phone.get_by_role("button", name="Redo").click()
        expect(phone.locator("#final")).to_be_hidden()
        expect(phone.locator(".card .score").first).to_have_text("25,000")
        expect(phone.locator(".card .name").first).to_have_text("Aoi")
        phone.get_by_role("link", name="Game").click()
        phone.get_by_role("button", name="Begin").click()
        phone.get_by_role("link", name="Back to the table").click()
        expect(phone.locator(".card .score").first).to_have_text("25,000")

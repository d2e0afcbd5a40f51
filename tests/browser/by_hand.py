"""A table kept by hand behind a real browser, and what people do on its page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from playwright.sync_api import Locator, Page, expect

from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import DeclareResult
from table.game.table_loop import Table
from tests.fakes.desks import PIN
from tests.fakes.setup_tools import FakeTools


@dataclass
class KeptTable:
    """A served table that nobody watches."""

    table: Table
    address: str


RON: Final = {"kind": "ron", "wins": [{"seat": 0, "from": 2, "han": 3, "fu": 40}]}
"""A win of the first seat from the third, as the page sends it."""
INVITED: Final = "http://192.168.1.4:8000"
"""The address that phones of a new table are invited to."""


READ: Final = ("2m", "3m", "4m", "5p", "6p", "7p", "3s", "4s", "5s", "6s", "7s", "8s", "8s", "8s")
"""A winning hand, as people enter it and photographs show it."""


@dataclass
class NewTable(KeptTable):
    """A table without a camera that nobody has set up yet."""

    tools: FakeTools


@dataclass
class Fingers:
    """Counts the taps on a page."""

    page: Page
    taps: list[str] = field(default_factory=list)

    def tap(self, control: Locator) -> None:
        self.taps.append(control.inner_text())
        control.click()


def sit(page: Page, kept_table: KeptTable, seat: int) -> Page:
    page.goto(f"{kept_table.address}/join")
    page.locator(".sitting button").nth(seat).click()
    expect(page.locator("body[data-version] #undo")).to_be_attached()
    return page


def declare(kept_table: KeptTable, *hands: int) -> None:
    """Enters `RON` as the end of these hands, past the page."""
    for hand in hands:
        kept_table.table.handle(read_command(DeclareResult, {"hand": hand, "result": RON}))


def middle_of(element: Locator) -> tuple[float, float]:
    """Where in the window the middle of something lies, scrolled into sight, whether it can be tapped or not."""
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    assert box is not None
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def chip(page: Page, group: str, name: str) -> Locator:
    return page.locator(f"#{group} label", has_text=name)


def value(page: Page, han: int, fu: int) -> Locator:
    columns = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
    return page.locator("#values tbody tr").nth(han - 1).locator("td").nth(columns.index(fu)).locator("button")


def confirm(page: Page) -> None:
    page.locator("#settle").get_by_role("button", name="Confirm").click()
    expect(page.locator("#settle")).to_be_hidden()


def press(page: Page, name: str) -> None:
    page.locator(".actions .kept").get_by_role("button", name=name, exact=True).click()


def own_the_table(page: Page, port: int) -> None:
    page.goto(f"http://127.0.0.1:{port}/join")
    page.get_by_label("Choose a PIN").fill(PIN)
    page.get_by_label("New PIN again").fill(PIN)
    page.locator("form", has=page.locator("[name=again]")).get_by_role("button").click()
    expect(page.locator("body[data-version] #undo")).to_be_attached()


def begin_adjustment(page: Page, table: KeptTable) -> None:
    """The owner fills in that East has 24,000 points, on the page of the game, and does not send it."""
    own_the_table(page, int(table.address.rpartition(":")[2]))
    page.goto(f"{table.address}/game")
    page.locator("#adjust summary").click()
    page.locator("[name=points0]").fill("24000")


def draw_with_nobody_tenpai(page: Page) -> None:
    press(page, "Draw")
    chip(page, "tenpai", "Nobody").click()

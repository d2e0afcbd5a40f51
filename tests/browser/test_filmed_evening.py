"""The demo's evening before the camera, clicked through on phones: what is seen is read off drawn pixels.

Nothing is pressed but on phones: claims, the settlement, a correction, a penalty, undo, a draw, the end of the game. In
the middle the page is loaded again, and the server is killed and started anew while the camera goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.by_hand import own_the_table
from tests.browser.film_control import FilmedEvening, claim, filmed_evening, press_and_wait, take_seat
from tests.fakes.free_port import free_port

pytestmark = pytest.mark.browser
TABLET: ViewportSize = {"width": 820, "height": 1180}


def scores(page: Page, *expected: str) -> None:
    expect(page.locator(".card .score")).to_have_text(list(expected))


def faces(page: Page, seat: int) -> list[str]:
    """The river of a seat, sideways tiles marked."""
    tiles = page.locator(f".side[data-seat='{seat}'] .river .tile img").all()
    return [tile.get_attribute("alt") or "" for tile in tiles]


def first_hand(page: Page, tablet: Page, evening: FilmedEvening) -> None:
    """Riichi is seen, its window opens and is broken by a pon; a tile is corrected; the drawn win is confirmed."""
    evening.play(25)
    expect(page.locator(".card .badges em").first).to_have_text("Riichi")  # tile and stick came to rest together
    assert faces(page, 1)[-1] == "1 pin, sideways"
    evening.play(27)
    expect(page.locator(".side[data-seat='1'] .stick")).to_be_visible()
    expect(page.locator(".card .badges em").last).to_have_text("Ippatsu")
    scores(page, "25,000", "24,000", "25,000", "25,000")
    correct(page)
    evening.play(32)
    expect(tablet.locator("#news")).to_contain_text("No more ippatsu for South: a tile was called.")
    evening.play(40.6)
    claim(page, "South", "Tsumo")
    evening.play(45)
    expect(page.locator("#ending .value")).to_have_text("2 han 30 fu · 2,000 points")
    expect(tablet.locator("#paid .paid")).to_have_text(["1,000", "500", "500", "1,000"])
    tile = tablet.locator("#ending .hand .tile").first.bounding_box()
    assert tile is not None
    assert tile["width"] >= 32, "the won hand is seen from a seat"
    page.locator("[data-press=confirm]").click()
    scores(page, "24,000", "27,000", "24,500", "24,500")


def correct(page: Page) -> None:
    """A tile is tapped, said to be another one, and that is taken back."""
    tile = page.locator(".side[data-seat='3'] .river .tile").first
    first_face = faces(page, 3)[0]
    tile.click(force=True)
    page.locator("#keyboard [value='9s']").click()
    expect(tile.locator("img")).to_have_attribute("alt", "9 sou")
    page.get_by_role("button", name="Undo: tile corrected").click()
    expect(tile.locator("img")).to_have_attribute("alt", first_face)


def second_hand(page: Page, evening: FilmedEvening) -> None:
    """The page is loaded again in the middle; the ron is confirmed, taken back, and confirmed again."""
    evening.play(60)
    expect(page.locator("#round")).to_have_text("East 2")
    page.reload()
    evening.play(84.2)
    claim(page, "South", "Ron")
    evening.play(88.6)
    page.locator("[data-press=confirm]").click()
    scores(page, "24,000", "23,800", "27,700", "24,500")
    page.get_by_role("button", name="Undo: confirmed").click()
    expect(page.locator("#ending .value")).to_contain_text("3,200 points")
    page.locator("[data-press=confirm]").click()
    scores(page, "24,000", "23,800", "27,700", "24,500")


def penalty(page: Page, evening: FilmedEvening) -> None:
    """What ended the hand before stays, since the next one is dealt; the owner alone decides a foul."""
    evening.play(110.2)
    page.get_by_role("button", name="Undo: confirmed").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The next hand has begun: correct the earlier one in the score sheet."
    )
    page.locator("#fouls").click()
    page.locator("#who label", has_text="East").click()
    page.locator("#clauses button", has_text="Wrong chi/pon/kan utterance").click()
    page.locator("#name").click()
    expect(page.locator("#pot")).to_have_text("Pot: riichi sticks 0, penalty points 1,000")
    page.get_by_role("link", name="Back to the table").click()
    scores(page, "24,000", "23,800", "26,700", "24,500")


def drawn_hand(page: Page, evening: FilmedEvening) -> None:
    """No tiles left; who shows a hand is tenpai, who does not is noten once that is confirmed."""
    evening.play(157)
    press_and_wait(page, page.get_by_role("button", name="Draw", exact=True))
    evening.play(162.6)
    expect(page.locator("#ending .owner")).to_have_text(["West", "South"])
    page.locator("[data-press=confirm]").click()
    scores(page, "24,500", "22,300", "25,200", "26,000")


def last_hand(page: Page, evening: FilmedEvening) -> None:
    evening.play(204.4)
    claim(page, "West", "Ron")
    evening.play(208.8)
    expect(page.locator("#ending .value")).to_have_text("3 han 30 fu · 3,900 points")
    page.locator("[data-press=confirm]").click()
    scores(page, "24,500", "29,500", "24,200", "21,800")
    expect(page.locator("#final li b")).to_have_text(["Seat 2", "Seat 1", "Seat 3", "Seat 4"])


@pytest.fixture
def tablet(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=TABLET, color_scheme="dark")
    yield context.new_page()
    context.close()


def test_the_whole_evening_before_the_camera(phone: Page, tablet: Page, tmp_path: Path) -> None:
    port = free_port()
    with filmed_evening(tmp_path, port) as evening:
        own_the_table(phone, port)
        take_seat(tablet, port, 3)
        first_hand(phone, tablet, evening)
        second_hand(phone, evening)
        penalty(phone, evening)
        reached = evening.play(120)
        evening.kill()
        expect(phone.locator("#link")).to_have_attribute("data-state", "off")
    with filmed_evening(tmp_path, port, reached) as evening:
        expect(phone.locator("#link")).to_have_attribute("data-state", "on")
        drawn_hand(phone, evening)
        last_hand(phone, evening)
        phone.get_by_role("link", name="Game").click()
        expect(phone.locator(".standing li").first).to_contain_text(re.compile("Seat 2.*29,500", re.DOTALL))
        expect(phone.locator(".season")).to_have_count(0)

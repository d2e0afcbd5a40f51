"""The second tap of a finger that taps twice never hits what has moved under it since the first."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.by_hand import KeptTable, NewTable, declare, middle_of
from tests.browser.waiting import wait_until_drawn

pytestmark = pytest.mark.browser
NOW = 1_800_000_000


@dataclass
class Finger:
    """A finger on a page whose clock stands still, and the commands that the page has sent since."""

    page: Page
    commands: list[str] = field(default_factory=list)
    at: tuple[float, float] = (0, 0)
    now: int = NOW

    def __post_init__(self) -> None:
        self.page.clock.set_fixed_time(self.now)
        self.page.on("request", self.keep)

    def keep(self, request: Request) -> None:
        if request.method == "POST":
            self.commands.append(request.url.rpartition("/")[2])

    def look(self) -> None:
        """Lets a second pass, in which a person sees what the page shows now."""
        self.now += 1
        self.page.clock.set_fixed_time(self.now)

    def tap(self, control: Locator) -> None:
        self.at = middle_of(control)
        self.page.touchscreen.tap(*self.at)

    def tap_again(self) -> None:
        """Taps in the same place, as soon as the page shows what it waited for."""
        self.page.touchscreen.tap(*self.at)
        wait_until_drawn(self.page)


@pytest.fixture
def finger(page: Page) -> Finger:
    return Finger(page)


def test_redo_is_not_undone_by_its_second_tap(kept_table: KeptTable, finger: Finger) -> None:
    declare(kept_table, 0)
    page = finger.page
    expect(page.locator("#sheet .note")).to_contain_text("Ron")
    page.locator("#undo").click()
    expect(page.locator("#redo")).to_be_enabled()
    finger.look()
    finger.tap(page.locator("#redo"))
    expect(page.locator("#redo")).to_be_disabled()
    finger.tap_again()
    assert finger.commands == ["undo", "redo"]
    expect(page.locator("#sheet .note")).to_contain_text("Ron")


def tap_undo_after_two_hands(kept_table: KeptTable, finger: Finger) -> Page:
    declare(kept_table, 0, 1)
    page = finger.page
    expect(page.locator("#sheet .note")).to_have_count(2)
    finger.look()
    finger.tap(page.locator("#undo"))
    expect(page.locator("#sheet .note")).to_have_count(1)
    return page


def test_two_quick_taps_undo_once_and_a_later_one_undoes_the_next(kept_table: KeptTable, finger: Finger) -> None:
    page = tap_undo_after_two_hands(kept_table, finger)
    finger.tap_again()
    assert finger.commands == ["undo"]
    finger.look()
    finger.tap(page.locator("#undo"))
    expect(page.locator("#sheet")).to_contain_text("Nothing yet")


def test_a_tap_counts_though_the_clock_of_the_phone_was_set_back_since_the_last_one(
    kept_table: KeptTable, finger: Finger
) -> None:
    page = tap_undo_after_two_hands(kept_table, finger)
    page.clock.set_fixed_time(NOW - 3600)
    finger.tap(page.locator("#undo"))
    expect(page.locator("#sheet")).to_contain_text("Nothing yet")


def test_what_a_mouse_clicks_next_in_one_place_counts_unless_it_is_a_double_click(
    kept_table: KeptTable, finger: Finger
) -> None:
    declare(kept_table, 0, 1)
    page = finger.page
    expect(page.locator("#sheet .note")).to_have_count(2)
    page.locator("#undo").dblclick()
    expect(page.locator("#sheet .note")).to_have_count(1)
    page.locator("#undo").click()
    expect(page.locator("#sheet")).to_contain_text("Nothing yet")
    assert finger.commands == ["undo", "undo"]


def test_a_second_tap_chooses_nothing_on_the_page_that_the_first_one_opened(phone: Page, new_table: NewTable) -> None:
    phone.goto(f"{new_table.address}/begin/language")
    finger = Finger(phone)
    with phone.expect_navigation(url="**/begin/rules"):
        finger.tap(phone.get_by_role("button", name="日本語"))
    finger.tap_again()
    assert finger.commands == ["language"]
    finger.look()
    with phone.expect_navigation(url="**/begin/names"):
        finger.tap_again()
    assert finger.commands == ["language", "rules"]

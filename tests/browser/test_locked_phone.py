"""A phone that lay locked with something half entered, while the others played on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from table.game.commands.command_reader import read_command, read_press
from table.game.commands.game_commands import CountInSeason, EditResult, OpenGame
from table.rulebook import rules_named
from tests.browser.by_hand import RON, KeptTable, chip, declare, own_the_table, press, sit, value
from tests.browser.waiting import HeldRequests, wait_until_drawn

pytestmark = pytest.mark.browser
LOCK = """isLocked => {
  Object.defineProperty(document, "hidden", { get: () => isLocked, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def lie_locked(page: Page, meanwhile: Callable[[], None]) -> None:
    """Locks the phone for ten minutes, in which something happens that it hears of when it is unlocked."""
    expect(page.locator("body[data-version]")).to_be_attached()
    page.evaluate(LOCK, arg=True)
    page.clock.run_for(600_000)
    version = page.locator("body").get_attribute("data-version")
    meanwhile()
    expect(page.locator("body")).to_have_attribute("data-version", str(version))
    page.evaluate(LOCK, arg=False)
    expect(page.locator("body")).not_to_have_attribute("data-version", str(version))


CLAIMED = ({"press": "riichi", "seat": 0}, {"press": "tsumo", "seat": 1})
SETTLED = ({"press": "tsumo", "seat": 1, "han": 3, "fu": 30}, {"press": "confirm"})


def handle(kept_table: KeptTable, *presses: Mapping[str, object]) -> None:
    for each in presses:
        kept_table.table.handle(read_press(each))


@pytest.fixture
def locked_page(kept_table: KeptTable, phone: Page) -> Page:
    phone.clock.install()
    return sit(phone, kept_table, 0)


def test_what_was_entered_about_a_hand_that_another_phone_settled_does_not_count(
    kept_table: KeptTable, locked_page: Page
) -> None:
    press(locked_page, "Win")
    chip(locked_page, "loser", "South").click()
    value(locked_page, 3, 30).click()
    confirm = locked_page.locator("#settle .confirm")
    expect(confirm).to_be_enabled()
    lie_locked(locked_page, lambda: handle(kept_table, *CLAIMED, *SETTLED))
    expect(confirm).to_be_disabled()
    expect(locked_page.locator("#preview")).to_contain_text("Another phone has settled this hand")


def test_tiles_entered_for_a_hand_that_is_over_are_closed(kept_table: KeptTable, locked_page: Page) -> None:
    handle(kept_table, *CLAIMED)
    locked_page.locator("#ending .put-right").click()
    locked_page.locator("#hand .keys button").first.click()
    lie_locked(locked_page, lambda: handle(kept_table, *SETTLED))
    expect(locked_page.locator("#hand")).to_be_hidden()
    expect(locked_page.locator("#toast")).to_have_text(
        "Another hand is being played: what was being entered is closed."
    )


def test_a_wait_entered_for_a_hand_that_is_over_is_closed_and_forgotten(
    kept_table: KeptTable, locked_page: Page
) -> None:
    locked_page.evaluate("document.getElementById('waits').showModal()")
    locked_page.locator("#waits .keys button").first.click()
    lie_locked(locked_page, lambda: handle(kept_table, *CLAIMED, *SETTLED))
    expect(locked_page.locator("#waits")).to_be_hidden()
    expect(locked_page.locator("#waits [aria-pressed=true]")).to_have_count(0)


def test_han_and_fu_chosen_for_a_hand_that_is_over_are_not_those_of_the_next_one(
    kept_table: KeptTable, locked_page: Page
) -> None:
    handle(kept_table, *CLAIMED)
    han = locked_page.locator("#ending select").first
    han.select_option("3")
    lie_locked(locked_page, lambda: handle(kept_table, *SETTLED, *CLAIMED))
    expect(han).to_have_value("1")


def test_a_page_of_figures_is_up_to_date_once_it_is_seen_again_and_while_it_is_seen(
    kept_table: KeptTable, locked_page: Page
) -> None:
    locked_page.goto(f"{kept_table.address}/game")
    expect(locked_page.locator("body[data-version]")).to_be_attached()
    locked_page.locator("summary", has_text="Swap").click()
    lie_locked(locked_page, lambda: handle(kept_table, *CLAIMED, *SETTLED))
    expect(locked_page.locator(".standing").first).to_contain_text("30,000")
    expect(locked_page.locator("details", has_text="Swap")).to_have_attribute("open", "")
    locked_page.locator("#adjust summary").click()
    locked_page.locator("[name=points0]").fill("0")
    expect(locked_page.locator("#sum")).to_be_visible()
    latest_page = HeldRequests(locked_page, "**/game")
    version = locked_page.locator("body").get_attribute("data-version")
    declare(kept_table, 1)
    expect(locked_page.locator("body")).not_to_have_attribute("data-version", str(version))
    wait_until_drawn(locked_page)
    assert not latest_page.waiting, "nobody disturbs an entry"
    locked_page.locator("[name=points0]").fill(locked_page.locator("[name=was0]").last.input_value())
    locked_page.locator("h1").click()
    latest_page.wait()
    why = locked_page.locator("#adjust [name=why]")
    why.fill("a stick")
    with locked_page.expect_event("requestfinished", lambda request: request.url.endswith("/game")):
        latest_page.let_through()
    wait_until_drawn(locked_page)
    expect(why).to_have_value("a stick")
    expect(locked_page.locator(".standing").first).not_to_contain_text("27,200")
    why.fill("")
    locked_page.locator("h1").click()
    expect(locked_page.locator(".standing").first).to_contain_text("27,200")
    assert locked_page.locator("main").get_attribute("data-came-at"), "no finger hits what has just come"


def test_the_page_of_the_game_tells_what_was_done_although_no_points_changed(
    kept_table: KeptTable, locked_page: Page
) -> None:
    locked_page.goto(f"{kept_table.address}/game")
    changes = locked_page.locator(".changes li")
    expect(locked_page.locator("body[data-version]")).to_be_attached()
    for number, counts in ((1, False), (2, True)):
        kept_table.table.handle(CountInSeason(counts=counts, by="owner"))
        expect(changes).to_have_count(number)


def test_a_page_of_a_hand_is_loaded_anew_once_that_hand_is_corrected(kept_table: KeptTable, locked_page: Page) -> None:
    declare(kept_table, 0)
    locked_page.goto(f"{kept_table.address}/hand/0")
    locked_page.locator("#on").click()
    expect(locked_page.locator("#news")).to_contain_text("7,700")
    lie_locked(locked_page, lambda: declare(kept_table, 1))
    expect(locked_page.locator("#step")).to_have_value("1")
    other = RON | {"wins": [{"seat": 0, "from": 2, "han": 1, "fu": 30}]}
    kept_table.table.handle(read_command(EditResult, {"hand": 0, "result": other}))
    expect(locked_page.locator("#step")).to_have_value("0")
    locked_page.locator("#on").click()
    expect(locked_page.locator("#news")).to_contain_text("1,500")


def test_a_page_of_rules_shows_those_in_force_unless_somebody_has_chosen_something(
    kept_table: KeptTable, phone: Page
) -> None:
    own_the_table(phone, int(kept_table.address.rpartition(":")[2]))
    phone.goto(f"{kept_table.address}/rules")
    points, target = (phone.locator(f"[data-play={key}]") for key in ("starting_points", "target_points"))
    for name, start in (("ema-2025", "30000"), ("home", "25000")):
        expect(phone.locator("body[data-version]")).to_be_attached()
        kept_table.table.handle(OpenGame(ruleset=rules_named(name).ruleset, by="owner"))
        expect(points).to_have_value(start)
    expect(phone.locator("body[data-version]")).to_be_attached()
    target.fill("31000")
    phone.locator("h1").click()
    kept_table.table.handle(OpenGame(ruleset=rules_named("ema-2025").ruleset, by="owner"))
    expect(phone.locator("body")).to_have_attribute("data-version", str(kept_table.table.board.latest.version))
    expect(target).to_have_value("31000")
    expect(points).to_have_value("25000")

"""How people come to the table, on real phones: the first start, joining, inviting, and the taps that they take."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from table.game.commands.game_commands import NameSeats
from table.i18n import languages
from tests.browser.axe import complaints
from tests.browser.by_hand import INVITED, NewTable, own_the_table
from tests.browser.screen_fit import faults

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 664}


def test_enter_in_the_field_of_the_name_takes_nobodys_seat(new_table: NewTable, phone: Page) -> None:
    phone.goto(f"{new_table.address}/join")
    phone.get_by_label("Your name").fill("Jo")
    phone.get_by_label("Your name").press("Enter")
    expect(phone.get_by_label("Your name")).to_have_value("Jo")
    assert phone.request.get(f"{new_table.address}/api/session").json()["seat"] is None


def test_the_code_leaves_the_big_screen_when_the_fourth_has_joined_and_comes_back(
    new_table: NewTable, phone: Page
) -> None:
    new_table.tools.finish()
    phone.set_viewport_size({"width": 1280, "height": 720})
    phone.goto(f"{new_table.address}/wall")
    tokens = {}
    with ExitStack() as stack:
        browser = phone.context.browser
        assert browser is not None
        phones = [stack.enter_context(browser.new_context()) for _ in range(4)]
        for seat, each in enumerate(phones):
            expect(phone.locator("#invited")).to_be_visible()
            tokens[seat] = each.request.get(f"{new_table.address}/api/session").json()["token"]
            form = {"token": tokens[seat], "role": "seat", "seat": str(seat)}
            assert each.request.post(f"{new_table.address}/join", form=form).ok
        expect(phone.locator("#invited")).to_be_hidden()
        assert phones[0].request.post(f"{new_table.address}/join", form={"token": tokens[0], "role": "spectator"}).ok
        expect(phone.locator("#invited")).to_be_visible()


INVITING = ("", "join", "game", "games", "fouls", "rules", "staff", "begin", "begin/names")


def test_the_head_of_every_page_leads_whoever_joined_to_the_invitation(new_table: NewTable, phone: Page) -> None:
    new_table.tools.finish()
    phone.goto(f"{new_table.address}/rules")
    expect(phone.locator(".bar h1")).to_be_visible()
    expect(phone.locator(".bar [href='/invite']")).to_have_count(0)
    own_the_table(phone, int(new_table.address.rpartition(":")[2]))
    for path in INVITING:
        phone.goto(f"{new_table.address}/{path}")
        expect(phone.locator(".bar [href='/invite']")).to_be_visible()
    phone.locator(".bar [href='/invite']").click()
    expect(phone.locator(".inviting b")).to_have_text(INVITED)
    expect(phone.locator(".inviting img")).not_to_have_js_property("naturalWidth", 0)


STEPS = ("begin/language", "begin/rules", "begin/names", "begin/invite", "begin/pin", "begin/mode", "join", "begin")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_first_start_and_joining_fit_a_phone_in_every_language(
    chromium: Browser, new_table: NewTable, scheme: str
) -> None:
    context = chromium.new_context(viewport=PHONE, color_scheme=scheme)  # type: ignore[arg-type]
    page, found = context.new_page(), dict[str, list[str]]()
    new_table.table.handle(NameSeats(names=("Maximilian Wolkenstein-W", "さくらももこ" * 4, "", "欧阳司马诸葛" * 4)))
    for language in languages() if scheme == "light" else ("en",):  # letters are as wide in the dark
        page.request.get(f"{new_table.address}/language/{language}", max_redirects=0)
        for step in STEPS:
            page.goto(f"{new_table.address}/{step}")
            found[f"{language} {step}"] = faults(page)
            if language == "en":
                found[f"axe {step}"] = complaints(page)
    context.close()
    assert {step: wrong for step, wrong in found.items() if wrong} == {}

"""The manuals in a real browser: on a phone, on paper, and under the content policy."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from table.dashboard.manual_pages import MANUALS, manual_languages
from table.i18n import languages
from tests.browser.axe import complaints
from tests.browser.by_hand import KeptTable
from tests.browser.screen_fit import faults

pytestmark = pytest.mark.browser


def test_a_phone_reads_every_manual_with_its_pictures(phone: Page, kept_table: KeptTable) -> None:
    phone.goto(f"{kept_table.address}/help")
    for manual in MANUALS:
        phone.locator(f"a[href='/help/{manual}']").click()
        expect(phone.locator("article h1")).to_be_visible()
        for picture in phone.locator("article img").all():
            picture.scroll_into_view_if_needed()
            expect(picture).to_have_js_property("complete", value=True)
            assert picture.evaluate("image => image.naturalWidth") > 100
        phone.set_viewport_size({"width": 320, "height": 568})
        assert faults(phone) == []
        assert complaints(phone) == []
        phone.locator("a.back").click()
        expect(phone.locator(".manuals")).to_be_visible()


@pytest.mark.parametrize("language", languages()[1:])
def test_a_translated_manual_fits_a_small_phone(phone: Page, kept_table: KeptTable, language: str) -> None:
    phone.set_viewport_size({"width": 320, "height": 568})
    for manual in (each for each in MANUALS if language in manual_languages(each)):
        phone.goto(f"{kept_table.address}/help/{manual}/{language}")
        expect(phone.locator(f"article[lang='{language}'] h1")).to_be_visible()
        assert faults(phone) == []
        assert complaints(phone) == []


def test_a_name_without_spaces_stays_on_one_line_of_a_table(phone: Page, kept_table: KeptTable) -> None:
    phone.goto(f"{kept_table.address}/help/hosts/ja")
    name = phone.get_by_role("cell", name="ランプとボタン", exact=True)
    lines = """cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
    }"""
    assert name.evaluate(lines) == 1


def test_a_page_is_measured_with_its_styles(phone: Page, kept_table: KeptTable) -> None:
    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    phone.goto(f"{kept_table.address}/help")
    phone.route("**/manual.css*", late)
    phone.set_viewport_size({"width": 320, "height": 568})
    phone.locator("a[href='/help/trouble']").click()
    expect(phone.locator("article h1")).to_be_visible()
    assert faults(phone) == []


@pytest.mark.parametrize("language", languages())
def test_the_players_manual_is_one_page_of_paper(phone: Page, kept_table: KeptTable, language: str) -> None:
    phone.goto(f"{kept_table.address}/help/players/{language}")
    printed = phone.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1


def test_a_button_prints_a_manual(phone: Page, kept_table: KeptTable) -> None:
    phone.add_init_script("window.print = () => { document.body.dataset.printed = 'yes' }")
    phone.goto(f"{kept_table.address}/help/players")
    phone.get_by_role("button", name="Print").click()
    expect(phone.locator("body")).to_have_attribute("data-printed", "yes")
    phone.emulate_media(media="print")
    expect(phone.get_by_role("button", name="Print")).to_be_hidden()


def test_help_is_one_tap_from_where_it_is_needed(phone: Page, kept_table: KeptTable) -> None:
    phone.goto(f"{kept_table.address}/fouls")
    phone.get_by_role("link", name="Help").click()
    expect(phone).to_have_url(re.compile(r"/help/referees#naming-a-foul$"))
    expect(phone.locator("#naming-a-foul")).to_be_in_viewport()
    phone.goto(f"{kept_table.address}/help/referees/ja#naming-a-foul")
    expect(phone.get_by_role("heading", name="反則を申告する")).to_be_in_viewport()

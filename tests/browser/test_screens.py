"""Every page fits every screen: long names and long texts push nothing off it, and each control can be tapped.

On each of them axe, the accessibility checker, finds nothing serious, light or dark, on a phone or a tablet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import east_asian_width

import pytest
from playwright.sync_api import Browser, Page

from table.game.commands.game_commands import NameSeats
from table.i18n import languages
from tests.browser.axe import complaints_in_both
from tests.browser.screen_fit import faults, letters_of
from tests.browser.shown_pages import (
    PAGES,
    Tables,
    open_tables,
    refuse_request,
    show_asked,
    show_doubt,
    show_kept,
    show_playing,
    show_win,
    show_won,
    speak,
)

pytestmark = pytest.mark.browser
BIG_SCREENS = ("wall",)
"""Pages whose letters follow the screen's width."""
SIZES = ((390, 664), (360, 640), (320, 568), (740, 360), (820, 1180))
DESK: Final = (1440, 768)
"""The screen of a computer."""
CUT_BELOW: Final = (
    "nodes => nodes.filter((each) => each.scrollHeight > each.clientHeight + 1).map((each) => each.innerText)"
)
"""The texts of which lines are left out."""


@pytest.fixture(scope="module")
def tables(chromium: Browser) -> Iterator[Tables]:
    with open_tables(chromium) as both:
        yield both


def width(text: str) -> int:
    """How wide a text is, signs of the East counted twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


@pytest.mark.parametrize("page_name", PAGES)
def test_a_page_fits_any_screen_and_everybody_can_tap_and_read_it(tables: Tables, page_name: str) -> None:
    page, widths, found = tables.page, dict[str, int](), list[str]()

    def check_fit(language: str, sizes: Sequence[tuple[int, int]]) -> None:
        for wide, high in sizes:
            page.set_viewport_size({"width": wide, "height": high})
            found.extend(f"{language} {wide}x{high}: {each}" for each in faults(page))

    def show(language: str) -> None:
        page.set_viewport_size({"width": 390, "height": 664})
        speak(tables, language)
        PAGES[page_name](tables)

    for language in sorted(languages(), reverse=True):
        show(language)
        widths[language] = width(page.locator("body").inner_text())
        check_fit(language, SIZES[:1])
        if language == "en":
            found.extend(complaints_in_both(page))
    longest = max(widths, key=widths.__getitem__)
    if longest != language:
        show(longest)
    check_fit(longest, (*SIZES[2:], DESK))  # what fits the narrowest and the usual phone fits those between
    if page_name not in BIG_SCREENS:
        for percent, sizes in ((150, [(390, 844)]), (200, [SIZES[0], (844, 390)])):
            with letters_of(page, percent):
                check_fit(f"{longest}, letters of {percent} %,", sizes)
    assert not found, "\n".join(found)


NOTCH = {"left": 47, "right": 47, "bottom": 21}
"""What an iPhone that lies on its side keeps free; the edge of a picture button, which is empty, may reach into it."""
UNDER_NOTCH = """([left, right, edge]) => [...document.querySelectorAll("a, button, h1, .board, .chips span, .sheet")]
  .filter((node) => node.checkVisibility() && !node.closest(".unseen, .grid") && node.getBoundingClientRect().width > 1)
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([, box]) => box.left < left - edge || box.right > right + edge)
  .map(([node]) => node.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("page_name", ["by hand", "a win", "by tiles", "watched", "a foul", "game"])
def test_nothing_lies_under_the_notch_of_a_phone_on_its_side(tables: Tables, page_name: str) -> None:
    tables.page.set_viewport_size({"width": 844, "height": 390})
    devtools = tables.page.context.new_cdp_session(tables.page)
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": NOTCH})
    PAGES[page_name](tables)
    hidden = []
    for scale in (1, 2):  # a sheet on the page is as wide as the screen where letters are large
        with letters_of(tables.page, 100 * scale):
            hidden += tables.page.evaluate(UNDER_NOTCH, [NOTCH["left"], 844 - NOTCH["right"], 11 * scale])
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": {}})
    devtools.detach()
    assert hidden == []


@pytest.mark.parametrize("page_name", ["join", "a name too long", "rules", "a hand again"])
def test_letters_of_twice_the_size_fit_the_narrowest_phone(tables: Tables, page_name: str) -> None:
    page = tables.page
    page.set_viewport_size({"width": 320, "height": 568})
    speak(tables, "en")
    PAGES[page_name](tables)
    with letters_of(page, 200):
        assert faults(page) == []


def sides_in_sight(page: Page, selector: str) -> bool:
    """Whether all of it can be seen where the page opens, above what is pressed."""
    box, dock = page.locator(selector).bounding_box(), page.locator(".actions").bounding_box()
    assert box is not None
    assert dock is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= dock["y"] + 1


@pytest.mark.parametrize("size", SIZES)
def test_a_question_the_won_hand_and_who_pays_whom_are_seen_without_scrolling(
    tables: Tables, size: tuple[int, int]
) -> None:
    page = tables.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    speak(tables, "en")
    show_doubt(tables)
    assert sides_in_sight(page, "#doubts > div")
    show_won(tables)
    assert sides_in_sight(page, "#ending .won")
    board = page.locator("#paid").bounding_box()
    assert board is not None
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= size[1]


@pytest.mark.parametrize(
    ("page_name", "size"), [("watched", (568, 320)), ("a hand again", (568, 320)), ("a hand again", (844, 340))]
)
def test_the_felt_is_seen_whole_on_a_low_phone_on_its_side(
    tables: Tables, page_name: str, size: tuple[int, int]
) -> None:
    tables.page.set_viewport_size({"width": size[0], "height": size[1]})
    speak(tables, "en")
    PAGES[page_name](tables)
    assert sides_in_sight(tables.page, ".board")


@pytest.mark.parametrize("size", SIZES[:4])
def test_what_is_new_what_can_be_undone_and_a_request_for_a_seat_are_seen_by_hand_without_scrolling(
    tables: Tables, size: tuple[int, int]
) -> None:
    page = tables.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    speak(tables, "en")
    show_asked(tables)
    assert [each for each in ("#asked", "#undo", "#fouls", "#game") if not sides_in_sight(page, each)] == []
    refuse_request(tables)
    assert [each for each in ("div.line", "#undo", "#fouls", "#game") if not sides_in_sight(page, each)] == []


@pytest.mark.parametrize("size", SIZES[:3])
def test_the_sheet_shows_who_pays_whom_and_confirm_without_scrolling(tables: Tables, size: tuple[int, int]) -> None:
    page = tables.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    speak(tables, "en")
    show_win(tables)
    for part in ("#paying", "#settle .confirm"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1] + 1


def test_a_usual_name_is_read_whole_at_the_table_and_in_the_sheet(tables: Tables) -> None:
    page = tables.page
    page.set_viewport_size({"width": 390, "height": 664})
    speak(tables, "en")
    names = ("Alexander", "Alexander", "Alexander", "Alexander")
    tables.by_hand.table.handle(NameSeats(names=names))
    tables.live.publish(names=names)
    sizes = "nodes => nodes.map((node) => [node.scrollWidth, node.clientWidth, node.clientHeight])"
    for show, name_selector in ((show_kept, ".name"), (show_playing, ".name"), (show_win, "#winners b")):
        show(tables)
        for wide, room, high in page.locator(name_selector).evaluate_all(sizes):
            assert (wide <= room, high < 30) == (True, True), (name_selector, wide, room, high)
    assert page.locator("#settle .chips i").evaluate_all(CUT_BELOW) == []


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_question_about_a_discard_is_read_whole_where_names_are_usual(tables: Tables, language: str) -> None:
    page = tables.page
    tables.live.publish(names=("Alexander", "Alexander", "Alexander", "Alexander"))
    speak(tables, language)
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        show_doubt(tables)
        assert page.locator("#doubts p").evaluate_all(CUT_BELOW) == [], (wide, high)

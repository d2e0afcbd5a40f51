"""Every page fits every screen: long names and long texts push nothing off it, and each control can be tapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import east_asian_width

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from table.dashboard import create_app, serve
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.game.command_reader import read_press
from table.game.game_commands import NameSeats
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Board, CameraHealth, Doubt, Snapshot
from table.game.table_loop import Table, TableLoop
from table.i18n import languages
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.rules.events import StickPlaced
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from tests.browser.by_hand import Kept, value
from tests.browser.live_page import DRAWN_WIN, RIICHI, START, Live, SeatDesk
from tests.browser.screen_fit import faults
from tests.fakes.desks import PIN
from tests.table.game.by_hand import drawn, tell, win
from vision.felt import Felt

pytestmark = pytest.mark.browser
SIZES = ((390, 664), (360, 640), (320, 568), (740, 360), (820, 1180))
LONGEST: tuple[str, str, str, str] = (
    "Maximilian Wolkenstein-W",
    "さくらももこ" * 4,
    "김수한무거북이와두루미삼천갑자동방삭치치카포사나",
    "欧阳司马诸葛" * 4,
)
"""Names of 24 letters in four scripts."""


class Drawn:
    """A camera that sees one tile everywhere."""

    def picture(self) -> bytes:
        return cv2.imencode(".jpg", np.full((96, 96, 3), 90, np.uint8))[1].tobytes()

    def tile_picture(self, number: int) -> bytes:
        return self.picture()


@dataclass
class Tables:
    """A table kept by hand and a watched one, and the page of the owner, who sits at both."""

    page: Page
    kept: Kept
    live: Live
    playing: Snapshot
    won: Snapshot


@pytest.fixture(scope="module")
def tables(chromium: Browser) -> Iterator[Tables]:
    with ExitStack() as stack:
        kept, live = stack.enter_context(kept_by_hand()), stack.enter_context(watched())
        live.happen(START, RIICHI, StickPlaced(seat=Seat.NEAR))
        playing = live.board.latest
        live.happen(*DRAWN_WIN[1:])
        context = chromium.new_context(viewport={"width": 390, "height": 664}, reduced_motion="reduce")
        stack.callback(context.close)
        page = context.new_page()
        for address in (kept.address, live.address):
            sit_as_owner(page, address)
        yield Tables(page=page, kept=kept, live=live, playing=playing, won=live.board.latest)


@contextmanager
def kept_by_hand() -> Iterator[Kept]:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").play, clock=LogicalClock())
        loop = stack.enter_context(TableLoop(table))
        port = stack.enter_context(serve(create_app(table.board, loop), port=0))
        table.handle(NameSeats(names=LONGEST))
        tell(table, drawn(1), win(3, 0, 3))
        table.handle(read_press({"press": "riichi", "seat": 2}))
        yield Kept(table=table, address=f"http://127.0.0.1:{port}")


@contextmanager
def watched() -> Iterator[Live]:
    board = Board(Snapshot(version=1, game=new_game(HOME), felt=Felt(), names=LONGEST, camera=CameraHealth.OK))
    app = create_app(board, SeatDesk())
    app.register_blueprint(camera_page(Drawn()))
    with serve(app, port=0) as port:  # under another name than the other table: each has its own cookie
        yield Live(board=board, inbox=SeatDesk(), address=f"http://localhost:{port}")


def sit_as_owner(page: Page, address: str) -> None:
    token = page.request.get(f"{address}/api/session").json()["token"]
    for form in ({"role": "owner", "pin": PIN}, {"role": "seat", "seat": "0"}):
        assert page.request.post(f"{address}/join", form={"token": token, **form}).ok


def show_kept(tables: Tables) -> None:
    tables.page.goto(tables.kept.address)
    expect(tables.page.locator("body[data-version]")).to_be_attached()


def show_win(tables: Tables) -> None:
    show_kept(tables)
    tables.page.locator(".kept [data-settle=win]").click()
    tables.page.locator("#loser label").nth(2).click()
    value(tables.page, 3, 40).click()
    expect(tables.page.locator("#settle .moved b").first).to_be_visible()


def show_settling(kind: str) -> Callable[[Tables], None]:
    def show(tables: Tables) -> None:
        show_kept(tables)
        tables.page.locator(f".kept [data-settle={kind}]").click()
        expect(tables.page.locator("#settle")).to_be_visible()

    return show


def show_edit(tables: Tables) -> None:
    show_kept(tables)
    tables.page.locator("#sheet button.edit").first.click()
    expect(tables.page.locator("#why")).to_be_visible()


def show_tiles(tables: Tables) -> None:
    show_win(tables)
    tables.page.locator("#by-tiles").click()
    for face in ("1m", "2m", "3m", "4p", "0p", "6p"):
        tables.page.locator(f"#hand .keys [value='{face}']").click()
    expect(tables.page.locator("#hand")).to_be_visible()


def show_watched(tables: Tables, shown: Snapshot, **fields: Any) -> None:
    tables.live.publish(game=shown.game, announcements=shown.announcements, **{"doubts": (), **fields})
    tables.page.goto(tables.live.address)
    expect(tables.page.locator("body[data-version]")).to_be_attached()


def show_playing(tables: Tables) -> None:
    show_watched(tables, tables.playing)


def show_doubt(tables: Tables) -> None:
    others = (("8p", 0.2), ("6p", 0.1), ("9s", 0.1))
    doubt = Doubt(seat=Seat.NEAR, discard=0, tile="9p", alternatives=others, lying=3)
    show_watched(tables, tables.playing, doubts=(doubt,))
    expect(tables.page.locator("#doubts .photo-of")).to_be_visible()


def show_won(tables: Tables) -> None:
    show_watched(tables, tables.won)
    expect(tables.page.locator("#paid .paid").first).to_be_visible()


def show_final(tables: Tables) -> None:
    ended = replace(tables.playing.game, hand=None, ranking=(Seat.FAR, Seat.NEAR, Seat.LEFT, Seat.RIGHT))
    show_watched(tables, replace(tables.playing, game=ended))
    expect(tables.page.locator("#next-game")).to_be_visible()


def show_foul(tables: Tables) -> None:
    tables.page.goto(f"{tables.kept.address}/fouls")
    tables.page.locator("#who label").first.click()
    tables.page.locator("#clauses button").first.click()
    expect(tables.page.locator("#case")).to_be_visible()


def show_page(path: str, selector: str = "main") -> Callable[[Tables], None]:
    def show(tables: Tables) -> None:
        tables.page.goto(f"{tables.kept.address}/{path}")
        expect(tables.page.locator(selector).first).to_be_visible()

    return show


SHOWN: dict[str, Callable[[Tables], None]] = {
    "by hand": show_kept,
    "a win": show_win,
    "a draw": show_settling("draw"),
    "an abort": show_settling("abort"),
    "an edit": show_edit,
    "by tiles": show_tiles,
    "watched": show_playing,
    "a doubt": show_doubt,
    "a won hand": show_won,
    "the end": show_final,
    "a foul": show_foul,
    "fouls": show_page("fouls", "#who label"),
    "rules": show_page("rules"),
    "game": show_page("game"),
    "join": show_page("join"),
    "staff": show_page("staff"),
    "broadcasting": show_page("broadcast"),
    "invite": show_page("invite"),
    "a hand again": show_page("hand/0", "#round"),
    "wall": show_page("wall", "body[data-version]"),
}


def width(text: str) -> int:
    """How wide a text is, signs of the East counted twice."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def speak(tables: Tables, language: str) -> None:
    for address in (tables.kept.address, tables.live.address):
        tables.page.request.get(f"{address}/language/{language}", max_redirects=0)


@pytest.mark.parametrize("shown", SHOWN)
def test_nothing_is_pushed_off_any_screen_and_every_control_can_be_tapped(tables: Tables, shown: str) -> None:
    page, widths, found = tables.page, dict[str, int](), list[str]()

    def look(language: str, sizes: Sequence[tuple[int, int]]) -> None:
        for wide, high in sizes:
            page.set_viewport_size({"width": wide, "height": high})
            found.extend(f"{language} {wide}x{high}: {each}" for each in faults(page))

    def show(language: str) -> None:
        page.set_viewport_size({"width": 390, "height": 664})
        speak(tables, language)
        SHOWN[shown](tables)

    for language in sorted(languages(), reverse=True):
        show(language)
        widths[language] = width(page.locator("body").inner_text())
        look(language, SIZES[:1])
    longest = max(widths, key=widths.__getitem__)
    if longest != language:
        show(longest)
    look(longest, SIZES[1:])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("shown", ["by hand", "a win", "watched", "a doubt", "a won hand"])
def test_letters_of_twice_the_size_push_nothing_off_either(tables: Tables, shown: str) -> None:
    tables.page.set_viewport_size({"width": 390, "height": 664})
    speak(tables, "en")
    SHOWN[shown](tables)
    tables.page.evaluate("document.documentElement.style.fontSize = '200%'")
    found = faults(tables.page)
    assert not found, "\n".join(found)


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
    tables.kept.table.handle(NameSeats(names=names))
    tables.live.publish(names=names)
    sizes = "nodes => nodes.map((node) => [node.scrollWidth, node.clientWidth, node.clientHeight])"
    for show, named in ((show_kept, ".name"), (show_playing, ".name"), (show_win, "#winners b")):
        show(tables)
        for wide, room, high in page.locator(named).evaluate_all(sizes):
            assert (wide <= room, high < 30) == (True, True), (named, wide, room, high)

"""Every page of the dashboard as a phone shows it, each by a name: what tests of screens and contact sheets walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from playwright.sync_api import APIRequestContext, Browser, Page, expect

from table.dashboard import create_app, serve
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.dashboard.owner.device_page import blueprint as device_page
from table.game.commands.command_reader import read_press
from table.game.commands.game_commands import EndGame, NameSeats, OpenGame
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Board, CameraHealth, Doubt, Snapshot
from table.game.table_loop import Table, TableLoop
from table.rulebook import rules_named
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.rules.events import StickPlaced
from table.rules.terms.seats import Seat
from table.runtime.clock import LogicalClock
from tests.browser.by_hand import KeptTable, value
from tests.browser.live_page import DRAWN_WIN, RIICHI, START, Live, SeatDesk
from tests.fakes.desks import PIN
from tests.fakes.device import FakeDevice
from tests.table.game.by_hand import draw, tell, win
from vision.felt import Felt

LONGEST: tuple[str, str, str, str] = (
    "Łucja Brzęczyszczykiewic",
    "さくらももこ" * 4,
    "김수한무거북이와두루미삼천갑자동방삭치치카포사나",
    "欧阳司马诸葛" * 4,
)
"""Names of 24 letters in four scripts, one with a word that no line of a narrow card holds."""


class OneTileCamera:
    """A camera that sees one tile everywhere."""

    def picture(self) -> bytes:
        return cv2.imencode(".jpg", np.full((96, 96, 3), 90, np.uint8))[1].tobytes()

    def tile_picture(self, number: int) -> bytes:
        return self.picture()


@dataclass
class Tables:
    """A table kept by hand and a watched one, and the page of the owner, who sits at both."""

    page: Page
    guest: APIRequestContext
    """A phone without a seat."""
    by_hand: KeptTable
    live: Live
    playing: Snapshot
    won: Snapshot


@contextmanager
def open_tables(chromium: Browser, names: tuple[str, str, str, str] = LONGEST) -> Iterator[Tables]:
    """Opens both tables to a phone that keeps still."""
    with ExitStack() as stack:
        kept_table, live = stack.enter_context(table_by_hand(names)), stack.enter_context(watched_table(names))
        live.happen(START, RIICHI, StickPlaced(seat=Seat.NEAR))
        playing = live.board.latest
        live.happen(*DRAWN_WIN[1:])
        context = chromium.new_context(viewport={"width": 390, "height": 664}, reduced_motion="reduce")
        stack.callback(context.close)
        page = context.new_page()
        for address in (kept_table.address, live.address):
            sit_as_owner(page, address)
        guest = chromium.new_context()
        stack.callback(guest.close)
        yield Tables(
            page=page, guest=guest.request, by_hand=kept_table, live=live, playing=playing, won=live.board.latest
        )


@contextmanager
def table_by_hand(names: tuple[str, str, str, str]) -> Iterator[KeptTable]:
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(None))
        table = Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=LogicalClock())
        loop = stack.enter_context(TableLoop(table))
        app = create_app(table.board, loop)
        app.register_blueprint(device_page(FakeDevice()))
        port = stack.enter_context(serve(app, port=0))
        table.handle(NameSeats(names=names))
        tell(table, win(0, 2, 4))
        table.handle(EndGame())
        table.handle(OpenGame(names=names))
        tell(table, draw(1), win(3, 0, 3))
        table.handle(read_press({"press": "riichi", "seat": 2}))
        yield KeptTable(table=table, address=f"http://127.0.0.1:{port}")


@contextmanager
def watched_table(names: tuple[str, str, str, str]) -> Iterator[Live]:
    board = Board(Snapshot(version=1, game=new_game(HOME), felt=Felt(), names=names, camera=CameraHealth.OK))
    app = create_app(board, SeatDesk())
    app.register_blueprint(camera_page(OneTileCamera()))
    with serve(app, port=0) as port:  # under another name than the other table: each has its own cookie
        yield Live(board=board, inbox=SeatDesk(), address=f"http://localhost:{port}")


def sit_as_owner(page: Page, address: str) -> None:
    token = page.request.get(f"{address}/api/session").json()["token"]
    for form in ({"role": "owner", "pin": PIN, "again": PIN}, {"role": "seat", "seat": "0"}):
        assert page.request.post(f"{address}/join", form={"token": token, **form}).ok


def show_kept(tables: Tables) -> None:
    tables.page.goto(tables.by_hand.address)
    expect(tables.page.locator("body[data-version]")).to_be_attached()


def show_asked(tables: Tables) -> None:
    """The table while another phone asks for the owner's seat."""
    token = tables.guest.get(f"{tables.by_hand.address}/api/session").json()["token"]
    form = {"token": token, "role": "seat", "seat": "0", "do": "ask", "name": "W" * 24}
    assert tables.guest.post(f"{tables.by_hand.address}/join", form=form).ok
    show_kept(tables)
    expect(tables.page.locator("#asked")).to_be_visible()


def refuse_request(tables: Tables) -> None:
    """Keeps the owner's seat, and shows the table again."""
    token = tables.page.request.get(f"{tables.by_hand.address}/api/session").json()["token"]
    form = {"token": token, "role": "seat", "seat": "0", "do": "keep"}
    assert tables.page.request.post(f"{tables.by_hand.address}/join", form=form).ok
    show_kept(tables)
    expect(tables.page.locator("#asked")).to_be_hidden()


def show_long_name(tables: Tables) -> None:
    """The page of joining after a name of one long word was refused."""
    tables.page.goto(f"{tables.by_hand.address}/join")
    tables.page.locator("[name=name]").fill("W" * 60)
    tables.page.locator(".sitting button").first.click()
    expect(tables.page.get_by_role("alert")).to_be_visible()


def show_request(tables: Tables) -> None:
    show_asked(tables)
    tables.page.goto(f"{tables.by_hand.address}/join")
    expect(tables.page.locator("[name=do][value=give]")).to_be_visible()


def show_win(tables: Tables) -> None:
    show_kept(tables)
    tables.page.locator(".kept [data-settle=win]").click()
    expect(tables.page.locator("#winners input:checked")).to_have_count(1)  # the phone's own seat
    tables.page.locator("#loser label").nth(2).click()
    expect(tables.page.locator("#winners input:checked")).to_have_count(1)
    value(tables.page, 3, 40).click()
    expect(tables.page.locator("#settle .moved b").first).to_be_visible()


def show_two_rons(tables: Tables) -> None:
    """Two winners, with the payments of both."""
    show_win(tables)
    tables.page.locator("#winners label").nth(3).click()
    value(tables.page, 2, 30).click()
    expect(tables.page.locator("#settle .moved span")).to_have_count(3)


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


def show_watched(tables: Tables, snapshot: Snapshot, **fields: Any) -> None:
    tables.live.publish(
        game=snapshot.game, announcements=snapshot.announcements, **{"doubts": (), "camera": CameraHealth.OK, **fields}
    )
    tables.page.goto(tables.live.address)
    expect(tables.page.locator("body[data-version]")).to_be_attached()


def show_playing(tables: Tables) -> None:
    show_watched(tables, tables.playing)


def show_doubt(tables: Tables) -> None:
    others = (("8p", 0.2), ("6p", 0.1), ("9s", 0.1))
    doubt = Doubt(seat=Seat.NEAR, discard=0, tile="9p", alternatives=others, tile_id=3)
    show_watched(tables, tables.playing, doubts=(doubt,))
    expect(tables.page.locator("#doubts .photo-of")).to_be_visible()


def show_won(tables: Tables) -> None:
    show_watched(tables, tables.won)
    expect(tables.page.locator("#paid .paid").first).to_be_visible()


def show_lost(tables: Tables) -> None:
    show_watched(tables, tables.won, camera=CameraHealth.LOST)
    expect(tables.page.locator("#camera")).to_be_visible()


def show_final(tables: Tables) -> None:
    final_state = replace(tables.playing.game, hand=None, ranking=(Seat.RIGHT, Seat.FAR, Seat.LEFT, Seat.NEAR))
    show_watched(tables, replace(tables.playing, game=final_state))
    expect(tables.page.locator("#next-game")).to_be_visible()


def show_foul(tables: Tables) -> None:
    tables.page.goto(f"{tables.by_hand.address}/fouls")
    tables.page.locator("#who label").first.click()
    tables.page.locator("#clauses button").first.click()
    expect(tables.page.locator("#case")).to_be_visible()


def show_page(path: str, selector: str = "main") -> Callable[[Tables], None]:
    def show(tables: Tables) -> None:
        tables.page.goto(f"{tables.by_hand.address}/{path}")
        expect(tables.page.locator(selector).first).to_be_visible()

    return show


def show_rules(tables: Tables) -> None:
    """The rules with the first clauses open."""
    show_page("rules")(tables)
    tables.page.locator("details").evaluate_all("all => all.slice(0, 8).forEach((each) => { each.open = true; })")


def show_game(tables: Tables) -> None:
    """The page of the game with all its forms open."""
    show_page("game", ".season")(tables)
    tables.page.locator("details").evaluate_all("all => all.forEach((each) => { each.open = true; })")


def show_camera(tables: Tables) -> None:
    """What the camera of the watched table sees."""
    tables.page.goto(f"{tables.live.address}/camera")
    expect(tables.page.locator("#view")).to_have_js_property("naturalWidth", 96)


def show_person(tables: Tables) -> None:
    show_page("season", ".people a")(tables)
    tables.page.locator(".people a").first.click()
    tables.page.locator(".figure summary").nth(5).click()
    expect(tables.page.locator(".season-picture").first).to_be_visible()


PAGES: Final[dict[str, Callable[[Tables], None]]] = {
    "by hand": show_kept,
    "a win": show_win,
    "two rons": show_two_rons,
    "a draw": show_settling("draw"),
    "an abort": show_settling("abort"),
    "an edit": show_edit,
    "by tiles": show_tiles,
    "watched": show_playing,
    "a doubt": show_doubt,
    "a won hand": show_won,
    "a lost camera": show_lost,
    "the end": show_final,
    "a foul": show_foul,
    "fouls": show_page("fouls", "#who label"),
    "rules": show_rules,
    "game": show_game,
    "a past game": show_page("game/1", ".standing"),
    "all games": show_page("games", ".season"),
    "a seat asked for": show_asked,
    "join": show_request,
    "a name too long": show_long_name,
    "staff": show_page("staff"),
    "broadcasting": show_page("broadcast"),
    "camera": show_camera,
    "device": show_page("device", "#meter"),
    "invite": show_page("invite"),
    "a hand again": show_page("hand/0", "#round"),
    "the season": show_page("season", ".people a"),
    "a person": show_person,
    "moments": show_page("moments", ".changes a"),
    "wall": show_page("wall", "body[data-version]"),
}


def speak(tables: Tables, language: str) -> None:
    for address in (tables.by_hand.address, tables.live.address):
        tables.page.request.get(f"{address}/language/{language}", max_redirects=0)

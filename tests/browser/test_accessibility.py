"""Usable by keyboard and screen reader: axe finds nothing serious on any page, light or dark, phone or tablet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from table.dashboard import create_app, serve
from table.dashboard.owner.camera_page import blueprint as camera_page
from table.dashboard.owner.device_page import blueprint as device_page
from table.game.game_commands import NameSeats
from table.game.snapshot import Board, Doubt, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.rules.events import StickPlaced
from table.rules.terms.seats import Seat
from tests.browser.axe import complaints
from tests.browser.by_hand import Kept, press, sit
from tests.browser.live_page import DRAWN_WIN, RIICHI, START, Live, SeatDesk
from tests.fakes.desks import PIN, FakeDesk
from tests.fakes.device import FakeDevice
from tests.table.game.by_hand import tell, win
from vision.felt import Felt

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 820, "height": 1180}
LOOKS: Final[tuple[tuple[str, ViewportSize, Literal["light", "dark"]], ...]] = (
    ("light phone", PHONE, "light"),
    ("dark tablet", TABLET, "dark"),
)


def show_sheet(page: Page, kept: Kept) -> None:
    press(page, "Win")
    expect(page.locator("#values button").first).to_be_visible()


def show_played(page: Page, kept: Kept) -> None:
    press(page, "Draw")
    page.locator("#settle .confirm").click()
    expect(page.locator("#sheet button.edit")).to_be_visible()


def show_again(page: Page, kept: Kept) -> None:
    show_played(page, kept)
    page.goto(f"{kept.address}/hand/0")
    expect(page.locator("body[data-version]")).to_be_attached()


def show_tiles(page: Page, kept: Kept) -> None:
    show_sheet(page, kept)
    page.locator("#loser label").first.click()
    page.get_by_role("button", name="By tiles").click()


def show_staff(page: Page, kept: Kept) -> None:
    page.goto(f"{kept.address}/join")
    page.locator("input[name=pin]").fill(PIN)
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("body[data-version]")).to_be_attached()
    show_played(page, kept)
    page.goto(f"{kept.address}/staff")


def show_broadcasting(page: Page, kept: Kept) -> None:
    show_staff(page, kept)
    page.goto(f"{kept.address}/broadcast")


def show_report(page: Page, kept: Kept) -> None:
    show_staff(page, kept)
    page.goto(f"{kept.address}/game")
    page.get_by_text("End the game here").click()


def show_past(page: Page, kept: Kept) -> None:
    show_staff(page, kept)
    page.goto(f"{kept.address}/game")
    page.get_by_label("Yes, the game being played ends here").check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("list").get_by_role("link", name=re.compile("2000")).click()
    expect(page.get_by_role("link", name="E1")).to_be_visible()


def show_all_games(page: Page, kept: Kept) -> None:
    show_past(page, kept)
    page.goto(f"{kept.address}/games")
    expect(page.get_by_role("link", name=re.compile("2000"))).to_be_visible()


def show_person(page: Page, kept: Kept) -> None:
    kept.table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    show_past(page, kept)
    page.goto(f"{kept.address}/season")
    page.locator(".people a").first.click()
    page.locator(".figure summary").first.click()
    expect(page.locator(".figure a").first).to_be_attached()


def show_moments(page: Page, kept: Kept) -> None:
    tell(kept.table, win(3, 0, 3))
    page.goto(f"{kept.address}/moments")
    expect(page.locator(".changes a").first).to_be_visible()


def show_foul(page: Page, kept: Kept) -> None:
    page.get_by_role("button", name="Riichi: South").click()
    expect(page.locator("#deposits")).to_have_text("1")
    page.goto(f"{kept.address}/fouls")
    expect(page.locator("#link")).to_have_attribute("data-state", "on")
    page.locator("#who label").first.click()
    page.locator("#clauses button").first.click()
    expect(page.locator("#case")).to_be_visible()


SHOWN: dict[str, Callable[[Page, Kept], object]] = {
    "table": lambda page, kept: None,
    "settling": show_sheet,
    "played": show_played,
    "tiles": show_tiles,
    "again": show_again,
    "game": lambda page, kept: page.goto(f"{kept.address}/game"),
    "join": lambda page, kept: page.goto(f"{kept.address}/join"),
    "wall": lambda page, kept: page.goto(f"{kept.address}/wall"),
    "invite": lambda page, kept: page.goto(f"{kept.address}/invite"),
    "fouls": lambda page, kept: page.goto(f"{kept.address}/fouls"),
    "foul": show_foul,
    "rules": lambda page, kept: page.goto(f"{kept.address}/rules"),
    "staff": show_staff,
    "broadcasting": show_broadcasting,
    "report": show_report,
    "past": show_past,
    "games": show_all_games,
    "season": lambda page, kept: page.goto(f"{kept.address}/season"),
    "person": show_person,
    "moments": show_moments,
}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def complaints_in_both(page: Page) -> list[str]:
    """What axe complains about on a light phone and on a dark tablet."""
    found = list[str]()
    for name, size, scheme in LOOKS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += [f"{name}: {each}" for each in complaints(page)]
    return found


@pytest.mark.parametrize("shown", SHOWN)
def test_axe_finds_nothing_serious(kept: Kept, page: Page, shown: str) -> None:
    sit(page, kept, 0)
    SHOWN[shown](page, kept)
    assert complaints_in_both(page) == []


class Drawn:
    """A camera that sees one tile everywhere."""

    def picture(self) -> bytes:
        return cv2.imencode(".jpg", np.full((96, 96, 3), 90, np.uint8))[1].tobytes()

    def tile_picture(self, number: int) -> bytes:
        return self.picture()


def test_axe_finds_nothing_serious_where_a_camera_watches(page: Page) -> None:
    board = Board(Snapshot(version=1, game=new_game(HOME), felt=Felt()))
    app = create_app(board, FakeDesk())
    app.register_blueprint(camera_page(Drawn()))
    with serve(app, port=0) as port:
        live = Live(board=board, inbox=SeatDesk(), address=f"http://127.0.0.1:{port}")
        live.happen(START, RIICHI, StickPlaced(seat=Seat.NEAR))
        live.publish(doubts=(Doubt(seat=Seat.NEAR, discard=0, tile="9p", alternatives=(("8p", 0.2),), lying=3),))
        page.goto(f"{live.address}/join")
        page.locator(".sitting button").first.click()
        expect(page.locator("#doubts .photo-of")).to_be_visible()
        found = complaints_in_both(page)
        live.happen(*DRAWN_WIN[1:])
        expect(page.locator("#paid .paid").first).to_be_visible()
        found += complaints_in_both(page)
        page.goto(f"{live.address}/camera")
        expect(page.locator("#view")).to_have_js_property("naturalWidth", 96)
        assert found + complaints_in_both(page) == []


def test_axe_finds_nothing_serious_on_the_page_of_the_device_and_its_meter_lives(page: Page) -> None:
    board, device = Board(Snapshot(version=1, game=new_game(HOME))), FakeDevice()
    app = create_app(board, FakeDesk())
    app.register_blueprint(device_page(device))
    with serve(app, port=0) as port:
        address = f"http://127.0.0.1:{port}"
        token = page.request.get(f"{address}/api/session").json()["token"]
        page.request.post(f"{address}/join", form={"token": token, "role": "owner", "pin": PIN})
        page.goto(f"{address}/device")
        device.sharp = 900
        expect(page.locator("#sharp-most")).to_have_text("900")
        device.sharp = 300
        expect(page.locator("#sharp-now")).to_have_text("300")
        expect(page.locator("#sharp-most")).to_have_text("900")
        found = complaints_in_both(page)
        device.has_autofocus, device.report.state = True, "running"
        page.get_by_role("button", name="Save these settings").click()
        expect(page.get_by_role("button", name="Focus once and lock it")).to_be_visible()
        expect(page.get_by_text("The update is running: the new version is checked.")).to_be_visible()
        found += complaints_in_both(page)
        device.report.step = "switch"
        expect(page.get_by_text("The update is running: the new version is started.")).to_be_visible()
        assert found == []

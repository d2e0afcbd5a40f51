"""``python3 -m tests.pictures``: takes the pictures of the README and the manuals anew, of the program as it is.

A real browser opens the pages of the demo's evening before the drawn camera, and of a table that is kept by hand. What
it shows is written as WebP: one moving picture for the README, and the stills of `table/manual/`. The drawings of the
manuals are written as SVG beside them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from table.dashboard import create_app, serve
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import TOKEN_HEADER
from table.dashboard.wizard.setup_pages import blueprint
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from tests.browser.by_hand import own_the_table
from tests.browser.conftest import PATIENCE_MS, SWITCHES, chromium_path
from tests.browser.film_control import FilmedEvening, claim, filmed_evening
from tests.fakes.desks import FakeDesk
from tests.fakes.setup_tools import FakeTools
from tests.manual_drawings import DRAWINGS
from tests.places import ROOT
from vision.arrays import Image

PHONE: Final[ViewportSize] = {"width": 390, "height": 720}
NAMES: Final = ("Aki", "Ben", "Chie", "Dan")
MOVING: Final = ROOT / ".pictures" / "evening.webp"
STILLS: Final = ROOT / "table" / "manual" / "pictures"
WIDTH_PX: Final = 300
"""Of every picture."""
QUALITY: Final = 60
SCENES: Final = (14, 22, 25.2, 27.2, 30, 32.2, 36, 40.6)
"""Seconds of the film at which a picture is taken: a riichi, its stick, its ippatsu, and the pon that ends it."""
SHOWN_MS: Final = 1300
LAST_MS: Final = 3500


def main() -> None:
    """Takes them all."""
    for name, drawing in DRAWINGS.items():
        (STILLS / f"{name}.svg").write_text(drawing(), encoding="utf-8")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=SWITCHES)
        take_first_start(browser)
        with filmed_evening(Path(folder)) as evening, phone(browser) as page:
            own_the_table(page, evening.port)
            name_the_players(page)
            pictures = list(scenes(page, evening))
            write_moving(MOVING, pictures)
            write(STILLS / "table.webp", pictures[3])
            write(STILLS / "arrows.webp", pictures[-2])
        with (
            tempfile.TemporaryDirectory() as other_folder,
            filmed_evening(Path(other_folder)) as table,
            phone(browser) as page,
        ):
            for name, show in BY_HAND.items():
                show(page, table.port)
                write(STILLS / f"{name}.webp", screenshot(page))


@contextmanager
def phone(browser: Browser) -> Iterator[Page]:
    """An empty page of a phone's size, in English."""
    context = browser.new_context(viewport=PHONE, locale="en", reduced_motion="reduce", color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def name_the_players(page: Page) -> None:
    """Gives every seat a name."""
    host = page.url.split("/", 3)[:3]
    address = "/".join(host)
    token = page.request.get(f"{address}/api/session").json()["token"]
    body = {"names": list(NAMES)}
    assert page.request.post(f"{address}/api/names", data=body, headers={TOKEN_HEADER: token}).ok


def scenes(page: Page, evening: FilmedEvening) -> Iterator[Image]:
    """Plays the first hand; gives the page at every scene, with the arrows of its win, and once it is settled."""
    for second in SCENES:
        evening.play(second)
        yield screenshot(page)
    claim(page, "South", "Tsumo")
    evening.play(45)
    expect(page.locator("#ending .value")).to_be_visible()
    yield screenshot(page)
    page.locator("[data-press=confirm]").click()
    expect(page.locator("#ending")).to_be_hidden()
    yield screenshot(page)


def take_first_start(browser: Browser) -> None:
    """Takes what the first phone of a new table sees."""
    vault, board = Vault(), Board(Snapshot(version=1, game=new_game(HOME)))
    app = create_app(board, FakeDesk(), vault)
    app.register_blueprint(blueprint(board, vault, FakeTools()))
    with serve(app, "127.0.0.1", 0) as port, phone(browser) as page:
        page.goto(f"http://127.0.0.1:{port}/begin/language")
        expect(page.locator("h1")).to_be_visible()
        write(STILLS / "setup_first.webp", screenshot(page))
    board.close()


def show_joining(page: Page, port: int) -> None:
    """Where a seat is taken."""
    page.goto(f"http://127.0.0.1:{port}/join")
    expect(page.locator(".sitting button").first).to_be_visible()


def show_win(page: Page, port: int) -> None:
    """How a win is settled by hand."""
    own_the_table(page, port)
    name_the_players(page)
    page.locator("[data-settle=win]:visible").first.click()
    page.locator("#winners label").nth(1).click()
    page.locator("#loser label").nth(2).click()
    expect(page.locator("#values button").first).to_be_visible()


BY_HAND: Final[dict[str, Callable[[Page, int], None]]] = {"win": show_win, "join": show_joining}


def screenshot(page: Page) -> Image:
    """The page as it is shown, as BGR, of the width of every picture."""
    image = cv2.imdecode(np.frombuffer(page.screenshot(animations="disabled"), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    height = round(image.shape[0] * WIDTH_PX / image.shape[1])
    return np.asarray(cv2.resize(image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8)


def write(path: Path, picture: Image) -> None:
    """Writes a still."""
    done, packed = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    assert done
    path.write_bytes(packed.tobytes())


def write_moving(path: Path, pictures: list[Image]) -> None:
    """Writes the pictures one after the other, the last one longest."""
    moving = cv2.Animation()
    moving.frames = [cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA) for picture in pictures]
    moving.durations = [*[SHOWN_MS] * (len(pictures) - 1), LAST_MS]
    assert cv2.imwriteanimation(str(path), moving, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


if __name__ == "__main__":
    main()

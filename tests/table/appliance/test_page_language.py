"""Every page that an appliance has, read in Japanese: no English is left on it, except names, references and files."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient

from table.appliance.appliance import Appliance, run_appliance
from table.dashboard import create_app
from table.dashboard.wizard.setup_view import STEPS
from table.game.commands.game_commands import DeclareResult, EndGame, NameSeats, OpenGame
from table.rulebook import SHIPPED
from tests.endurance.siege.pages import page_rules
from tests.english_words import english_on_page
from tests.fakes.desks import PIN, join
from tests.fakes.waiting import wait_for
from tests.table.appliance.configured import make_config
from tests.table.appliance.recorded_table import keep_place, recording_part, watching_appliance
from tests.table.game.by_hand import draw, win

NAMES = ("あおい", "さくら", "みなと", "はると")
LEFT_OUT: Final = re.compile(r"/help/(?:makers|\w+/)|/language/|/static/|/api/")
"""What is in English only, as the list of manuals says, or in a language that is asked for, and what is no page."""
ON_THINGS: Final = re.findall(
    r"\S+",
    """ADDRESS-OF-THE-REPOSITORY CAM CAMERA Camera Country Ctrl-C DISP HDMI HTTP Hostname Imager JP LED Lite Module OS
    Password README SSH SSID USER Username W Wide bit microSD other""",
)
"""What the manual for hosts calls as parts, keys, other programs and the manual's own drawings call it."""
TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)
HEADING: Final = re.compile(r"<h1>(.*?)</h1>", re.DOTALL)
LINK: Final = re.compile(r'href="(/[^"#]*)')


def pages_of(appliance: Appliance) -> dict[str, str]:
    """Every page and picture with text in Japanese, as the owner sees it, by its address: all that links lead to."""
    assert appliance.loop is not None
    app = create_app(appliance.table.board, appliance.loop, appliance.vault)
    for blueprint in appliance.pages():
        app.register_blueprint(blueprint)
    client = app.test_client()
    join(client, "owner", pin=PIN, again=PIN)
    addresses = {rule for rule in page_rules(appliance) if "<" not in rule}
    addresses |= {f"/rules?set={name}&against=home" for name in SHIPPED} | {f"/begin/{step}" for step in STEPS}
    addresses |= {"/nothing", "/game/99", "/broadcast/all", "/broadcast/standings"}
    read: dict[str, str] = {}
    while left := sorted(each for each in addresses - read.keys() if not LEFT_OUT.match(each)):
        for address in left:
            read[address] = page(client, address)
            addresses |= {html.unescape(each) for each in LINK.findall(read[address])}
    return read


def page(client: FlaskClient, address: str) -> str:
    """What an address shows; nothing if it is a file, or leads elsewhere."""
    with client.get(address, headers={"Accept": "text/html", "Accept-Language": "ja"}) as answer:
        assert answer.status_code < 500, address
        is_shown = answer.mimetype in ("text/html", "image/svg+xml") and not 300 <= answer.status_code < 400
        return answer.get_data(as_text=True) if is_shown else ""


def english_of(pages: dict[str, str], *allowed: str) -> dict[str, list[str]]:
    allowed_words = frozenset(allowed)
    return {
        address: found for address, text in pages.items() if (found := english_on_page(text, allowed=allowed_words))
    }


@pytest.fixture(scope="module")
def kept_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every page of a table kept by hand, on its second game."""
    with run_appliance(make_config(tmp_path_factory.mktemp("kept"))) as appliance:
        assert appliance.loop is not None
        for command in (
            NameSeats(names=NAMES),
            DeclareResult(result=win(0, 2, 4), hand=0),
            DeclareResult(result=draw(1), hand=1),
            EndGame(why="終電"),
            OpenGame(names=NAMES),
            DeclareResult(result=win(3, 0, 3), hand=0),
        ):
            appliance.loop.handle(command)
        return pages_of(appliance)


def test_a_table_kept_by_hand_speaks_japanese_on_every_page(kept_pages: dict[str, str]) -> None:
    assert {"/", "/game/1/hand/0", "/game/1/sheet.svg", "/season", "/begin/invite"} <= {
        each for each, text in kept_pages.items() if text
    }
    assert english_of(kept_pages, "English", *ON_THINGS) == {}


def test_the_title_of_every_page_is_its_heading(kept_pages: dict[str, str]) -> None:
    titled = {
        address: (title[1].strip(), heading[1].strip())
        for address, text in kept_pages.items()
        if not address.endswith(".html") and (title := TITLE.search(text)) and (heading := HEADING.search(text))
    }
    assert {address: names for address, names in titled.items() if names[0] != names[1]} == {}
    assert len({title for title, _ in titled.values()}) > 20


def test_a_watched_table_speaks_japanese_on_every_page(tmp_path: Path) -> None:
    keep_place(tmp_path)
    with watching_appliance(tmp_path, recording_part(tmp_path)) as appliance:
        wait_for(lambda: appliance.table.board.latest.game.hand is not None)
        pages = pages_of(appliance)
    assert english_of(pages, "English", "recording", *ON_THINGS) == {}

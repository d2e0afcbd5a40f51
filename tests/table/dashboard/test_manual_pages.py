from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.dashboard import create_app
from table.dashboard.manual_pages import MANUALS, manual_languages, manual_text
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rules.state import GameState
from tests.fakes.desks import FakeDesk
from tests.manual_drawings import DRAWINGS
from tests.places import ROOT

WRITTEN = [(manual, language) for manual in MANUALS for language in manual_languages(manual)]
PRESSED = ("ron", "tsumo", "confirm", "win", "draw", "abort", "undo", "my_wait", "fouls", "photo_of_hand", "by_tiles")
"""The controls that the players' page speaks of."""
TEMPLATES = sorted((ROOT / "table" / "dashboard" / "templates").rglob("*.html"))


class _Read(HTMLParser):
    """What a page links to, shows, and offers to be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.anchors: list[str] = []
        self.scripts: list[str] = []
        self.attributes: set[str] = set()
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes |= given.keys()
        self.links += [given["href"]] if tag == "a" else []
        self.pictures += [given["src"]] if tag == "img" else []
        self.scripts += [given.get("src", "written in the page")] if tag == "script" else []
        self.anchors += [given["id"]] if "id" in given else []


@pytest.fixture(scope="module")
def app() -> Flask:
    state = GameState(scores=(25000, 25000, 25000, 25000))
    return create_app(Board(Snapshot(version=1, game=state)), FakeDesk())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def shown(client: FlaskClient, address: str) -> _Read:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return _Read(answer.get_data(as_text=True))


@pytest.mark.parametrize(("manual", "language"), WRITTEN)
def test_every_link_picture_and_anchor_of_a_manual_leads_somewhere(
    client: FlaskClient, manual: str, language: str
) -> None:
    page = shown(client, f"/help/{manual}/{language}")
    for link in page.links:
        address, _, anchor = link.partition("#")
        assert not address.startswith("http"), link
        if address.startswith("/help"):
            assert not anchor or anchor in shown(client, address).anchors, link
        elif anchor:
            assert anchor in page.anchors, link
    for picture in page.pictures:
        assert client.get(picture).status_code == 200, picture


@pytest.mark.parametrize(("manual", "language"), WRITTEN)
def test_a_manual_keeps_the_content_policy(client: FlaskClient, manual: str, language: str) -> None:
    page = shown(client, f"/help/{manual}/{language}")
    assert "style" not in page.attributes
    assert not page.tags & {"style", "iframe"}
    assert page.scripts == ["/static/manual_pages/print.js"]
    assert not [name for name in page.attributes if name.startswith("on")]


def test_the_help_page_leads_to_every_manual(client: FlaskClient) -> None:
    assert {f"/help/{manual}" for manual in MANUALS} <= set(shown(client, "/help").links)


def test_players_read_theirs_in_every_language_and_others_in_english(client: FlaskClient) -> None:
    assert manual_languages("players") == languages()
    assert client.get("/help/hosts", headers={"Accept-Language": "ja"}).status_code == 200
    page = client.get("/help/players", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert '<article lang="ja">' in page
    assert client.get("/help/hosts/ja").status_code == 404
    assert client.get("/help/nothing").status_code == 404


@pytest.mark.parametrize("language", languages())
def test_the_players_manual_calls_each_control_as_the_page_does(language: str) -> None:
    bold = re.findall(r"\*\*(.+?)\*\*", manual_text("players", language))
    texts = catalogue(language)
    assert [name for name in PRESSED if texts.text(f"page.{name}") not in bold] == []


@pytest.mark.parametrize("language", languages())
def test_the_players_manual_keeps_to_the_glossary(language: str) -> None:
    glossary = tomllib.loads((ROOT / "table" / "i18n" / "glossary.toml").read_text(encoding="utf-8"))
    words = [word for entry in glossary.values() if language in entry for word in entry[language]["not"]]
    text = manual_text("players", language)
    assert [word for word in words if word in text] == []


@pytest.mark.parametrize("language", languages())
def test_the_players_manual_says_why_a_tile_is_amber(language: str) -> None:
    amber, alone = {
        "en": ("Amber around", "alone"),
        "ja": ("橙色の枠", "一枚だけ"),
        "ko": ("주황색 테두리", "혼자"),
        "zh-Hans": ("橙色框", "单独"),
        "zh-Hant": ("橙色框", "單獨"),
    }[language]
    about_tiles, _, _ = manual_text("players", language).partition("|")
    assert any(amber in line and alone in line for line in about_tiles.splitlines())


@pytest.mark.parametrize("manual", MANUALS)
def test_what_a_manual_prints_bold_is_a_word_of_the_pages(manual: str) -> None:
    texts = set(catalogue("en").texts.values())
    assert [word for word in re.findall(r"\*\*(.+?)\*\*", manual_text(manual, "en")) if word not in texts] == []


@pytest.mark.parametrize(("manual", "language"), WRITTEN)
def test_bold_text_stands_on_one_line_and_is_shown_bold(client: FlaskClient, manual: str, language: str) -> None:
    assert [line for line in manual_text(manual, language).splitlines() if line.count("**") % 2] == []
    assert "**" not in client.get(f"/help/{manual}/{language}").get_data(as_text=True)


def test_every_language_says_the_same_in_as_many_lines() -> None:
    def shape(text: str) -> list[str]:
        return re.findall(r"^(?:# |## |\* |\d\. |\|)", text, re.MULTILINE)

    english = shape(manual_text("players", "en"))
    assert [each for each in languages() if shape(manual_text("players", each)) != english] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_a_page_that_offers_help_leads_to_a_manual_and_a_heading_that_are_there(
    client: FlaskClient, template: object
) -> None:
    text = template.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    for manual, anchor in re.findall(r'with help = \("(\w+)", (?:"([\w-]+)"|none)\)', text):
        assert not anchor or anchor in shown(client, f"/help/{manual}").anchors


@pytest.mark.parametrize(
    "page",
    [
        "wizard/wizard",
        "foul_pages/fouls",
        "foul_pages/rules",
        "owner/health",
        "owner/staff",
        "live/join",
        "web/invite",
        "games/game",
        "owner/camera",
    ],
)
def test_pages_where_a_manual_helps_lead_to_it(page: str) -> None:
    assert "help_link.html" in (ROOT / "table" / "dashboard" / "templates" / f"{page}.html").read_text("utf-8")


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawn_pictures_are_those_of_the_program_as_it_is(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/help/pictures/{name}.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.get_data(as_text=True) == DRAWINGS[name]()


def test_every_picture_that_is_shipped_is_in_a_manual() -> None:
    shown = {
        name
        for manual, language in WRITTEN
        for name in re.findall(r"pictures/(\w+\.\w+)", manual_text(manual, language))
    }
    assert {file.name for file in (ROOT / "table" / "manual" / "pictures").iterdir()} == shown


def test_no_other_file_is_given_as_a_picture(client: FlaskClient) -> None:
    for name in ("../hosts.md", "..%2Fhosts", "nothing.webp", "nothing.svg"):
        assert client.get(f"/help/pictures/{name}").status_code == 404

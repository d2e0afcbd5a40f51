from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient
from markdown_it import MarkdownIt

from table.dashboard import create_app
from table.dashboard.manual_pages import MANUALS, anchor, manual_languages, manual_text
from table.dashboard.web.static_files import versioned_path
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rules.state import GameState
from tests.fakes.desks import FakeDesk
from tests.manual_drawings import DRAWINGS
from tests.places import ROOT

EDITIONS = [(manual, language) for manual in MANUALS for language in manual_languages(manual)]
TRANSLATED = [(manual, language) for manual, language in EDITIONS if language != "en"]
BOLD = re.compile(r"\*\*(.+?)\*\*")
NOT_THE_PIN = {("hosts", "ja"): "パスワード", ("trouble", "ja"): "パスワード"}
"""What the glossary rules out for the table's PIN, and a manual says of a computer, a Wi-Fi and a network camera."""
IN_ENGLISH = {"ja": "英語", "ko": "영어", "zh-Hans": "英文", "zh-Hant": "英文"}
"""How the list of manuals says of one that it is in English."""
PRESSED = ("ron", "tsumo", "confirm", "win", "draw", "abort", "undo", "my_wait", "fouls", "photo_of_hand", "by_tiles")
"""The controls that the players' page speaks of."""
TEMPLATES = sorted((ROOT / "table" / "dashboard" / "templates").rglob("*.html"))


class _PageParts(HTMLParser):
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
        attributes = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes |= attributes.keys()
        self.links += [attributes["href"]] if tag == "a" else []
        self.pictures += [attributes["src"]] if tag == "img" else []
        self.scripts += [attributes.get("src", "written in the page")] if tag == "script" else []
        self.anchors += [attributes["id"]] if "id" in attributes else []


@pytest.fixture(scope="module")
def app() -> Flask:
    state = GameState(scores=(25000, 25000, 25000, 25000))
    return create_app(Board(Snapshot(version=1, game=state)), FakeDesk())


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def read_page(client: FlaskClient, address: str) -> _PageParts:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return _PageParts(answer.get_data(as_text=True))


@pytest.mark.parametrize(("manual", "language"), EDITIONS)
def test_every_link_picture_and_anchor_of_a_manual_leads_somewhere(
    client: FlaskClient, manual: str, language: str
) -> None:
    page = read_page(client, f"/help/{manual}/{language}")
    for link in page.links:
        address, _, anchor = link.partition("#")
        assert not address.startswith("http"), link
        if address.startswith("/help"):
            assert not anchor or anchor in read_page(client, address).anchors, link
        elif anchor:
            assert anchor in page.anchors, link
    for picture in page.pictures:
        assert client.get(picture).status_code == 200, picture


@pytest.mark.parametrize(("manual", "language"), EDITIONS)
def test_a_manual_keeps_the_content_policy(client: FlaskClient, manual: str, language: str) -> None:
    page = read_page(client, f"/help/{manual}/{language}")
    assert "style" not in page.attributes
    assert not page.tags & {"style", "iframe"}
    assert page.scripts == [f"{versioned_path()}/web/sent_once.js", f"{versioned_path()}/manual_pages/print.js"]
    assert not [name for name in page.attributes if name.startswith("on")]


def test_the_help_page_leads_to_every_manual(client: FlaskClient) -> None:
    assert {f"/help/{manual}" for manual in MANUALS} <= set(read_page(client, "/help").links)


def test_a_manual_is_read_in_the_reader_s_language_where_it_is_written_in_it(client: FlaskClient) -> None:
    assert manual_languages("players") == languages()
    for manual, preferred, expected in (("players", "ja", "ja"), ("hosts", "ja", "ja"), ("hosts", "ko", "en")):
        page = client.get(f"/help/{manual}", headers={"Accept-Language": preferred}).get_data(as_text=True)
        assert f'<article lang="{expected}">' in page
    assert client.get("/help/hosts/ko").status_code == 404
    assert client.get("/help/nothing").status_code == 404


@pytest.mark.parametrize(("language", "note"), IN_ENGLISH.items())
def test_the_list_says_which_manuals_are_in_english(language: str, note: str) -> None:
    names = {manual for manual in MANUALS if note in catalogue(language).text(f"help.{manual}_about")}
    assert names == {manual for manual in MANUALS if language not in manual_languages(manual)}


def test_links_lead_to_the_language_that_was_chosen_or_else_to_the_reader_s_own(client: FlaskClient) -> None:
    page = client.get("/help/hosts", headers={"Accept-Language": "ja"}).get_data(as_text=True)
    assert {"/help/referees#tournaments", "/help/trouble", "#first-start"} <= set(_PageParts(page).links)
    chosen = read_page(client, "/help/hosts/ja").links
    assert {"/help/referees/ja#tournaments", "/help/trouble/ja", "/help/makers#wiring", "#first-start"} <= set(chosen)


def sections(manual: str, language: str) -> list[str]:
    """A manual's text, split before every heading."""
    return re.split(r"^#+ ", manual_text(manual, language), flags=re.MULTILINE)


def skeleton(text: str) -> list[str]:
    """A text's headings, paragraphs, items, rows, code and pictures, in their order, without what they say."""
    tokens = MarkdownIt().enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    return [
        *(f"{token.type} {token.tag} {token.content if token.type == 'fence' else ''}" for token in tokens),
        *(str(child.attrGet("src")) for child in inline if child.type == "image"),
    ]


@pytest.mark.parametrize(("manual", "language"), TRANSLATED)
def test_a_translation_has_the_same_parts(manual: str, language: str) -> None:
    assert skeleton(manual_text(manual, language)) == skeleton(manual_text(manual, "en"))


@pytest.mark.parametrize(("manual", "language"), TRANSLATED)
def test_a_translation_names_the_same_commands_and_files(manual: str, language: str) -> None:
    def code_words(language: str) -> list[list[str]]:
        return [sorted(re.findall(r"`([^`\n]+)`", section)) for section in sections(manual, language)]

    assert code_words(language) == code_words("en")


@pytest.mark.parametrize(("manual", "language"), [each for each in TRANSLATED if each[0] != "players"])
def test_a_translation_prints_the_same_labels_bold_as_the_page_has_them(manual: str, language: str) -> None:
    english, translations = catalogue("en").texts, catalogue(language).texts
    for section, translated in zip(sections(manual, "en"), sections(manual, language), strict=True):
        bold = set(BOLD.findall(translated))
        labels = {
            label: {translations[key] for key, text in english.items() if text == label}
            for label in BOLD.findall(section)
        }
        heading = translated.partition("\n")[0]
        assert [label for label, words in labels.items() if not words & bold] == [], heading
        assert bold - {word for words in labels.values() for word in words} == set(), heading


@pytest.mark.parametrize(("manual", "language"), EDITIONS)
def test_bold_text_stands_on_one_line_and_is_shown_bold(client: FlaskClient, manual: str, language: str) -> None:
    assert [line for line in manual_text(manual, language).splitlines() if line.count("**") % 2] == []
    assert "**" not in client.get(f"/help/{manual}/{language}").get_data(as_text=True)


@pytest.mark.parametrize(("manual", "language"), EDITIONS)
def test_a_link_in_a_manual_s_file_leads_to_a_heading_of_a_file_in_its_language(manual: str, language: str) -> None:
    suffix = "" if language == "en" else f".{language}"
    for name, place in re.findall(r"\]\(([\w.-]*)#?([^)]*)\)", re.sub(r"!\[.*?\)", "", manual_text(manual, language))):
        target, _, language_of_target = (name.removesuffix(".md") or f"{manual}{suffix}").partition(".")
        assert language_of_target == (suffix.removeprefix(".") if language in manual_languages(target) else ""), name
        headings = re.findall(r"^#+ (.+)$", manual_text(target, language_of_target or "en"), re.MULTILINE)
        assert not place or place in map(anchor, headings), place


@pytest.mark.parametrize("language", manual_languages("trouble"))
def test_a_message_that_the_manual_of_troubles_quotes_is_one_of_the_pages(language: str) -> None:
    east = catalogue(language).text("seat.E")
    texts = "\n".join(catalogue(language).texts.values()).replace("{seat}", east).replace("’", "'").casefold()
    symptoms = "\n".join(re.findall(r"^\| (.+?) \|", manual_text("trouble", language), re.MULTILINE))
    quoted = re.findall(r"[“「*](.+?)[”」*]", symptoms.replace("’", "'"))
    parts = [part.strip() for each in quoted for part in re.split("[:：]", each)]
    assert len(quoted) > 10
    assert [each for each in parts if each.casefold() not in texts] == []


@pytest.mark.parametrize("language", languages())
def test_the_players_manual_calls_each_control_as_the_page_does(language: str) -> None:
    bold = re.findall(r"\*\*(.+?)\*\*", manual_text("players", language))
    texts = catalogue(language)
    assert [name for name in PRESSED if texts.text(f"page.{name}") not in bold] == []


@pytest.mark.parametrize(("manual", "language"), TRANSLATED)
def test_a_manual_keeps_to_the_glossary(manual: str, language: str) -> None:
    glossary = tomllib.loads((ROOT / "table" / "i18n" / "glossary.toml").read_text(encoding="utf-8"))
    words = [word for entry in glossary.values() if language in entry for word in entry[language]["not"]]
    text = manual_text(manual, language).replace(NOT_THE_PIN.get((manual, language), ""), "")
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


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_a_page_that_offers_help_leads_to_a_manual_and_a_heading_that_are_there(
    client: FlaskClient, template: object
) -> None:
    text = template.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    for manual, place in re.findall(r'(?:with|set) help = \("(\w+)", (?:"([\w-]+)"|none)\)', text):
        for language in manual_languages(manual):
            assert not place or place in read_page(client, f"/help/{manual}/{language}").anchors


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
    assert "help = (" in (ROOT / "table" / "dashboard" / "templates" / f"{page}.html").read_text("utf-8")


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawn_pictures_are_those_of_the_program_as_it_is(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/help/pictures/{name}.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.get_data(as_text=True) == DRAWINGS[name]()


def test_every_picture_that_is_shipped_is_in_a_manual() -> None:
    read_page = {
        name
        for manual, language in EDITIONS
        for name in re.findall(r"pictures/(\w+\.\w+)", manual_text(manual, language))
    }
    assert {file.name for file in (ROOT / "table" / "manual" / "pictures").iterdir()} == read_page


def test_no_other_file_is_given_as_a_picture(client: FlaskClient) -> None:
    for name in ("../hosts.md", "..%2Fhosts", "nothing.webp", "nothing.svg"):
        assert client.get(f"/help/pictures/{name}").status_code == 404

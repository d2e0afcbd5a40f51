"""The manuals as printable pages at `/help`, available without internet.

They are Markdown in `table/manual/`, one file per manual and language. Their pictures are drawn, or taken from these
pages, by `python3 -m tests.pictures`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final

from flask import Blueprint, Response, abort, url_for
from markdown_it import MarkdownIt
from markdown_it.token import Token

from table.dashboard.web.base_page import rendered
from table.dashboard.web.browser_language import DEFAULT, request_texts
from table.i18n import catalogue, languages

MANUALS: Final = ("players", "hosts", "referees", "makers", "trouble")
"""The manuals, in display order."""
_KINDS: Final = {"svg": "image/svg+xml", "webp": "image/webp"}
_FOLDER: Final = resources.files("table") / "manual"
_PICTURES: Final = "pictures/"


def blueprint() -> Blueprint:
    """Returns the routes ``/help``, ``/help/MANUAL``, ``/help/MANUAL/LANGUAGE`` and ``/help/pictures/NAME``."""
    pages = Blueprint("manual", __name__)

    @pages.get("/help")
    def contents() -> str:
        return rendered("manual_pages/manuals.html", "help", manuals=MANUALS)

    @pages.get("/help/<manual>")
    def page(manual: str) -> str:
        return _page(manual, request_texts().language)

    @pages.get("/help/<manual>/<language>")
    def page_in(manual: str, language: str) -> str:
        if language not in manual_languages(manual):
            abort(404)
        return _page(manual, language)

    @pages.get("/help/pictures/<name>.<kind>")
    def picture(name: str, kind: str) -> Response:
        file = _FOLDER / "pictures" / f"{name}.{kind}"
        if not re.fullmatch(r"[a-z_]+", name) or kind not in _KINDS or not file.is_file():
            abort(404)
        return Response(file.read_bytes(), mimetype=_KINDS[kind])

    return pages


def _page(manual: str, language: str) -> str:
    found = manual_languages(manual)
    if not found:
        abort(404)
    spoken = language if language in found else DEFAULT
    return rendered(
        "manual_pages/manual.html",
        "help",
        manual=manual,
        text=manual_html(manual, spoken),
        spoken=spoken,
        others={each: catalogue(each).text("page.language") for each in found if len(found) > 1},
    )


@cache
def manual_languages(manual: str) -> tuple[str, ...]:
    """Returns the languages of a manual, English first; empty if there is no such manual."""
    return tuple(each for each in languages() if manual in MANUALS and _file(manual, each).is_file())


@cache
def manual_text(manual: str, language: str) -> str:
    """Returns a manual's Markdown text."""
    return _file(manual, language).read_text("utf-8")


def manual_html(manual: str, language: str) -> str:
    """Returns a manual as HTML with anchors for headings, and with links and pictures pointing to these pages."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(manual_text(manual, language))
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor(tokens[number + 1].content))
        for child in token.children or ():
            _point_home(child)
    html: str = reader.renderer.render(tokens, reader.options, {})
    html = html.replace("<pre>", '<pre tabindex="0">')  # wide content must be scrollable by keyboard
    return html.replace("<table>", '<div class="wide-table" tabindex="0"><table>').replace("</table>", "</table></div>")


def anchor(heading: str) -> str:
    """Returns the anchor of a heading: `First start` is `first-start`."""
    return "-".join(re.findall(r"\w+", heading.lower()))


def _point_home(token: Token) -> None:
    """Rewrites a relative link to another manual or picture as an address of these pages."""
    if token.type == "link_open":
        name, _, place = str(token.attrGet("href")).partition("#")
        if name.endswith(".md"):
            manual = name.removesuffix(".md").partition(".")[0]
            token.attrSet("href", url_for("manual.page", manual=manual, _anchor=place or None))
    if token.type == "image":
        source = str(token.attrGet("src"))
        if source.startswith(_PICTURES):
            token.attrSet("src", f"{url_for('manual.contents')}/{source}")


def _file(manual: str, language: str) -> resources.abc.Traversable:
    return _FOLDER / (f"{manual}.md" if language == DEFAULT else f"{manual}.{language}.md")

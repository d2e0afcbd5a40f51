"""The manuals as printable pages at `/help`, available without internet.

They are Markdown in `table/manual/`, one file per manual and language. Their pictures are drawn, or taken from these
pages, by `python3 -m tests.pictures`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from flask import Blueprint, Response, abort, url_for
from markdown_it import MarkdownIt
from markdown_it.token import Token

from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import DEFAULT, request_texts
from table.i18n import catalogue, languages

MANUALS: Final = ("players", "hosts", "referees", "makers", "trouble")
"""The manuals, in display order."""
_KINDS: Final = {"svg": "image/svg+xml", "webp": "image/webp"}
_FOLDER: Final = resources.files("table") / "manual"
_PICTURES: Final = "pictures/"
_READER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_UNSPACED: Final = ("ja", "zh-Hans", "zh-Hant")
"""The languages without spaces between words, in which the end of a line in the Markdown file is no space."""


def blueprint() -> Blueprint:
    """Returns the routes ``/help``, ``/help/MANUAL``, ``/help/MANUAL/LANGUAGE`` and ``/help/pictures/NAME``."""
    pages = Blueprint("manual", __name__)

    @pages.get("/help")
    def contents() -> str:
        return rendered_page("manual_pages/manuals.html", "help", manuals=MANUALS)

    @pages.get("/help/<manual>")
    def page(manual: str) -> str:
        return _page(manual, request_texts().language)

    @pages.get("/help/<manual>/<language>")
    def page_in(manual: str, language: str) -> str:
        if language not in manual_languages(manual):
            abort(404)
        return _page(manual, language, is_chosen=True)

    @pages.get("/help/pictures/<name>.<kind>")
    def picture(name: str, kind: str) -> Response:
        file = _FOLDER / "pictures" / f"{name}.{kind}"
        if not re.fullmatch(r"[a-z_]+", name) or kind not in _KINDS or not file.is_file():
            abort(404)
        return Response(file.read_bytes(), mimetype=_KINDS[kind])

    return pages


def _page(manual: str, language: str, *, is_chosen: bool = False) -> str:
    available = manual_languages(manual)
    if not available:
        abort(404)
    shown_language = language if language in available else DEFAULT
    return rendered_page(
        "manual_pages/manual.html",
        "help",
        manual=manual,
        text=manual_html(manual, shown_language, is_chosen=is_chosen),
        shown_language=shown_language,
        others={code: catalogue(code).text("page.language") for code in available if len(available) > 1},
    )


@cache
def manual_languages(manual: str) -> tuple[str, ...]:
    """Returns the languages of a manual, English first; empty if there is no such manual."""
    return tuple(language for language in languages() if manual in MANUALS and _file(manual, language).is_file())


@cache
def manual_text(manual: str, language: str) -> str:
    """Returns a manual's Markdown text."""
    return _file(manual, language).read_text("utf-8")


def manual_html(manual: str, language: str, *, is_chosen: bool) -> str:
    """Returns a manual as HTML, with links and pictures pointing to these pages.

    Each heading has the anchor of the English heading at its place, so that links work in every language.

    Args:
        manual: which one.
        language: one that it is written in.
        is_chosen: whether links lead to manuals in that language, if there are any, rather than in the reader's own.
    """
    tokens = _READER.parse(manual_text(manual, language))
    anchors = iter(_anchors(manual, DEFAULT))
    for token in tokens:
        if token.type == "heading_open":
            token.attrSet("id", next(anchors))
        for child in token.children or ():
            if child.type == "link_open":
                _point_home(child, f"{manual}.{language}", language if is_chosen else "")
            _show_picture(child)
            if child.type == "softbreak" and language in _UNSPACED:
                child.type = "text"
    html: str = _READER.renderer.render(tokens, _READER.options, {})
    html = html.replace("<pre>", '<pre tabindex="0">')  # wide content must be scrollable by keyboard
    return html.replace("<table>", '<div class="wide-table" tabindex="0"><table>').replace("</table>", "</table></div>")


def anchor(heading: str) -> str:
    """Returns the anchor of a heading: `First start` is `first-start`."""
    return "-".join(re.findall(r"\w+", heading.lower()))


@cache
def _anchors(manual: str, language: str) -> tuple[str, ...]:
    """Returns the anchors of a manual's own headings, in order."""
    tokens = _READER.parse(manual_text(manual, language))
    return tuple(anchor(text.content) for token, text in pairwise(tokens) if token.type == "heading_open")


def _point_home(link: Token, own_name: str, chosen: str) -> None:
    """Rewrites a link to a manual's file, or to a heading of the manual `own_name` itself, as a link to a page.

    The page is in the `chosen` language if the manual exists in it. The link's anchor is in the language of its file.
    """
    name, _, fragment = unquote(str(link.attrGet("href"))).partition("#")
    if name and not name.endswith(".md"):
        return
    manual, _, language = (name.removesuffix(".md") or own_name).partition(".")
    anchors = dict(zip(_anchors(manual, language or DEFAULT), _anchors(manual, DEFAULT), strict=True))
    target = anchors.get(fragment, fragment)
    if not name:
        link.attrSet("href", f"#{target}")
    elif chosen in manual_languages(manual):
        link.attrSet("href", url_for("manual.page_in", manual=manual, language=chosen, _anchor=target or None))
    else:
        link.attrSet("href", url_for("manual.page", manual=manual, _anchor=target or None))


def _show_picture(token: Token) -> None:
    """Rewrites the address of a manual's picture as one of these pages."""
    if token.type == "image" and str(source := token.attrGet("src")).startswith(_PICTURES):
        token.attrSet("src", f"{url_for('manual.contents')}/{source}")


def _file(manual: str, language: str) -> resources.abc.Traversable:
    return _FOLDER / (f"{manual}.md" if language == DEFAULT else f"{manual}.{language}.md")

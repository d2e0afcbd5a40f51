"""What every page of the table is made of: its texts and pictures, the invitation, and the refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, current_app, redirect, render_template, request, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.web.access.roles import lost_seat, only_watches, visitor
from table.dashboard.web.addresses.qr_code import join_address, qr_svg
from table.dashboard.web.browser_language import choose_language, request_texts
from table.dashboard.web.static_files import CACHED_FOREVER
from table.dashboard.web.view import UNREAD
from table.i18n import isolated, running_text, tile_name
from table.runtime.access_point import open_access_point
from table.runtime.clock import local_day, local_time
from vision.art import ALL_FACES, STICK_VALUES, face_svg, stick_svg

PHONES: Final = "tachiai.phones"
"""The application's key for the function that finds the address for phones."""
CLIPS: Final = "tachiai.clips"
"""The application's key for the folder of clips, if there is one."""
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")


def blueprint() -> Blueprint:
    """Returns the routes of pictures, of the invitation and of the language; adds what every template uses."""
    pages = Blueprint("pages", __name__)
    for function in (lost_seat, only_watches):
        pages.app_template_global()(function)
    for filter_function in (with_whole_dates, local_day, local_time, isolated, running_text, tile_words):
        pages.app_template_filter()(filter_function)

    @pages.get("/invite")
    def invite() -> str | BaseResponse:
        if not visitor().may_act:
            return redirect(url_for("join.choose"))
        return rendered_page("web/invite.html", join=invitation_address())

    @pages.get("/language/<language>")
    def speak(language: str) -> BaseResponse:
        if not choose_language(language):
            abort(404)
        return redirect(url_for("table_page.index"))

    _add_pictures(pages)
    return pages


def _add_pictures(pages: Blueprint) -> None:
    """Adds the pictures of tiles, sticks and QR codes."""

    @pages.get("/tile/<face>.svg")
    def tile(face: str) -> Response:
        if face not in (*ALL_FACES, UNREAD):
            abort(404)
        return _picture(tile_svg(face))

    @pages.get("/stick/<int:value>.svg")
    def stick(value: int) -> Response:
        if value not in STICK_VALUES:
            abort(404)
        return _picture(stick_svg(value))

    @pages.get("/join.svg")
    def join() -> Response:
        address = invitation_address()
        if address is None:
            abort(404)
        return Response(qr_svg(address), mimetype="image/svg+xml")

    @pages.get("/wifi.svg")
    def own_wifi() -> Response:
        access_point = open_access_point()
        if access_point is None:
            abort(404)
        return Response(qr_svg(access_point.wifi_code), mimetype="image/svg+xml")


def keep_phone_address(app: Flask, find_address: Callable[[], str | None]) -> None:
    """Stores the function that returns the address for phones, or None without one; it is called each time."""
    app.extensions[PHONES] = find_address


def invitation_address() -> str | None:
    """Returns the address for other phones: the one by which this page was opened, else the network's."""
    find_address: Callable[[], str | None] = current_app.extensions.get(PHONES, lambda: None)
    return join_address(request.host_url) or find_address()


def rendered_page(template: str, *rooms: str, **fields: Any) -> str:
    """Renders a page for the visitor; texts of the catalogue's `rooms` take precedence over the common ones."""
    texts = request_texts()
    words = texts.group("page")
    for room in rooms:
        words |= texts.group(room)
    common = {
        "language": texts.language,
        "words": words,
        "set_titles": texts.group("ruleset"),
        "art": art_version(),
        "visitor": visitor(),
        "own_wifi": open_access_point(),
    }
    return render_template(template, **(common | fields))


def with_whole_dates(text: str) -> Markup:
    """Returns a text as HTML in which no line breaks within a date."""
    return Markup(_DATE.sub(r'<span class="date">\g<0></span>', str(escape(text))))  # noqa: S704 - escaped here


def tile_words(face: str) -> str:
    """Returns a tile's name in the page's language, for screen readers."""
    return tile_name(face, request_texts())


def refusal_page(sentence: str) -> str:
    """Returns the page that says why an address shows nothing, with the way back to the table."""
    return rendered_page("web/refusal.html", sentence=sentence)


@cache
def tile_svg(face: str) -> str:
    """Returns a face's picture; `unread` is a plain tile with a question mark."""
    if face == UNREAD:
        return resources.files("table.dashboard").joinpath("static", "web", "unread.svg").read_text("utf-8")
    return face_svg(face)


@cache
def art_version() -> str:
    """Returns the version of all pictures, which changes whenever one of them does."""
    drawn = "".join(tile_svg(face) for face in (*ALL_FACES, UNREAD)) + "".join(map(stick_svg, STICK_VALUES))
    return sha256(drawn.encode()).hexdigest()[:10]


def _picture(svg: str) -> Response:
    """Returns a picture, which never changes under one address: pages request it with the present `art_version`."""
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": CACHED_FOREVER})

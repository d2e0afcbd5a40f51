"""The page of the table: on a phone, and on a big screen."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, current_app

from table.dashboard.web.access.roles import access
from table.dashboard.web.base_page import invitation_address, rendered_page
from table.dashboard.web.browser_language import request_texts
from table.i18n import catalogue, languages

KEYBOARD: Final = (
    *(f"{rank}{suit}" for suit in "mps" for rank in (*range(1, 10), 0)),
    *(f"{rank}z" for rank in range(1, 8)),
)
"""The faces in the order of the page's tile keyboard: each red five after its suit."""


def blueprint() -> Blueprint:
    """Returns the routes of the table's page."""
    pages = Blueprint("table_page", __name__)

    @pages.get("/")
    def index() -> str:
        return _table(is_screen=False)

    @pages.get("/wall")
    def wall() -> str:
        return _table(is_screen=True)

    return pages


def _table(*, is_screen: bool) -> str:
    return rendered_page(
        "live/table.html",
        is_screen=is_screen,
        join=invitation_address() if is_screen else None,
        is_full=access().holders.is_full,
        has_pin=access().vault.has_pin,
        names=request_texts().group("tile"),
        keyboard=KEYBOARD,
        has_camera="camera" in current_app.blueprints,
        languages={language: catalogue(language).text("page.language") for language in languages()},
    )

"""Puts the dashboard together: one Flask application around one table."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from flask import Flask

from table.dashboard import api, pages, security, stream
from table.dashboard.rendering import Rendering
from table.presses import Press
from table.snapshot import Board

MAX_BODY = 16 * 1024
"""Bytes of the largest request: a press with a hand in it is far smaller."""


def create_app(board: Board, inbox: Callable[[Press], None]) -> Flask:
    """Builds the application.

    Args:
        board: where the snapshots come from.
        inbox: takes each press; raises `PressError` for what cannot be done now.
    """
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=secrets.token_hex(32),
        SESSION_COOKIE_NAME="tachiai",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        MAX_CONTENT_LENGTH=MAX_BODY,
    )
    rendering = Rendering()
    streams = stream.Streams()
    security.protect(app)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(api.blueprint(board, inbox, rendering))
    app.register_blueprint(stream.blueprint(board, streams, rendering))
    app.extensions[stream.EXTENSION] = streams
    return app

"""Puts the dashboard together: one Flask application around one table."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from flask import Flask

from table.dashboard import (
    api,
    deeds,
    entrance,
    evening,
    fouls,
    hands,
    pages,
    rule_pages,
    rule_sets,
    security,
    staff,
    stream,
    tenhou_pages,
    watching_again,
)
from table.dashboard.answers import Taken
from table.dashboard.desk import Desk
from table.dashboard.hands import Faces
from table.dashboard.library import Library
from table.dashboard.rendering import Rendering
from table.dashboard.vault import Vault
from table.snapshot import Board

MAX_BODY = 16 * 1024
"""Bytes of the largest request: a press with a hand in it is far smaller."""


def create_app(
    board: Board, desk: Desk, vault: Vault | None = None, rules: Path | None = None, faces: Faces | None = None
) -> Flask:
    """Builds the application.

    Args:
        board: where the snapshots come from.
        desk: takes what people do.
        vault: the table's secrets; without one they end with the program.
        faces: reads photos of hands; without it they are refused.
        rules: where rule sets are kept; without one in the user's configuration folder.
    """
    vault = vault or Vault()
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=vault.key,
        SESSION_COOKIE_NAME="tachiai",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=31),
        MAX_CONTENT_LENGTH=MAX_BODY,
    )
    rule_sets.keep_in(app, rules)
    rendering, taken = Rendering(), Taken()
    streams = stream.Streams()
    pages.art_version()  # draws every tile once, before the first phone asks
    security.protect(app)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(entrance.blueprint(board, vault))
    app.register_blueprint(api.blueprint(board, desk, taken, rendering))
    library = Library(desk)
    app.register_blueprint(evening.blueprint(board, desk, library))
    app.register_blueprint(watching_again.blueprint(library))
    app.register_blueprint(tenhou_pages.blueprint(library))
    app.register_blueprint(deeds.blueprint(board, desk, taken))
    app.register_blueprint(hands.blueprint(board, faces))
    app.register_blueprint(fouls.blueprint(board))
    app.register_blueprint(rule_pages.blueprint(board, desk, taken, rules))
    app.register_blueprint(staff.blueprint(board, streams))
    app.register_blueprint(stream.blueprint(board, streams, rendering))
    app.extensions[stream.EXTENSION] = streams
    return app

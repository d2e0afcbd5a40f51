"""The table as JSON."""

from __future__ import annotations

import json

from flask import Blueprint, Response, jsonify

from table.dashboard.live.view_cache import ViewCache
from table.dashboard.web.access.roles import visitor
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import token
from table.game.snapshot import Board
from table.records.contracts import contract


def blueprint(board: Board, rendering: ViewCache) -> Blueprint:
    """Returns the routes under ``/api`` for the table itself."""
    api = Blueprint("api", __name__, url_prefix="/api")

    @api.get("/table")
    def table() -> Response:
        return Response(rendering.table(board.latest, request_texts()), mimetype="application/json")

    @api.get("/openapi.json")
    def openapi() -> Response:
        text = json.dumps(contract("openapi.json"), ensure_ascii=False, indent=1)
        return Response(f"{text}\n", mimetype="application/json")

    @api.get("/session")
    def session() -> Response:
        who = visitor()
        return jsonify(token=token(), role=who.role.value, seat=None if who.seat is None else int(who.seat))

    return api

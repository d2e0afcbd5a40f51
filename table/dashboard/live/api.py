"""The table as JSON, and presses from phones."""

from __future__ import annotations

import json
from dataclasses import replace

from flask import Blueprint, Response, jsonify

from table.dashboard.live.view_cache import Rendering
from table.dashboard.web.answers import Answer, Taken, answered, body_of, failed
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.clause_names import is_clause
from table.dashboard.web.roles import Role, visitor
from table.dashboard.web.security import token
from table.dashboard.web.table_port import Desk
from table.game.presses import UNNAMED_FOUL, PressKind, parse_press
from table.game.snapshot import Board
from table.records.contracts import contract
from table.runtime.table_errors import PressError


def blueprint(board: Board, desk: Desk, taken: Taken, rendering: Rendering) -> Blueprint:
    """Returns the routes under ``/api`` for the table itself and its presses."""
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

    @api.post("/press")
    def press() -> Answer:
        body = body_of(Role.SEAT)
        if isinstance(body, tuple):
            return body
        texts = request_texts()
        try:
            read = replace(parse_press(body.fields), by=body.visitor.by)
        except PressError as error:
            return failed(error, 400)
        if not read.is_for_phones:
            return failed(
                f"expected a press that one phone may send, got {read.kind.value!r}: name the foul instead", 403
            )
        if read.kind is PressKind.WAIT and read.seat is not body.visitor.seat:
            return failed("expected the seat itself to tell its wait, got another one", 403)
        if read.kind is PressKind.NAME_FOUL and not is_clause(
            clause := read.clause or UNNAMED_FOUL, board.latest, texts
        ):
            return failed(PressError(f"expected a clause, got {clause!r}", says="clause", clause=clause), 409)
        return answered(taken, body.mark, lambda: desk.press(read), read.kind.value)

    return api

"""The table as JSON, and presses from phones."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, Response, jsonify, request

from table.dashboard.language import request_texts
from table.dashboard.rendering import Rendering
from table.dashboard.security import has_token, token
from table.errors import PressError
from table.presses import Press, parse_press
from table.snapshot import Board

REMEMBERED: Final = 256
"""How many presses are remembered, so that one sent again over a bad network counts once."""
Answer = tuple[Response, int]


def blueprint(board: Board, inbox: Callable[[Press], None], rendering: Rendering) -> Blueprint:
    """Returns the routes under ``/api`` but for the stream."""
    api = Blueprint("api", __name__, url_prefix="/api")
    taken = Taken()

    @api.get("/table")
    def table() -> Response:
        return Response(rendering.table(board.latest, request_texts()), mimetype="application/json")

    @api.get("/session")
    def session() -> Response:
        return jsonify(token=token())

    @api.post("/press")
    def press() -> Answer:
        if not has_token():
            return _error("expected this page's token, got none or an old one: load the page again", 403)
        data = request.get_json(silent=True)
        if not isinstance(data, dict):
            return _error(f"expected a press as a JSON object, got {request.mimetype or 'nothing'!r}", 400)
        return _take(data, inbox, taken)

    return api


class Taken:
    """Remembers the marks of the presses that were taken: each counts once."""

    def __init__(self) -> None:
        self._marks: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def once(self, mark: str, act: Callable[[], None]) -> bool:
        """Acts unless this mark acted before; returns whether it did. What raises is not remembered."""
        with self._lock:
            if mark in self._marks:
                return False
            act()
            self._marks[mark] = None
            if len(self._marks) > REMEMBERED:
                self._marks.popitem(last=False)
            return True


def _take(data: dict[str, Any], inbox: Callable[[Press], None], taken: Taken) -> Answer:
    mark = data.get("mark")
    if mark is not None and (not isinstance(mark, str) or not 8 <= len(mark) <= 64):
        return _error(f"expected mark as a text of 8 to 64 letters, got {mark!r}", 400)
    try:
        press = parse_press(data)
    except PressError as error:
        return _error(str(error), 400)
    try:
        if mark is None:
            inbox(press)
        else:
            taken.once(mark, lambda: inbox(press))
    except PressError as error:
        return _error(str(error), 409)
    except TimeoutError:
        return _error("expected the table to take the press in, got no answer in time: press again", 503)
    return jsonify(taken=press.kind.value), 202


def _error(message: str, status: int) -> Answer:
    return jsonify(error=message), status

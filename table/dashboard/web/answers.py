"""The common handling of POST requests: the sender, the token, the mark, and the answer."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from flask import Flask, Response, abort, jsonify, request
from werkzeug.exceptions import HTTPException

from table.dashboard.web.access.roles import Role, Visitor, visitor
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.request_environ import BODY_REFUSED
from table.dashboard.web.security import has_token, is_token, keeps_cookies, token
from table.i18n import Catalogue, tile_name
from table.records.formats.json_kind import json_kind
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError, JournalError, PressError
from vision.json_text import read_json

MARKS_PER_SENDER: Final = 64
"""Number of requests remembered per sender, so that one repeated over a bad network counts once."""
SENDERS: Final = 256
"""Number of senders whose requests are remembered, the latest."""
YAKU_REFUSALS: Final = ("yaku", "yaku_han", "yaku_twice")
"""Refusals whose `name` is that of a yaku; in all others it is a person's, and quoted as entered."""
IMPOSSIBLE: Final = "impossible"
"""The text used if no other is known."""
TEXT_BY_STATUS: Final[Mapping[int, str]] = {
    400: "unreadable",
    403: "owner",
    404: "gone",
    405: "unreadable",
    408: "no_answer",
    411: "unreadable",
    413: "too_large",
    415: "unreadable",
    500: "no_answer",
    503: "no_answer",
}
"""The texts used for the status of an answer if no other is known."""
Answer = tuple[Response, int]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """The content of an accepted POST request."""

    fields: Mapping[str, Any]
    visitor: Visitor
    mark: str | None
    """Identifies the request, so that it counts once; None if it may be repeated."""


class Refusal(HTTPException):
    """A refused request: what was expected, the status of the answer, and the name of the text ``refused.SAYS``."""

    def __init__(self, reason: str, status: int, says: str) -> None:
        super().__init__(reason)
        self.reason, self.code, self.says = reason, status, says


class _Sender:
    """The marks of one sender, and a lock that is held while it acts."""

    def __init__(self) -> None:
        self.marks: OrderedDict[str, None] = OrderedDict()
        self.lock = threading.Lock()


class SeenRequests:
    """Remembers the marks of accepted requests by sender, so that nobody displaces another's marks. Thread-safe.

    One sender's requests are carried out one after the other, and wait for nobody else's.
    """

    def __init__(self) -> None:
        self._senders: OrderedDict[str, _Sender] = OrderedDict()
        self._lock = threading.Lock()

    def act_once(self, sender: str, mark: str, act: Callable[[], None]) -> bool:
        """Calls `act` unless this sender's mark was accepted before; returns whether it was called.

        If `act` raises an error, the mark is not remembered.
        """
        with self._lock:
            state = self._senders.setdefault(sender, _Sender())
            self._senders.move_to_end(sender)
            if len(self._senders) > SENDERS:
                self._senders.popitem(last=False)
        with state.lock:
            if mark in state.marks:
                return False
            act()
            state.marks[mark] = None
            if len(state.marks) > MARKS_PER_SENDER:
                state.marks.popitem(last=False)
            return True


def check_right(role: Role) -> None:
    """Aborts a request without a token, or from a visitor with less than `role`, with the answer that says so."""
    who = visitor()
    check_token(is_sent=has_token())
    if not who.may_act:
        refuse("expected somebody who sits at the table: join with a seat first", 403, says="seat_none")
    if role is Role.OWNER and not who.is_owner:
        refuse("expected the owner of the table for this", 403, says="owner")


def check_form() -> None:
    """Aborts with 403 unless the form that was sent contains this browser's token."""
    check_token(is_sent=is_token(request.form.get("token", "")))


def check_token(*, is_sent: bool) -> None:
    """Aborts with 403 unless this browser's token is sent: the page is out of date, or its browser keeps no cookies."""
    if not is_sent:
        says = "old_page" if keeps_cookies() else "no_cookie"
        refuse("expected this page's token, got none or an old one: reload the page", 403, says=says)


def check_owner() -> None:
    """Aborts with 403 unless the visitor is the owner."""
    if not visitor().is_owner:
        abort(403)


def check_owner_form() -> None:
    """Aborts with 403 unless the owner sent a form with this browser's token; others' forms are not read at all."""
    check_owner()
    check_form()


def body_of(role: Role) -> RequestBody:
    """Reads a POST request that requires at least `role`; aborts a refused one with the answer that says why."""
    check_right(role)
    data = json_body()
    if not isinstance(data, dict):
        refuse(f"expected a JSON object, got {body_kind()}", 400, says="unreadable")
    mark = data.get("mark")
    if mark is not None and (not isinstance(mark, str) or not 8 <= len(mark) <= 64):
        refuse(f"expected mark as a text of 8 to 64 letters, got {mark!r}", 400, says="unreadable")
    return RequestBody(fields=data, visitor=visitor(), mark=mark)


def body_kind() -> str:
    """Returns what a request contains instead of a JSON object, for a message."""
    if not request.is_json:
        return repr(request.mimetype or "nothing")
    try:
        return json_kind(read_json(request.get_data()))
    except ValueError:
        return "a text that is no JSON"


def json_body() -> object:
    """Returns the present request's JSON; None if it has none, or it is unreadable."""
    try:
        return read_json(request.get_data()) if request.is_json else None
    except ValueError:
        return None


def act_and_answer(seen_requests: SeenRequests, mark: str | None, act: Callable[[], None], name: str) -> Answer:
    """Calls `act`, once per mark, and returns the answer.

    Raises:
        TimeoutError: the table did not answer in time; `answer_errors` answers for it.
    """
    try:
        if mark is None:
            act()
        else:
            seen_requests.act_once(token(), mark, act)
    except PressError as error:
        return refusal_answer(error, 409)
    return jsonify(taken=name), 202


def refusal_answer(reason: str | Exception, status: int, *, says: str = "") -> Answer:
    """Returns the answer to a refused request: what was expected as `error`, and the text for players as `said`.

    Args:
        reason: what was expected and what was found, for programs and logs.
        status: the status of the answer.
        says: the name of the text ``refused.SAYS``, if the exception has none itself.
    """
    general = says or TEXT_BY_STATUS.get(status, IMPOSSIBLE)
    error = reason if isinstance(reason, Exception) else None
    return jsonify(error=str(reason), said=refusal_text(error, request_texts(), general)), status


def refuse(reason: str, status: int, *, says: str) -> NoReturn:
    """Aborts the request; programs get the answer of `refusal_answer`, browsers a page with the text for players."""
    raise Refusal(reason, status, says)


def refusal_text(error: BaseException | None, texts: Catalogue, general: str = IMPOSSIBLE) -> str:
    """Returns why something was refused, in words of the game; ``refused.GENERAL`` if the error has no text."""
    while error is not None:
        if isinstance(error, PressError | RulesError) and error.says:
            return refusal_sentence(error.says, error.values, texts)
        if isinstance(error, ConfigError) and isinstance(error.__cause__, OSError):
            return texts.text("refused.unwritable")
        error = error.__cause__
    return texts.text(f"refused.{general}")


def refusal_sentence(says: str, values: Mapping[str, object], texts: Catalogue) -> str:
    """Returns the sentence ``refused.SAYS`` with its values in words: tiles and yaku by their names."""
    words = {name: _in_words(name, value, texts) for name, value in values.items()}
    if says in YAKU_REFUSALS and isinstance(name := values.get("name"), str):
        words["name"] = texts.name("yaku", name)
    return texts.text(f"refused.{says}", **words)


def answer_errors(app: Flask, page: Callable[[str], str]) -> None:
    """Answers errors in words for players: a browser that asked for a page gets one, other requests of data get JSON.

    This includes a body that the server refused, a journal that cannot be read, and a table that does not answer in
    time.

    Args:
        app: the application.
        page: returns the page that shows a sentence.
    """

    @app.before_request
    def refuse_body() -> None:
        if (refused_body := request.environ.get(BODY_REFUSED)) is not None:
            status, reason = refused_body
            refuse(reason, status, says=TEXT_BY_STATUS[status])

    @app.errorhandler(HTTPException)
    def answer_error(error: HTTPException) -> HTTPException | tuple[Response | str, int]:
        if error.response is not None or error.code is None:
            return error
        says = error.says if isinstance(error, Refusal) else TEXT_BY_STATUS.get(error.code, IMPOSSIBLE)
        if _is_for_data():
            return refusal_answer(error.reason if isinstance(error, Refusal) else error, error.code, says=says)
        if not _is_browser():
            return error
        says = "no_cookie" if error.code == 403 and not keeps_cookies() else says
        return page(refusal_text(None, request_texts(), says)), error.code

    @app.errorhandler(JournalError)
    def answer_unread_journal(error: JournalError) -> tuple[Response | str, int]:
        _log.warning("%s cannot be shown: %s", request.path, error)
        return unavailable_answer(error, "unread")

    @app.errorhandler(TimeoutError)
    def answer_timeout(_: TimeoutError) -> tuple[Response | str, int]:
        return unavailable_answer("expected an answer from the table, got none in time: try again", "no_answer")

    def unavailable_answer(reason: str | Exception, says: str) -> tuple[Response | str, int]:
        if _is_for_data():
            return refusal_answer(reason, 503, says=says)
        sentence = request_texts().text(f"refused.{says}")
        return page(sentence) if _is_browser() else Response(f"{sentence}\n", mimetype="text/plain"), 503


def _is_for_data() -> bool:
    """Returns whether the answer is for a program: any under ``/api``, or a JSON file that no browser opened itself."""
    return request.path.startswith("/api/") or (request.path.endswith(".json") and not _is_browser())


def _is_browser() -> bool:
    return request.headers.get("Accept", "").startswith("text/html")


def _in_words(name: str, value: object, texts: Catalogue) -> object:
    if name == "tile":
        return tile_name(str(value), texts)
    if name == "tiles" and isinstance(value, tuple):
        return texts.list_text(tile_name(str(tile), texts) for tile in value)
    return value

"""What people do to the game from their phones: tell a result, edit, undo, swap seats, name people, begin a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, jsonify

from table.dashboard.scores.result_preview import outcome_view, values_view
from table.dashboard.web.answers import Answer, Taken, answered, body_of, failed
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.roles import Role, Visitor
from table.dashboard.web.ruleset_choice import chosen_rules
from table.dashboard.web.table_port import Desk
from table.game.game_commands import (
    Act,
    CallTime,
    Edit,
    EndGame,
    NameSeats,
    OpenGame,
    Redo,
    Reseat,
    Tell,
    Undo,
    read_names,
    read_order,
    read_result,
    read_seat,
)
from table.game.presses import read_number, read_text
from table.game.snapshot import Board
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import PressError

MOST_HANDS: Final = 999
MOST_ACTS: Final = 2**53
Fields = Mapping[str, Any]


def blueprint(board: Board, desk: Desk, taken: Taken) -> Blueprint:
    """Returns the routes of what people do; `taken` remembers what counted already."""
    deeds = Blueprint("deeds", __name__, url_prefix="/api")

    @deeds.get("/values")
    def values() -> Response:
        return jsonify(values_view(board.latest.ruleset, request_texts()))

    @deeds.post("/preview")
    def preview() -> Answer:
        body = body_of(Role.SEAT)
        if isinstance(body, tuple):
            return body
        snapshot = board.latest
        act = _reading(lambda: _told(body.fields, body.visitor, is_edit="edit" in body.fields))
        if not isinstance(act, Tell | Edit):
            return failed(act if isinstance(act, PressError) else str(act), 400)
        try:
            state = desk.preview(act)
        except PressError as error:
            return failed(error, 409)
        return jsonify(outcome_view(act, state, snapshot.game, snapshot.ruleset, request_texts())), 200

    for name, (role, read) in DEEDS.items():
        deeds.add_url_rule(f"/{name}", name, _deed(desk, taken, role, read), methods=["POST"])
    return deeds


def _deed(desk: Desk, taken: Taken, role: Role, read: Callable[[Fields, Visitor], Act]) -> Callable[[], Answer]:
    def deed() -> Answer:
        body = body_of(role)
        if isinstance(body, tuple):
            return body
        act = _reading(lambda: read(body.fields, body.visitor))
        if isinstance(act, PressError):
            return failed(act, 400)
        return answered(taken, body.mark, lambda: desk.act(act), type(act).__name__.lower())

    return deed


def _reading(read: Callable[[], Act]) -> Act | PressError:
    try:
        return read()
    except PressError as error:
        return error
    except RulesError as error:
        return PressError(str(error), says=error.says, **error.values)


def _told(fields: Fields, visitor: Visitor, *, is_edit: bool = False) -> Tell | Edit:
    result, hand = read_result(fields.get("result")), read_number("hand", fields.get("hand"), MOST_HANDS)
    game = None if fields.get("game") is None else read_number("game", fields["game"], MOST_ACTS)
    if is_edit:
        return Edit(result=result, hand=hand, game=game, why=read_text("why", fields.get("why")), by=visitor.by)
    return Tell(result=result, hand=hand, game=game, by=visitor.by)


def _edit(fields: Fields, visitor: Visitor) -> Act:
    return _told(fields, visitor, is_edit=True)


def _undo(fields: Fields, visitor: Visitor) -> Act:
    act = read_number("act", fields.get("act"), MOST_ACTS)
    return Undo(act=act, why=read_text("why", fields.get("why")), by=visitor.by)


def _redo(fields: Fields, visitor: Visitor) -> Act:
    return Redo(act=read_number("act", fields.get("act"), MOST_ACTS), by=visitor.by)


def _reseat(fields: Fields, visitor: Visitor) -> Act:
    return Reseat(order=read_order(fields.get("order")), why=read_text("why", fields.get("why")), by=visitor.by)


def _name(fields: Fields, visitor: Visitor) -> Act:
    return NameSeats(names=read_names(fields.get("names")), by=visitor.by)


def _end(fields: Fields, visitor: Visitor) -> Act:
    return EndGame(why=read_text("why", fields.get("why")), by=visitor.by)


def _time(_: Fields, visitor: Visitor) -> Act:
    return CallTime(by=visitor.by)


def _open(fields: Fields, visitor: Visitor) -> Act:
    rules = fields.get("rules")
    return OpenGame(
        names=read_names(fields.get("names") or ["", "", "", ""]),
        first_dealer=read_seat(fields.get("first_dealer", 0)),
        ruleset=None if rules is None else chosen_rules(rules),
        by=visitor.by,
    )


DEEDS: Final[Mapping[str, tuple[Role, Callable[[Fields, Visitor], Act]]]] = {
    "tell": (Role.SEAT, _told),
    "edit": (Role.SEAT, _edit),
    "undo": (Role.SEAT, _undo),
    "redo": (Role.SEAT, _redo),
    "seats": (Role.SEAT, _reseat),
    "names": (Role.SEAT, _name),
    "game": (Role.OWNER, _open),
    "end": (Role.OWNER, _end),
    "time": (Role.OWNER, _time),
}
"""What may be posted, by whom, and how it is read."""

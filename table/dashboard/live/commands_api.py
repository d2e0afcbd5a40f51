"""The API for commands from phones: about the hand, the game and its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from flask import Blueprint, Response, jsonify

from table.dashboard.scores.result_preview import outcome_view, values_view
from table.dashboard.web.access.command_rights import least_role, refusal
from table.dashboard.web.access.roles import Role, access, answers_for_table
from table.dashboard.web.access.seat_names import check_command_names, with_next_names
from table.dashboard.web.answers import Answer, RequestBody, SeenRequests, act_and_answer, body_of, refusal_answer
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.clause_names import is_clause
from table.dashboard.web.ruleset_choice import read_with_rules
from table.dashboard.web.table_port import TablePort
from table.game.commands import game_commands as commands
from table.game.commands.command_reader import read_command, read_press
from table.game.commands.confirm_keys import outcome_key
from table.game.commands.game_commands import UNNAMED_FOUL, Command, JournalCommand, Press
from table.game.journal.authors import TABLE
from table.game.snapshot import Board, Snapshot
from table.runtime.table_errors import PressError

ADDRESSES: Final[Mapping[str, type[JournalCommand]]] = {
    "tell": commands.DeclareResult,
    "edit": commands.EditResult,
    "undo": commands.Undo,
    "redo": commands.Redo,
    "seats": commands.Reseat,
    "names": commands.NameSeats,
    "game": commands.OpenGame,
    "end": commands.EndGame,
    "season": commands.CountInSeason,
    "time": commands.CallTime,
    "adjust": commands.AdjustPoints,
}
"""The address of each command about the journal, under ``/api``."""

_VOTES: Final = (commands.NameFoul, commands.AgreeToFoul)
"""Commands that count as a person's vote; they record the phone from which they come."""


def blueprint(board: Board, port: TablePort, seen_requests: SeenRequests) -> Blueprint:
    """Returns the routes of commands; `seen_requests` remembers those that have already counted."""
    routes = Blueprint("commands", __name__, url_prefix="/api")

    @routes.get("/values")
    def values() -> Response:
        return jsonify(values_view(board.latest.ruleset, request_texts()))

    @routes.post("/preview")
    def preview() -> Answer:
        body = body_of(least_role(commands.DeclareResult))
        command: commands.DeclareResult | commands.EditResult
        try:
            if "edit" in body.fields:
                command = read_command(commands.EditResult, body.fields, by=body.visitor.by)
            else:
                command = read_command(commands.DeclareResult, body.fields, by=body.visitor.by)
        except PressError as error:
            return refusal_answer(error, 400)
        try:
            snapshot, after = port.preview(command)
        except PressError as error:
            return refusal_answer(error, 409)
        opened_by = snapshot.opened_by if command.game is None else command.game
        key = outcome_key(snapshot.game, after.state, command.hand, opened_by, snapshot.seating)
        view = outcome_view(command, after, snapshot, request_texts())
        return jsonify(view | {"key": key}), 200

    def route(address: str, role: Role, read: Callable[[RequestBody], Command]) -> None:
        def post() -> Answer:
            return _command_answer(body_of(role), read, board, port, seen_requests)

        routes.add_url_rule(f"/{address}", address, post, methods=["POST"])

    route("press", Role.SEAT, partial(_press, board))
    for address, kind in ADDRESSES.items():
        read = partial(_open_game, board) if kind is commands.OpenGame else partial(_journal_command, kind)
        route(address, least_role(kind), read)
    return routes


def _press(board: Board, body: RequestBody) -> Press:
    press = replace(read_press(body.fields), by=body.visitor.by)
    if isinstance(press, commands.AgreeToFoul) and answers_for_table(board.latest.ruleset.penalties):
        return replace(press, by=TABLE)
    return replace(press, phone=body.visitor.phone) if isinstance(press, _VOTES) else press


def _journal_command(kind: type[JournalCommand], body: RequestBody) -> JournalCommand:
    return read_with_rules(kind, body.fields, body.visitor.by)


def _open_game(board: Board, body: RequestBody) -> commands.OpenGame:
    """Reads the opening of a game; if its names are null, it is played by those who sit at the table now."""
    fields = body.fields
    if "names" in fields and fields["names"] is None:
        fields = {**fields, "names": list(with_next_names(board.latest).names)}
    return read_with_rules(commands.OpenGame, fields, body.visitor.by)


def _command_answer(
    body: RequestBody,
    read: Callable[[RequestBody], Command],
    board: Board,
    port: TablePort,
    seen_requests: SeenRequests,
) -> Answer:
    """Reads a command, checks the right to give it, and carries it out."""
    try:
        command = replace(read(body), mark=body.mark or "")
    except PressError as error:
        return refusal_answer(error, 400)
    if prohibition := refusal(command, body.visitor, board.latest.mode):
        return refusal_answer(prohibition, 403)
    if isinstance(command, commands.NameFoul):
        clause = command.clause or UNNAMED_FOUL
        if not is_clause(clause, board.latest, request_texts()):
            return refusal_answer(PressError(f"expected a clause, got {clause!r}", says="clause", clause=clause), 409)

    def act() -> None:
        _check_shown_hand(body.fields.get("shown"), board.latest)
        if not isinstance(command, commands.NameSeats | commands.OpenGame):
            port.handle(command)
            return
        with access().naming_lock:
            check_command_names(command, board.latest.names)
            port.handle(command)

    return act_and_answer(seen_requests, body.mark, act, command.word)


def _check_shown_hand(shown_hand: object, snapshot: Snapshot) -> None:
    """Checks the hand that the phone showed, as ``[game, hand]``; None if the phone did not name it.

    Raises:
        PressError: another hand is being played: a slow network delayed the press, or the phone's view of the table.
    """
    present = [snapshot.opened_by, len(snapshot.game.history)]
    if shown_hand is not None and shown_hand != present:
        raise PressError(
            f"expected a press about the game and hand {present}, got one about {shown_hand}", says="faster"
        )

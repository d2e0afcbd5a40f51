"""The page for fouls: suspicions, possible fouls, consequences, confirmation. Commands are posted to `/api/press`."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, jsonify, request

from table.dashboard.foul_pages.foul_view import foreseen_view, fouls_view
from table.dashboard.live.tournament_law import is_silent, open_snapshot
from table.dashboard.web.access.roles import Visitor, answers_for_table, visitor
from table.dashboard.web.answers import Answer, refusal_answer
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.game.snapshot import Board, Mode, Snapshot
from table.rules.events import FoulLogged
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS


def blueprint(board: Board) -> Blueprint:
    """Returns the routes of the page and its data."""
    routes = Blueprint("fouls", __name__)

    @routes.get("/fouls")
    def page() -> str:
        return rendered_page("foul_pages/fouls.html", "fouls")

    @routes.get("/api/fouls")
    def fouls() -> Response:
        """Returns the page's content; `?hand=0` for an earlier hand than the current one."""
        who, snapshot = visitor(), _readable(board)
        may_read = partial(_may_read_suspicion, who, snapshot.mode)
        texts, is_alone = request_texts(), answers_for_table(snapshot.ruleset.penalties)
        view = fouls_view(snapshot, texts, _requested_hand(), may_read=may_read, is_alone=is_alone)
        naming = texts.text("fouls.record" if who.is_owner else "fouls.name")
        return jsonify(view | {"you": who.by, "may_act": who.may_act, "naming": naming})

    @routes.get("/api/fouls/foreseen")
    def foreseen() -> Answer:
        """Returns what a foul entails: `?seat=1&clause=7-05-01&option=b&fact=deliberate&fact=exposed%3D3&hand=2`."""
        snapshot, hand = _readable(board), _requested_hand()
        seat = request.args.get("seat", type=int)
        if seat is None or not 0 <= seat <= 3:
            return refusal_answer(
                f"expected a seat from 0 to 3, got {request.args.get('seat')!r}", 400, says="unreadable"
            )
        try:
            event = FoulLogged(
                seat=SEATS[seat],
                clause=request.args.get("clause", ""),
                option=request.args.get("option") or None,
                facts=tuple(request.args.getlist("fact")),
                hand=snapshot.game.on_table if hand is None else hand,
            )
            return jsonify(foreseen_view(snapshot, event, request_texts())), 200
        except RulesError as error:
            return refusal_answer(error, 400)

    return routes


def _readable(board: Board) -> Snapshot:
    """Returns the table as the visitor may see it: at a tournament only the owner sees what can be derived."""
    snapshot = board.latest
    return open_snapshot(snapshot) if is_silent(snapshot) and not visitor().is_owner else snapshot


def _requested_hand() -> int | None:
    """Returns the requested hand of the game; None if the request names none."""
    return request.args.get("hand", type=int)


def _may_read_suspicion(who: Visitor, mode: Mode, is_for_staff: bool) -> bool:
    """Returns whether the visitor may see a suspicion: players see most of them, at a tournament only the staff."""
    return who.is_owner or (who.may_act and mode is not Mode.TOURNAMENT and not is_for_staff)

"""The page of the game: ranking, report, score sheet downloads, players, seats, a new game."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.game_forms import FORMS, Form, entry_number
from table.dashboard.games.game_view import ranking_view, report_view, season_view
from table.dashboard.live.table_view import seats_view
from table.dashboard.scores.adjustments import adjustments_view, end_view
from table.dashboard.scores.changeovers import changeovers_view
from table.dashboard.scores.later_hands import consequences_view
from table.dashboard.scores.result_preview import next_text
from table.dashboard.scores.score_text import sheet_view, tie_text
from table.dashboard.scores.scorekeeping import changes_view, early_end_text, ended_early_text
from table.dashboard.scores.sheet_export import as_csv, as_json, as_svg
from table.dashboard.web.access.command_rights import may_adjust, refusal
from table.dashboard.web.access.roles import Visitor, access, visitor
from table.dashboard.web.access.seat_names import (
    check_command_names,
    is_running,
    refused_seats,
    with_next_names,
    with_present_names,
)
from table.dashboard.web.answers import check_form, refusal_text, refuse
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.downloads import csv_separator, file_response
from table.dashboard.web.ruleset_choice import read_with_rules, ruleset_names
from table.dashboard.web.security import token
from table.dashboard.web.table_port import TablePort
from table.dashboard.web.view import View
from table.game.commands.confirm_keys import changed_seats, points_key, seats_key, swap_key
from table.game.commands.game_commands import JournalCommand, OpenGame, Reseat
from table.game.journal.history.game_history import GameHistory
from table.game.journal.history.game_summary import figures_of
from table.game.journal.history.kept_hands import numbers_after
from table.game.snapshot import Board, Snapshot
from table.i18n import isolated
from table.rules.state import GameState
from table.rules.terms.seats import SEATS, Seat
from table.runtime.clock import local_day
from table.runtime.table_errors import PressError


def blueprint(board: Board, port: TablePort, archive: GameArchive) -> Blueprint:
    """Returns the routes of the game page and its downloads."""
    pages = Blueprint("game_page", __name__)

    @pages.get("/game")
    def game() -> str:
        return _page(board, archive)

    @pages.post("/game")
    def change() -> BaseResponse | tuple[str, int]:
        form_name, who = request.form.get("do", ""), visitor()
        if form_name not in FORMS:
            abort(400)
        check_form()
        if not who.may_act:
            refuse("expected somebody who sits at the table: join with a seat first", 403, says="seat_none")
        try:
            question = _carry_out(form_name, who, board, port)
        except PressError as error:
            reason = refusal_text(error, request_texts()) or str(error)
            return _page(board, archive, refusal=reason, refused=refused_seats(error, request.form)), 409
        if question is not None:
            return _page(board, archive, question=question), 409
        return redirect(url_for("game_page.game"))

    @pages.get("/game/<int:number>")
    def past(number: int) -> str:
        return _past_page(archive, number)

    @pages.get("/games")
    def games() -> str:
        return _all_games_page(archive)

    @pages.get("/game/<int:number>/sheet.<style>")
    def sheet(number: int, style: str) -> Response:
        game = archive.find(number) if style in WRITERS else None
        if game is None:
            abort(404)
        found, _ = game
        mimetype, write = WRITERS[style]
        return file_response(write(found), mimetype, f"tachiai-{local_day(found.utc)}-{number}.{style}")

    return pages


WRITERS: Final[Mapping[str, tuple[str, Callable[[GameHistory], str]]]] = {
    "csv": ("text/csv", lambda game: as_csv(game, request_texts(), separator=csv_separator())),
    "json": ("application/json", lambda game: json.dumps(as_json(game), ensure_ascii=False)),
    "svg": ("image/svg+xml", lambda game: as_svg(game, request_texts())),
}
"""The formats of a downloaded sheet, with their writers."""
GAMES_PER_PAGE: Final = 50
"""Number of games on a page of the list of all games."""


def _carry_out(form_name: str, who: Visitor, board: Board, port: TablePort) -> View | None:
    """Carries out the command of a form; changes nothing and returns a question if people must agree to it first.

    Raises:
        PressError: the form cannot be read, or the command is not possible now.
    """
    kind, fields_of = FORMS[form_name]
    with access().naming_lock:
        snapshot = board.latest
        named_snapshot = with_next_names(snapshot) if kind is OpenGame else snapshot
        form = with_present_names(request.form, named_snapshot.names)
        command = read_with_rules(kind, fields_of(form), who.by)
        if refusal(command, who, snapshot.mode):
            abort(403)
        check_command_names(command, snapshot.names)
        _check_sure(command, snapshot.game, request.form)
        if isinstance(command, Reseat) and "sure" not in request.form:
            command = _swap_of_present(command, snapshot, request.form)
            if question := _swap_question(command, port):
                return question
        port.handle(command)
    return None


def _check_sure(command: JournalCommand, game: GameState, form: Form) -> None:
    """Checks that whoever starts a game has confirmed that this ends the game being played.

    Raises:
        PressError: nobody confirmed it.
    """
    if isinstance(command, OpenGame) and is_running(game) and "sure" not in form:
        raise PressError("expected the end of the game being played to be confirmed, got no word", says="game_running")


def _swap_of_present(swap: Reseat, snapshot: Snapshot, form: Form) -> Reseat:
    """Returns a swap of seats with the key of the present game: it is refused if a hand is settled meanwhile.

    Raises:
        PressError: the page showed other people at the seats.
    """
    if form.get("seats", "") not in ("", seats_key(snapshot.opened_by, snapshot.seating)):
        raise changed_seats()
    return replace(swap, seen=swap_key(snapshot.game, snapshot.opened_by, snapshot.seating))


def _swap_question(command: Reseat, port: TablePort) -> View | None:
    """Returns what a swap of seats changes in settled hands, for people to agree to; None if it changes nothing there.

    Raises:
        PressError: the swap would be refused.
    """
    snapshot, after = port.preview(command)
    people = [isolated(seat["player"]) or seat["name"] for seat in seats_view(snapshot, request_texts())]
    numbers = numbers_after(snapshot.hand_ends, after.hand_ends)
    found = consequences_view(snapshot.game, after.state, request_texts(), people, numbers=numbers, order=command.order)
    if not found["hands"] and after.state.is_over == snapshot.game.is_over:
        return None
    seated = [people[command.order.index(seat)] for seat in SEATS]
    return found | {"seen": command.seen, "next": next_text(after.state, snapshot.ruleset, request_texts(), seated)}


def _past_page(archive: GameArchive, number: int) -> str:
    found = archive.find(number)
    if found is None:
        abort(404)
    texts, (game, _) = request_texts(), found
    return rendered_page(
        "games/past.html",
        game=game,
        ranking=ranking_view(game, texts),
        ended_early=ended_early_text(game.end_reason, game.state, texts),
        tie=tie_text(game.state, game.ruleset, texts, game.names),
        report=report_view(figures_of(game), texts),
        has_needless=figures_of(game).needless > 0,
        hands=sheet_view(game.state.history, texts, game.state.adjustments),
        between=[
            *changeovers_view(game.hand_names, game.names, texts),
            *adjustments_view(game.state, texts, game.names, all_names_then=game.adjustment_names),
            *end_view(game.state, texts, game.names),
        ],
    )


def _all_games_page(archive: GameArchive) -> str:
    before = entry_number(request.args, "before")
    games = archive.past_games(limit=GAMES_PER_PAGE + 1, before=before)
    return rendered_page(
        "games/games.html",
        details=request_texts().text("season.details"),
        season=season_view(archive.season()) if before is None else [],
        past=games[:GAMES_PER_PAGE],
        older=games[GAMES_PER_PAGE - 1].number if len(games) > GAMES_PER_PAGE else None,
    )


def _adjustable_values(snapshot: Snapshot) -> View | None:
    """Returns the values that can be corrected by hand; None once the game is over."""
    game = snapshot.game
    start = game.present_start
    if start is None:
        return None
    entered = request.form if request.form.get("do") == "adjust" else {}
    return {
        "hand": len(game.history),
        "scores": game.scores,
        "sticks": game.deposits,
        "honba": start.honba,
        "entered": entered,
        "seen": points_key(game, snapshot.seating),
    }


def _page(
    board: Board, archive: GameArchive, *, refusal: str = "", refused: Sequence[Seat] = (), question: View | None = None
) -> str:
    texts, snapshot, games = request_texts(), board.latest, archive.overview()
    return rendered_page(
        "games/game.html",
        token=token(),
        refusal=refusal,
        refused=refused,
        question=question,
        entered=request.form,
        game=games.last,
        ranking=ranking_view(games.last, texts),
        ended_early=early_end_text(snapshot, texts),
        tie=tie_text(games.last.state, games.last.ruleset, texts, games.last.names),
        report=report_view(figures_of(games.last), texts),
        has_needless=max(figures_of(games.last).needless, games.evening.figures.needless) > 0,
        evening=report_view(games.evening.figures, texts) if games.evening.games > 1 else [],
        changes=changes_view(snapshot, texts),
        opened_by=snapshot.opened_by,
        seats_key=seats_key(snapshot.opened_by, snapshot.seating),
        has_pin=access().vault.has_pin,
        is_running=is_running(snapshot.game),
        adjusting=_adjustable_values(snapshot) if may_adjust(visitor().role, snapshot.mode) else None,
        may_call_time=not snapshot.game.is_over and snapshot.game.ends_after is None,
        is_time_up=not snapshot.game.is_over and snapshot.game.ends_after is not None,
        last_hand=snapshot.ruleset.time_signal,
        season=season_view(games.season),
        past=games.past_games,
        unread=games.unread,
        roster=games.names,
        seats=seats_view(snapshot, texts),
        next_seats=seats_view(with_next_names(snapshot), texts),
        rules=ruleset_names(),
    )

"""A finished hand, event by event, drawn as on the table's page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from flask import Blueprint, Response, abort, jsonify, url_for

from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.tenhou_download import viewer_address
from table.dashboard.games.watch_rights import check_may_watch
from table.dashboard.live.table_view import table_view
from table.dashboard.scores.hand_end_view import hand_end_view
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.view import View
from table.game.journal.fold import FoldedGame
from table.game.journal.history.game_history import hand_steps
from table.game.snapshot import Board, Snapshot
from table.i18n import Catalogue

CHANGING_KEYS: Final = ("version", "centre", "seats", "news", "ending")
"""The parts that change from one event to the next; the others are sent once."""


def blueprint(archive: GameArchive, board: Board) -> Blueprint:
    """Returns the page of a finished hand and its steps; `board` provides the current game and mode."""
    pages = Blueprint("hand_replay", __name__)

    @pages.get("/hand/<int:number>")
    @pages.get("/game/<int:game>/hand/<int:number>")
    def page(number: int, game: int | None = None) -> str:
        found = archive.find(game)
        if found is None or number >= len(found[0].state.history):
            abort(404)
        check_may_watch(board.latest, found[0].number)
        return rendered_page(
            "games/hand_replay.html",
            number=number,
            game=found[0].number,
            is_played=game is None,
            back=url_for("table_page.index" if game is None else "game_page.past", number=game),
            viewer=viewer_address(*found, number),
        )

    @pages.get("/api/hands/<int:number>")
    @pages.get("/api/games/<int:game>/hands/<int:number>")
    def steps(number: int, game: int | None = None) -> Response:
        found = archive.find(game)
        steps = () if found is None else hand_steps(found[1], number)
        if found is None or not steps:
            abort(404)
        check_may_watch(board.latest, found[0].number)
        history, mode = found[0], board.latest.mode
        names = history.names_in(number)
        snapshot = Snapshot(version=0, game=history.state, names=names, ruleset=history.ruleset, mode=mode)
        return jsonify(steps_view(steps, snapshot, request_texts()))

    return pages


def steps_view(steps: Sequence[FoldedGame], snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns what the page shows at each step of one hand, and once what stays the same.

    Only the hand's own announcements are shown, since the journal's last ones may be about the hand before.
    """
    hand = steps[0].hand
    views = [
        table_view(_snapshot_at(step, hand, number, snapshot), texts) for number, step in enumerate(steps, start=1)
    ]
    views[-1] |= _declared_ending(steps[-1], snapshot, texts)
    return {
        "base": {**views[-1], "sheet": [], "graph": [], "final": None},
        "steps": [{key: view[key] for key in CHANGING_KEYS} for view in views],
    }


def _declared_ending(last: FoldedGame, snapshot: Snapshot, texts: Catalogue) -> View:
    """Returns the end of a hand whose result people declared together with its tiles; empty for any other hand.

    A hand that was followed by the table shows its tiles at the step at which the win was claimed.
    """
    hand = last.state.hand
    if hand is None or not hand.claims or not any(hand.shown_hands) or hand.discards:
        return {}
    return {"ending": hand_end_view(hand, snapshot.ruleset, texts, snapshot.names)}


def _snapshot_at(step: FoldedGame, hand: int, version: int, snapshot: Snapshot) -> Snapshot:
    hand_items = [item for item in step.announcements if item.hand == hand]
    announcements = tuple(replace(item, evidence=()) for item in hand_items[-8:])
    is_over = step.state.hand is not None and step.state.live is None
    game = replace(step.state, next_start=None) if is_over else step.state  # the next hand is not part of this replay
    return replace(snapshot, version=version, game=game, announcements=announcements)

"""Games and hands as tenhou.net/6 JSON: to download, or to open in its viewer on the internet."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from flask import Blueprint, Response, abort

from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.watch_rights import check_may_watch
from table.dashboard.web.answers import refuse
from table.game.journal.entries import Entry
from table.game.journal.history.game_history import GameHistory
from table.game.snapshot import Board
from table.records.formats.game_record import GameRecord
from table.records.formats.missing_pickups import with_every_turn
from table.records.mjai.from_journal.journal_record import hand_of_record, record_of
from table.records.tenhou.tenhou6_writer import VIEWER, write_tenhou6
from table.runtime.clock import local_day
from table.runtime.table_errors import RecordError


def blueprint(archive: GameArchive, board: Board) -> Blueprint:
    """Returns the routes for downloads and viewer links; `board` provides the current game and mode."""
    tenhou = Blueprint("tenhou", __name__)

    @tenhou.get("/game/<int:game>/tenhou6.json")
    @tenhou.get("/game/<int:game>/hand/<int:number>/tenhou6.json")
    def download(game: int, number: int | None = None) -> Response:
        found = archive.find(game)
        if found is None or (number is not None and number >= len(found[0].state.history)):
            abort(404)
        check_may_watch(board.latest, found[0].number)
        return _download(*found, number)

    return tenhou


def _download(game: GameHistory, entries: Sequence[Entry], number: int | None) -> Response:
    try:
        text = as_tenhou6(game, entries, number)
    except RecordError as error:
        refuse(str(error), 409, says="no_tenhou")
    suffix = game.number if number is None else f"{game.number}-{number + 1}"
    name = f'attachment; filename="tachiai-{local_day(game.utc)}-{suffix}.json"'
    return Response(text, mimetype="application/json", headers={"Content-Disposition": name})


def as_tenhou6(game: GameHistory, entries: Sequence[Entry], number: int | None) -> str:
    """Returns a game, or one finished hand of it, in the viewer's format.

    Raises:
        RecordError: no hand was played, or the journal cannot be expressed in this format.
    """
    record = replace(record_of(entries), names=game.names)
    return _as_text(record if number is None else _hand(record, game, number))


def _hand(record: GameRecord, game: GameHistory, number: int) -> GameRecord:
    """Returns one finished hand of a record, with those who played it."""
    return hand_of_record(replace(record, names=game.names_in(number), hand_names=()), number, game.state.history)


def _as_text(record: GameRecord) -> str:
    return json.dumps(write_tenhou6(with_every_turn(record)), ensure_ascii=False, separators=(",", ":"))


def viewer_addresses(game: GameHistory, entries: Sequence[Entry]) -> tuple[str | None, list[str | None]]:
    """Returns the viewer's address for a game and for each of its hands; None if the format cannot express one."""
    count = len(game.state.history)
    try:
        record = replace(record_of(entries), names=game.names)
    except RecordError:
        return None, [None] * count
    hands = [_address(partial(_hand, record, game, number)) for number in range(count)]
    return _address(lambda: record), hands


def _address(get_record: Callable[[], GameRecord]) -> str | None:
    try:
        return VIEWER + quote(_as_text(get_record()))
    except RecordError:
        return None


def viewer_address(game: GameHistory, entries: Sequence[Entry], number: int) -> str | None:
    """Returns the viewer's address for a finished hand; None if the format cannot express it."""
    try:
        return VIEWER + quote(as_tenhou6(game, entries, number))
    except RecordError:
        return None

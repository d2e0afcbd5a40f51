"""Offers a game as one page to download; the owner's copy includes the pictures of saved clips."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard.games.archive.game_archive import GameArchive
from table.dashboard.games.game_file import FlagPicture, as_html
from table.dashboard.games.watch_rights import check_may_watch
from table.dashboard.web.access.roles import visitor
from table.dashboard.web.base_page import CLIPS
from table.dashboard.web.browser_language import request_texts
from table.game.snapshot import Board
from table.runtime.clock import local_day


def blueprint(archive: GameArchive, board: Board) -> Blueprint:
    """Returns the route of a game's file; only the owner's copy includes pictures of flagged moments."""
    files = Blueprint("game_file", __name__)

    @files.get("/game/<int:number>/game.html")
    def download(number: int) -> Response:
        found = archive.find(number)
        if found is None:
            abort(404)
        game, entries = found
        check_may_watch(board.latest, game.number)
        text = as_html(game, entries, request_texts(), mode=board.latest.mode, pictures=_pictures())
        name = f'attachment; filename="tachiai-{local_day(game.utc)}-{number}.html"'
        return Response(text, mimetype="text/html", headers={"Content-Disposition": name})

    return files


def _pictures() -> list[FlagPicture]:
    folder: ClipFolder | None = current_app.extensions.get(CLIPS)
    if folder is None or not visitor().is_owner:
        return []
    found = ((clip.when, folder.last_picture(clip.name)) for clip in folder.clips())
    return [FlagPicture(when=when, jpeg=jpeg) for when, jpeg in found if jpeg is not None]

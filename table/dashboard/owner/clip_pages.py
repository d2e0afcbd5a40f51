"""Saving a clip of the last minutes from a phone, and the owner's list of clips with download and deletion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response, abort, redirect, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.camera.clips.clip_folder import Clip, ClipFolder
from table.dashboard.scores.scorekeeping import by_text
from table.dashboard.web.access.roles import Role, visitor
from table.dashboard.web.answers import Answer, SeenRequests, act_and_answer, body_of, refusal_answer
from table.dashboard.web.base_page import CLIPS
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue
from table.runtime.table_errors import PressError

MEGABYTE: Final = 1_000_000


def blueprint(flag: Callable[[str], object], folder: ClipFolder) -> Blueprint:
    """Returns the routes; templates call `stored_clips()` for the list.

    Args:
        flag: saves a clip for the visitor; raises `PressError` if there is nothing to save.
        folder: the folder of the clips.
    """
    clips, seen_requests = Blueprint("clips", __name__), SeenRequests()
    clips.record_once(lambda state: state.app.extensions.update({CLIPS: folder}))

    @clips.app_template_global()
    def stored_clips() -> list[View]:
        return [clip_view(clip, request_texts()) for clip in folder.clips()]

    @clips.post("/api/flag")
    def keep() -> Answer:
        """Starts saving a clip; the table announces it once it is on the disk."""
        body = body_of(Role.SEAT)

        def act() -> None:
            flag(body.visitor.by)

        return act_and_answer(seen_requests, body.mark, act, "flag")

    @clips.get("/clips/<name>.zip")
    def fetch(name: str) -> BaseResponse:
        if not visitor().is_owner:
            return redirect(url_for("join.choose"))
        pieces = folder.zipped(name)
        if pieces is None:
            abort(404)
        headers = {"Content-Disposition": f"attachment; filename=tachiai-{name}.zip"}
        return Response(pieces, mimetype="application/zip", headers=headers)

    @clips.post("/api/clips/remove")
    def remove() -> Answer:
        body = body_of(Role.OWNER)
        name = body.fields.get("name")
        if not isinstance(name, str):
            return refusal_answer(f"expected the name of a clip, got {name!r}", 400, says="unreadable")
        return act_and_answer(seen_requests, body.mark, lambda: _remove(folder, name), "remove")

    return clips


def _remove(folder: ClipFolder, name: str) -> None:
    if not folder.remove(name):
        raise PressError(f"expected the name of a stored clip, got {name!r}", says="clip_gone")


def clip_view(clip: Clip, texts: Catalogue) -> View:
    """Returns a clip's texts."""
    return {
        "name": clip.name,
        "when": clip.when.isoformat(timespec="minutes"),
        "text": texts.text(
            "page.clip",
            date=clip.when.date().isoformat(),
            at=clip.when.strftime("%H:%M"),
            seconds=round(clip.seconds),
            size=max(1, round(clip.size_bytes / MEGABYTE)),
        ),
        "by": clip.player or by_text(clip.by, NOBODY, texts),
    }

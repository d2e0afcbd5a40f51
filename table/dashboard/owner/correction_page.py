"""The owner's list of corrections that the reader learnt: each has its picture and effect, and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from flask import Blueprint, Response, abort

from table.camera.correction_learning import StoredCorrection
from table.dashboard.scores.scorekeeping import by_text
from table.dashboard.web.access.roles import Role, visitor
from table.dashboard.web.answers import Answer, SeenRequests, act_and_answer, body_of, refusal_answer
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.view import View
from table.game.journal.entries import NOBODY
from table.i18n import Catalogue
from table.i18n.announcement_text import tile_name
from vision.tilesets.corrections import State


class Corrections(Protocol):
    """What was learnt from corrections: `table.camera.correction_learning.CorrectionLearning`."""

    def corrections(self) -> Sequence[StoredCorrection]:
        """Returns every correction, newest first."""

    def picture(self, key: str) -> bytes | None:
        """Returns the picture of a corrected tile as a JPEG; None if it is not listed any more."""

    def toggle(self, key: str) -> None:
        """Forgets a correction, or learns it again.

        Raises:
            PressError: it is not listed any more.
        """


def blueprint(corrections: Corrections) -> Blueprint:
    """Returns the routes; templates call `listed_corrections()` for the list."""
    pages, seen_requests = Blueprint("corrections", __name__), SeenRequests()

    @pages.app_template_global()
    def listed_corrections() -> list[View]:
        return [correction_view(correction, request_texts()) for correction in corrections.corrections()]

    @pages.get("/taps/<key>.jpg")
    def picture(key: str) -> Response:
        jpeg = corrections.picture(key) if visitor().is_owner else None
        if jpeg is None:
            abort(404)
        return Response(jpeg, mimetype="image/jpeg")

    @pages.post("/api/taps/forget")
    def forget() -> Answer:
        body = body_of(Role.OWNER)
        key = body.fields.get("key")
        if not isinstance(key, str):
            return refusal_answer(f"expected the key of a listed correction, got {key!r}", 400, says="tap_gone")
        return act_and_answer(seen_requests, body.mark, lambda: corrections.toggle(key), "forget")

    return pages


def correction_view(stored: StoredCorrection, texts: Catalogue) -> View:
    """Returns a correction's texts."""
    correction = stored.correction
    return {
        "key": stored.key,
        "text": texts.text(
            "page.correction", told=tile_name(correction.face, texts), read=tile_name(correction.read, texts)
        ),
        "state": texts.text(f"page.correction_{correction.state.value}"),
        "is_forgotten": correction.state is State.FORGOTTEN,
        "when": correction.when,
        "by": by_text(correction.by, NOBODY, texts),
        "set": stored.set,
    }

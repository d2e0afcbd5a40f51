"""Reads the tiles of a hand from a photo that a phone sends."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from flask import Blueprint, jsonify, request

from table.camera.phone_photos import MOST_BYTES, Face
from table.dashboard.live.hand_value_api import check_may_count
from table.dashboard.web.access.roles import Role
from table.dashboard.web.answers import Answer, check_right, refusal_answer
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.concurrency_limit import ConcurrencyLimit
from table.dashboard.web.request_environ import allow_body
from table.dashboard.web.view import face_view
from table.game.snapshot import Board
from table.i18n import Catalogue
from table.runtime.table_errors import PressError, TachiaiError
from vision.errors import VisionError

MOST_PHOTO: Final = MOST_BYTES + 1024
"""Bytes of the request that uploads a photo."""
MOST_WAITING: Final = 2
"""Limit of photos that wait while one is read."""

Faces = Callable[[bytes], Sequence[Face]]
"""Reads a photo; raises `TachiaiError` if it is not one, `VisionError` if the models cannot be used."""
_log = logging.getLogger(__name__)


def blueprint(board: Board, faces: Faces | None) -> Blueprint:
    """Returns the route that reads photos; without `faces`, they are refused."""
    photos = Blueprint("hand_photos", __name__, url_prefix="/api")
    limit = ConcurrencyLimit(1 + MOST_WAITING)

    @photos.post("/photo")
    def photo() -> Answer:
        check_right(Role.SEAT)
        check_may_count(board.latest)
        if faces is None:
            return _unreadable("expected a table that can read photos, got one without its models")
        if limit.is_full:
            return _too_many()
        allow_body(MOST_PHOTO)
        texts = request_texts()
        with limit.enter() as has_entered:
            if not has_entered:
                return _too_many()
            try:
                found = faces(request.get_data())
            except TachiaiError as error:
                return refusal_answer(error, 400, says="photo")
            except VisionError as error:
                _log.warning("a photo cannot be read: %s", error)
                return _unreadable(error)
        return jsonify(tiles=[_face(tile, texts) for tile in found[:20]]), 200

    return photos


def _unreadable(reason: str | Exception) -> Answer:
    """Returns the answer of a table that cannot read any photo, since its models are missing or damaged."""
    return refusal_answer(reason, 409, says="no_photos")


def _too_many() -> Answer:
    message = f"expected at most {MOST_WAITING} photos to wait while one is read, got another one: send it again"
    return refusal_answer(PressError(message, says="photos_wait"), 503)


def _face(face: Face, texts: Catalogue) -> dict[str, Any]:
    alternatives = [face_view(tile, texts) | {"to": tile} for tile, _ in face.alternatives[:3]]
    return face_view(face.tile, texts) | {"to": face.tile, "score": face.score, "alternatives": alternatives}

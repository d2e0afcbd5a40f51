"""The camera's own view with what it understood. Whoever makes the pictures keeps standing hands out of them."""

from __future__ import annotations

from typing import Protocol

from flask import Blueprint, Response, abort

from table.dashboard.web.base_page import rendered


class PictureSource(Protocol):
    """What has looked at the table. Standing hands are in none of its pictures."""

    def picture(self) -> bytes | None:
        """The latest view as a JPEG; None while nothing has been seen."""

    def tile_picture(self, number: int) -> bytes | None:
        """One lying tile, by the felt's id, as a JPEG; None where it does not lie there."""


def blueprint(pictures: PictureSource) -> Blueprint:
    """Returns the page of the camera and its pictures."""
    camera = Blueprint("camera", __name__)

    @camera.get("/camera")
    def page() -> str:
        return rendered("camera.html")

    @camera.get("/camera.jpg")
    def view() -> Response:
        return _jpeg(pictures.picture())

    @camera.get("/camera/<int:number>.jpg")
    def tile(number: int) -> Response:
        return _jpeg(pictures.tile_picture(number))

    return camera


def _jpeg(seen: bytes | None) -> Response:
    if seen is None:
        abort(404)
    return Response(seen, mimetype="image/jpeg")

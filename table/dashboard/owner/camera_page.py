"""The camera's view with its readings. The source of the pictures masks standing hands."""

from __future__ import annotations

from typing import Protocol

from flask import Blueprint, Response, abort

from table.dashboard.web.base_page import rendered_page


class PictureSource(Protocol):
    """A source of the table's pictures. None of them shows standing hands."""

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG; None while nothing has been seen."""

    def tile_picture(self, number: int) -> bytes | None:
        """Returns one lying tile, by its id on the felt, as a JPEG; None if it is not there."""


def blueprint(pictures: PictureSource) -> Blueprint:
    """Returns the page of the camera and its pictures."""
    camera = Blueprint("camera", __name__)

    @camera.get("/camera")
    def page() -> str:
        return rendered_page("owner/camera.html")

    @camera.get("/camera.jpg")
    def view() -> Response:
        return _jpeg(pictures.picture())

    @camera.get("/camera/<int:number>.jpg")
    def tile(number: int) -> Response:
        return _jpeg(pictures.tile_picture(number))

    return camera


def _jpeg(jpeg: bytes | None) -> Response:
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")

"""The camera's own view with what it understood. Whoever makes the pictures keeps standing hands out of them."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, render_template

from table.dashboard.language import request_texts

Picture = Callable[[], bytes | None]
"""Gives the latest view as a JPEG; None while nothing has been seen."""


def blueprint(picture: Picture) -> Blueprint:
    """Returns the page of the camera and its picture."""
    camera = Blueprint("camera", __name__)

    @camera.get("/camera")
    def page() -> str:
        texts = request_texts()
        return render_template("camera.html", language=texts.language, words=texts.under("page"))

    @camera.get("/camera.jpg")
    def view() -> Response:
        seen = picture()
        if seen is None:
            abort(404)
        return Response(seen, mimetype="image/jpeg")

    return camera

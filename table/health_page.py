"""The appliance's health for browsers: as JSON, and everything in one download for who helps."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify

from table.health import Health, bundle
from table.logbook import Logbook

SHOWN = 50
"""Lines of the log in the JSON; the download has all that are kept."""


def health_page(told: Callable[[], Health], logbook: Logbook) -> Blueprint:
    """Returns the routes ``/api/health`` and ``/health.zip``.

    Args:
        told: how the appliance is now.
        logbook: its last log lines; no player's name is in them.
    """
    pages = Blueprint("health", __name__)

    @pages.get("/api/health")
    def health() -> Response:
        return jsonify({**told(), "log": logbook.lines[-SHOWN:]})

    @pages.get("/health.zip")
    def download() -> Response:
        headers = {"Content-Disposition": "attachment; filename=tachiai-health.zip"}
        return Response(bundle(told(), logbook.lines), mimetype="application/zip", headers=headers)

    return pages

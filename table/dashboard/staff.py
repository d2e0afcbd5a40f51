"""What only the owner reads: verdicts, suspicions, what fits no more, and how the table runs."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.keeping import changes_view
from table.dashboard.language import request_texts
from table.dashboard.roles import Role, visitor
from table.dashboard.stream import Streams
from table.dashboard.views import announced_view, dealing_in, hand_dealer
from table.rules.announcements import Scope
from table.snapshot import Board, Snapshot
from table.translations import Catalogue

View = dict[str, Any]
FOR_STAFF = (Scope.STAFF.value, Scope.VERDICT.value)
RECENT = 12
"""Announcements and changes that the page lists."""


def blueprint(board: Board, streams: Streams) -> Blueprint:
    """Returns the page; whoever is not the owner is led to the entrance."""
    staff = Blueprint("staff", __name__)

    @staff.get("/staff")
    def page() -> str | BaseResponse:
        if visitor().role is not Role.OWNER:
            return redirect(url_for("entrance.choose"))
        texts = request_texts()
        return render_template(
            "staff.html",
            language=texts.language,
            words=texts.under("page"),
            staff=staff_view(board.latest, streams.count, texts),
        )

    return staff


def staff_view(snapshot: Snapshot, phones: int, texts: Catalogue) -> View:
    """Returns what the staff reads, the newest first."""
    dealer = hand_dealer(snapshot)
    told = [said for said in snapshot.said if said["scope"] in FOR_STAFF][-RECENT:]
    return {
        "told": [announced_view(said, dealing_in(said, snapshot.game, dealer), texts) for said in reversed(told)],
        "unfit": list(snapshot.unfit),
        "doubts": len(snapshot.doubts),
        "camera": texts.text(f"page.camera_{snapshot.camera.value}"),
        "mode": texts.text(f"mode.{snapshot.mode.value}"),
        "rules": snapshot.ruleset.name,
        "phones": phones,
        "changes": changes_view(snapshot, texts)[:RECENT],
    }

"""The owner's page: verdicts, suspicions, contradictions, and the state of the appliance."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.live.event_stream import Streams
from table.dashboard.live.news_view import announcement_view, dealer_of, names_then
from table.dashboard.live.table_view import hand_dealer
from table.dashboard.scores.scorekeeping import changes_view
from table.dashboard.web.access.pin_choice import PinError, pin_typed_twice
from table.dashboard.web.access.roles import change_owners_pin, visitor
from table.dashboard.web.answers import check_owner_form, refusal_sentence, refusal_text
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.ruleset_choice import ruleset_title
from table.dashboard.web.security import token
from table.dashboard.web.view import View
from table.game.snapshot import Board, Snapshot
from table.i18n import Catalogue
from table.rules.terms.announcements import Scope

FOR_STAFF = (Scope.STAFF, Scope.VERDICT)
RECENT_LINES = 12
"""Limit of announcements and changes on the page."""


def blueprint(board: Board, streams: Streams) -> Blueprint:
    """Returns the page; visitors other than the owner are redirected to the page for joining."""
    staff = Blueprint("staff", __name__)

    @staff.get("/staff")
    def page() -> str | BaseResponse:
        if not visitor().is_owner:
            return redirect(url_for("join.choose"))
        return staff_html(is_changed="changed" in request.args)

    @staff.get("/staff/pin")
    def reopen() -> BaseResponse:
        """Redirects to the page, for a browser that reopens the address of a refused form."""
        return redirect(url_for("staff.page"))

    @staff.post("/staff/pin")
    def change() -> BaseResponse | tuple[str, int]:
        """Changes the owner's PIN; this phone stays signed in, all others have to enter the new PIN."""
        check_owner_form()
        try:
            change_owners_pin(request.form.get("present", ""), pin_typed_twice(request.form))
        except PinError as error:
            return staff_html(refusal=refusal_text(error, request_texts())), 403
        return redirect(url_for("staff.page", changed=""))

    def staff_html(*, refusal: str = "", is_changed: bool = False) -> str:
        view = staff_view(board.latest, streams.count, request_texts())
        return rendered_page("owner/staff.html", staff=view, token=token(), refusal=refusal, is_changed=is_changed)

    return staff


def staff_view(snapshot: Snapshot, phones: int, texts: Catalogue) -> View:
    """Returns the staff's messages, newest first."""
    dealer = hand_dealer(snapshot)
    announcements = [item for item in snapshot.announcements if item.announcement.scope in FOR_STAFF][-RECENT_LINES:]
    return {
        "told": [
            announcement_view(item, dealer_of(item, snapshot.game, dealer), texts, names=names_then(item, snapshot))
            for item in reversed(announcements)
        ],
        "unfit": [refusal_sentence(entry.says or "unfit", entry.values, texts) for entry in snapshot.rejected_entries],
        "doubts": len(snapshot.doubts),
        "camera": texts.text(f"page.camera_{snapshot.camera.value}"),
        "mode": texts.text(f"mode.{snapshot.mode.value}"),
        "rules": ruleset_title(snapshot.ruleset.name, texts),
        "phones": phones,
        "changes": changes_view(snapshot, texts)[:RECENT_LINES],
    }

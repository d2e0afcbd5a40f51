"""The broadcast pages with their data, and the owner's page that lists their addresses."""

from __future__ import annotations

import json
from hashlib import sha256
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.broadcast.broadcast_access import (
    BroadcastChoice,
    choice,
    keep_choice,
    key,
    new_key,
    opens_waits,
)
from table.dashboard.broadcast.broadcast_view import broadcast_view
from table.dashboard.broadcast.overlay_query import ALL, PARTS, PLACES, Overlay, OverlayError, read_overlay
from table.dashboard.broadcast.past_snapshots import MOST_DELAY_S, PastSnapshots
from table.dashboard.web.access.roles import access, visitor
from table.dashboard.web.answers import check_owner_form, refuse
from table.dashboard.web.base_page import art_version, rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import token
from table.i18n import Catalogue, catalogue
from table.runtime.table_errors import ConfigError
from table.runtime.whole_number import whole_number


def blueprint(past_snapshots: PastSnapshots) -> Blueprint:
    """Returns the pages; `past_snapshots` provides earlier states of the table."""
    pages = Blueprint("broadcast", __name__, url_prefix="/broadcast")

    @pages.app_template_global()
    def are_waits_broadcast() -> bool:
        return choice(access().vault).shares_waits

    @pages.get("")
    def overview() -> str | BaseResponse:
        if not visitor().is_owner:
            return redirect(url_for("join.choose"))
        return _overview()

    @pages.post("")
    def choose() -> BaseResponse | tuple[str, int]:
        check_owner_form()
        try:
            if "new" in request.form:
                new_key(access().vault)
            else:
                keep_choice(access().vault, _form_choice())
        except ConfigError:
            return _overview(is_unwritten=True), 409
        return redirect(url_for("broadcast.overview"), 303)

    @pages.get("/state.json")
    def state() -> Response:
        """Returns the state to show; 204 if it is the one already `seen`, or none is old enough yet."""
        try:
            overlay, vault = read_overlay(ALL, request.args), access().vault
        except OverlayError as error:
            refuse(str(error), 400, says="unreadable")
        snapshot = past_snapshots.before(max(overlay.delay_s, choice(vault).delay_s))
        if snapshot is None:
            return Response(status=204)
        view = broadcast_view(snapshot, _texts(overlay), with_waits=opens_waits(vault, overlay.key))
        shown = {**view, "version": None}  # versions begin anew at each start, and count what nobody sees
        seen = sha256(json.dumps(shown).encode()).hexdigest()[:16]
        if request.args.get("seen") == seen:
            return Response(status=204)
        view["seen"] = seen
        return Response(json.dumps(view, ensure_ascii=False), mimetype="application/json")

    @pages.get("/<part>")
    def part_page(part: str) -> str:
        overlay = _overlay(part)
        texts = _texts(overlay)
        cells = {place: [each for each, at in overlay.parts.items() if at == place] for place in PLACES}
        words, art = texts.group("page"), art_version()
        return render_template(
            "broadcast/overlay.html", overlay=overlay, cells=cells, words=words, language=texts.language, art=art
        )

    return pages


def _overview(*, is_unwritten: bool = False) -> str:
    """Returns the owner's page; if the disk refused the choice or the key, they apply until the next start."""
    vault = access().vault
    try:
        secret = key(vault)
    except ConfigError:
        secret, is_unwritten = key(vault), True
    return rendered_page(
        "broadcast/overview.html",
        "broadcast",
        addresses=[(part, _address(part, secret)) for part in (ALL, *PARTS)],
        chosen=choice(vault),
        most_delay=MOST_DELAY_S,
        token=token(),
        refusal=request_texts().text("refused.device_unwritten") if is_unwritten else "",
    )


def _overlay(part: str) -> Overlay:
    """Reads the request's address; aborts the request with what was expected if that fails."""
    try:
        return read_overlay(part, request.args)
    except OverlayError as error:
        status = 400 if part == ALL or part in PARTS else 404
        abort(Response(f"{error}\n", status, mimetype="text/plain"))


def _texts(overlay: Overlay) -> Catalogue:
    return request_texts() if overlay.language is None else catalogue(overlay.language)


def _form_choice() -> BroadcastChoice:
    delay = whole_number(request.form.get("delay", ""), 0, MOST_DELAY_S)
    if delay is None:
        abort(400)
    return BroadcastChoice(delay_s=delay, shares_waits="waits" in request.form)


def _address(part: str, secret: str) -> str:
    return f"{url_for('broadcast.part_page', part=part, _external=True)}?{urlencode({'key': secret})}"

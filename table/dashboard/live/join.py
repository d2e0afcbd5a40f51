"""How a phone joins: a seat, a spectator, or the owner with the PIN that was chosen at the first start."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.live.table_view import seats_view
from table.dashboard.web.base_page import rendered
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.roles import Role, has_opted_in, join, opt_in, visitor
from table.dashboard.web.security import is_token, token
from table.dashboard.web.vault import PinError, Vault
from table.game.snapshot import Board, Mode
from table.rules.terms.seats import SEATS, Seat


def blueprint(board: Board, vault: Vault) -> Blueprint:
    """Returns the routes of joining."""
    pages = Blueprint("entrance", __name__)

    @pages.get("/join")
    def choose() -> str:
        return _page(board, vault)

    @pages.post("/join/hints")
    def hint() -> BaseResponse:
        if not is_token(request.form.get("token", "")):
            abort(403)
        opt_in(request.form.get("hints") == "on")
        return redirect(url_for("pages.index"))

    @pages.post("/join")
    def enter() -> BaseResponse | tuple[str, int]:
        if not is_token(request.form.get("token", "")):
            abort(403)
        role = request.form.get("role", "")
        if role not in set(Role):
            abort(400)
        try:
            _join(Role(role), vault)
        except PinError:
            return _page(board, vault, is_wrong=True), 403
        return redirect(url_for("pages.index"))

    return pages


def _join(role: Role, vault: Vault) -> None:
    if role is Role.SPECTATOR:
        join(role, None)
        return
    seat = _seat(request.form.get("seat"))
    if role is Role.OWNER:
        pin = request.form.get("pin", "")
        if vault.has_pin:
            vault.check_pin(pin, request.remote_addr or "")
        else:
            vault.set_pin(pin)
        join(role, visitor().seat)
        return
    if seat is None:
        abort(400)
    join(visitor().role if visitor().role is Role.OWNER else role, seat)


def _seat(text: str | None) -> Seat | None:
    return SEATS[int(text)] if text in ("0", "1", "2", "3") else None


def _page(board: Board, vault: Vault, *, is_wrong: bool = False) -> str:
    return rendered(
        "join.html",
        seats=seats_view(board.latest, request_texts()),
        has_pin=vault.has_pin,
        is_wrong=is_wrong,
        is_club=board.latest.mode is Mode.CLUB,
        opted_in=has_opted_in(),
        token=token(),
    )

"""Joining: as a seat, as a spectator, or as the owner by PIN; and passing a held seat to another phone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from flask import Blueprint, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from table.dashboard.live import event_stream
from table.dashboard.live.private_hints import seat_request_text
from table.dashboard.live.table_view import hand_dealer, seats_view
from table.dashboard.web.access.pin_choice import PinError
from table.dashboard.web.access.roles import (
    Role,
    access,
    enter_as_owner,
    has_opted_in,
    join_seat,
    keep_name,
    own_name,
    own_phone,
    set_hints,
    visitor,
    watch,
)
from table.dashboard.web.access.seat_holders import SeatTransfer
from table.dashboard.web.access.seat_names import (
    NAME_REFUSALS,
    check_names,
    is_running,
    name_in_finished_game,
    name_seats,
    with_new_names,
    with_next_names,
)
from table.dashboard.web.answers import check_form, refusal_text
from table.dashboard.web.base_page import rendered_page
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import token
from table.dashboard.web.view import View
from table.game.snapshot import AccessNews, Board, Mode, Snapshot
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from table.runtime.person_name import checked_name
from table.runtime.table_errors import PressError

_SEATS_MOVED: Final = "seats_moved"


def blueprint(board: Board) -> Blueprint:
    """Returns the routes of joining."""
    pages = Blueprint("join", __name__)

    @pages.get("/join")
    def choose() -> str:
        return _page(board)

    @pages.get("/join/hints")
    def reopen() -> BaseResponse:
        """Redirects to the table, for a browser that reopens the address of a refused form."""
        return redirect(url_for("table_page.index"))

    @pages.post("/join/hints")
    def hint() -> BaseResponse:
        check_form()
        set_hints(request.form.get("hints") == "on")
        return redirect(url_for("table_page.index"))

    @pages.post("/join")
    def enter() -> BaseResponse | tuple[str, int]:
        check_form()
        role = request.form.get("role", "")
        if role not in set(Role):
            abort(400)
        streams: event_stream.Streams = current_app.extensions[event_stream.EXTENSION]
        try:
            _check_seating_shown(board.latest)
            _enter(Role(role), board)
        except PressError as error:
            return _page(board, error), 403 if isinstance(error, PinError) else 409
        finally:
            streams.wake()  # the occupied seats may have changed
        return redirect(url_for("table_page.index"))

    return pages


def _seating_mark(snapshot: Snapshot) -> str:
    """Returns a mark of where the people of the game sit; entering a name does not change it."""
    return f"{snapshot.opened_by} {''.join(str(int(seat)) for seat in snapshot.seating.people)}"


def _check_seating_shown(snapshot: Snapshot) -> None:
    """Checks that the page from which a seat is chosen showed the people where they sit now.

    Raises:
        PressError: people have other seats since.
    """
    if "seat" in request.form and request.form.get("seats", "") not in ("", _seating_mark(snapshot)):
        raise PressError("expected a seat among the present ones, got one of an earlier seating", says=_SEATS_MOVED)


def _enter(role: Role, board: Board) -> None:
    """Joins according to the form.

    Raises:
        PressError: it is not possible; the page says why.
    """
    match role, request.form.get("do", ""):
        case Role.SPECTATOR, _:
            watch()
        case Role.OWNER, "":
            enter_as_owner(request.form, request.remote_addr or "")
        case Role.SEAT, "":
            _sit(_seat(), board)
        case Role.SEAT, "ask":
            _ask(_seat(), board)
        case Role.SEAT, "give":
            _announce_transfer(_seat(), _answer(is_agreed=True))
        case Role.SEAT, "keep":
            _answer(is_agreed=False)
            access().tell(AccessNews(id=AnnouncementId.SEAT_KEPT, seat=_seat()))
        case Role.SEAT, "pin":
            access().holders.choose_pin(own_phone(), request.form.get("seat_pin", ""))
        case Role.OWNER, "free" if visitor().is_owner:
            _announce_transfer(_seat(), access().holders.free(_seat()))
        case _:
            abort(400)


def _sit(seat: Seat, board: Board) -> None:
    """Takes a free seat, a seat by its PIN, or any seat as the owner; names it if the form has a name.

    Raises:
        PressError: the seat or the name is somebody else's; or the name cannot be written now, but the player has the
            seat nevertheless.
    """
    before, name = visitor().seat, checked_name(request.form.get("name", ""))
    present_names = with_next_names(board.latest).names
    new_names = _names_to_write(name, seat, before, board)
    check_names(with_new_names(present_names, new_names), present_names, twice="name_seated")
    holders, pin = access().holders, request.form.get("seat_pin", "")
    if visitor().is_owner:
        _announce_transfer(seat, holders.take_over(seat, own_phone()))
    elif pin and holders.has_pin(seat):
        _announce_transfer(seat, holders.take_by_pin(seat, own_phone(), pin, request.remote_addr or ""))
    else:
        holders.take(seat, own_phone())
    join_seat(seat)
    if name:
        with suppress(TimeoutError):  # the table is busy: the player has the seat, and may enter the name again
            _name_seats(board, seat, new_names)
        keep_name(name)


def _names_to_write(name: str, seat: Seat, before: Seat | None, board: Board) -> dict[Seat, str]:
    """Returns the names to write once a player has sat down; the same player's former seat loses its name.

    Once the game is over, so does a seat that no phone holds and that has the same person's name.
    """
    if not name:
        return {}
    present_names, person, vacated = with_next_names(board.latest).names, access().person, set[Seat]()
    if before is not None and present_names[before] in (name, own_name()):
        vacated.add(before)
    if board.latest.game.is_over:
        free = [free_seat for free_seat in SEATS if access().holders.holder_of(free_seat) is None]
        vacated |= {each for each in free if present_names[each] and person(present_names[each]) == person(name)}
    return {**dict.fromkeys(vacated, ""), seat: name}


def _name_seats(board: Board, seat: Seat, names: Mapping[Seat, str]) -> None:
    try:
        if "played" in request.form:
            name_in_finished_game(board, seat, names[seat])
        name_seats(board, names, substitute="substitute" in request.form)
    except PressError as error:
        reason = refusal_text(error, request_texts())
        raise PressError(str(error), says="seated_unnamed", why=reason) from error


def _ask(seat: Seat, board: Board) -> None:
    """Requests a held seat, and announces at the table who requests it, if the name is known."""
    own_seat = visitor().seat
    name = (
        checked_name(request.form.get("name", ""))
        or (with_next_names(board.latest).names[own_seat] if own_seat is not None else "")
        or own_name()
    )
    if name:
        keep_name(name)
    if access().holders.ask(seat, own_phone(), name):
        args: dict[str, object] = {"asker": name} if name else {}
        if name and own_seat is None:
            args["is_entered"] = True
        access().tell(AccessNews(id=AnnouncementId.SEAT_ASKED, seat=seat, args=args))


def _answer(*, is_agreed: bool) -> SeatTransfer | None:
    """Answers the request that the page showed; by now another phone may request the seat."""
    asker = request.form.get("asker", "")
    return access().holders.answer(_seat(), own_phone(), is_agreed=is_agreed, asker=asker)


def _announce_transfer(seat: Seat, transfer: SeatTransfer | None) -> None:
    if transfer is not None:
        access().tell(AccessNews(id=AnnouncementId.SEAT_TAKEN, seat=seat, args={"way": transfer.value}))


def _seat() -> Seat:
    text = request.form.get("seat")
    if text not in ("0", "1", "2", "3"):
        abort(400)
    return SEATS[int(text)]


def _page(board: Board, error: PressError | None = None) -> str:
    texts, finished = request_texts(), board.latest
    snapshot = with_next_names(finished)
    wanted_seat, seat, dealer = request.form.get("seat", ""), visitor().seat, hand_dealer(snapshot)
    is_refused = error is not None and error.says not in (*NAME_REFUSALS, _SEATS_MOVED) and "do" not in request.form
    return rendered_page(
        "live/join.html",
        seats=[
            view
            | _holder_view(SEATS[view["seat"]])
            | {
                "asks": seat_request_text(
                    access().holders.request_for(SEATS[view["seat"]]), seat, dealer, texts, snapshot.names
                )
            }
            for view in seats_view(snapshot, texts)
        ],
        own_name=request.form.get("name") or (snapshot.names[seat] if seat is not None else "") or own_name(),
        wanted_seat=wanted_seat if is_refused and request.form.get("role") == "seat" else "",
        has_pin=access().vault.has_pin,
        refusal=refusal_text(error, texts) or str(error or ""),
        refused=request.form.get("role", "") if error is not None else "",
        is_over=finished.game.is_over,
        has_nameless=finished.game.is_over and not all(finished.names),
        played="played" in request.form,
        is_club=snapshot.mode is Mode.CLUB,
        opted_in=has_opted_in(),
        substitutes="substitute" in request.form,
        may_substitute=is_running(snapshot.game) and any(snapshot.names),
        token=token(),
        seats_shown=_seating_mark(snapshot),
    )


def _holder_view(seat: Seat) -> View:
    """Returns what this phone may know of a seat: whether it is held, by which phone, whether another asks for it."""
    holders, phone = access().holders, visitor().phone
    seat_request = holders.request_for(seat)
    holder = holders.holder_of(seat)
    is_others = seat_request is not None and seat_request.phone != phone
    return {
        "is_held": holder not in (None, phone),
        "held_by": "free" if holder is None else "own" if holder == phone else "taken",
        "has_pin": holders.has_pin(seat),
        "is_asked": is_others and visitor().seat is not None,
        "asker": "" if seat_request is None else seat_request.phone,
    }

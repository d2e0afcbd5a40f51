"""Private hints of one seat about its own wait. They never appear on a common page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from table.dashboard.web.access.seat_holders import SeatRequest
from table.dashboard.web.view import View
from table.game.journal.fold import LoggedAnnouncement, Status
from table.game.snapshot import Mode, Snapshot
from table.i18n import Catalogue, announcement_sentence, seat_name, tile_name
from table.rules.state import HandState
from table.rules.terms.announcements import Scope
from table.rules.terms.seats import Seat, seat_wind
from table.rules.terms.tiles import KIND_TILES


def may_hint(mode: Mode, *, opted_in: bool) -> bool:
    """Returns whether a seat gets private hints: always at home, if it asked in a club, never at a tournament."""
    return mode is Mode.HOME or (mode is Mode.CLUB and opted_in)


def hints_view(snapshot: Snapshot, seat: Seat, texts: Catalogue, *, opted_in: bool) -> list[View]:
    """Returns the hints for this seat's own phone about the hand in play, newest first."""
    hand = snapshot.game.live
    if hand is None or not may_hint(snapshot.mode, opted_in=opted_in):
        return []
    found = {item.key: item for item in snapshot.announcements if _is_for(item, seat, len(snapshot.game.history))}
    hints = [
        {"key": item.key, "text": announcement_sentence(item.announcement, hand.dealer, texts, snapshot.names)}
        for item in reversed(found.values())
        if item.status is not Status.WITHDRAWN
    ]
    return [*_wait(hand, seat, texts), *hints]


def _is_for(item: LoggedAnnouncement, seat: Seat, hand: int) -> bool:
    return item.announcement.scope is Scope.PRIVATE and item.announcement.seat == seat and item.hand == hand


def _wait(hand: HandState, seat: Seat, texts: Catalogue) -> list[View]:
    kinds = hand.declared_waits[seat]
    if not kinds:
        return []
    tiles = texts.list_text(tile_name(KIND_TILES[kind].text, texts) for kind in sorted(kinds))
    return [{"key": f"wait {seat_wind(seat, hand.dealer).letter}", "text": texts.text("page.your_wait", tiles=tiles)}]


def with_own_seat(line: str, seat: Seat | None, *, request_text: str) -> str:
    """Adds to the table's JSON the phone's own seat, and the request for a seat that it has to answer, if any."""
    you = {"seat": None if seat is None else int(seat), "asked": request_text}
    return f'{line[:-1]},"you":{json.dumps(you, ensure_ascii=False)}}}'


def seat_request_text(
    request: SeatRequest | None, own_seat: Seat | None, dealer: Seat, texts: Catalogue, names: Sequence[str]
) -> str:
    """Returns in words who requests which seat; empty for no request."""
    if request is None:
        return ""
    key = "seat.person" if request.is_seated else "seat.named_phone"
    asker = texts.text(key, name=request.name) if request.name else texts.text("seat.other_phone")
    if request.seat is own_seat:
        return texts.text("page.asks_seat", asker=asker)
    return texts.text("page.asks_others_seat", asker=asker, seat=seat_name(request.seat, dealer, texts, names))


def with_fullness(line: str, *, is_full: bool) -> str:
    """Adds to the table's JSON whether a phone sits at every seat."""
    return f'{line[:-1]},"full":{json.dumps(is_full)}}}'


def with_hints(line: str, hints: list[View]) -> str:
    """Adds a seat's hints to the table's JSON."""
    return line if not hints else f'{line[:-1]},"hints":{json.dumps(hints, ensure_ascii=False)}}}'

"""Who a browser is: a spectator, a seat, or the owner.

Its signed cookie names its phone, and says whether it came in as the owner, by which PIN; no script can read it. Which
seat it holds, the table knows (`SeatHolders`). No clock is asked: one that was set back turns nobody out.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from flask import Flask, current_app, request, session

from table.dashboard.web.pin_choice import PinError
from table.dashboard.web.seat_holders import SeatHolders
from table.dashboard.web.security import token
from table.dashboard.web.table_port import TablePort
from table.dashboard.web.vault import Vault
from table.game.snapshot import AccessNews
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import ConfigError, PressError

ACCESS: Final = "tachiai.access"
"""Where the application keeps its `Access`."""


class Role(StrEnum):
    """What a browser may do: spectators read; seats claim, settle and correct; the owner begins and ends games too."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """One browser."""

    role: Role = Role.SPECTATOR
    seat: Seat | None = None
    """Where it sits; an owner may sit too."""
    phone: str = ""
    """Which phone it is: the same through everything that it joins as."""

    @property
    def may_act(self) -> bool:
        """Whether it may press anything."""
        return self.role is not Role.SPECTATOR

    @property
    def by(self) -> str:
        """Who it is in the journal: `owner`, `seat 2`."""
        return "owner" if self.role is Role.OWNER else "" if self.seat is None else f"seat {int(self.seat)}"


@dataclass(frozen=True, slots=True)
class Access:
    """What decides who somebody is."""

    vault: Vault
    holders: SeatHolders
    port: TablePort
    """Where everybody at the table is told of it."""
    naming: threading.Lock = field(default_factory=threading.Lock)
    """Held while a phone names players: the names of all four seats are written at once."""

    def tell(self, news: AccessNews) -> None:
        """Tells everybody at the table; a table that is busy tells it later."""
        with suppress(TimeoutError):
            self.port.tell(news)


def keep_access(app: Flask, vault: Vault, port: TablePort) -> None:
    """Says by which secrets the application knows people, and where the table is told who came."""
    app.extensions[ACCESS] = Access(vault, SeatHolders(vault), port)


def access() -> Access:
    """Returns what decides who comes to the present application."""
    found: Access = current_app.extensions[ACCESS]
    return found


def visitor() -> Visitor:
    """Returns who the present request comes from."""
    phone = _phone()
    if phone is None:
        return Visitor()
    seat = _seat(phone)
    is_owner = session.get("role") == Role.OWNER and session.get("era", 0) == access().vault.era
    role = Role.OWNER if is_owner else Role.SPECTATOR if seat is None else Role.SEAT
    return Visitor(role=role, seat=seat, phone=phone)


def has_lost_seat() -> bool:
    """Whether the present browser's seat was taken over since it last joined."""
    return access().holders.lost_by(visitor().phone) is not None


def has_opted_in() -> bool:
    """Whether the present browser asked for private hints where they are off by themselves."""
    return session.get("hints") is True


def opt_in(wanted: bool) -> None:
    """Asks for private hints, or no longer."""
    session["hints"] = wanted


def join_as_owner() -> None:
    """Makes the present browser the owner's, as long as the present PIN counts; it keeps its seat."""
    _remember(Role.OWNER, visitor().seat)


def become_owner(pin: str) -> None:
    """Makes the present browser the owner's by the table's first PIN, and tells everybody at the table.

    Raises:
        PinError: it may not be chosen, cannot be kept, or there is one already.
    """
    with _pin_written():
        access().vault.set_pin(pin)
    join_as_owner()
    access().tell(AccessNews(id=AnnouncementId.OWNER_CAME))


def change_owners_pin(present: str, pin: str) -> None:
    """Takes another PIN of the owner's; the present browser stays the owner's, all others enter the new one.

    Raises:
        PinError: the present one is wrong, or the new one may not be chosen or cannot be kept.
    """
    with _pin_written():
        access().vault.change_pin(present, pin, request.remote_addr or "")
    join_as_owner()


@contextmanager
def _pin_written() -> Iterator[None]:
    try:
        yield
    except ConfigError as error:
        raise PinError(str(error), says="pin_unwritten") from error


def join_seat(seat: Seat) -> None:
    """Remembers that the present browser sits down; an owner stays one."""
    _remember(Role.OWNER if visitor().role is Role.OWNER else Role.SEAT, seat)


def watch() -> None:
    """Makes the present browser a spectator, whose seat is free."""
    phone = own_phone()
    access().holders.leave(phone)
    _remember(Role.SPECTATOR, None)


def own_name() -> str:
    """Returns the name that the present browser's player joined by, empty for none."""
    name = session.get("name")
    return name if isinstance(name, str) else ""


def keep_name(name: str) -> None:
    """Remembers the name of the present browser's player."""
    session["name"] = name


def own_phone() -> str:
    """Returns which phone the present browser is, at its first visit too."""
    token()
    return _phone() or ""


def _remember(role: Role, seat: Seat | None) -> None:
    session.permanent = True
    session["role"] = role.value
    session["seat"] = None if seat is None else int(seat)
    session["era"] = access().vault.era


def _phone() -> str | None:
    """The phone's name: made of the token that its browser got at its first visit, and no secret."""
    known = session.get("token")
    return sha256(known.encode()).hexdigest()[:16] if isinstance(known, str) else None


def _seat(phone: str) -> Seat | None:
    """The seat that the phone holds. One that joined under an earlier program sits down where that left it."""
    holders = access().holders
    seat, asked = holders.seat_of(phone), session.get("seat")
    if seat is not None or "era" in session or not isinstance(asked, int) or not 0 <= asked < 4:
        return seat
    try:
        holders.take(SEATS[asked], phone)
    except PressError:
        return None
    return SEATS[asked]

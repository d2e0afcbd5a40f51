"""Who a browser is: a spectator, a seat, or the owner.

A signed cookie identifies the phone and contains the version of the PIN by which it became the owner's; no script can
read it. The table knows which seat it holds (`SeatHolders`). No clock is used, so that nobody is signed out when one is
set.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from flask import Flask, current_app, session

from table.dashboard.web.access.next_names import NextNames
from table.dashboard.web.access.pin_choice import PinError, pin_typed_twice
from table.dashboard.web.access.seat_holders import SeatHolders, SeatTransfer
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.security import token
from table.dashboard.web.table_port import TablePort
from table.game.journal.authors import OWNER, seated_author
from table.game.snapshot import AccessNews
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from table.runtime.person_name import normalised_name
from table.runtime.table_errors import ConfigError, PressError

ACCESS: Final = "tachiai.access"
"""The application's key for its `Access`."""


class Role(StrEnum):
    """What a browser may do: spectators read; seats claim, settle and correct; the owner also starts and ends games."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """One browser."""

    role: Role = Role.SPECTATOR
    seat: Seat | None = None
    """Its seat; an owner may have one too."""
    phone: str = ""
    """Identifies the phone, whatever it joins as."""

    @property
    def is_owner(self) -> bool:
        """Whether it is the owner's."""
        return self.role is Role.OWNER

    @property
    def may_act(self) -> bool:
        """Whether it may give commands."""
        return self.role is not Role.SPECTATOR

    @property
    def by(self) -> str:
        """Its name in the journal: `owner`, `seat 2`, `owner 2` for an owner who sits there; empty for a spectator."""
        if self.seat is None:
            return OWNER if self.is_owner else ""
        return seated_author(self.seat, is_owner=self.is_owner)


@dataclass(frozen=True, slots=True)
class Access:
    """Determines who visitors are."""

    vault: Vault
    holders: SeatHolders
    port: TablePort
    """Receives news for everybody at the table."""
    person: Callable[[str], str]
    """Returns the person who plays under a name, as the season counts people."""
    next_names: NextNames
    """The names given for the next game."""
    naming_lock: threading.Lock = field(default_factory=threading.Lock)
    """Held while a phone names players, since the names of all four seats are written at once."""

    def tell(self, news: AccessNews) -> None:
        """Informs everybody at the table; a busy table does so later."""
        with suppress(TimeoutError):
            self.port.tell(news)


def keep_access(app: Flask, vault: Vault, port: TablePort, person: Callable[[str], str] = normalised_name) -> None:
    """Gives the application its `Access`: the secrets, the table to inform, and the person who plays under a name."""
    app.extensions[ACCESS] = Access(vault, SeatHolders(vault), port, person, NextNames(vault))


def access() -> Access:
    """Returns the `Access` of the present application."""
    found: Access = current_app.extensions[ACCESS]
    return found


def visitor() -> Visitor:
    """Returns the visitor who sent the present request."""
    phone = _phone()
    if phone is None:
        return Visitor()
    seat = _seat(phone)
    is_owner = session.get("role") == Role.OWNER and session.get("era", 0) == access().vault.era
    role = Role.OWNER if is_owner else Role.SPECTATOR if seat is None else Role.SEAT
    return Visitor(role=role, seat=seat, phone=phone)


def lost_seat() -> str:
    """Returns the key of the sentence about the seat that the present browser lost since it last joined; else empty.

    Another phone has it, or another person sits there in the present game.
    """
    loss = access().holders.loss_of(visitor().phone)
    return "" if loss is None else "seat_of_another" if loss.transfer is SeatTransfer.GAME else "lost_seat"


def only_watches() -> bool:
    """Returns whether the present browser chose to be a spectator."""
    return session.get("role") == Role.SPECTATOR


def answers_for_table(rules: PenaltyRules) -> bool:
    """Returns whether the present browser may agree to a foul for everybody.

    It may if it is the only phone that holds a seat, nobody can be the owner without a PIN, and the house lets people
    decide.
    """
    is_alone = not access().vault.has_pin and access().holders.is_only(visitor().phone)
    return is_alone and rules.fouls_decided_by == "two"


def has_opted_in() -> bool:
    """Returns whether the present browser requested private hints where they are off by default."""
    return session.get("hints") is True


def set_hints(is_on: bool) -> None:
    """Turns private hints on or off for the present browser."""
    session["hints"] = is_on


def join_as_owner() -> None:
    """Makes the present browser the owner's, as long as the PIN is not changed; it keeps its seat."""
    _remember(Role.OWNER, visitor().seat)


def become_owner(pin: str) -> None:
    """Makes the present browser the owner's by setting the table's first PIN, and informs everybody at the table.

    Raises:
        PinError: the PIN is not allowed, cannot be stored, or exists already.
    """
    with _pin_written():
        access().vault.set_pin(pin)
    join_as_owner()
    access().tell(AccessNews(id=AnnouncementId.OWNER_CAME))


def enter_as_owner(form: Mapping[str, str], address: str) -> None:
    """Makes the present browser the owner's by the PIN in a form; the first owner chooses it, typed twice.

    Args:
        form: the fields `pin` and, for the first owner, `again`.
        address: where the form comes from, since wrong PINs are counted for each address.

    Raises:
        PinError: the PIN is wrong, or not allowed as a new one.
    """
    if not access().vault.has_pin:
        return become_owner(pin_typed_twice(form))
    access().vault.check_pin(form.get("pin", ""), address)
    return join_as_owner()


def change_owners_pin(present: str, pin: str) -> None:
    """Changes the owner's PIN; the present browser stays the owner's, all others must enter the new one.

    Raises:
        PinError: the present PIN is wrong, or the new one is not allowed or cannot be stored.
    """
    with _pin_written():
        access().vault.change_pin(present, pin, visitor().phone)
    join_as_owner()


@contextmanager
def _pin_written() -> Iterator[None]:
    try:
        yield
    except ConfigError as error:
        raise PinError(str(error), says="pin_unwritten") from error


def join_seat(seat: Seat) -> None:
    """Notes that the present browser has taken the seat; an owner remains the owner."""
    _remember(Role.OWNER if visitor().is_owner else Role.SEAT, seat)


def watch() -> None:
    """Makes the present browser a spectator, and frees its seat."""
    phone = own_phone()
    access().holders.leave(phone)
    _remember(Role.SPECTATOR, None)


def own_name() -> str:
    """Returns the name with which the present browser's player joined; empty for none."""
    name = session.get("name")
    return name if isinstance(name, str) else ""


def keep_name(name: str) -> None:
    """Remembers the name of the present browser's player."""
    session["name"] = name


def own_phone() -> str:
    """Returns the present browser's phone id, creating one at its first visit."""
    token()
    return _phone() or ""


def _remember(role: Role, seat: Seat | None) -> None:
    session.permanent = True
    session["role"] = role.value
    session["seat"] = None if seat is None else int(seat)
    session["era"] = access().vault.era


def _phone() -> str | None:
    """Returns the phone id, derived from the token of the browser's first visit; it is not secret."""
    token = session.get("token")
    return sha256(token.encode()).hexdigest()[:16] if isinstance(token, str) else None


def _seat(phone: str) -> Seat | None:
    """Returns the seat that the phone holds; a phone that joined under an earlier version takes its seat again."""
    holders = access().holders
    seat, seat_number = holders.seat_of(phone), session.get("seat")
    if seat is not None or "era" in session or not isinstance(seat_number, int) or not 0 <= seat_number < 4:
        return seat
    try:
        holders.take(SEATS[seat_number], phone)
    except PressError:
        return None
    return SEATS[seat_number]

"""Who a browser is: a spectator, a seat, or the owner. Its signed cookie says so; no script can read it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from flask import session

from table.rules.terms.seats import SEATS, Seat


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

    @property
    def may_act(self) -> bool:
        """Whether it may press anything."""
        return self.role is not Role.SPECTATOR

    @property
    def by(self) -> str:
        """Who it is in the journal: `owner`, `seat 2`."""
        return "owner" if self.role is Role.OWNER else "" if self.seat is None else f"seat {int(self.seat)}"


def visitor() -> Visitor:
    """Returns who the present request comes from."""
    role, seat = session.get("role"), session.get("seat")
    known = Role(role) if role in set(Role) else Role.SPECTATOR
    place = SEATS[seat] if isinstance(seat, int) and 0 <= seat < 4 else None
    return Visitor() if known is Role.SEAT and place is None else Visitor(role=known, seat=place)


def has_opted_in() -> bool:
    """Whether the present browser asked for private hints where they are off by themselves."""
    return session.get("hints") is True


def opt_in(wanted: bool) -> None:
    """Asks for private hints, or no longer."""
    session["hints"] = wanted


def join(role: Role, seat: Seat | None) -> None:
    """Makes the present browser a spectator, a seat or the owner, for a month."""
    session.permanent = True
    session["role"] = role.value
    session["seat"] = None if seat is None else int(seat)

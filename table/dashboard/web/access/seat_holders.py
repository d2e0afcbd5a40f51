"""Who holds which seat: one phone each, until it leaves or the seat is taken over in one of four ways.

A phone is one browser's session. A held seat is taken over with its holder's consent, with the PIN that its holder
chose for it, by the owner, or with the consent of the three other seats; its former holder is informed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from time import monotonic
from typing import Final

from table.dashboard.web.access.vault import Vault
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import ConfigError, PressError

ABSENCE_S: Final = 12 * 3600.0
"""How long an inactive phone keeps its seat: longer than any evening."""
REQUEST_S: Final = 180.0
"""How long a request for a seat stands: whoever still wants the seat asks again."""
MOST_LOSSES: Final = 16
"""The most phones remembered that have yet to see that they lost their seat."""
_PIN: Final = " pin"
"""The end of the name under which a seat's PIN is stored."""
_FOLLOWED: Final = "followed seating"
"""The name under which the seating is stored that the phones have followed."""
_log = logging.getLogger(__name__)


class SeatTransfer(StrEnum):
    """How a held seat came to another phone."""

    WORD = "word"
    """Its holder agreed."""
    PIN = "pin"
    """The phone knew the PIN that the holder chose."""
    OWNER = "owner"
    """The owner took it, or freed it."""
    OTHERS = "others"
    """The three other seats agreed."""
    GAME = "game"
    """A game began in which another person has the seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """A phone's request for a seat that another phone holds."""

    seat: Seat
    """The seat that it requests."""
    phone: str
    name: str = ""
    """The name of the requester; empty if unknown."""
    is_seated: bool = False
    """Whether the requester had another seat: otherwise nobody else knows whether the name is theirs."""
    since: float = 0.0
    """When it was made, in monotonic seconds."""
    agreed: frozenset[Seat] = frozenset()
    """The other seats that have agreed so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostSeat:
    """A seat that a phone held, and how it was lost."""

    seat: Seat
    transfer: SeatTransfer


class SeatHolders:
    """The four seats and their phones. Thread-safe."""

    def __init__(self, vault: Vault, clock: Callable[[], float] = monotonic) -> None:
        """Restores the seats from the end of the last run; `clock` returns monotonic seconds."""
        self._vault = vault
        self._clock = clock
        self._started_s = clock()
        self._last_active_s: dict[str, float] = {}
        self._lock = threading.Lock()
        self._requests: dict[Seat, SeatRequest] = {}
        self._losses: dict[str, LostSeat] = {}

    def holder_of(self, seat: Seat) -> str | None:
        """Returns the phone that holds a seat; None if it is free, or its phone was inactive for half a day."""
        phone = self._vault.stored_texts.get(_stored_name(seat))
        is_gone = phone is not None and self._clock() - self._last_active_s.get(phone, self._started_s) > ABSENCE_S
        return None if is_gone else phone

    @property
    def is_full(self) -> bool:
        """Whether every seat is held."""
        return all(self.holder_of(seat) is not None for seat in SEATS)

    def is_only(self, phone: str) -> bool:
        """Returns whether a phone holds a seat, and no other phone does."""
        return {self.holder_of(seat) for seat in SEATS} - {None} == {phone}

    def seat_of(self, phone: str) -> Seat | None:
        """Returns the seat that a phone holds, and notes the phone's activity."""
        stored = self._vault.stored_texts
        seat = next((seat for seat in SEATS if stored.get(_stored_name(seat)) == phone), None)
        if seat is not None:
            self._last_active_s[phone] = self._clock()
        return seat

    def has_pin(self, seat: Seat) -> bool:
        """Returns whether a seat's holder chose a PIN for it."""
        return _stored_name(seat) + _PIN in self._vault.stored_texts

    def request_for(self, seat: Seat) -> SeatRequest | None:
        """Returns the request for a held seat, if there is one that is not too old."""
        request = self._requests.get(seat)
        return None if request is None or self._clock() - request.since > REQUEST_S else request

    def request_to_answer(self, phone: str) -> SeatRequest | None:
        """Returns the request that a phone may answer, first one for its own seat.

        None if no other phone requests a seat, or the phone itself has none.
        """
        own_seat = self.seat_of(phone)
        requests = [
            request for seat in SEATS if own_seat is not None and (request := self.request_for(seat)) is not None
        ]
        requests = [request for request in requests if request.phone != phone]
        return min(requests, key=lambda request: request.seat is not own_seat, default=None)

    def loss_of(self, phone: str) -> LostSeat | None:
        """Returns the seat that was taken from a phone, until it sits or watches again."""
        return self._losses.get(phone)

    def take(self, seat: Seat, phone: str) -> None:
        """Gives a phone a free seat, and frees its former one.

        Raises:
            PressError: another phone holds it.
        """
        with self._lock:
            if self.holder_of(seat) not in (None, phone):
                says = "seat_held_pin" if self.has_pin(seat) else "seat_held"
                raise PressError("expected a free seat, got one that another phone holds", says=says)
            self._sit(seat, phone)

    def take_over(self, seat: Seat, phone: str) -> SeatTransfer | None:
        """Gives the owner's phone a seat, whoever holds it; returns `OWNER` if another phone held it, else None."""
        with self._lock:
            return self._hand_over(seat, phone, SeatTransfer.OWNER)

    def take_by_pin(self, seat: Seat, phone: str, pin: str, address: str) -> SeatTransfer | None:
        """Gives a phone the seat whose PIN it knows; returns `PIN` if another phone held it, else None.

        Raises:
            PinError: as in `Vault.check_seat_pin`.
        """
        self._vault.check_seat_pin(int(seat), pin, address)
        with self._lock:
            return self._hand_over(seat, phone, SeatTransfer.PIN)

    def choose_pin(self, phone: str, pin: str) -> None:
        """Sets the PIN with which the holder of a seat can take it with another phone; an empty one removes it.

        Raises:
            PressError: the phone holds no seat.
            PinError: the PIN is not allowed.
        """
        with self._lock:
            seat = self._held_seat(phone)
            self._store({_stored_name(seat) + _PIN: self._vault.hash_of(pin) if pin else None})

    def ask(self, seat: Seat, phone: str, name: str = "") -> bool:
        """Requests a seat that another phone holds; returns whether the request is new. A seated requester agrees.

        A phone has one request: a request for another seat takes the place of its former one.

        Args:
            seat: the seat.
            phone: the phone that requests it.
            name: the name of its player; empty if unknown.

        Raises:
            PressError: the seat is free, or somebody else requests it already.
        """
        with self._lock:
            if self.holder_of(seat) in (None, phone):
                raise PressError("expected a seat that another phone holds, got a free one", says="seat_free")
            present = self.request_for(seat)
            if present is not None and present.phone != phone:
                raise PressError("expected one phone to request a seat, got another one", says="seat_asked")
            own_seat = self.seat_of(phone)
            agreed = frozenset() if own_seat is None else frozenset({own_seat})
            self._drop_request(phone)
            self._requests[seat] = SeatRequest(
                seat=seat, phone=phone, name=name, is_seated=own_seat is not None, since=self._clock(), agreed=agreed
            )
            return present is None

    def answer(self, seat: Seat, phone: str, *, is_agreed: bool, asker: str = "") -> SeatTransfer | None:
        """Records the answer of the holder, or of another seat, to a request.

        Returns how the requester got the seat; None if the request was refused, or others still have to agree.

        Args:
            seat: the requested seat.
            phone: the phone that answers.
            is_agreed: whether it agrees.
            asker: the phone whose request it answers; empty for the one that requests the seat now.

        Raises:
            PressError: nobody, or another phone by now, requests the seat, or the answering phone has no seat.
        """
        with self._lock:
            own_seat, request = self._held_seat(phone), self.request_for(seat)
            if request is None:
                raise PressError("expected a phone that requests the seat, got none", says="seat_unasked")
            if asker not in ("", request.phone):
                raise PressError("expected the phone that requests the seat, got another", says="overtaken")
            if not is_agreed:
                del self._requests[seat]
                return None
            if own_seat is seat:
                return self._hand_over(seat, request.phone, SeatTransfer.WORD)
            self._requests[seat] = request = replace(request, agreed=request.agreed | {own_seat})
            is_enough = {other for other in SEATS if other is not seat} == self._held_consents(request)
            return self._hand_over(seat, request.phone, SeatTransfer.OTHERS) if is_enough else None

    def leave(self, phone: str) -> None:
        """Frees the seat of a phone that only watches from now on, and drops its request."""
        with self._lock:
            self._losses.pop(phone, None)
            self._drop_request(phone)
            self._free(self.seat_of(phone))

    def free(self, seat: Seat) -> SeatTransfer | None:
        """Frees a seat by the owner's decision; returns `OWNER` if a phone held it, else None."""
        with self._lock:
            holder = self._vault.stored_texts.get(_stored_name(seat))
            self._free(seat)
            if holder is None:
                return None
            self._keep_loss(holder, LostSeat(seat=seat, transfer=SeatTransfer.OWNER))
            return SeatTransfer.OWNER

    @property
    def followed_seating(self) -> str:
        """The seating that the phones have followed, as stored with their seats; empty if none was stored."""
        return self._vault.stored_texts.get(_FOLLOWED, "")

    def move(self, order: Sequence[Seat], *, freed: Sequence[Seat], followed_seating: str) -> None:
        """Moves what belongs to the phone at each seat to `order[seat]`: the seat, its PIN, requests and consents.

        The phones of the `freed` seats lose them first, and have to choose a seat again. The seating that the phones
        have followed is stored together with their seats, so that after a power cut both are old, or both are new.
        """
        with self._lock:
            for seat in freed:
                holder = self._vault.stored_texts.get(_stored_name(seat))
                self._free(seat)
                if holder is not None:
                    self._keep_loss(holder, LostSeat(seat=seat, transfer=SeatTransfer.GAME))
            stored = self._vault.stored_texts
            changes: dict[str, str | None] = {
                _stored_name(order[seat]) + suffix: stored.get(_stored_name(seat) + suffix)
                for seat in SEATS
                for suffix in ("", _PIN)
            }
            self._store({**changes, _FOLLOWED: followed_seating})
            self._requests = {
                order[seat]: replace(
                    request, seat=order[seat], agreed=frozenset(order[agreed] for agreed in request.agreed)
                )
                for seat, request in self._requests.items()
            }

    def _free(self, seat: Seat | None) -> None:
        if seat is not None:
            self._store({_stored_name(seat): None, _stored_name(seat) + _PIN: None})
            self._drop_consents(seat)

    def _keep_loss(self, phone: str, loss: LostSeat) -> None:
        self._losses[phone] = loss
        while len(self._losses) > MOST_LOSSES:
            self._losses.pop(next(iter(self._losses)))

    def _held_seat(self, phone: str) -> Seat:
        seat = self.seat_of(phone)
        if seat is None:
            raise PressError("expected somebody at the table, got a spectator", says="seat_none")
        return seat

    def _held_consents(self, request: SeatRequest) -> set[Seat]:
        """Returns the seats that agreed and are still held."""
        return {seat for seat in request.agreed if self.holder_of(seat) is not None}

    def _drop_request(self, phone: str) -> None:
        """Drops the request of a phone, if it has one."""
        self._requests = {seat: request for seat, request in self._requests.items() if request.phone != phone}

    def _drop_consents(self, seat: Seat) -> None:
        """Drops what concerned a seat's former holder: the request for the seat, and its consent to other requests."""
        self._requests.pop(seat, None)
        for requested_seat, request in list(self._requests.items()):
            self._requests[requested_seat] = replace(request, agreed=request.agreed - {seat})

    def _hand_over(self, seat: Seat, phone: str, transfer: SeatTransfer) -> SeatTransfer | None:
        holder = self.holder_of(seat)
        self._sit(seat, phone, keeps_pin=transfer is SeatTransfer.PIN)
        if holder is None or holder == phone:
            return None
        self._keep_loss(holder, LostSeat(seat=seat, transfer=transfer))
        return transfer

    def _sit(self, seat: Seat, phone: str, *, keeps_pin: bool = False) -> None:
        """Stores that a phone takes a seat and leaves its former one; the seat's PIN is dropped unless `keeps_pin`."""
        before = self.seat_of(phone)
        if before is seat:
            return
        self._losses.pop(phone, None)
        self._drop_request(phone)
        self._last_active_s[phone] = self._clock()
        changes: dict[str, str | None] = {_stored_name(seat): phone}
        if before is not None:
            changes |= {_stored_name(before): None, _stored_name(before) + _PIN: None}
            self._drop_consents(before)
        if not keeps_pin:
            changes[_stored_name(seat) + _PIN] = None
        self._store(changes)
        self._drop_consents(seat)

    def _store(self, changes: dict[str, str | None]) -> None:
        """Stores the seats; if that fails, they last while the program runs."""
        try:
            self._vault.store(changes)
        except ConfigError as error:
            _log.warning("the seats cannot be stored, and are lost when the program ends: %s", error)
        holders = {self._vault.stored_texts.get(_stored_name(seat)) for seat in SEATS}
        for phone in tuple(self._last_active_s):  # pages note active phones meanwhile, without the lock
            if phone not in holders:
                self._last_active_s.pop(phone, None)


def _stored_name(seat: Seat) -> str:
    return f"seat {int(seat)}"

"""Who holds which seat, also asked by several threads; `tests.table.dashboard.live.test_join` plays it by phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from table.dashboard.web.access.seat_holders import MOST_LOSSES, LostSeat, SeatHolders, SeatTransfer
from table.dashboard.web.access.vault import Vault
from table.rules.terms.seats import Seat


class WatchedPhone(str):
    """A phone that calls `on_look_up` each time somebody looks it up."""

    __slots__ = ("on_look_up",)
    on_look_up: Callable[[], object]

    def __hash__(self) -> int:
        self.on_look_up()
        return super().__hash__()


class WatchedVault(Vault):
    """A vault that calls `on_store` each time something was stored."""

    def __init__(self) -> None:
        super().__init__()
        self.on_store: Callable[[], object] = lambda: None

    def store(self, changes: Mapping[str, str | None]) -> None:
        super().store(changes)
        self.on_store()


def test_a_phone_that_comes_back_while_another_takes_a_seat_disturbs_nobody() -> None:
    vault, watched = WatchedVault(), WatchedPhone("watched")
    watched.on_look_up = lambda: None
    SeatHolders(vault).take(Seat.NEAR, "returning")
    holders = SeatHolders(vault)  # after a restart, when no phone has been active yet
    holders.take(Seat.RIGHT, watched)
    vault.on_store = lambda: setattr(watched, "on_look_up", lambda: holders.seat_of("returning"))
    holders.take_over(Seat.RIGHT, "owner")
    assert holders.seat_of("owner") is Seat.RIGHT


def asked_for_near() -> SeatHolders:
    """Three phones hold seats, and a fourth asks for that of the first."""
    holders = SeatHolders(Vault())
    for seat, phone in ((Seat.NEAR, "holder"), (Seat.RIGHT, "mover"), (Seat.LEFT, "third")):
        holders.take(seat, phone)
    assert holders.ask(Seat.NEAR, "asker")
    return holders


def test_the_word_of_a_phone_that_left_its_seat_is_not_that_of_who_sits_there_now() -> None:
    holders = asked_for_near()
    assert holders.answer(Seat.NEAR, "mover", is_agreed=True) is None
    holders.take(Seat.FAR, "mover")
    assert holders.answer(Seat.NEAR, "mover", is_agreed=True) is None
    holders.take(Seat.RIGHT, "fourth")
    assert holders.answer(Seat.NEAR, "third", is_agreed=True) is None, "the fourth was not asked yet"
    assert holders.seat_of("holder") is Seat.NEAR
    assert holders.answer(Seat.NEAR, "fourth", is_agreed=True) is SeatTransfer.OTHERS
    assert holders.seat_of("asker") is Seat.NEAR


def test_a_request_and_the_words_given_for_it_go_with_their_phones_to_other_seats() -> None:
    holders = asked_for_near()
    holders.answer(Seat.NEAR, "mover", is_agreed=True)
    holders.move((Seat.FAR, Seat.LEFT, Seat.NEAR, Seat.RIGHT), freed=(), followed_seating="")
    request = holders.request_for(Seat.FAR)
    assert request is not None
    assert (request.seat, request.phone, request.agreed) == (Seat.FAR, "asker", frozenset({Seat.LEFT}))
    assert holders.request_for(Seat.NEAR) is None


def test_of_phones_that_lost_their_seat_the_last_ones_are_told() -> None:
    holders = SeatHolders(Vault())
    for number in range(MOST_LOSSES + 1):
        holders.take(Seat.NEAR, f"phone {number}")
        assert holders.free(Seat.NEAR) is SeatTransfer.OWNER
    told = [holders.loss_of(f"phone {number}") for number in range(MOST_LOSSES + 1)]
    assert told == [None, *[LostSeat(seat=Seat.NEAR, transfer=SeatTransfer.OWNER)] * MOST_LOSSES]


def test_a_seat_keeps_its_pin_for_the_next_phone_of_its_holder_and_for_nobody_else() -> None:
    holders = SeatHolders(Vault())
    holders.take(Seat.NEAR, "first")
    holders.choose_pin("first", "739152")
    assert holders.take_by_pin(Seat.NEAR, "second", "739152", "address") is SeatTransfer.PIN
    assert holders.has_pin(Seat.NEAR)
    assert holders.take_over(Seat.NEAR, "owner") is SeatTransfer.OWNER
    assert not holders.has_pin(Seat.NEAR)


def test_who_takes_a_free_seat_or_the_own_one_takes_it_from_nobody() -> None:
    holders = SeatHolders(Vault())
    assert holders.take_over(Seat.NEAR, "owner") is None
    assert holders.take_over(Seat.NEAR, "owner") is None
    assert holders.loss_of("owner") is None

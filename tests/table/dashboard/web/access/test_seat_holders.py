"""Who holds which seat, asked by several threads at once; `tests.table.dashboard.live.test_join` plays it by phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from table.dashboard.web.access.seat_holders import SeatHolders
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

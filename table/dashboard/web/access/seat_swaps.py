"""Lets the phones follow a swap of seats: each stays that of its player, also if the swap is undone or redone."""

from __future__ import annotations

from table.dashboard.web.access.seat_holders import SeatHolders
from table.game.journal.entries import Reseated
from table.game.journal.history.change_history import Changes
from table.game.snapshot import Board
from table.rules.terms.seats import SEATS, Seat, four

Order = tuple[Seat, Seat, Seat, Seat]


def follow_swaps(board: Board, holders: SeatHolders) -> None:
    """Moves the phones from now on when seats are swapped in the game on the board.

    They move before any page hears of the swap. A new game, or one that is on the table again, moves nobody.
    """
    follower = _Follower(board, holders)
    board.call_on_change(follower.hear)


class _Follower:
    """The swaps that the phones have followed so far."""

    def __init__(self, board: Board, holders: SeatHolders) -> None:
        self._board, self._holders = board, holders
        self._changes, self._game = board.latest.changes, board.latest.opened_by
        self._order = swapped(self._changes)

    def hear(self) -> None:
        """Moves the phones if the newest snapshot has other swaps than the last one."""
        latest = self._board.latest
        if latest.changes is self._changes:
            return
        before, order = self._order, swapped(latest.changes)
        is_same_game = latest.opened_by == self._game
        self._changes, self._game, self._order = latest.changes, latest.opened_by, order
        if is_same_game and order != before:
            self._holders.move(four(order[before.index(seat)] for seat in SEATS))


def swapped(changes: Changes) -> Order:
    """Returns where the people are, by all swaps in force, who were entered at each seat when the game began."""
    order: Order = SEATS
    for change in changes.all:
        if isinstance(change.what, Reseated) and not change.is_undone:
            order = four(change.what.order[seat] for seat in order)
    return order

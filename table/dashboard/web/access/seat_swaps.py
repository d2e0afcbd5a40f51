"""Lets the phones follow their players: when seats are swapped, and when a game begins with people in other seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.dashboard.web.access.next_names import NextNames
from table.dashboard.web.access.seat_holders import SeatHolders
from table.game.journal.effective_events import Order
from table.game.journal.seating import Seating
from table.game.snapshot import Board
from table.rules.terms.seats import SEATS, Seat, four


def follow_swaps(board: Board, holders: SeatHolders, person: Callable[[str], str], next_names: NextNames) -> None:
    """Moves the phones from now on when people get other seats in the game on the board, or in the next one.

    They move before any page hears of it, also when a swap or the opening of a game is undone or redone. The phone of
    somebody who does not play the new game loses a seat that another person has there. `person` returns who plays under
    a name, and `next_names` who sat down after a game.
    """
    follower = _Follower(board, holders, person, next_names)
    board.call_on_change(follower.move_phones)


class _Follower:
    """The seating that the phones have followed so far."""

    def __init__(self, board: Board, holders: SeatHolders, person: Callable[[str], str], next_names: NextNames) -> None:
        self._board, self._holders, self._person, self._next_names = board, holders, person, next_names
        self._game, self._seating, self._names = self._latest()

    def move_phones(self) -> None:
        """Moves the phones if the newest snapshot has people in other seats than the last one."""
        game, seating, names = self._latest()
        old_game, old_seating, old_names = self._game, self._seating, self._names
        self._game, self._seating, self._names = game, seating, names
        if game != old_game:
            moves = moves_by_name(self._people(old_game, old_names), self._people(game, names))
            if moves.order != SEATS or moves.freed:
                self._holders.move(moves.order, freed=moves.freed)
        elif seating.people != old_seating.people:
            order = old_seating.people_in(seating)
            self._holders.move(order)
            self._next_names.move(game, order)

    def _people(self, game: int, names: Sequence[str]) -> list[str]:
        """Returns the persons of a game's seats, also those who sat down after its end."""
        return [self._person(name) for name in self._next_names.after(game, names)]

    def _latest(self) -> tuple[int, Seating, Sequence[str]]:
        latest = self._board.latest
        return latest.opened_by, latest.seating, latest.names


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What becomes of the phones when another game is on the table."""

    order: Order
    """The new seat of the phone of each seat."""
    freed: tuple[Seat, ...]
    """The seats whose phones lose them, since somebody else sits there now."""


def moves_by_name(before: Sequence[str], now: Sequence[str]) -> Moves:
    """Returns where the phones go with the persons of four seats, empty if unknown, in a game and in the next one.

    Who is in both games is followed. A phone stays where nobody is known to sit, or nobody was known to.
    """
    in_both = [seat for seat in SEATS if before[seat] and before.count(before[seat]) == now.count(before[seat]) == 1]
    new_seats = {seat: SEATS[now.index(before[seat])] for seat in in_both}
    others = [seat for seat in SEATS if seat not in new_seats]
    stays = [seat for seat in others if seat not in new_seats.values() and not (before[seat] and now[seat])]
    places = [seat for seat in SEATS if seat not in new_seats.values() and seat not in stays]
    freed = [seat for seat in others if seat not in stays]
    new_seats |= {seat: seat for seat in stays} | dict(zip(freed, places, strict=True))
    return Moves(order=four(new_seats[seat] for seat in SEATS), freed=tuple(freed))

"""Lets the phones follow their players: when seats are swapped, and when a game begins with people in other seats."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from table.dashboard.web.access.next_names import NextNames
from table.dashboard.web.access.seat_holders import SeatHolders
from table.game.journal.effective_events import Order
from table.game.journal.entries import Names
from table.game.journal.seating import Seating
from table.game.snapshot import Board
from table.rules.terms.seats import SEATS, Seat, four
from vision.json_text import read_json
from vision.strict_reader import PLAIN


def follow_swaps(board: Board, holders: SeatHolders, person: Callable[[str], str], next_names: NextNames) -> None:
    """Moves the phones from now on when people get other seats in the game on the board, or in the next one.

    They move before any page shows the change, also when a swap or the opening of a game is undone or redone. The phone
    of somebody who does not play in the new game loses its seat if another person sits there. The seating followed last
    is stored: if the journal has another one after a restart (a power cut, or a backup), the phones move at once.

    Args:
        board: the source of snapshots.
        holders: the seats of the phones.
        person: returns the person who plays under a name.
        next_names: the names of those who sat down after a game.
    """
    follower = _Follower(board, holders, person, next_names)
    follower.move_phones()
    board.call_on_change(follower.move_phones)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FollowedSeating:
    """The game and the seating that the phones have followed."""

    game: int
    """The journal's entry that opened the game."""
    opened_at: str
    """When it was opened: in another journal, the entry with the same number may have opened another game."""
    people: Order
    names: Names

    def is_of_game(self, other: _FollowedSeating) -> bool:
        """Whether both are of the same game."""
        return (self.game, self.opened_at) == (other.game, other.opened_at)

    def order_in(self, later: _FollowedSeating) -> Order:
        """Returns where the people of all seats sit later in the same game."""
        return Seating(people=self.people).people_in(Seating(people=later.people))


class _Follower:
    """Moves the phones, and keeps the seating that they have followed so far."""

    def __init__(self, board: Board, holders: SeatHolders, person: Callable[[str], str], next_names: NextNames) -> None:
        self._board, self._holders, self._person, self._next_names = board, holders, person, next_names
        self._followed = _read_seating(holders.followed_seating)

    def move_phones(self) -> None:
        """Moves the phones if the newest snapshot has people in other seats than the last one that had a game."""
        latest, old = self._board.latest, self._followed
        new = _FollowedSeating(
            game=latest.opened_by, opened_at=latest.opened_at, people=latest.seating.people, names=latest.names
        )
        if new == old or not latest.opened_by:
            return
        self._followed = new
        moves = NO_MOVES if old is None else self._moves(old, new)
        self._holders.move(moves.order, freed=moves.freed, followed_seating=json.dumps(asdict(new)))
        if old is not None and new.is_of_game(old) and moves.order != SEATS:
            self._next_names.move(new.game, moves.order)

    def _moves(self, old: _FollowedSeating, new: _FollowedSeating) -> Moves:
        if new.is_of_game(old):
            return Moves(order=old.order_in(new))
        return moves_by_name(self._people(old), self._people(new))

    def _people(self, seating: _FollowedSeating) -> list[str]:
        """Returns the person at each seat of a game, including those who sat down after its end."""
        return [self._person(name) for name in self._next_names.after(seating.game, seating.names)]


def _read_seating(text: str) -> _FollowedSeating | None:
    """Reads the stored seating; None if there is none, or it is unreadable."""
    try:
        seating: _FollowedSeating = PLAIN.read(_FollowedSeating, read_json(text.encode()))
    except ValueError:
        return None
    return seating if sorted(seating.people) == list(SEATS) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What becomes of the phones when another game is on the table."""

    order: Order
    """The new seat of the phone of each seat."""
    freed: tuple[Seat, ...] = ()
    """The seats whose phones lose them, since somebody else sits there now."""


NO_MOVES: Final = Moves(order=SEATS)
"""Every phone keeps its seat."""


def moves_by_name(before: Sequence[str], now: Sequence[str]) -> Moves:
    """Returns where the phones go when another game begins.

    A phone follows a person who plays in both games. Any other phone stays at its seat if nobody moves there, and it is
    unknown who sat there before or who sits there now; otherwise it loses the seat.

    Args:
        before: the person at each seat in the former game; empty if unknown.
        now: the person at each seat in the new game; empty if unknown.
    """
    in_both = [seat for seat in SEATS if before[seat] and before.count(before[seat]) == now.count(before[seat]) == 1]
    new_seats = {seat: SEATS[now.index(before[seat])] for seat in in_both}
    others = [seat for seat in SEATS if seat not in new_seats]
    stays = [seat for seat in others if seat not in new_seats.values() and not (before[seat] and now[seat])]
    places = [seat for seat in SEATS if seat not in new_seats.values() and seat not in stays]
    freed = [seat for seat in others if seat not in stays]
    new_seats |= {seat: seat for seat in stays} | dict(zip(freed, places, strict=True))
    return Moves(order=four(new_seats[seat] for seat in SEATS), freed=tuple(freed))

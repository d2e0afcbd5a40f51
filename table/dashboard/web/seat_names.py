"""The players' names by seat, as joining and the first start ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from table.dashboard.web.roles import access, visitor
from table.game.command_reader import read_command
from table.game.game_commands import NameSeats
from table.game.snapshot import Board
from table.rules.terms.seats import SEATS, Seat


def name_seats(board: Board, names: Mapping[Seat, str]) -> None:
    """Names the players of some seats, the others keep theirs; nothing is written where nothing changes.

    One phone after the other, so that two that join at once do not lose each other's name.

    Raises:
        PressError: a name is too long, or nothing can be written now.
        TimeoutError: the table did not get to it in time.
    """
    with access().naming:
        known = board.latest.names
        wanted = tuple(names.get(seat, known[seat]).strip() for seat in SEATS)
        if wanted != known:
            access().port.handle(read_command(NameSeats, {"names": list(wanted)}, by=visitor().by))

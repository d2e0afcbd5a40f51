"""Names players by seat, for the pages of joining and of the first start."""

from __future__ import annotations

from collections.abc import Mapping

from table.dashboard.web.access.roles import access, visitor
from table.game.command_reader import read_command
from table.game.game_commands import NameSeats
from table.game.snapshot import Board
from table.rules.terms.seats import SEATS, Seat
from table.runtime.person_name import spelt


def name_seats(board: Board, names: Mapping[Seat, str]) -> None:
    """Names the players of some seats, and leaves the other names; nothing is written if nothing changes.

    Calls from several phones are serialised, so that none overwrites another's name.

    Raises:
        PressError: a name is too long, or nothing can be written now.
        TimeoutError: the table did not answer in time.
    """
    with access().naming:
        known = board.latest.names
        wanted = tuple(spelt(names.get(seat, known[seat])) for seat in SEATS)
        if wanted != known:
            access().port.handle(read_command(NameSeats, {"names": list(wanted)}, by=visitor().by))

"""Names players by seat, for every page with names: one person never sits at two seats of a table.

Once a game is over, new names are the next game's, since the result belongs to those who played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from table.dashboard.web.access.roles import access, visitor
from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import JournalCommand, NameSeats, OpenGame
from table.game.snapshot import Board, Snapshot
from table.rules.state import GameState
from table.rules.terms.seats import SEATS, Seat, four
from table.runtime.person_name import normalised_name
from table.runtime.table_errors import PressError

NAME_REFUSALS: Final = ("name_long", "name_signs", "name_twice", "name_seated", "name_same_person")
"""Refusals that another name resolves, rather than another seat or a PIN."""


def is_running(game: GameState) -> bool:
    """Returns whether a game was begun and is not over."""
    return not game.is_over and (game.live is not None or bool(game.history))


def with_next_names(snapshot: Snapshot) -> Snapshot:
    """Returns a snapshot with the names of those who sit at the table now: the next game's once this one is over."""
    if not snapshot.game.is_over:
        return snapshot
    return replace(snapshot, names=four(access().next_names.after(snapshot.opened_by, snapshot.names)))


def with_new_names(present: Sequence[str], names: Mapping[Seat, str]) -> tuple[str, ...]:
    """Returns the names by seat after some of them are changed, all normalised."""
    return tuple(normalised_name(names.get(seat, present[seat])) for seat in SEATS)


def with_present_names(form: Mapping[str, str], names: Sequence[str]) -> Mapping[str, str]:
    """Returns a form with the present names where nobody changed them: players may have joined since it was opened.

    A changed name is for the person whose former name the form showed, wherever that person sits now.
    """
    present = dict(enumerate(names))
    for seat in range(len(names)):
        old_name, new_name = form.get(f"was{seat}", ""), form.get(f"name{seat}", "")
        if new_name != old_name:
            is_elsewhere = bool(old_name) and old_name in names and new_name not in names
            present[names.index(old_name) if is_elsewhere else seat] = new_name
    return {**form, **{f"name{seat}": name for seat, name in present.items()}}


def check_command_names(command: JournalCommand, present: Sequence[str]) -> None:
    """Refuses a command that gives a person two seats; a new game names all of its players.

    Raises:
        PressError: as in `check_names`.
    """
    if isinstance(command, NameSeats):
        check_names(command.names, present)
    elif isinstance(command, OpenGame):
        check_names(command.names)


def check_names(names: Sequence[str], present: Sequence[str] = (), *, twice: str = "name_twice") -> None:
    """Refuses names if two of them belong to one person, as the season counts people.

    Args:
        names: the names by seat; empty for nobody.
        present: the present names by seat; two names that both stay as they are, are not refused.
        twice: the `PressError.says` for the same name at two seats.

    Raises:
        PressError: one person would have two seats.
    """
    person = access().person
    for (at, one), (seat, other) in combinations(enumerate(map(normalised_name, names)), 2):
        is_kept = bool(present) and (present[at], present[seat]) == (one, other)
        if one and not is_kept and person(one) == person(other):
            says = twice if one == other else "name_same_person"
            raise PressError(f"expected four people, got {one!r} and {other!r}", says=says, name=one, other=other)


def refused_seats(error: Exception, form: Mapping[str, str]) -> tuple[Seat, ...]:
    """Returns the seats whose fields in a form (``name0`` …) contain a name that the error refuses."""
    if not isinstance(error, PressError) or error.says not in NAME_REFUSALS:
        return ()
    refused_names = {error.values["name"], error.values.get("other")}
    return tuple(seat for seat in SEATS if normalised_name(form.get(f"name{seat}", "")) in refused_names)


def name_seats(board: Board, names: Mapping[Seat, str], *, substitute: bool = False) -> None:
    """Names the players of some seats, and leaves the other names; nothing is written if nothing changes.

    If `substitute`, somebody else sits down there; otherwise the same people's names are corrected. Once the game
    is over, the names are the next game's.

    Calls from several phones are serialised, so that none overwrites another's name.

    Raises:
        PressError: a name is too long, one person would have two seats, or nothing can be written now.
        TimeoutError: the table did not answer in time.
    """
    with access().naming_lock:
        latest = board.latest
        present = with_next_names(latest).names
        new_names = with_new_names(present, names)
        if new_names != present:
            check_names(new_names, present)
            if latest.game.is_over:
                changed = {seat: new_names[seat] for seat in SEATS if new_names[seat] != present[seat]}
                access().next_names.store(latest.opened_by, changed)
            else:
                _write(new_names, substitute=substitute)


def name_in_finished_game(board: Board, seat: Seat, name: str) -> None:
    """Names the player of a seat that had no name when the game ended; an existing name stays.

    Raises:
        PressError, TimeoutError: as in `name_seats`.
    """
    with access().naming_lock:
        present = board.latest.names
        if board.latest.game.is_over and not present[seat]:
            new_names = with_new_names(present, {seat: name})
            check_names(new_names, present)
            _write(new_names)


def _write(names: Sequence[str], *, substitute: bool = False) -> None:
    fields = {"names": list(names), "substitute": substitute}
    access().port.handle(read_command(NameSeats, fields, by=visitor().by))

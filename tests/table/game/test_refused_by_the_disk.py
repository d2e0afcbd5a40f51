"""Whatever a disk that takes no entries refuses, it leaves the table as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from table.game.commands.game_commands import (
    AgreeToFoul,
    CallTime,
    ClaimRon,
    CorrectDiscard,
    NameFoul,
    NameSeats,
    OpenGame,
    Reseat,
)
from table.game.journal.journal import Journal
from table.game.snapshot import Snapshot
from table.game.table_loop import Table
from table.rules.events import Discarded
from table.rules.terms.seats import SEATS
from table.rules.terms.tiles import parse_tiles
from table.runtime.table_errors import PressError
from tests.fakes.disks import taking_no_entries
from tests.table.game.by_hand import see, table_at, tell, undo, win

NAMES = ("Aya", "Ben", "Chie", "Dai")
SEVEN_MAN, SEVEN_PIN = parse_tiles("7m7p")
ACTS: dict[str, Callable[[Table], None]] = {
    "a result": lambda table: tell(table, win(1, 0, 3)),
    "a win": lambda table: table.handle(ClaimRon(seat=SEATS[1])),
    "a correction": lambda table: table.handle(CorrectDiscard(discard=0, to=SEVEN_PIN)),
    "a vote on a foul": lambda table: table.handle(AgreeToFoul(by="seat 2", phone="b")),
    "undoing": undo,
    "a new game": lambda table: table.handle(OpenGame(names=NAMES[::-1])),
    "a new game, sent again by the same tap": lambda table: table.handle(
        OpenGame(names=NAMES[::-1], by="owner", mark="tap of the owner")
    ),
    "swapped seats": lambda table: table.handle(Reseat(order=(SEATS[1], SEATS[0], SEATS[2], SEATS[3]))),
    "time": lambda table: table.handle(CallTime()),
}


@pytest.mark.parametrize("act", ACTS)
def test_an_action_that_the_disk_refuses_changes_nothing_and_is_possible_again(tmp_path: Path, act: str) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        table = table_at(journal)
        tell(table, win(0, 3, 2))
        deal = table.state.next_start
        assert deal is not None
        see(table, deal, Discarded(seat=SEATS[0], tile=SEVEN_MAN))
        table.handle(NameSeats(names=NAMES))
        table.handle(NameFoul(seat=SEATS[3], clause="7-05-11", by="seat 1", phone="a"))
        before, announcements = visible_state(table.board.latest), table.announcements
        with taking_no_entries(journal):
            with pytest.raises(PressError, match="cannot write to the journal"):
                ACTS[act](table)
            assert (visible_state(table.board.latest), table.announcements) == (before, announcements)
        ACTS[act](table)
        assert visible_state(table.board.latest) != before


def visible_state(snapshot: Snapshot) -> Snapshot:
    """What people see of it, besides what is wrong with the disk."""
    return replace(snapshot, version=0, notices=())

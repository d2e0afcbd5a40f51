"""A post whose answer a power cut swallowed is sent again by the phone, to the program that started after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table.game.commands.game_commands import Command, DeclareResult, LogFoul, NameSeats, OpenGame
from table.game.journal.journal import Journal
from table.rulebook.play_presets import HOME
from table.rules.terms.seats import Seat
from tests.table.game.by_hand import draw, table_at

MARKED: dict[str, Any] = {"by": "seat 3", "mark": "5f0c9a7e11d2b384"}
POSTS: dict[str, Command] = {
    "a foul": LogFoul(seat=Seat.RIGHT, clause="7-04-01", option="a", **MARKED),
    "a result": DeclareResult(result=draw(0), hand=0, **MARKED),
    "names": NameSeats(names=("Ann", "Ben", "Chi", "Dai"), **MARKED),
    "a new game": OpenGame(names=("", "", "", ""), first_dealer=Seat.NEAR, ruleset=HOME, **MARKED),
}


@pytest.mark.parametrize("post", POSTS.values(), ids=POSTS)
def test_what_was_written_before_a_power_cut_is_not_done_again(tmp_path: Path, post: Command) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        table_at(journal).handle(post)
        last_entry = journal.last
    with Journal(path) as journal:
        table = table_at(journal)
        table.handle(post)
        assert journal.last == last_entry


def test_two_acts_with_marks_of_their_own_both_count(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        table = table_at(journal)
        for mark in ("5f0c9a7e11d2b384", "5f0c9a7e11d2b385"):
            table.handle(LogFoul(seat=Seat.RIGHT, clause="7-04-01", option="a", by="seat 3", mark=mark))
        assert table.state.hand is not None
        assert len(table.state.hand.fouls) == 2

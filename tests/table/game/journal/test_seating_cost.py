"""Naming seats costs a table the same, however often it was done in the game."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from table.game.commands.game_commands import NameSeats
from table.game.journal import seating
from table.game.journal.entries import Body, Entry, Envelope, GameOpened, PlayersNamed, Redone, Source, Undone
from table.game.journal.fold import fold, opened_game
from table.game.journal.history.change_history import changes_of
from table.game.journal.journal import Journal
from table.game.journal.seating import SeatingHistory, seating_of
from table.rules.ruleset import Ruleset
from tests.endurance.power_cuts import table_at
from tests.table.game.by_hand import tell, win


def named_game(times: int, *, is_substitution: bool, undone: int = 0) -> list[Entry]:
    """A game whose last seat is named so often; the last namings are undone, and half of these redone."""
    bodies: list[Body] = [GameOpened(ruleset=Ruleset(), names=("Aoi", "Ben", "Chie", "Guest"))]
    bodies += [
        PlayersNamed(names=("Aoi", "Ben", "Chie", f"G{number}"), is_substitution=is_substitution)
        for number in range(times)
    ]
    bodies += [Undone(act=times + 1 - back) for back in range(undone)]
    bodies += [Redone(act=times + 2 - undone + on) for on in range(undone // 2)]
    return [
        Entry(
            number=number,
            envelope=Envelope(utc="2026-11-27T06:00:00.000+00:00", source=Source.PRESS, act=number, by="seat 3"),
            body=body,
        )
        for number, body in enumerate(bodies, start=1)
    ]


def steps_of(entries: list[Entry]) -> int:
    """Counts the steps of the interpreter that everything takes which an act at the table computes from its entries."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        assert len(SeatingHistory(entries).names_before_changes) == len(entries)
        seating_of(entries)
        changes_of(entries)
        fold(opened_game(entries[0]), entries[1:])
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("is_substitution", [False, True])
@pytest.mark.parametrize("undone", [0, 20])
def test_each_naming_costs_the_same_however_many_there_were(is_substitution: bool, undone: int) -> None:
    twenty, forty, sixty = (
        steps_of(named_game(times, is_substitution=is_substitution, undone=undone)) for times in (20, 40, 60)
    )

    assert sixty - forty < 1.1 * (forty - twenty)


def test_undoing_and_redoing_a_naming_costs_the_same_however_many_there_were() -> None:
    twenty, forty, sixty = (steps_of(named_game(times, is_substitution=True, undone=times)) for times in (20, 40, 60))

    assert sixty - forty < 1.2 * (forty - twenty)


def test_who_sat_down_before_what_was_undone_sits_there_again() -> None:
    history = SeatingHistory(named_game(4, is_substitution=True, undone=4))

    assert history.now.names[3] == "G1"
    assert set(history.now.known_names.values()) == {"Aoi", "Ben", "Chie", "Guest", "G0", "G1"}
    assert [history.before(number).names[3] for number in range(2, 13)] == (
        ["Guest", "G0", "G1", "G2", "G3", "G2", "G1", "G0", "Guest", "G0", "G1"]
    )


def test_a_table_follows_who_sits_where_once_a_naming_and_never_for_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    follow_count = 0
    follow = seating._SeatingTracker.follow

    def count(self: seating._SeatingTracker, entry: Entry) -> bool:
        nonlocal follow_count
        follow_count += 1
        return follow(self, entry)

    with Journal(None) as journal:
        table = table_at(journal)
        for number in range(10):
            table.handle(NameSeats(names=("Aoi", "Ben", "Chie", f"G{number}")))
        monkeypatch.setattr(seating._SeatingTracker, "follow", count)
        table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Guest")))
        assert follow_count == len(journal.entries()) - 1, "every entry but the opening, once"
        follow_count = 0
        tell(table, win(0, 1, 3))
        assert follow_count == 0
        assert table.board.latest.names[3] == "Guest"

"""The siege leaves out nothing that people can ask for, and, with `--long`, ten minutes of it lose nothing.

What it tries by chance is proven rule by rule, in process: any press and any game (`dashboard/`), power cuts, damaged
journals, wrong files and interrupted restores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from table.dashboard.live.commands_api import ADDRESSES
from table.game.commands.command_reader import PRESSES
from table.game.commands.game_commands import Command, DeclareResult, OpenGame, Undo
from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from tests.endurance.command_output import LONG_S, printed_by
from tests.endurance.siege.any_command import FIELDS, KINDS, SAID_AS, UNSAID, any_kind, any_post
from tests.endurance.siege.kept_journal import check_kept, check_whole, entries_of, shown_by
from tests.endurance.siege.phones import Ledger
from tests.table.game.by_hand import table_at, win


@pytest.mark.parametrize("kind", get_args(Command))
def test_every_command_is_given_with_everything_that_it_can_say(kind: type[Command]) -> None:
    assert {SAID_AS.get(each.name, each.name) for each in fields(kind)} - UNSAID <= set(FIELDS)
    chance = Random(1)
    bodies = [any_post(kind, {}, chance) for _ in range(50)]
    assert {SAID_AS.get(each.name, each.name) for each in fields(kind)} - UNSAID <= {
        name for _, body in bodies for name in body
    }


def test_every_way_in_is_used_by_somebody() -> None:
    chance = Random(2)
    kinds = {any_kind({}, chance) for _ in range(20_000)}
    assert kinds == set(KINDS) == set(get_args(Command))
    deeds = [any_post(kind, {}, chance) for kind in KINDS]
    assert {address for address, _ in deeds} == {"/api/press", *(f"/api/{each}" for each in ADDRESSES)}
    assert {body["press"] for _, body in deeds if "press" in body} == set(PRESSES)


def entries_after(folder: Path, *commands: Command) -> Sequence[Entry]:
    """The journal of a table at which people gave these commands."""
    with Journal(folder / "table.journal") as journal:
        table = table_at(journal)
        for each in commands:
            table.handle(each)
    return entries_of(folder / "table.journal")


def declaration(hand: int, by: str, mark: str) -> DeclareResult:
    return DeclareResult(result=win(1, 0, 2), hand=hand, by=by, mark=mark)


@pytest.mark.parametrize(
    ("ledger", "fault"),
    [
        (Ledger(confirmed={("seat", "mark-one"), ("seat", "mark-two")}), ""),
        (Ledger(confirmed={("seat", "mark-one")}, uncertain={("seat", "mark-two"), ("seat", "mark-six")}), ""),
        (Ledger(confirmed={("seat", "mark-one"), ("seat", "mark-two"), ("seat", "mark-six")}), "1 acts were confirmed"),
        (Ledger(confirmed={("seat", "mark-one")}), "1 acts are in the journal and were refused"),
        (Ledger(confirmed={("seat", "mark-one"), ("owner", "mark-two")}), "1 acts were confirmed"),
    ],
)
def test_acts_are_found_by_their_marks_wherever_the_players_sat(tmp_path: Path, ledger: Ledger, fault: str) -> None:
    entries = entries_after(tmp_path, declaration(0, "seat 1", "mark-one"), declaration(1, "seat 3", "mark-two"))
    if not fault:
        assert check_kept(entries, ledger) == len(ledger.confirmed)
        return
    with pytest.raises(AssertionError, match=fault):
        check_kept(entries, ledger)


def test_an_act_that_was_taken_twice_or_whose_form_nobody_sent_is_found(tmp_path: Path) -> None:
    ledger = Ledger(confirmed={("seat", "mark-one")})
    first = entries_after(tmp_path, declaration(0, "seat 1", "mark-one"))
    by_form = entries_after(tmp_path, declaration(1, "seat 1", ""))
    with pytest.raises(AssertionError, match="0 forms were sent, 1 were taken"):
        check_kept(by_form, ledger)
    ledger.forms["seat"] += 1
    assert check_kept(by_form, ledger) == 1
    again = entries_after(tmp_path, declaration(2, "seat 2", "mark-one"))
    with pytest.raises(AssertionError, match="1 acts were taken more than once"):
        check_kept(again, ledger)
    assert len(first) < len(by_form) < len(again)


def test_a_game_whose_opening_is_undone_is_not_looked_for_on_the_page(tmp_path: Path) -> None:
    entries_after(tmp_path, declaration(0, "seat 1", "mark-one"), OpenGame(by="owner"))
    opening = entries_of(tmp_path / "table.journal")[-1].number
    entries = entries_after(tmp_path, Undo(act=opening, by="owner"))
    check_whole(entries)
    assert shown_by(entries) == (1, 1, (23000, 27000, 25000, 25000))


@pytest.mark.long
def test_ten_minutes_of_siege_lose_nothing() -> None:
    assert "nothing lost, no page dead" in printed_by("siege", "--minutes", "10", limit_s=LONG_S)

"""Points put right by hand in the journal: with who and why, taken back, kept through edits of earlier hands."""

from __future__ import annotations

from typing import Any

import pytest

from table.dashboard.scores.sheet_export import as_csv, as_json
from table.game.commands.confirm_keys import points_key
from table.game.commands.game_commands import AdjustPoints, EditResult, EndGame, NameSeats, Reseat
from table.game.journal.history.game_history import game_history
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.records.mjai.from_journal.journal_mjai import mjai_lines
from table.records.mjai.from_journal.journal_record import record_of
from table.records.score_sheet import score_sheet
from table.records.tenhou.tenhou6_writer import write_tenhou6
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import SEATS
from table.runtime.table_errors import PressError
from tests.table.game.by_hand import draw, redo, riichi, table_at, tell, undo, win


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_at(journal)


def adjust(table: Table, *points: int, reason: str = "paid to the wrong seat", **fields: Any) -> None:
    command = {"points": points, "hand": table.folded_game.hand, "why": reason, "by": "owner", **fields}
    table.handle(AdjustPoints(**command))


def restarted_table(table: Table) -> Table:
    """The table as it stands when the program starts anew."""
    return table_at(table.journal)


def test_points_are_put_right_between_hands_and_stay_after_a_restart(table: Table) -> None:
    tell(table, win(0, 1, 3))
    before = table.state.scores
    adjust(table, -1000, 0, 1000, 0)
    assert table.state.scores == (before[0] - 1000, before[1], before[2] + 1000, before[3])
    assert restarted_table(table).state == table.state


def test_points_are_put_right_during_a_hand(table: Table) -> None:
    table.handle(riichi(2))
    adjust(table, -1000, 0, 1000, 0)
    tell(table, draw(2, riichi=(2,)))
    assert table.state.scores == (25000 - 2000, 24000, 28000 - 0, 24000)
    assert restarted_table(table).state == table.state


def test_it_is_an_act_that_is_taken_back_and_comes_again(table: Table) -> None:
    tell(table, win(0, 1, 3))
    before = table.state
    adjust(table, -1000, 0, 1000, 0)
    after = table.state
    change = table.board.latest.changes.all[-1]
    assert (change.by, change.reason) == ("owner", "paid to the wrong seat")
    undo(table)
    assert table.state == before
    redo(table)
    assert table.state == after


def test_an_edit_of_an_earlier_hand_keeps_it(table: Table) -> None:
    tell(table, win(0, 1, 3), win(1, 2, 2))
    adjust(table, -1000, 0, 0, 0, sticks=1, honba=2)
    tell(table, win(2, 3, 1))
    before = table.state.scores
    table.handle(EditResult(hand=0, result=win(0, 1, 4)))
    assert sum(table.state.scores) == sum(before)
    assert [line.honba for line in table.state.history] == [0, 1, 2]
    assert table.state.adjustments[0].event.points == (-1000, 0, 0, 0)
    assert restarted_table(table).state == table.state


@pytest.mark.parametrize(
    "new_names",
    [
        NameSeats(names=("Ann", "Bob", "Cem", "Dora")),
        NameSeats(names=("Anna", "", "", "")),
        NameSeats(names=("Ann", "Ben", "Cem", "Eve"), substitute=True),
    ],
)
def test_a_page_from_before_a_renaming_that_was_undone_still_corrects_points(
    table: Table, new_names: NameSeats
) -> None:
    table.handle(NameSeats(names=("Ann", "Ben", "Cem", "Dora")))
    shown = table.board.latest
    key = points_key(shown.game, shown.seating)
    table.handle(new_names)
    assert points_key(table.state, table.board.latest.seating) != key
    undo(table)
    adjust(table, -1000, 0, 1000, 0, seen=key)
    assert table.state.scores == (24000, 25000, 26000, 25000)


def test_it_goes_with_the_people_who_were_entered_at_the_wrong_seats(table: Table) -> None:
    adjust(table, -1000, 1000, 0, 0)
    one, other, third, fourth = SEATS
    table.handle(Reseat(order=(third, other, one, fourth)))
    assert table.state.scores == (25000, 26000, 24000, 25000)


@pytest.mark.parametrize(
    ("points", "fields", "refused_as"),
    [
        ((-1000, 1000, 0, 0), {"why": "  "}, "why_needed"),
        ((0, 0, 0, 0), {}, "nothing_adjusted"),
        ((0, 0, 0, 0), {"honba": 0}, "nothing_adjusted"),
        ((-1000, 0, 0, 0), {}, "sum_changes"),
        ((-1000, 0, 0, 0), {"total": 1000}, "sum_changes"),
        ((0, 0, 0, 0), {"sticks": -1, "total": -1000}, "too_few_sticks"),
        ((-1000, 1000, 0, 0), {"scores": (25000, 25000, 24000, 26000)}, "points_moved"),
        ((-1000, 1000, 0, 0), {"hand": 3}, "faster"),
        ((-1000, 1000, 0, 0), {"game": 99}, "other_game"),
    ],
)
def test_it_is_refused_with_its_reason(table: Table, points: Any, fields: Any, refused_as: str) -> None:
    with pytest.raises(PressError) as refusal:
        adjust(table, *points, **fields)
    assert refusal.value.says == refused_as
    assert table.state.scores == (25000, 25000, 25000, 25000)


def test_the_sum_of_all_points_changes_only_where_people_say_so(table: Table) -> None:
    adjust(table, -1000, 0, 0, 0, total=-1000)
    assert sum(table.state.scores) == 99000


def test_a_stick_goes_to_the_table_and_the_sum_stays(table: Table) -> None:
    adjust(table, -1000, 0, 0, 0, sticks=1)
    assert table.state.deposits == 1
    tell(table, win(1, 2, 1))
    assert table.state.scores == (24000, 27000, 24000, 25000)


def test_a_game_that_is_over_is_not_put_right(table: Table) -> None:
    table.handle(EndGame())
    with pytest.raises(PressError) as refusal:
        adjust(table, -1000, 1000, 0, 0)
    assert refusal.value.says == "game_over"


@pytest.fixture
def adjust_twice(table: Table) -> Table:
    """Hands before, with and after points that were put right: between two hands, and in one."""
    tell(table, win(0, 1, 3))
    adjust(table, -1000, 0, 1000, 0)
    tell(table, win(1, 2, 2))
    table.handle(riichi(3))
    adjust(table, 0, -2000, 0, 1000, sticks=1, honba=1, why='<b>; a "stick"')
    tell(table, win(2, 3, 1, riichi=(3,)), draw())
    return table


def test_the_records_of_each_hand_begin_with_the_points_that_were_put_right(adjust_twice: Table) -> None:
    entries = adjust_twice.journal.last_game()
    assert entries is not None
    lines = mjai_lines(entries)
    starts = [line for line in lines if line["type"] == "start_kyoku"]
    ends = [line for line in lines if "deltas" in line]
    assert len(starts) == len(ends) == 4
    for start, end in zip(starts, ends, strict=True):
        assert [a + b for a, b in zip(start["scores"], end["deltas"], strict=True)] == end["scores"]
    assert (starts[2]["honba"], starts[2]["kyotaku"]) == (1, 1)
    assert [end["scores"] for end in ends] == [list(hand.scores) for hand in adjust_twice.state.history]


def test_the_sheet_to_take_along_has_them_with_reason_and_sum(adjust_twice: Table) -> None:
    entries = adjust_twice.journal.last_game()
    assert entries is not None
    game = game_history(entries)
    found = as_json(game)["adjustments"]
    assert [(each["hand"], each["points"], each["sticks"], each["honba"]) for each in found] == [
        (1, [-1000, 0, 1000, 0], 0, None),
        (2, [0, -2000, 0, 1000], 1, 1),
    ]
    assert found[1]["reason"] == '<b>; a "stick"'
    rows = as_csv(game, catalogue("en")).splitlines()
    assert [row.split(",")[2] for row in rows[1:-1]] == ["ron", "adjusted", "ron", "adjusted", "ron", "draw"]
    assert rows[0].endswith(",reason")
    assert rows[4].endswith('"<b>; a ""stick"""')


def test_a_record_for_other_programs_can_be_written_and_follows_the_sheet(adjust_twice: Table) -> None:
    entries = adjust_twice.journal.last_game()
    assert entries is not None
    text = write_tenhou6(record_of(entries))
    for hand, line in zip(text["log"], adjust_twice.state.history, strict=True):
        assert line.settlement is not None
        changes = zip(hand[1], line.settlement.deltas, strict=True)
        assert [before + delta for before, delta in changes] == list(line.scores)


def test_the_text_sheet_has_a_line_for_each(adjust_twice: Table) -> None:
    lines = [line for line in score_sheet(adjust_twice.state, Ruleset()).splitlines() if line.startswith("by hand")]
    assert len(lines) == 2
    assert lines[1].endswith('<b>; a "stick"')
    assert "sticks +1, honba 1" in lines[1]

"""A correction of an earlier hand that takes later ones out of the game, or brings them back, is told to everybody.

A restart says it again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.dashboard.live.news_view import news_view
from table.game.announcement_json import all_later_hands_announcements
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import EditResult, OpenGame
from table.game.journal.journal import Journal
from table.game.snapshot import Mode
from table.game.table_loop import Table
from table.i18n import catalogue
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from tests.table.game.by_hand import draw, redo, riichi, see, table_at, tell, undo, win

YAKUMAN = read_result({"kind": "ron", "wins": [{"seat": 1, "from": 0, "yakuman": 1}]})
TWO_RONS = read_result(
    {"kind": "ron", "wins": [{"seat": 0, "from": 3, "han": 8}, {"seat": 2, "from": 3, "han": 1, "fu": 30}]}
)
"""The last seat has no points left, and the dealer stays."""


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_at(journal)


def edit(table: Table, result: DeclaredResult) -> None:
    table.handle(EditResult(result=result, hand=0, why="the limit"))


def told(table: Table) -> list[Any]:
    """What was announced of later hands, now and after a restart."""
    logged_now, logged_later = (
        [logged for logged in each.announcements if logged.announcement.id is AnnouncementId.LATER_HANDS]
        for each in (table, table_at(table.journal))
    )
    assert logged_later == logged_now
    return [logged.announcement.args for logged in logged_now]


def test_hands_after_the_end_of_the_game_are_told_as_taken_out_and_later_as_counted_again(table: Table) -> None:
    tell(table, win(1, 0, 2), draw(), draw(0))
    edit(table, YAKUMAN)
    lost = {"what": "over", "hands": [["E2", 0], ["E3", 1]]}
    assert told(table) == [lost]
    undo(table)
    back = lost | {"what": "back"}
    assert told(table) == [lost, back]
    redo(table)
    edit(table, win(1, 0, 2))
    assert told(table) == [lost, back, lost, back]


def test_a_hand_that_was_begun_by_a_riichi_ends_with_the_game_before_it_and_comes_back(table: Table) -> None:
    tell(table, win(1, 0, 2))
    table.handle(riichi(3))
    begun = table.state
    edit(table, YAKUMAN)
    assert (table.state.is_over, table.state.live, table.state.scores) == (True, None, (-7000, 57000, 25000, 25000))
    undo(table)
    assert table.state == begun


def test_a_finished_hand_that_was_begun_by_a_riichi_is_taken_out_too(table: Table) -> None:
    tell(table, win(1, 0, 2))
    table.handle(riichi(3))
    tell(table, win(3, 2, 2, riichi=(3,)), draw())
    edit(table, YAKUMAN)
    assert (table.state.is_over, table.state.scores) == (True, (-7000, 57000, 25000, 25000))
    assert told(table) == [{"what": "over", "hands": [["E2", 0], ["E3", 0]]}]


def test_a_hand_that_the_camera_saw_dealt_after_the_end_has_the_points_of_the_edit(table: Table) -> None:
    tell(table, win(1, 0, 2))
    start = table.state.next_start
    assert start is not None
    see(table, replace(start, dora_indicator=Tile("2z")))
    edit(table, YAKUMAN)
    hand = table.state.live
    assert hand is not None
    assert (hand.start.scores, hand.dora_indicators) == ((-7000, 57000, 25000, 25000), (Tile("2z"),))


def test_a_hand_in_the_middle_that_no_longer_fits_is_told_alone(table: Table) -> None:
    tell(table, win(1, 0, 2), draw(3, riichi=(3,)), win(2, 1, 3))
    edit(table, TWO_RONS)
    assert len(table.state.history) == 2
    assert told(table) == [{"what": "unfit", "hands": [["E2", 0]]}]


def test_a_result_taken_back_is_no_hand_lost(table: Table) -> None:
    tell(table, win(1, 0, 2), draw())
    undo(table)
    redo(table)
    edit(table, win(1, 0, 3))
    assert told(table) == []


def test_an_edit_of_a_hand_that_was_left_open_loses_none_and_keeps_the_deal_after_it(table: Table) -> None:
    start = table.state.next_start
    assert start is not None
    see(table, start, replace(start, dora_indicator=Tile("2z")))
    edit(table, win(1, 0, 3))
    hand = table.state.live
    assert hand is not None
    assert hand.dora_indicators == (Tile("2z"),)
    undo(table)
    assert told(table) == []


def test_a_restart_tells_of_a_correction_where_it_was_made(table: Table) -> None:
    tell(table, win(1, 0, 2), draw(3, riichi=(3,)), win(2, 1, 3))
    edit(table, TWO_RONS)
    tell(table, draw())
    again = table_at(table.journal)
    causes = [logged.cause[0] for logged in again.announcements]
    assert causes == sorted(causes)
    assert [logged.key for logged in again.announcements][-1] == table.announcements[-1].key


def test_a_game_whose_opening_is_undone_changes_nothing_of_the_one_before(table: Table) -> None:
    tell(table, win(1, 0, 2), draw(), draw(0))
    edit(table, YAKUMAN)
    before = told(table)
    table.handle(OpenGame(by="owner"))
    tell(table, win(1, 0, 2), draw(), draw(0))
    edit(table, YAKUMAN)
    for _ in range(5):
        undo(table)
    assert [logged.announcement.args for logged in all_later_hands_announcements(table.journal.last_game())] == before


@pytest.mark.parametrize("mode", Mode)
def test_every_phone_says_which_hands_and_why_in_its_language(table: Table, mode: Mode) -> None:
    table.set_mode(mode)
    tell(table, win(1, 0, 2), draw(), draw(0))
    edit(table, YAKUMAN)
    news = news_view(table.board.latest, Seat.NEAR, catalogue())
    line = "After a correction the game ends earlier, so these hands no longer count: East 2; East 3, 1 honba."
    assert news[0]["text"] == line

"""What a correction changes besides the corrected hand is shown before it is confirmed."""

from __future__ import annotations

from typing import Any

from table.dashboard.scores.later_hands import consequences_view
from table.dashboard.scores.result_preview import outcome_view
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult, EditResult, Reseat
from table.game.journal.journal import Journal
from table.game.table_loop import Table
from table.i18n import catalogue
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import SEATS
from tests.table.game.by_hand import draw, riichi, table_at, tell, win

ENGLISH = catalogue()


def later_view(table: Table, hand: int, result: DeclaredResult) -> dict[str, Any]:
    """What the page shows before this edit is confirmed."""
    command = EditResult(result=result, hand=hand)
    later: dict[str, Any] = outcome_view(command, table.preview(command), table.board.latest, ENGLISH)["later"]
    return later


def test_an_edit_names_later_hands_with_other_payments_or_places_and_all_points_before_and_after() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, win(0, 3, 2), win(1, 1, 5))
        later = later_view(table, 0, win(1, 3, 2))
    changes = "East −4,100 → −4,000, South +8,300 → +12,000, West −2,100 → −4,000, North −2,100 → −4,000"
    assert later["hands"] == [f"E1-1 → E2: {changes}", "E2 → E2-1"]
    points = [(each["name"], each["before"], each["after"]) for each in later["scores"]]
    assert points[:2] == [("East", "23,800", "21,000"), ("South", "33,300", "39,000")]


def test_an_edit_that_leaves_later_hands_alone_asks_nothing() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, win(1, 3, 2), win(2, 0, 3))
        later = later_view(table, 0, win(1, 3, 3))
    assert later["hands"] == []


def test_an_edit_names_the_hand_that_no_longer_fits_and_leaves_the_others_theirs() -> None:
    two_rons = {"wins": [{"seat": 0, "from": 3, "han": 8}, {"seat": 2, "from": 3, "han": 1, "fu": 30}]}
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, win(1, 0, 2), draw(3, riichi=(3,)), win(2, 1, 3))
        later = later_view(table, 0, read_result({"kind": "ron", **two_rons}))
    moved = "E3-1 → E1-1: South −6,100 → −4,200, West +7,100 → +4,200"
    assert later["hands"] == ["E2: no longer counts", moved, "E3-2 → E2"]


def test_an_edit_that_ends_the_game_says_that_the_hand_in_play_is_lost() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, win(1, 3, 2))
        table.handle(riichi(0))
        command = EditResult(result=win(1, 3, 13, None), hand=0)
        view = outcome_view(command, table.preview(command), table.board.latest, ENGLISH)
    assert view["later"]["hands"] == ["E2: no longer counts"]
    assert view["lost"] == "Later hands that would no longer fit: 1"


def test_a_swap_of_seats_names_the_hands_that_another_dealer_makes_worth_more() -> None:
    order = (SEATS[1], SEATS[0], SEATS[2], SEATS[3])
    with Journal(None) as journal:
        table = table_at(journal)
        tell(table, win(0, 3, 2))
        before, after = table.state, table.preview(Reseat(order=order)).state
    later = consequences_view(before, after, ENGLISH, ("Ai", "Bo", "Cy", "Di"), numbers=[0], order=order)
    assert later["hands"] == ["E1: Ai +2,900 → +2,000, Di −2,900 → −2,000", "E1-1 → E2"]
    assert [each["after"] for each in later["scores"]] == ["27,000", "25,000", "25,000", "23,000"]


def test_a_hand_in_play_has_no_later_ones() -> None:
    with Journal(None) as journal:
        table = table_at(journal)
        command = DeclareResult(result=win(0, 3, 2), hand=0)
        assert "later" not in outcome_view(command, table.preview(command), table.board.latest, ENGLISH)

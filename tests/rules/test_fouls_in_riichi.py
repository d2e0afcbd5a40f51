"""Fouls of a hand in riichi: one without a stick, one that has to win, and what its rules do not allow."""

from __future__ import annotations

import pytest

from table.rules.state import RiichiStage
from tests.rules.situations import START
from tests.rules.test_penalties_in_game import RIICHI, ROUND, TENPAI, at

# Riichi without a stick (7-05-13), or taken back (7-05-12)

SHORT = START.replace("25000,25000,25000,25000", "30000,900,35000,34100")
DECLARED = "0 discards 9m; 1 discards 9p sideways"
KEPT = {"7-02": "a", "7-03": "a"}
"""After a chombo the deal stays and the sticks are carried over."""


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e"])
@pytest.mark.parametrize("passed", ["", "; 2 discards 9s", "; 2 discards 9s; 3 discards 1z; 0 discards 2z"])
def test_a_riichi_without_a_stick_never_stands(option: str, passed: str) -> None:
    table = at(f"{DECLARED}{passed}; 1 foul 7-05-13 option={option}", KEPT, start=SHORT)
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    pot = 1000 if option == "c" else 0
    assert (table.state.scores[1], table.state.deposits, table.state.deposit_points) == (900 - pot, 0, pot)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm" if option in "ad" else "draw; 0 noten; confirm")
    deposits = 0 if table.state.is_over and option == "c" else pot
    assert (table.state.deposits, table.state.deposit_points) == (0, deposits)
    assert table.state.history[-1].riichi == ()
    assert sum(table.state.scores) + table.state.deposit_points == 100000


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e"])
def test_a_cancelled_foul_of_a_riichi_without_a_stick_lets_it_stand_again(option: str) -> None:
    table = at(f"{DECLARED}; 2 discards 9s; 1 foul 7-05-13 option={option}; cancel-foul 0 reason=lent", start=SHORT)
    assert table.hand.riichi[1].is_accepted
    assert (table.state.scores[1], table.state.deposits) == (-100, 1)


@pytest.mark.parametrize("option", ["a", "b", "c", "d", "e", "f"])
@pytest.mark.parametrize("stick", ["", "; 1 stick", "; 1 stick; 1 stick-back"])
@pytest.mark.parametrize("passed", ["", "; 2 discards 9s"])
def test_a_riichi_that_was_wrongly_said_or_taken_back_stands_under_no_option(
    option: str, stick: str, passed: str
) -> None:
    table = at(f"{DECLARED}{stick}{passed}; 1 foul 7-05-12 option={option}", {**KEPT, "7-01": "g"})
    assert table.hand.riichi[1].stage is RiichiStage.NONE
    paid = {"a": 0, "b": 9000, "c": 0, "d": 0, "e": 1000, "f": 0}[option]
    assert (table.state.scores[1], table.state.deposits) == (25000 - paid, 0)
    table.feed("confirm" if option == "a" else "draw; confirm")
    assert (table.state.deposits, table.hand.missing) == (0, ())


def test_a_deposit_for_a_riichi_taken_back_is_paid_once_and_the_hand_is_free_again() -> None:
    table = at(f"{DECLARED}; 1 stick; 1 stick-back; 1 foul 7-05-12; 2 discards 9s; 3 discards 1z; 0 discards 2z")
    assert (table.state.scores, table.state.deposit_points) == ((25000, 24000, 25000, 25000), 1000)
    assert table.feed("1 discards 3m hand").clauses == []


def test_left_to_the_referee_such_a_riichi_is_not_touched() -> None:
    for clause in ("7-05-12", "7-05-13"):
        table = at(f"{DECLARED}; 2 discards 9s; 1 foul {clause}", {clause: "referee"})
        assert table.hand.riichi[1].is_accepted


# Who has to win (7-06-05 c)

MUST = f"{RIICHI}; 0 waits 258p; 0 foul 7-06-05"


@pytest.mark.parametrize(
    ("act", "asked"),
    [
        ("0 discards 5p", True),
        ("0 discards 8p drawn", True),
        ("0 discards 3m", False),
        ("0 discards 5p hand", False),
        ("0 closed 5550p", True),
        ("0 closed 6666s", False),
        ("pass; 0 discards 5p", True),
    ],
)
def test_who_has_to_win_and_does_not_with_its_own_drawn_tile_is_asked_about(act: str, asked: bool) -> None:
    table = at(MUST, {"7-06-05": "c"}).feed(act)
    assert (("7-06-05", 0) in table.clauses) is asked


def test_who_wins_with_the_drawn_tile_or_has_told_no_wait_is_not_asked_about() -> None:
    assert at(f"{MUST}; 0 tsumo; 0 shows {TENPAI} with 5p", {"7-06-05": "c"}).clauses == []
    assert at(MUST.replace("0 waits 258p; ", ""), {"7-06-05": "c"}).feed("0 discards 5p").clauses == []


def test_only_who_has_to_win_is_asked_about_the_own_drawn_tile() -> None:
    for option in ("b", "c"):
        other = at(f"{RIICHI}; 0 waits 258p; 2 foul 7-06-05", {"7-06-05": option}).feed("0 discards 5p")
        assert ("7-06-05", 0) not in other.clauses


def test_an_early_draw_forces_no_tsumo() -> None:
    """7-05-10 d speaks of the others' discards before the own draw."""
    table = at(f"{RIICHI}; 0 waits 258p; 0 foul 7-05-10").feed("0 discards 5p")
    assert table.clauses == []


def test_a_dealer_without_riichi_who_has_to_win_is_asked_about_its_own_draw_too() -> None:
    table = at(f"{ROUND}; 0 waits 258p; 0 foul 7-06-05", {"7-06-05": "c"}).feed("0 discards 5p drawn")
    assert ("7-06-05", 0) in table.clauses

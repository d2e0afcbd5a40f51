"""Points that a foul puts into the pot, and who gets them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rulebook import rules_named
from table.rules.advance import advance
from table.rules.notation.event_notation import parse_events
from table.rules.terms.results import AbortReason
from tests.table.rules.fouls.fouled_hands import HOME, ROUND, at
from tests.table.rules.situations import START, Table, settlement_of


def test_a_deposit_lies_apart_from_riichi_sticks_and_goes_to_the_next_winner() -> None:
    table = at("1 foul 7-05-11")
    assert (table.state.scores, table.state.deposits, table.state.deposit_points) == (
        (25000, 24000, 25000, 25000),
        0,
        1000,
    )
    table.feed(f"{ROUND}; 0 discards 5p; 2 ron han=1 fu=30; confirm")
    assert (table.state.scores, table.state.deposit_points) == ((24000, 24000, 27000, 25000), 0)


def test_after_a_draw_the_deposit_is_carried_over() -> None:
    table = at("1 foul 7-05-11 option=d; draw; confirm")
    assert table.state.next_start is not None
    assert (table.state.next_start.deposit_points, table.state.scores[1]) == (300, 24700)


def test_a_player_short_of_1000_is_excused_from_deposits_where_the_house_says_so() -> None:
    start = START.replace("25000,25000,25000,25000", "25000,900,25000,49100")
    assert at("1 foul 7-05-11", {"7-08-06": "b"}, start=start).state.deposit_points == 0
    assert at("1 foul 7-05-11", {"7-08-06": "a"}, start=start).state.deposit_points == 1000


def test_the_third_early_draw_of_a_game_costs_a_deposit() -> None:
    table = at("1 foul 7-05-10; 1 foul 7-05-10; 2 foul 7-05-10", {"7-05-10": "c"})
    assert table.state.deposit_points == 0
    table.feed("draw; confirm").feed("start E2 scores=25000,25000,25000,25000 honba=1 dora=2z; 1 foul 7-05-10")
    assert table.state.deposit_points == 1000


def test_players_who_sit_out_are_paid_from_the_offenders_points_which_leave_the_table() -> None:
    """The one penalty that says so."""
    house = replace(HOME, choices={**HOME.choices, "7-08-05": "e"})
    (foul,) = parse_events("1 foul 7-08-05 facts=outside=1")
    assert advance(at("").state, foul, house.ruleset).state.scores == (35000, -15000, 35000, 35000)


LAST_STICK = START.replace("25000,25000,25000,25000", "25000,1000,25000,49000")
TAKEN_BACK = "0 discards 9m; 1 discards 9p sideways; 1 stick; 2 discards 9s"


@pytest.mark.parametrize("foul", ["7-05-12 option=e", "R01 option=d"])
def test_a_riichi_stick_that_goes_back_can_pay_the_deposit_of_the_same_foul(foul: str) -> None:
    parlour = Table(rules_named("parlour").ruleset).feed(f"{LAST_STICK}; {TAKEN_BACK}; 1 foul {foul}")
    excusing = at(f"{TAKEN_BACK}; 1 foul {foul}", {"7-08-06": "b"}, start=LAST_STICK)
    for table in (parlour, excusing):
        assert (table.state.scores[1], table.state.deposits, table.state.deposit_points) == (0, 0, 1000)
        assert table.hand.proposal is None


def test_a_riichi_stick_that_stays_cannot_pay_a_deposit() -> None:
    table = at(f"{TAKEN_BACK}; 1 foul 7-05-11", {"7-08-06": "b"}, start=LAST_STICK)
    assert (table.state.scores[1], table.state.deposits, table.state.deposit_points) == (0, 1, 0)


@pytest.mark.parametrize("end", ["", "; draw; 0 noten; 2 noten; 1 noten; 3 noten; confirm"])
def test_a_deposit_is_excused_once_the_riichi_stick_lies_there_again(end: str) -> None:
    """As if the foul that made the riichi void had never been entered."""
    options = {"7-08-06": "b"}
    table = at(f"{TAKEN_BACK}; 1 foul 7-05-12 option=f; 1 foul 7-05-11{end}", options, start=LAST_STICK)
    assert table.state.deposit_points == 1000
    table.feed("cancel-foul 0 reason=no")
    without_foul = at(f"{TAKEN_BACK}; 1 foul 7-05-11", options, start=LAST_STICK)
    if not end:
        assert (table.state.scores, table.state.deposits) == (without_foul.state.scores, 1)
    assert table.state.deposit_points == 0


def test_who_cannot_pay_a_deposit_goes_bust_in_a_parlour() -> None:
    table = Table(rules_named("parlour").ruleset)
    table.feed(START.replace("25000,25000,25000,25000", "25000,900,25000,49100")).feed("1 foul 7-05-11; confirm")
    assert (table.state.is_over, settlement_of(table).reason) == (True, AbortReason.BUST)

"""Sticks for fouls lie where riichi sticks lie: which is which."""

from __future__ import annotations

import pytest

from table.game.commands.game_commands import LogFoul
from table.rulebook import rules_named
from table.rules.events import StickPlaced, StickTakenBack
from table.rules.terms.seats import Seat
from tests.table.game.referee.felt_by_hand import FeltByHand


@pytest.fixture
def table() -> FeltByHand:
    """A hand under the home penalties: a wrong call (7-05-11) costs a deposit of 1000."""
    table = FeltByHand()
    table.game.rules = rules_named("home").ruleset
    return table


def wrong_call(table: FeltByHand, seat: int) -> FeltByHand:
    return table.press(LogFoul, seat, clause="7-05-11")


def test_a_stick_laid_for_a_foul_is_no_riichi_stick(table: FeltByHand) -> None:
    wrong_call(table, 1).stick(1).discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))
    assert not any(isinstance(event, StickPlaced) for event in table.game.events)
    assert (table.game.state.deposits, table.game.state.deposit_points) == (0, 1000)


def test_one_laid_before_the_foul_was_pressed_is_taken_for_what_it_is(table: FeltByHand) -> None:
    table.discard((0, "1m")).stick(1)
    table.observe(table.felt, seconds=3.0)
    assert StickPlaced(seat=Seat.RIGHT) in table.game.events
    wrong_call(table, 1)
    table.observe(table.felt, seconds=3.0)
    assert table.last == StickTakenBack(seat=Seat.RIGHT)


def test_the_riichi_stick_beside_it_counts(table: FeltByHand) -> None:
    wrong_call(table, 1).stick(1).discard((0, "1m"), (1, "r2m"))
    assert not table.game.state.live.riichi[1].stick_seen  # type: ignore[union-attr]
    table.stick(1)
    assert table.last == StickPlaced(seat=Seat.RIGHT)


def test_a_riichi_stick_counts_where_the_deposit_was_never_laid(table: FeltByHand) -> None:
    wrong_call(table, 1).discard((0, "1m"), (1, "r2m")).stick(1)
    assert table.last == StickPlaced(seat=Seat.RIGHT)


def test_anothers_foul_touches_no_ones_stick(table: FeltByHand) -> None:
    wrong_call(table, 2).discard((0, "1m"), (1, "r2m")).stick(1)
    assert table.last == StickPlaced(seat=Seat.RIGHT)

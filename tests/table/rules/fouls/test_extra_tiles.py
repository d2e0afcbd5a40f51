"""A tile more, drawn or discarded, to cure a wrong count."""

from __future__ import annotations

from typing import Final

import pytest

from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import ROUND, TENPAI, at


def test_one_tile_more_may_be_discarded_to_cure_the_count() -> None:
    table = at("0 discards 9m; 0 foul 7-04-01", {"7-04-01": "h"})
    left = table.hand.tiles_left
    table.feed("0 discards 9p; pass")
    assert (table.clauses, table.hand.turn, table.hand.tiles_left) == ([], Seat.RIGHT, left - 1)
    table.feed("0 discards 9s")
    assert ("7-05-09", 0) in table.clauses


def test_the_extra_discard_is_the_offenders_alone() -> None:
    table = at("0 discards 9m; 1 foul 7-04-01", {"7-04-01": "h"}).feed("0 discards 9p")
    assert ("7-05-09", 0) in table.clauses
    table = at("1 foul 7-04-01; 0 discards 9m; 1 discards 9p; 2 discards 9s", {"7-04-01": "h"}).feed("1 discards 1m")
    assert ("7-05-09", 1) in table.clauses


def test_one_tile_more_may_be_drawn_to_cure_the_count_and_the_wall_is_shorter_by_it() -> None:
    table = at("0 discards 9m", {"7-04-02": "i"})
    left = table.hand.tiles_left
    assert table.feed("1 foul 7-04-02").hand.tiles_left == left - 1
    assert table.feed("cancel-foul 0 reason=no").hand.tiles_left == left


ALMOST_ALL: Final = "; ".join(f"{number % 4} discards ?" for number in range(68))
"""Leaves two tiles to draw."""
TSUMO: Final = "0 tsumo; 0 shows 234m345678s88s34m with 5m"
EXTRA: Final = "1 foul 7-04-02 option=i"
CANCELLED: Final = "cancel-foul 0 reason=no"


@pytest.mark.parametrize(
    ("text", "is_last"),
    [
        (f"{EXTRA}; {TSUMO}; confirm", True),
        (f"{EXTRA}; {TSUMO}; {CANCELLED}; confirm", False),
        (f"{EXTRA}; {TSUMO}; confirm; {CANCELLED} hand=0", False),
        (f"{EXTRA}; 2 foul 7-05-11; {TSUMO}; confirm; cancel-foul 1 reason=no hand=0; {CANCELLED} hand=0", False),
        (f"{TSUMO}; confirm; {EXTRA} hand=0", False),
        (f"0 discards 9s; pass; {EXTRA}; {CANCELLED}; 1 tsumo; {TSUMO[9:].replace('0', '1')}; confirm", True),
    ],
)
def test_a_tile_that_a_cancelled_foul_had_drawn_is_in_the_wall_again_and_none_that_it_had_not(
    text: str, is_last: bool
) -> None:
    table = at(f"{ALMOST_ALL}; {text}")
    (finished,) = table.state.history
    assert finished.settlement is not None
    assert ("last_tile_tsumo" in dict(finished.settlement.wins[0].yaku)) is is_last


@pytest.mark.parametrize("before", ["", "2 foul 7-04-02 option=i; "])
def test_tiles_that_a_foul_lets_a_seat_draw_stay_counted_when_a_discard_is_put_back(before: str) -> None:
    left = at(f"{ROUND}; 0 discards 5p; 0 puts-back").hand.tiles_left
    table = at(f"{ROUND}; {before}0 discards 5p; 1 foul 7-04-02 option=i; 0 puts-back")
    assert table.hand.tiles_left == left - len(table.hand.fouls)
    assert table.feed(f"cancel-foul {len(table.hand.fouls) - 1} reason=no").hand.tiles_left == left - bool(before)


def test_a_discard_put_back_after_a_foul_was_cancelled_leaves_the_tiles_it_gave_back() -> None:
    left = at(f"{ROUND}; 0 discards 5p; 0 puts-back").hand.tiles_left
    text = "1 foul 7-04-02 option=i; 0 discards 5p; cancel-foul 0 reason=no; 0 puts-back"
    assert at(f"{ROUND}; {text}").hand.tiles_left == left


def test_tiles_that_a_foul_lets_a_seat_draw_stay_counted_when_a_tsumo_out_of_turn_falls() -> None:
    left = at(f"{ROUND}; pass").hand.tiles_left
    extra, cancelled = "1 foul 7-04-02 option=i", "cancel-foul 0 reason=no"
    assert at(f"{ROUND}; 2 tsumo; {extra}; 2 withdraws").hand.tiles_left == left - 1
    assert at(f"{ROUND}; 2 tsumo; {extra}; 2 foul 7-04-01; {cancelled}").hand.tiles_left == left
    assert at(f"{ROUND}; {extra}; 2 tsumo; {cancelled}; 2 withdraws").hand.tiles_left == left


RON: Final = f"0 discards 5p; 1 ron; 1 shows {TENPAI}"


@pytest.mark.parametrize(
    ("text", "is_last"),
    [
        (f"{EXTRA}; {RON}; confirm", True),
        (f"{EXTRA}; {RON}; {CANCELLED}; confirm", False),
        (f"{EXTRA}; {RON}; confirm; {CANCELLED} hand=0", False),
        (f"{EXTRA}; {RON.replace(';', '; pass;', 1)}; {CANCELLED}; confirm", False),
        (f"{EXTRA}; 0 discards 9s; 0 puts-back; {RON}; {CANCELLED}; confirm", False),
        (f"0 discards 9s; {EXTRA}; 0 puts-back; {RON}; {CANCELLED}; confirm", False),
        (f"{EXTRA}; 0 discards 9s; {CANCELLED}; 0 puts-back; {RON}; confirm", False),
        (f"{RON}; {EXTRA}; confirm", False),
    ],
)
def test_a_tile_laid_after_a_foul_is_not_the_last_discard_once_the_tile_that_it_let_draw_is_back(
    text: str, is_last: bool
) -> None:
    table = at(f"{ALMOST_ALL}; {text}")
    (finished,) = table.state.history
    assert finished.settlement is not None
    assert ("last_tile_ron" in dict(finished.settlement.wins[0].yaku)) is is_last


LAST_PASSED: Final = f"{ALMOST_ALL}; {EXTRA}; 0 discards 5p; pass"
"""Leaves no tile to draw."""
TURN: Final = ("turn", "has_drawn", "tiles_left", "has_passed", "phase", "missed_at", "ippatsu", "riichi")


@pytest.mark.parametrize(
    ("text", "never"),
    [
        (f"{LAST_PASSED}; {CANCELLED}", "pass"),
        (f"{LAST_PASSED}; 2 ron; {CANCELLED}; 2 withdraws", "pass"),
        (f"{LAST_PASSED}; 2 ron; 2 withdraws; {CANCELLED}", "pass"),
        (f"{LAST_PASSED}; 3 tsumo; {CANCELLED}; 3 withdraws", "pass"),
        (f"{LAST_PASSED}; 1 discards 1z; {CANCELLED}; 1 puts-back", "pass"),
        (f"{LAST_PASSED}; draw; {CANCELLED}", "draw"),
        (f"{LAST_PASSED}; {CANCELLED}; 1 discards 1z", "1 discards 1z"),
    ],
)
def test_a_foul_cancelled_once_the_last_tile_has_passed_leaves_the_turn_with_the_next_seat(
    text: str, never: str
) -> None:
    table, baseline = at(text), at(f"{ALMOST_ALL}; 0 discards 5p; {never}")
    assert [getattr(table.hand, name) for name in TURN] == [getattr(baseline.hand, name) for name in TURN]
    assert table.feed("1 discards 2z").clauses == baseline.feed("1 discards 2z").clauses


def test_a_riichi_has_its_last_chance_at_the_draw_that_a_cancelled_foul_gives_back() -> None:
    riichi = "; ".join(f"{number % 4} discards ?" for number in range(65)) + "; 1 discards 5z sideways; 1 stick"
    rest = "2 discards ?; 3 discards ?; 0 discards ?"
    table = at(f"{riichi}; {EXTRA}; {rest}; pass; {CANCELLED}", min_tiles_left=0)
    baseline = at(f"{riichi}; {rest}; pass", min_tiles_left=0)
    assert [getattr(table.hand, name) for name in TURN] == [getattr(baseline.hand, name) for name in TURN]
    assert table.hand.turn is Seat.RIGHT


def test_a_tile_that_a_foul_lets_a_seat_draw_while_a_ron_is_claimed_is_not_drawn_once_that_falls() -> None:
    table = at(f"{ALMOST_ALL}; 0 discards 5p; pass; 2 ron; {EXTRA}; 2 withdraws")
    assert (table.hand.tiles_left, table.hand.turn) == (0, None)
    assert (table.feed(CANCELLED).hand.tiles_left, table.hand.turn) == (0, Seat.RIGHT)


def test_tiles_that_a_foul_lets_a_seat_draw_stay_counted_when_a_call_that_was_void_stands_again() -> None:
    void = "0 discards 3m; 1 chi 3m from 0 with 45m; 1 discards 6m; 1 foul 7-05-05 option=e"
    left = at(f"{void}; cancel-foul 0 reason=no").hand.tiles_left
    assert at(f"{void}; 2 foul 7-04-02 option=i; cancel-foul 0 reason=no").hand.tiles_left == left - 1
    assert at(f"{void}; 2 foul 7-04-02 option=i; cancel-foul 1 reason=no; {CANCELLED}").hand.tiles_left == left

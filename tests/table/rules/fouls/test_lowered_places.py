"""7-01-01 b: offenders lowered by a place, several at once, and beside players who share a place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from table.rulebook import rules_named
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.results import Deltas
from table.rules.terms.seats import Seat
from tests.table.rules.fouls.fouled_hands import LAST, at

EMA = rules_named("ema-2025").ruleset


def lowered(*seats: int) -> list[Due]:
    """One place for each mention of a seat."""
    return [Due(seat=Seat(seat), op=Op.LOWER_RANK, amount=1) for seat in seats]


def test_two_chombos_in_one_hand_lower_both_offenders_below_who_committed_none() -> None:
    start = LAST.replace("20000,30000,40000,10000", "40000,32000,15000,13000")
    options = {"7-08-02": "c", "7-01-01": "b", "7-02": "c", "7-02-01": "b"}
    table = at("3 discards 5s; 0 discards 4m; 1 ron from 0; 1 foul 7-08-02; confirm", options, start=start)
    assert [int(seat) for seat in table.state.ranking] == [3, 0, 1, 2]


@pytest.mark.parametrize(
    ("offenders", "ranking"),
    [
        ([0], [1, 0, 2, 3]),
        ([3], [0, 1, 2, 3]),
        ([0, 1], [2, 0, 1, 3]),
        ([1, 0], [2, 0, 1, 3]),
        ([0, 2], [1, 0, 3, 2]),
        ([1, 2], [0, 3, 1, 2]),
        ([2, 3], [0, 1, 2, 3]),
        ([0, 1, 2], [3, 0, 1, 2]),
        ([0, 1, 3], [2, 0, 1, 3]),
        ([0, 1, 2, 3], [0, 1, 2, 3]),
        ([0, 0], [1, 2, 0, 3]),
        ([0, 1, 0], [2, 1, 3, 0]),
        ([0, 0, 0, 0], [1, 2, 3, 0]),
    ],
)
def test_each_offender_lets_the_next_who_are_not_lowered_go_before_him(
    offenders: Sequence[int], ranking: Sequence[int]
) -> None:
    for ties in ("seat", "split"):
        found = final_standings((40000, 30000, 20000, 10000), Ruleset().but(ties=ties), dues=lowered(*offenders))
        assert [int(seat) for seat in found.ranking] == ranking
        assert sum(found.points) == 0


@pytest.mark.parametrize(
    ("scores", "offenders", "points"),
    [
        ((40000, 35000, 22500, 22500), [0], (15000, 20000, -17500, -17500)),
        ((30000, 30000, 30000, 30000), [0], (-15000, 5000, 5000, 5000)),
        ((30000, 30000, 30000, 30000), [0, 2], (-10000, 10000, -10000, 10000)),
        ((40000, 40000, 25000, 15000), [1], (25000, 15000, -10000, -30000)),
        ((40000, 40000, 25000, 15000), [0, 1], (10000, 10000, 10000, -30000)),
        ((40000, 30000, 30000, 20000), [0], (5000, 10000, 10000, -25000)),
        ((40000, 35000, 22500, 22500), [2], (25000, 10000, -22500, -12500)),
    ],
)
def test_others_who_are_level_still_share_their_places(
    scores: Deltas, offenders: Sequence[int], points: Deltas
) -> None:
    assert final_standings(scores, EMA, dues=lowered(*offenders)).points == points


def test_who_is_lowered_is_never_better_off_than_those_he_was_level_with() -> None:
    for seat in range(4):
        found = final_standings((30000, 30000, 30000, 30000), EMA, dues=lowered(seat)).points
        assert found[seat] == min(found) == -15000

"""Equal scores at the end: who shares a place, leftover sticks and deductions, and what a remainder changes."""

from __future__ import annotations

import pytest

from table.game.journal.history.game_history import standings_of
from table.rulebook import rules_named
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import GameOver, HandFacts, after_hand, final_standings
from table.rules.terms.results import AbortReason, Deltas, ResultKind, Settlement
from table.rules.terms.seats import Round, Seat
from tests.table.rules.situations import Table

LAST_DRAW = "3 discards 5s; 0 discards 5p; 1 discards 6p; 2 discards 4p; draw; 3 noten; 0 noten; 1 noten; 2 noten"


def drawn(scores: Deltas, name: str, deposits: int = 1) -> Table:
    """A game after its last hand, which nobody won and nobody was tenpai in, with sticks left over."""
    table = Table(rules_named(name).ruleset)
    start = f"start S4 scores={','.join(map(str, scores))} deposits={deposits} dora=9s"
    return table.feed(f"{start}; {LAST_DRAW}; confirm")


def points(table: Table) -> Deltas:
    """The points for league tables."""
    return standings_of(table.state, table.ruleset, table.state.first_dealer).points


@pytest.mark.parametrize(
    ("name", "scores", "worth"),
    [
        ("ema-2025", (30000, 30000, 30000, 29000), (5334, 5333, 5333, -16000)),
        ("ema-2025", (29000, 30000, 30000, 30000), (-16000, 5334, 5333, 5333)),
        ("m-league", (25000, 25000, 25000, 24000), (12001, 12000, 11999, -36000)),
    ],
)
def test_three_who_are_level_share_the_first_place_whatever_remainder_a_leftover_stick_leaves(
    name: str, scores: Deltas, worth: Deltas
) -> None:
    table = drawn(scores, name)
    assert sum(table.state.scores) == sum(scores) + 1000
    assert max(abs(found - expected) for found, expected in zip(points(table), worth, strict=True)) <= 2
    assert sum(points(table)) == 0


@pytest.mark.parametrize("deposits", [1, 2, 3, 4, 5])
def test_no_number_of_leftover_sticks_breaks_a_tie(deposits: int) -> None:
    whole = 30000 - 250 * deposits
    for scores in (
        (whole + 100, whole + 100, whole + 100, whole - 300),
        (whole + 100, whole + 100, whole - 100, whole - 100),
        (whole, whole, whole, whole),
    ):
        table = drawn(scores, "ema-2025", deposits)
        tied = [seat for seat in range(4) if scores[seat] == max(scores)]
        worth = [points(table)[seat] for seat in tied]
        assert max(worth) - min(worth) <= 4
        assert [int(seat) for seat in table.state.ranking][: len(tied)] == tied


def test_a_result_entered_with_the_remainder_shares_too() -> None:
    found = final_standings((29000, 30333, 30334, 30333), rules_named("ema-2025").ruleset).points
    assert found[0] == -16000
    assert max(found[1:]) - min(found[1:]) <= 3
    hundred = final_standings((29900, 30100, 30100, 29900), rules_named("ema-2025").ruleset).points
    assert hundred == (-10100, 10100, 10100, -10100)


def test_where_the_seat_breaks_ties_the_first_dealer_still_gets_sticks_and_place() -> None:
    table = drawn((25000, 25000, 25000, 24000), "home")
    assert table.state.scores == (26000, 25000, 25000, 24000)
    assert [int(seat) for seat in table.state.ranking] == [0, 1, 2, 3]
    one = final_standings((25000, 25001, 25000, 24999), Ruleset())
    assert one.ranking == (1, 0, 2, 3)


def over(scores: Deltas, *dues: Due, ties: str = "split", deposits: int = 0, **rules: object) -> GameOver:
    """The end of a game whose last hand a chombo ended."""
    settlement = Settlement(kind=ResultKind.ABORT, reason=AbortReason.CHOMBO, deltas=(0, 0, 0, 0), deposits=deposits)
    facts = HandFacts(round=Round.parse("S4"), first_dealer=Seat.NEAR, scores=scores, dues=dues)
    found = after_hand(facts, settlement, Ruleset().but(ties=ties, **rules))
    assert isinstance(found, GameOver)
    return found


def deducted(seat: int, amount: int) -> Due:
    return Due(seat=Seat(seat), op=Op.UNIT_DEDUCT, amount=amount)


def test_7_01_j_those_who_share_the_first_place_share_the_deduction() -> None:
    scores: Deltas = (35000, 35000, 20000, 10000)
    assert over(scores, deducted(2, 20000)).scores == (45000, 45000, 0, 10000)
    assert over(scores, deducted(0, 20000)).scores == (15000, 55000, 20000, 10000)
    assert over(scores, deducted(2, 20000), ties="seat").scores == (55000, 35000, 0, 10000)


@pytest.mark.parametrize("deposits", [0, 1, 2])
def test_7_01_j_what_three_leaders_cannot_split_breaks_no_tie(deposits: int) -> None:
    each = 100000 - 1000 * deposits - 9100
    level = each // 300 * 100
    scores: Deltas = (level, level, level, 100000 - 1000 * deposits - 3 * level)
    dues = (deducted(3, 20000), deducted(3, 20000))
    found = over(scores, *dues, deposits=deposits)
    assert sum(found.scores) == 100000
    assert found.ranking == (0, 1, 2, 3)
    standings = final_standings(found.scores, Ruleset().but(ties="split"), dues=dues).points
    assert max(standings[:3]) - min(standings[:3]) <= 4
    assert sum(standings) == 0


def test_those_who_share_the_first_place_share_a_bust_bonus() -> None:
    found = over((40000, 40000, 21000, -1000), ties="split", bust_bonus=10000)
    assert found.bust_bonus == (5000, 5000, 0, -10000)
    assert over((40000, 40000, 21000, -1000), ties="seat", bust_bonus=10000).bust_bonus == (10000, 0, 0, -10000)

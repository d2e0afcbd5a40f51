from __future__ import annotations

import pytest

from table.rulebook import catalogue_of_clauses, rules_named
from table.rules.fouls.possible_clauses import MODIFIERS, possible_fouls
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.seats import SEATS
from tests.table.rules.fouls.fouled_hands import RIICHI, ROUND, at
from tests.table.rules.situations import START


def possible(text: str, seat: int, *, start: str = START) -> set[str]:
    """What the seat can have broken under the home rules after these events."""
    table = at(text, start=start)
    return set(possible_fouls(table.hand, table.state.scores, SEATS[seat], table.ruleset.penalties))


SHORT = START.replace("25000,25000,25000,25000", "900,25000,25000,49100")


@pytest.mark.parametrize(
    ("clause", "without", "after", "seat"),
    [
        ("7-05-03", ROUND, "0 closed 9999m", 0),
        ("7-05-04", ROUND, "0 discards 5p; 1 chi 5p from 0 with 46p", 1),
        ("7-05-05", "0 closed 9999m", "0 discards 5p; 1 pon 5p from 0 with 55p", 1),
        ("7-05-06", RIICHI, f"{RIICHI}; 0 closed 1111s", 0),
        ("7-05-07", ROUND, RIICHI, 0),
        ("7-05-16", ROUND, "draw", 1),
        ("7-06-04", RIICHI, ROUND, 0),
        ("7-06-05", ROUND, RIICHI, 0),
        ("7-07-02", ROUND, f"{ROUND}; 0 discards 5p; 2 ron", 1),
        ("7-09-01", ROUND, "1 foul 7-04-01", 1),
    ],
)
def test_a_clause_is_offered_where_it_can_have_been_broken(clause: str, without: str, after: str, seat: int) -> None:
    assert clause not in possible(without, seat)
    assert clause in possible(after, seat)


def test_noten_riichi_and_a_false_tenpai_are_offered_at_a_hand_that_only_people_follow() -> None:
    assert {"7-05-07", "7-05-16"} <= possible("", 1)


def test_riichi_without_a_stick_needs_a_player_who_has_none() -> None:
    assert "7-05-13" in possible(RIICHI, 0, start=SHORT)
    assert "7-05-13" not in possible(RIICHI, 0)


def test_what_only_says_how_others_are_settled_is_never_offered_and_other_articles_always() -> None:
    assert catalogue_of_clauses().keys() >= MODIFIERS
    assert not possible(RIICHI, 0) & MODIFIERS
    rules = rules_named("ema-2025").penalties
    hand = at("").hand
    offered = possible_fouls(hand, (30000,) * 4, SEATS[1], rules)
    articles = {rule.clause for rule in rules.rules if rule.clause.startswith("EMA")}
    assert articles - set(offered) == {"EMA chombo"}
    assert possible_fouls(hand, (30000,) * 4, SEATS[1], PenaltyRules()) == ()


def test_riichi_too_late_is_offered_near_the_end_of_the_wall() -> None:
    turns = "; ".join(f"{index % 4} discards {index % 9 + 1}{'mps'[index // 9 % 3]}" for index in range(66))
    assert "7-05-08" in possible(f"{turns}; 2 discards 1z sideways; 3 discards 2z", 2)

from __future__ import annotations

from typing import Any

import pytest

from table.rules.penalties.effect_terms import Condition, Count, Effect, EffectTiming, Fact, FoulRole, Op
from table.rules.terms.rule_errors import InvalidValueError


def test_an_effect_reads_as_it_is_written() -> None:
    data = {"when": "discovery", "do": "chombo", "pay": "now", "hand": "end", "who": "breaker", "if": "cannot_continue"}
    effect = Effect.of(data)
    assert (effect.op, effect.when, effect.who) == (Op.CHOMBO, EffectTiming.DISCOVERY, FoulRole.BREAKER)
    assert effect.data == data


@pytest.mark.parametrize(
    ("text", "fact", "wanted"),
    [
        ("deliberate", Fact.DELIBERATE, True),
        ("not deliberate", Fact.DELIBERATE, False),
        ("not_deliberate", Fact.DELIBERATE, False),
        ("can_continue", Fact.CANNOT_CONTINUE, False),
        ("not can_continue", Fact.CANNOT_CONTINUE, True),
        ("after_discard", Fact.BEFORE_DISCARD, False),
    ],
)
def test_opposites_ask_for_the_same_fact(text: str, fact: Fact, wanted: bool) -> None:
    condition = Condition.parse(text)
    assert (condition.fact, condition.wanted, condition.text) == (fact, wanted, text)


def test_conditions_joined_by_and_must_all_hold() -> None:
    effect = Effect.of({"when": "discovery", "do": "dead_hand", "if": "exposed>=3 and exposed<=6"})
    assert [(condition.count, condition.limit, condition.at_most) for condition in effect.conditions] == [
        (Count.EXPOSED, 3, False),
        (Count.EXPOSED, 6, True),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            {"when": "discovery", "do": "dead_hands"},
            "expected an effect of .* got 'dead_hands'; did you mean dead_hand",
        ),
        ({"when": "discovry", "do": "dead_hand"}, "expected a time of .* got 'discovry'; did you mean discovery"),
        ({"when": "discovery", "do": "dead_hand", "who": "him"}, "expected a player of .* got 'him'"),
        ({"when": "discovery", "do": "dead_hand", "if": "late"}, "expected a condition of .* got 'late'"),
        ({"when": "discovery", "do": "dead_hand", "if": "tiles>=3"}, "expected a count of .* got 'tiles'"),
        (
            {"when": "discovery", "do": "dead_hand", "if": f"tiles>={'9' * 5000}"},
            "expected a condition of .* got 'tiles>=9",
        ),
        (
            {"when": "discovery", "do": "dead_hand", "points": 3},
            "expected a parameter of dead_hand of none, got 'points'",
        ),
        ({"when": "discovery", "do": "deposit"}, "expected points in the effect deposit, got nothing"),
        ({"when": "discovery", "do": "deposit", "points": "3"}, "expected points .* of type int, got '3'"),
        ({"when": "discovery", "do": "deposit", "points": -100}, "expected points .* of type int, got -100"),
        ({"when": "chombo", "do": "pay", "scheme": "each:0", "to": "others"}, "each:POINTS, got 'each:0'"),
        ({"when": "discovery", "do": "void", "what": "riichii"}, "did you mean riichi"),
        (
            {
                "when": "chombo",
                "do": "pay_hand_value",
                "to": "yakuman_tenpai",
                "value": "max",
                "factor": 2,
                "mode": "replace",
            },
            "expected factor .* above 0 and at most 1, got 2",
        ),
    ],
)
def test_a_word_that_the_vocabulary_lacks_is_refused_with_what_is_allowed(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        Effect.of(data)

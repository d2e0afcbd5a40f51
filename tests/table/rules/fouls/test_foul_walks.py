"""Games with fouls of every clause and option, withdrawn, cancelled and corrected at any time, under every rule set.

Whatever people tell, it advances the game or is refused with a reason, and no point is made or lost.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.rules.advance import advance, new_game
from table.rules.foul_totals import immediate_parts, in_force
from table.rules.notation.event_notation import parse_events
from table.rules.state import GameState
from table.rules.terms.rule_errors import RulesError
from tests.table.rules.fouls.any_events import any_event, any_house
from tests.table.rules.invariants import check


def points_of(state: GameState) -> int:
    """All points of the game, with those that were paid to players who sit out."""
    outside = sum(foul.outcome.outside for line in state.history for foul in in_force(line.fouls))
    if state.live is not None:
        outside += sum(part.outside for part in immediate_parts(state.live.fouls))
    return sum(state.scores) + 1000 * state.deposits + state.deposit_points + outside


def walk(seed: int) -> None:
    """Plays a game of any events, and checks it after each."""
    rng = random.Random(seed)
    ruleset = any_house(rng)
    state = new_game(ruleset)
    whole = points_of(state)
    happened = []
    for _ in range(rng.randrange(5, 45)):
        text = any_event(rng, state, ruleset)
        (event,) = parse_events(text)
        try:
            state = advance(state, event, ruleset).state
        except RulesError:
            continue
        happened.append(text)
        check(state, ruleset)
        assert points_of(state) == whole, "; ".join(happened)


@settings(deadline=None, max_examples=250)
@given(seed=st.integers(0, 2**32))
def test_fouls_of_every_kind_told_at_any_time_make_and_lose_no_point(seed: int) -> None:
    walk(seed)


@pytest.mark.long
@settings(deadline=None, max_examples=10000)
@given(seed=st.integers(0, 2**32))
def test_fouls_at_length(seed: int) -> None:
    walk(seed)

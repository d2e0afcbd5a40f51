"""A logged foul: what is asked, what is refused, and that no point is made or lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.game.journal.storage.journal_codec import decode, encode
from table.rulebook import rules_named
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from tests.table.rules.fouls.fouled_hands import FOULS, RIICHI, ROUND, at
from tests.table.rules.situations import play


def test_what_nobody_knows_is_asked() -> None:
    table = at("1 foul 7-06-02", {"7-06-02": "b"})
    assert table.one(AnnouncementId.FOUL_LOGGED).args["questions"] == ["deliberate"]


def test_an_unknown_option_or_fact_changes_nothing() -> None:
    table = at(ROUND)
    with pytest.raises(InvalidValueError, match=r"expected an option of a, b, c, .* in 7-04-01, got 'z'"):
        table.feed("1 foul 7-04-01 option=z")
    with pytest.raises(RulesError, match="did you mean deliberate"):
        table.feed("1 foul 7-06-02 facts=deliberat")
    assert table.hand.fouls == ()


def test_without_penalty_rules_a_foul_is_written_down_and_nothing_follows() -> None:
    table = play("1 foul 7-04-01; 0 discards 5p; 1 ron han=1 fu=30")
    assert len(table.hand.claims) == 1
    assert table.hand.fouls[0].consequence.questions == ("7-04-01",)


def test_the_journal_keeps_the_penalties_of_the_rule_set() -> None:
    for name in ("home", "wrc-2025"):
        rules = rules_named(name).ruleset
        assert decode(Ruleset, encode(rules)) == rules


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(FOULS), min_size=1, max_size=3),
    st.sampled_from(["draw", "0 tsumo han=2 fu=30", "1 discards 3m; 2 ron han=3 fu=30", "pass"]),
)
def test_whatever_fouls_are_logged_no_point_is_made_or_lost(fouls: list[str], end: str) -> None:
    table = at(f"{RIICHI}; {'; '.join(fouls)}")
    if table.hand.is_live:
        table.feed(end)
    for _ in range(3):
        if table.hand.is_live:
            table.feed("confirm")
    state = table.state
    assert sum(state.scores) + 1000 * state.deposits + state.deposit_points == 100000

"""What a page calls clauses."""

from __future__ import annotations

import pytest

from table.dashboard.web.clause_names import cancellation_text
from table.game.snapshot import Snapshot
from table.i18n import catalogue, languages
from table.i18n.clause_books import clause_words
from table.rules.penalties.penalty_rules import PenaltyRules, Rule
from table.rules.ruleset import Ruleset
from table.rules.state import GameState

HOUSE = Ruleset(penalties=PenaltyRules(rules=(Rule(clause="H 3", options=(), title="Lean on the table"),)))
SNAPSHOT = Snapshot(version=1, game=GameState(scores=(25000,) * 4), ruleset=HOUSE)


@pytest.mark.parametrize("language", languages())
def test_that_another_clause_replaced_a_foul_is_told_in_the_readers_language(language: str) -> None:
    texts = catalogue(language)
    clauses = {"7-05-01": clause_words("7-05-01", texts), "R23": clause_words("R23", texts), "H 3": "Lean on the table"}
    for number, title in clauses.items():
        said = cancellation_text(f"{number} instead", SNAPSHOT, texts)
        assert title in said
        assert number not in said
        assert ("instead" in said) == (language == "en")
    assert texts.text("fouls.other") in cancellation_text("other instead", SNAPSHOT, texts)


@pytest.mark.parametrize("reason", ["a word was misheard", "chi instead", "Ron was on 3s instead", "H 4 instead"])
def test_the_reason_that_people_typed_stays_as_it_is(reason: str) -> None:
    assert cancellation_text(reason, SNAPSHOT, catalogue("ja")) == reason

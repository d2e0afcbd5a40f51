"""A foul that people name by a rulebook's article is the foul of the clause for which the house chose the article."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rulebook import rules_named
from table.rules.state import RiichiStage
from table.rules.terms.results import AbortReason
from tests.table.rules.fouls.fouled_hands import NOTEN, RIICHI
from tests.table.rules.situations import START, Table, settlement_of


@pytest.mark.parametrize("name", ["'WRC noten riichi'", "7-05-07"])
def test_a_noten_riichi_that_people_named_is_not_asked_about_again(name: str) -> None:
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; {RIICHI}; 0 discards 3m; 0 foul {name}")
    shown = table.feed("draw").feed(f"0 shows {NOTEN}")
    assert (shown.clauses, shown.sayings) == ([], [])
    assert settlement_of(table.feed("confirm")).reason is AbortReason.CHOMBO


@pytest.mark.parametrize("name", ["'WRC noten riichi'", "7-05-07"])
def test_a_draw_may_be_told_with_a_noten_riichi_that_people_named(name: str) -> None:
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; {RIICHI}; 0 discards 3m; 0 foul {name}")
    table.feed("told draw riichi=0 tenpai=1")
    assert settlement_of(table).reason is AbortReason.CHOMBO


@pytest.mark.parametrize("name", ["'WRC false tenpai'", "7-05-16"])
def test_a_false_tenpai_that_people_named_is_not_asked_about_again(name: str) -> None:
    table = Table(rules_named("wrc-2025").ruleset).feed(f"{START}; {RIICHI}; draw; 1 tenpai; 1 foul {name}")
    assert table.feed(f"1 shows {NOTEN}").clauses == []


@pytest.mark.parametrize("name", ["'M.League false win'", "7-05-01"])
def test_a_false_ron_found_late_beside_a_valid_one_costs_nothing_however_it_is_named(name: str) -> None:
    """7-05-01-01 a."""
    table = Table(rules_named("m-league").ruleset).feed(f"{START}; 0 discards 5p; 1 ron han=1 fu=30; confirm")
    table.feed(f"2 foul {name} facts=offender_opened_hand")
    assert table.state.history[0].dues == ()


@pytest.mark.parametrize(
    ("choices", "names"),
    [
        ({"7-05-12": "EMA 6.5.2", "7-05-11": "c"}, ("7-05-12", "'EMA 6.5.2'")),
        ({"7-05-13": "EMA 6.7 touching"}, ("7-05-13", "'EMA 6.7 touching'")),
    ],
)
def test_a_riichi_taken_back_stands_no_more_however_the_foul_is_named(
    choices: dict[str, str], names: tuple[str, str]
) -> None:
    """7-05-12, 7-05-13: the articles chosen for them name a price, and nothing of the riichi."""
    house = rules_named("ema-2025")
    rules = replace(house, choices={**house.choices, **choices}).ruleset
    for name in names:
        table = Table(rules).feed(f"{START}; {RIICHI}; 0 foul {name}")
        assert table.hand.riichi[0].stage is RiichiStage.NONE, name
        assert table.state.scores[0] == 25000


@pytest.mark.parametrize(
    ("preset", "clause", "article"),
    [
        ("ema-2025", "7-05-13", "EMA riichi without stick"),
        ("ema-2025", "7-05-12", "EMA 6.2"),
        ("wrc-2025", "7-05-12", "WRC 12.3.5"),
    ],
)
def test_a_riichi_stands_where_the_article_says_so_or_is_chosen_for_other_fouls_too(
    preset: str, clause: str, article: str
) -> None:
    house = rules_named(preset)
    rules = replace(house, choices={**house.choices, clause: article}).ruleset
    table = Table(rules).feed(f"{START}; {RIICHI}; 0 foul '{article}'")
    assert table.hand.riichi[0].is_accepted

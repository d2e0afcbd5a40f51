"""Every option of the catalogue by scenarios: the words are in `penalties.txt`, one line each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.rulebook import catalogue_of_clauses, rules_named
from table.rules.penalties.consequence import Consequence, Ending, EndKind, Part, Sanction
from table.rules.penalties.effect_terms import Count, Fact, FoulRole
from table.rules.penalties.foul_effects import consequences
from table.rules.penalties.foul_facts import Facts, Worth
from table.rules.penalties.penalty_rules import Option, PenaltyRules, Rule
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import SEATS, Seat

HOME = rules_named("home")
CHOMBO = ("pays 4000,-8000,2000,2000", "ends chombo again returns riichi")
WORTHS = {
    Seat.NEAR: Worth(most=18000, most_without_luck=12000, is_live=True),
    Seat.FAR: Worth(most=32000, most_without_luck=32000, is_live=False, is_yakuman=True),
    Seat.LEFT: Worth(most=5200, most_without_luck=2700, is_live=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One line of the file."""

    line: str
    number: str
    letter: str
    offence: tuple[str, ...]
    expected: frozenset[str]


def scenarios() -> Iterator[Scenario]:
    for line in (Path(__file__).parent / "penalties.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        option, offence, expected = (each.strip() for each in line.split("|"))
        number, letter = option.split()
        yield Scenario(
            line=line,
            number=number,
            letter=letter,
            offence=tuple(offence.split()),
            expected=frozenset(_expected_words(expected)),
        )


def _expected_words(text: str) -> Iterator[str]:
    for part in text.split("; "):
        prefix = part.removesuffix("CHOMBO")
        yield from (prefix + each for each in CHOMBO) if part.endswith("CHOMBO") else [part]


SCENARIOS = list(scenarios())


def follows(scenario: Scenario) -> Consequence:
    """What the scenario leads to."""
    chosen = {scenario.number: scenario.letter}
    clause, expected, negated = "", [], ""
    facts = Facts(dealer=Seat.NEAR)
    for word in scenario.offence[1:]:
        name, _, value = word.partition("=")
        if name.startswith("7-"):
            chosen[name] = value
            clause = clause or name
        elif name == "scores":
            facts = replace(facts, scores=(int(value),) * 4)
        elif word == "last":
            facts = replace(facts, end_target=0)
        elif word == "worths":
            facts = replace(facts, worths=WORTHS)
        elif word == "not":
            negated = "not "
            continue
        else:
            expected.append(negated + word)
        negated = ""
    rules = replace(HOME, choices={**HOME.choices, **chosen}).penalties
    offender = SEATS[int(scenario.offence[0])]
    return consequences(clause or scenario.number, offender, rules, facts.with_facts(expected))


def words(found: Consequence) -> set[str]:
    """A consequence in the words of the scenarios."""
    words = {f"asks {question}" for question in found.questions}
    words |= {_sanction(sanction) for sanction in found.sanctions} | {
        f"told {_sanction(instruction)}" for instruction in found.instructions
    }
    for name, part in (
        ("", found.now),
        ("at draw ", found.at_draw),
        ("at win ", found.at_win),
        ("at end ", found.at_end),
    ):
        words |= {f"{name}{each}" for each in _part(part)}
    return words or {"nothing"}


def _sanction(each: Sanction) -> str:
    params = (f"{key}={value}" for key, value in each.effect.params)
    return " ".join([str(int(each.seat)), each.op.value, *params])


def _part(part: Part) -> Iterator[str]:
    if any(part.deltas):
        yield "pays " + ",".join(map(str, part.deltas))
    if part.pot:
        yield f"pot {part.pot}"
    if part.outside:
        yield f"outside {part.outside}"
    for due in part.dues:
        yield f"due {int(due.seat)} {due.op.value} {due.amount}"
    if part.ending is not None:
        how = "passes" if part.ending.dealer_passes else "again" if part.ending.is_repeat else "stays"
        yield f"ends {part.ending.kind.value} {how} returns {part.ending.returned_sticks}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.line.replace(" | ", ": "))
def test_an_option_does_what_its_text_says(scenario: Scenario) -> None:
    assert words(follows(scenario)) == scenario.expected


def test_every_option_of_the_catalogue_has_a_scenario() -> None:
    scenario_options = {(each.number, each.letter) for each in SCENARIOS}
    assert scenario_options == {
        (clause.number, letter) for clause in catalogue_of_clauses().values() for letter in clause.letters
    }


@pytest.mark.parametrize("number", list(catalogue_of_clauses()))
def test_options_of_a_clause_differ_in_what_follows(number: str) -> None:
    by_option: dict[str, set[tuple[tuple[str, ...], frozenset[str]]]] = defaultdict(set)
    for each in SCENARIOS:
        if each.number == number:
            by_option[each.letter].add((each.offence, each.expected))
    assert len({frozenset(outcomes) for outcomes in by_option.values()}) == len(by_option)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_penalty_moves_points_and_neither_makes_nor_loses_any(data: st.DataObject) -> None:
    clauses = list(catalogue_of_clauses().values())
    clause = data.draw(st.sampled_from(clauses))
    choices = {each.number: data.draw(st.sampled_from(each.letters)) for each in (clause, *clauses[:5])}
    seats = st.sampled_from(SEATS)
    facts = Facts(
        dealer=data.draw(seats),
        scores=data.draw(st.tuples(*[st.integers(-5000, 50000)] * 4)),
        end_target=data.draw(st.sampled_from([None, 0, 30000])),
        answers={fact: data.draw(st.booleans()) for fact in Fact},
        counts={count: data.draw(st.integers(1, 12)) for count in Count},
        roles={who: data.draw(seats) for who in FoulRole},
        outside=data.draw(st.integers(0, 2)),
        worths={seat: data.draw(st.sampled_from(list(WORTHS.values()))) for seat in SEATS},
    )
    rules = replace(HOME, choices={**HOME.choices, **choices}).penalties
    found = consequences(clause.number, data.draw(seats), rules, facts)
    assert not found.questions
    for part in (found.now, found.at_draw, found.at_win, found.at_end):
        assert sum(part.deltas) + part.pot + part.outside == 0
        assert part.pot >= 0


def test_a_clause_left_to_the_referee_or_unknown_to_the_house_asks_and_does_nothing() -> None:
    facts = Facts(dealer=Seat.NEAR)
    for rules in (PenaltyRules(), rules_named("tenhou").penalties):
        assert consequences("7-04-01", Seat.NEAR, rules, facts) == Consequence(questions=("7-04-01",))


def test_people_may_apply_another_option_this_once() -> None:
    found = consequences("7-04-01", Seat.RIGHT, HOME.penalties, Facts(dealer=Seat.NEAR), option="b")
    assert (found.option, words(found)) == ("b", {"pays 4000,-8000,2000,2000", "1 dead_hand"})
    with pytest.raises(InvalidValueError, match=r"expected an option of a, b, .* in 7-04-01, got 'z'"):
        consequences("7-04-01", Seat.RIGHT, HOME.penalties, Facts(dealer=Seat.NEAR), option="z")


def rulebook(name: str, clause: str, *facts: str, dealer: Seat = Seat.NEAR) -> set[str]:
    """What a rulebook does about a foul of seat 1."""
    return words(consequences(clause, Seat.RIGHT, rules_named(name).penalties, Facts(dealer=dealer).with_facts(facts)))


@pytest.mark.parametrize(
    ("name", "clause", "words", "expected"),
    [
        ("ema-2025", "7-04-01", (), {"1 dead_hand"}),
        ("wrc-2025", "7-04-01", (), {"due 1 after_uma 30000", "ends chombo again returns riichi"}),
        ("m-league", "7-04-02", (), {"1 dead_hand"}),
        (
            "ema-2025",
            "7-05-01",
            ("offender_opened_hand",),
            {"due 1 after_uma 20000", "ends chombo again returns riichi"},
        ),
        ("ema-2025", "7-05-01", ("offender_opened_hand", "after_last_discard"), {"1 dead_hand"}),
        (
            "wrc-2025",
            "7-05-01",
            ("after_last_discard",),
            {"due 1 after_uma 30000", "ends chombo again returns riichi"},
        ),
        ("ema-2025", "7-05-12", (), {"1 dead_hand", "1 void what=riichi"}),
        ("ema-2025", "EMA 6.6", (), {"1 dead_hand", "1 void what=riichi"}),
        ("ema-2025", "EMA 6.4.3", ("restorable",), {"told 1 restore"}),
        ("ema-2025", "EMA 6.4.3", ("not restorable",), {"1 dead_hand"}),
        ("wrc-2025", "WRC call with a dead hand", ("aware",), {"due 1 after_uma 30000"}),
        ("wrc-2025", "WRC call with a dead hand", ("unaware",), {"due 1 card 0"}),
        ("wrc-2025", "WRC exposed", ("exposed=2", "occurrence=1"), {"due 1 card 0"}),
        ("wrc-2025", "WRC exposed", ("exposed=2", "occurrence=2"), {"due 1 card 0", "due 1 after_uma 5000"}),
        ("wrc-2025", "WRC exposed", ("exposed=4", "occurrence=2"), {"1 dead_hand"}),
        (
            "wrc-2025",
            "WRC exposed",
            ("exposed=7", "occurrence=1"),
            {"due 1 after_uma 30000", "ends chombo again returns riichi"},
        ),
        ("m-league", "M.League manner", ("cards=1",), {"due 1 card 0"}),
        ("m-league", "M.League manner", ("cards=2",), {"due 1 card 0", "due 1 after_uma 20000"}),
        ("m-league", "M.League manner", ("cards=3",), {"due 1 card 0"}),
        ("m-league", "M.League unvoiced", ("cards=4",), {"due 1 card 0", "due 1 after_uma 20000"}),
        ("m-league", "M.League exposed", ("exposed=2", "cards=3"), {"due 1 card 0"}),
        ("m-league", "7-05-01", ("not offender_opened_hand",), {"told 1 refer source=missing"}),
        ("ema-2025", "EMA cheating", (), {"due 1 disqualify 0"}),
        ("parlour", "7-05-11", (), {"pays 0,-1000,0,0", "pot 1000"}),
        ("parlour", "7-04-01", (), {"1 dead_hand"}),
        (
            "parlour",
            "7-05-01",
            ("offender_opened_hand",),
            {"pays 3000,-9000,3000,3000", "ends chombo again returns riichi"},
        ),
    ],
)
def test_rulebooks_are_presets_of_the_same_engine(
    name: str, clause: str, words: tuple[str, ...], expected: set[str]
) -> None:
    assert rulebook(name, clause, *words) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deliberat", "expected a condition of .* got 'deliberat'; did you mean deliberate"),
        ("exposd=3", "expected a fact of .* got 'exposd'; did you mean exposed"),
        ("breaker=4", "expected a seat from 0 to 3 in 'breaker=4', got '4'"),
        ("exposed=-1", "expected a number in 'exposed=-1', got '-1'"),
        ("exposed>=3", "expected a fact of .* got 'exposed>'; did you mean exposed"),
    ],
)
def test_a_told_fact_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        Facts(dealer=Seat.NEAR).with_facts([text])


def test_two_penalties_that_end_a_hand_end_it_as_a_chombo_and_the_deal_passes_if_either_says_so() -> None:
    replay = Ending(kind=EndKind.REPLAY, is_repeat=True, returned_sticks="riichi")
    passes = Ending(kind=EndKind.CHOMBO, dealer_passes=True, returned_sticks="none")
    both = Ending(kind=EndKind.CHOMBO, dealer_passes=True, returned_sticks="riichi")
    assert (Part(ending=replay) + Part(ending=passes)).ending == both
    assert (Part(ending=replay) + Part()).ending == replay
    assert Part().is_empty


def test_a_chombo_whose_price_or_deal_is_left_to_the_referee_is_dealt_again_and_asks() -> None:
    rules = replace(HOME, choices={**HOME.choices, "7-01": "referee", "7-02": "referee"}).penalties
    found = consequences("7-04-01", Seat.RIGHT, rules, Facts(dealer=Seat.NEAR), option="a")
    assert words(found) == {"ends chombo again returns riichi", "asks 7-01", "asks 7-02"}


def test_a_house_without_a_rule_for_the_last_hand_deals_it_again() -> None:
    rules = replace(HOME, choices={**HOME.choices, "7-02": "c", "7-02-01": "referee"}).penalties
    facts = Facts(dealer=Seat.NEAR, end_target=0)
    found = consequences("7-04-01", Seat.RIGHT, rules, facts, option="a")
    assert found.now.ending is not None
    assert not found.now.ending.dealer_passes


def test_a_rule_cannot_choose_an_option_that_it_has_not() -> None:
    with pytest.raises(InvalidValueError, match="expected an option of a in X, got 'b'"):
        Rule(clause="X", options=(Option(letter="a", effects=()),), choice="b")

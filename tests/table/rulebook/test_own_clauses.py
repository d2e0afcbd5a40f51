"""Clauses of our own: what riichi requires and the catalogue has no sanction for, held and chosen as the rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.rulebook import SHIPPED, all_clauses, book_languages, catalogue_of_clauses, parse_house, rules_named
from table.rulebook.clause_catalogue import own_entries
from table.rulebook.clause_texts import book_texts
from table.rulebook.ruleset_difference import differences
from table.rulebook.ruleset_writer import write_house
from table.rules.penalties.consequence import EndKind
from table.rules.penalties.effect_terms import Op
from table.rules.penalties.foul_effects import consequences
from table.rules.penalties.foul_facts import Facts
from table.rules.terms.seats import Seat

OWN = ["R01", "R21", "R22", "R23", "R58", "R60"]
HOME = rules_named("home")


def test_they_stand_beside_the_catalogue_and_not_in_it() -> None:
    assert [entry.number for entry in own_entries() if entry.options] == OWN
    assert list(all_clauses()) == [*catalogue_of_clauses(), *OWN]


def test_letters_run_from_a_and_the_suggestion_is_one_of_them() -> None:
    for clause in own_entries():
        assert "".join(clause.letters) == "abcdefg"[: len(clause.letters)]
        assert clause.suggested in clause.letters or not clause.options


@pytest.mark.parametrize("language", book_languages())
def test_they_have_words_in_every_language(language: str) -> None:
    texts = book_texts(language)
    for clause in own_entries():
        assert texts.titles[clause.number].strip()
        assert all(texts.options[f"{clause.number} {letter}"].strip() for letter in clause.letters)


@pytest.mark.parametrize("name", SHIPPED)
def test_r60_is_a_chombo_at_once_in_every_preset(name: str) -> None:
    found = consequences("R60", Seat.RIGHT, rules_named(name).penalties, Facts(dealer=Seat.NEAR))
    assert found.now.ending is not None
    assert found.now.ending.kind is EndKind.CHOMBO


@pytest.mark.parametrize("number", OWN)
def test_at_home_each_has_a_consequence(number: str) -> None:
    found = consequences(number, Seat.RIGHT, HOME.penalties, Facts(dealer=Seat.NEAR))
    assert found.option == HOME.choices[number]
    assert found.sanctions or found.now.ending


@pytest.mark.parametrize("number", OWN)
def test_a_chombo_a_dead_hand_and_something_milder_can_be_chosen(number: str) -> None:
    ops = {effect.op for option in all_clauses()[number].options for effect in option.effects}
    assert {Op.CHOMBO, Op.DEAD_HAND} <= ops
    assert ops & {Op.NONE, Op.VOID, Op.RESTORE}


@pytest.mark.parametrize(
    ("name", "number", "article"),
    [
        ("ema-2025", "R01", "EMA 6.6"),
        ("ema-2025", "R21", "EMA 6.7.3"),
        ("ema-2025", "R22", "EMA 6.7.3"),
        ("ema-2025", "R23", "EMA 6.7 call in riichi"),
        ("ema-2025", "R58", "EMA closed kan in riichi"),
        ("wrc-2025", "R01", "WRC riichi on an open hand"),
        ("wrc-2025", "R22", "WRC hand discard in riichi"),
        ("wrc-2025", "R23", "WRC call in riichi"),
    ],
)
def test_a_rulebook_that_answers_one_answers_by_its_article(name: str, number: str, article: str) -> None:
    house = rules_named(name)
    facts = Facts(dealer=Seat.NEAR).with_facts(["restorable"])
    by_clause, by_article = (consequences(each, Seat.RIGHT, house.penalties, facts) for each in (number, article))
    assert replace(by_clause, option=None) == replace(by_article, option=None)
    assert house.choices[number] == article


def test_a_house_that_builds_on_a_rulebook_may_choose_otherwise_and_is_then_asked_so() -> None:
    text = 'format = 1\nname = "ours"\n[choices]\n"R22" = "b"'
    house = parse_house(text, "ours.toml", rules_named("ema-2025"))
    rule = house.penalties.answer("R22")
    assert rule is not None
    assert (rule.clause, rule.choice) == ("R22", "b")


def test_a_house_may_leave_one_to_the_referee_and_its_file_says_so() -> None:
    house = parse_house('format = 1\nname = "ours"\n[choices]\n"R60" = "referee"', "ours.toml", HOME)
    assert [(difference.key, difference.b) for difference in differences(HOME, house)] == [("R60", "referee")]
    assert '"R60" = "referee"' in write_house(house)
    assert "# R22 立直後手切\n#   Discarding from the hand after riichi\n#   a  Chombo." in write_house(house)


def test_a_file_from_before_there_were_such_clauses_is_read_and_leaves_them_to_the_referee() -> None:
    lines = write_house(HOME).replace('name = "home"', 'name = "old"').splitlines()
    old = "\n".join(line for line in lines if not line.startswith('"R'))
    house = parse_house(old, "old.toml")
    assert {house.choices[number] for number in OWN} == {"referee"}
    assert {number: house.choices[number] for number in catalogue_of_clauses()} == {
        number: HOME.choices[number] for number in catalogue_of_clauses()
    }

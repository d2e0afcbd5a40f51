from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from table.rulebook import clause_texts
from table.rulebook.clause_catalogue import (
    Clause,
    all_clauses,
    catalogue_of_clauses,
    clause_named,
    entries,
    package_text,
)
from table.rulebook.clause_texts import SIMPLIFIED, TRADITIONAL, book_languages, book_texts
from table.runtime.table_errors import ConfigError

CLAUSES = catalogue_of_clauses()
OPTIONS = [(clause.number, option.letter) for clause in CLAUSES.values() for option in clause.options]
HOLE = "{?}"


def source(shared: Path) -> dict[str, dict[str, Any]]:
    file = shared / "rules" / "penalties.json"
    if not file.is_file():
        pytest.skip("the penalty catalogue ../shared/rules/penalties.json is absent")
    return {entry["id"]: entry for entry in json.loads(file.read_text(encoding="utf-8"))["clauses"]}


def test_the_catalogue_has_49_clauses_and_194_options_under_7_headings() -> None:
    assert len(CLAUSES) == 49
    assert len(OPTIONS) == len(set(OPTIONS)) == 194
    assert sum(not entry.options for entry in entries()) == 7


def test_letters_run_from_a_without_a_gap() -> None:
    for clause in CLAUSES.values():
        assert "".join(clause.letters) == "abcdefghijklmnop"[: len(clause.letters)], clause.number


def test_every_parent_stands_before_its_children() -> None:
    numbers: set[str] = set()
    for entry in entries():
        assert entry.parent is None or entry.parent in numbers
        numbers.add(entry.number)


def test_every_word_and_effect_is_the_sources(shared: Path) -> None:
    for number, source_text in source(shared).items():
        entry = next(each for each in entries() if each.number == number)
        assert (entry.title, entry.parent) == (source_text["zh"], source_text["parent"])
        mine = [(option.letter, option.text, [effect.data for effect in option.effects]) for option in entry.options]
        assert mine == [(option["letter"], option["zh"], option["effects"]) for option in source_text["options"]]


def test_ten_options_are_marked_as_not_fully_legible() -> None:
    marked = {
        (clause.number, option.letter)
        for clause in CLAUSES.values()
        for option in clause.options
        if option.certainty != "exact"
    }
    assert len(marked) == 10
    assert ("7-08-03", "c") in marked


def test_amounts_whose_digit_is_lost_are_guesses_and_no_others() -> None:
    lost_digits = {
        (clause.number, option.letter)
        for clause in CLAUSES.values()
        for option in clause.options
        if option.is_digit_lost
    }
    assert lost_digits == {
        ("7-01", "f"),
        ("7-01", "h"),
        ("7-01", "i"),
        ("7-08-04", "d"),
        ("7-08-04", "f"),
        ("7-08-05", "e"),
    }


@pytest.mark.parametrize("language", [*book_languages(), SIMPLIFIED, TRADITIONAL])
def test_every_clause_and_option_has_a_text_in_every_language_with_the_lost_digits_left_open(language: str) -> None:
    texts = book_texts(language)
    for number, letter in OPTIONS:
        text, original = texts.options[f"{number} {letter}"], clause_named(number).option(letter).text
        assert text.strip()
        assert (HOLE in text) == (HOLE in original), (number, letter)
    assert all(texts.titles[entry.number].strip() for entry in entries())


def test_readers_of_traditional_chinese_get_its_characters_and_signs_and_else_the_original() -> None:
    original, texts = book_texts("zh"), book_texts(TRADITIONAL)
    assert original.titles["7-05-06"] == "立直后的誤暗杠"
    assert texts.titles["7-05-06"] == "立直後的誤暗槓"
    assert texts.titles["7-01"] == original.titles["7-01"]
    assert texts.is_reviewed
    all_texts = "".join((*texts.titles.values(), *texts.options.values(), *texts.conditions.values()))
    assert [letter for letter in "后于杠里么并舍閑托,;()" if letter in all_texts] == []
    assert texts.conditions.keys() == original.conditions.keys()


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_a_translation_that_nobody_checked_says_so(language: str) -> None:
    assert not book_texts(language).is_reviewed
    assert book_texts("zh").is_reviewed


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_a_condition_is_translated_wherever_the_clause_has_one(language: str) -> None:
    conditions = book_texts(language).conditions
    assert conditions.keys() >= {entry.number for entry in entries() if entry.condition}
    assert set(conditions) == {"7-02-01", "7-05-01-02", "7-05-10-01", "7-06-05-01"}


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        (r'"R22" = .*', "", "title: expected a text of R22, got none"),
        (r'"7-01 b" = .*', "", "option: expected a text of 7-01 b, got none"),
        (r'"7-02-01" = "7-02.*', "", "condition: expected a text of 7-02-01, got none"),
        (
            r'"R22" = ',
            '"R24" = "x"\n"R22" = ',
            "title: expected exactly the keys of the catalogue, got 'R24'; did you mean",
        ),
        (
            r"\[condition\]",
            '[condition]\n"7-99" = "x"',
            "condition: expected exactly the keys of the catalogue, got '7-99'",
        ),
    ],
)
def test_a_text_that_is_missing_or_of_no_clause_is_named(
    monkeypatch: pytest.MonkeyPatch, line: str, instead: str, message: str
) -> None:
    changed = re.sub(line, instead, package_text("texts", "ko.toml"), count=1)
    monkeypatch.setattr(clause_texts, "package_text", lambda *_: changed)
    book_texts.cache_clear()
    with pytest.raises(ConfigError, match=re.escape(f"texts/ko.toml: {message}")):
        book_texts("ko")


def test_only_two_options_are_jokes_and_they_move_no_points() -> None:
    jokes = [
        (number, letter)
        for number, letter in OPTIONS
        if any(effect.op.value == "joke" for effect in clause_named(number).option(letter).effects)
    ]
    assert jokes == [("7-08-04", "e"), ("7-08-04", "f")]


def test_every_suggestion_is_one_of_the_options() -> None:
    assert all(clause.suggested in clause.letters for clause in CLAUSES.values())


def test_an_unknown_clause_option_or_language_is_named_with_its_nearest() -> None:
    with pytest.raises(ConfigError, match=r"got '7-05-0'; did you mean '7-05-\d+'\?"):
        clause_named("7-05-0")
    with pytest.raises(ConfigError, match=r"7-02: expected an option \(a, b, c, d\), got 'e'"):
        clause_named("7-02").option("e")
    languages = ", ".join((*book_languages(), SIMPLIFIED, TRADITIONAL))
    with pytest.raises(ConfigError, match=re.escape(f"language: expected one of these ({languages}), got 'jp'")):
        book_texts("jp")


def test_a_heading_is_no_clause() -> None:
    heading = next(entry for entry in entries() if entry.number == "7-04")
    assert heading == Clause(number="7-04", title="多牌、少牌")
    assert "7-04" not in CLAUSES


TITLES = {
    "en": ("Wall", "dead hand"),
    "ja": ("山", "和了放棄"),
    "ko": ("패산", "화료 포기"),
    "zh-Hans": ("崩山", "放弃和牌"),
    "zh-Hant": ("崩山", "放棄和牌"),
}
"""How each language names a knocked-over wall and a dead hand."""


@pytest.mark.parametrize("language", TITLES)
def test_a_title_can_be_understood_in_a_vote_where_its_heading_is_not_shown(language: str) -> None:
    texts = book_texts(language)
    wall, dead = TITLES[language]
    assert all(wall in texts.title(f"7-07-01-0{number}") for number in (1, 2))
    assert all(dead in texts.title(f"7-09-0{number}") for number in range(1, 7))
    titles = [texts.title(number) for number in all_clauses()]
    assert len(set(titles)) == len(titles)

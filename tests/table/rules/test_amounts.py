"""A count and its noun agree, in every sentence of the programs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from table.records.audit.audit_verdict import verdict
from table.rules.terms.amounts import amount
from tests.places import ROOT

NEVER_ONE = {
    "vision/addresses.py",  # digits of a long number
    "vision/photo/files/photo_file.py",  # bytes of a file
    "vision/reading/reader.py",  # classes
    "vision/strict_reader.py",  # values of a list with several
    "vision/tilesets/set_scan.py",  # faces of a set
}
"""Modules that count what is never one alone."""


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [(0, "hand", "0 hands"), (1, "hand", "1 hand"), (2, "entry", "2 entries"), (1, "copy", "1 copy")],
)
def test_an_amount_is_in_the_singular_for_one_alone(count: int, noun: str, text: str) -> None:
    assert amount(count, noun) == text


def test_the_verb_agrees_with_the_hands_that_disagree() -> None:
    assert [verdict(1, 0), verdict(1, 1), verdict(3, 1), verdict(3, 2)] == [
        "1 hand, 0 disagree",
        "1 hand, 1 disagrees",
        "3 hands, 1 disagrees",
        "3 hands, 2 disagree",
    ]


def counted_plurals(source: str) -> Iterator[str]:
    """Yields the nouns in the plural that stand right after a length in a text."""
    for text in ast.walk(ast.parse(source)):
        if not isinstance(text, ast.JoinedStr):
            continue
        for value, after in zip(text.values, text.values[1:], strict=False):
            match value, after:
                case (
                    ast.FormattedValue(value=ast.Call(func=ast.Name(id="len"))),
                    ast.Constant(value=str(words)),
                ) if found := re.match(r" ([a-z-]+ ){0,2}(?!has\b|is\b|was\b)[a-z]+s\b", words):
                    yield found[0]


def test_no_text_puts_a_length_beside_a_plural() -> None:
    assert list(counted_plurals('f"{len(x)} bad hands"')) == [" bad hands"]
    files = [path for room in ("table", "vision") for path in (ROOT / room).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): [*counted_plurals(path.read_text("utf-8"))] for path in files}
    assert {path for path, nouns in found.items() if nouns} == NEVER_ONE

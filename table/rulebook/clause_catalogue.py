"""The catalogue as data: clauses with their options in the original Chinese, and the effects of each option.

Our own clauses follow the source's: violations of riichi's requirements that it has no clause for (`R22`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from table.rulebook.rules_file import refusal, rules_file
from table.rules.penalties.effect_terms import Effect

PACKAGE: Final = "table.rulebook"
FILE: Final = "catalogue.toml"
OWN_FILE: Final = "own.toml"
EXACT: Final = "exact"


def package_text(*names: str) -> str:
    """Returns the text of one of the package's own files."""
    return resources.files(PACKAGE).joinpath(*names).read_text("utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class BookOption:
    """One option of a clause."""

    letter: str
    text: str
    """As in the source; `{?}` is a digit missing in the source."""
    effects: tuple[Effect, ...]
    certainty: str = EXACT
    """How certain the text is: `exact`, or a grade with what is missing, such as `LOW: digit lost`."""

    @property
    def is_digit_lost(self) -> bool:
        """Whether an amount in it is a guess."""
        return any(effect.is_digit_lost for effect in self.effects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause, or a heading, which has no options."""

    number: str
    title: str
    parent: str | None = None
    condition: str = ""
    """The condition under which it applies, as in the source."""
    remark: str = ""
    """The source's remark on its meaning."""
    note: str = ""
    """Points that the source leaves open, and their interpretation here (in English)."""
    suggested: str = ""
    """The letter of the option that is common practice: our proposal, not the source's."""
    options: tuple[BookOption, ...] = field(default=(), metadata={"key": "option"})

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of its options, in order."""
        return tuple(option.letter for option in self.options)

    def option(self, letter: str) -> BookOption:
        """Returns one of its options.

        Raises:
            ConfigError: no option has that letter.
        """
        for option in self.options:
            if option.letter == letter:
                return option
        raise refusal(FILE, self.number, "an option", letter, self.letters)


@cache
def entries() -> tuple[Clause, ...]:
    """Returns every numbered entry of the source in order, headings included."""
    return _read_clauses(FILE)


@cache
def own_entries() -> tuple[Clause, ...]:
    """Returns our own clauses under their heading."""
    return _read_clauses(OWN_FILE)


@cache
def catalogue_of_clauses() -> Mapping[str, Clause]:
    """Returns every clause of the source that has options, by number and in order."""
    return MappingProxyType({clause.number: clause for clause in entries() if clause.options})


@cache
def all_clauses() -> Mapping[str, Clause]:
    """Returns every clause that a house decides, by number: the source's, then our own."""
    own_clauses = {clause.number: clause for clause in own_entries() if clause.options}
    return MappingProxyType({**catalogue_of_clauses(), **own_clauses})


def clause_named(number: str) -> Clause:
    """Returns a clause.

    Raises:
        ConfigError: no clause has that number; the message names the nearest one.
    """
    clauses = all_clauses()
    if number not in clauses:
        raise refusal(
            "the penalty catalogue", "clause", "a number from 7-01 to 7-09-06, or R01 to R60", number, clauses
        )
    return clauses[number]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entries:
    """The whole file."""

    entries: tuple[Clause, ...] = field(metadata={"key": "clause"})


def _read_clauses(name: str) -> tuple[Clause, ...]:
    file: _Entries = rules_file(name, package_text(name)).read(_Entries)
    return file.entries

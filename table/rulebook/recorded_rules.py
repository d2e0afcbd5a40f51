"""Stores the rules of a recording: the name of a built-in set, or else the set itself.

A custom set is stored as `rules.toml` next to `recording.toml`, written from the rules in force. So the recording also
replays on another machine, and with the same rules even if the set was changed or deleted since.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from table.rulebook.clause_catalogue import all_clauses
from table.rulebook.house_rules import REFEREE, SETTINGS, Article, HouseRules
from table.rulebook.option_amounts import amounts_of
from table.rulebook.ruleset_reader import SHIPPED, preset_rules
from table.rulebook.ruleset_writer import write_house
from table.rules.penalties.effect_terms import Effect
from table.rules.penalties.penalty_rules import PenaltyRules, Rule
from table.rules.ruleset import Ruleset

RULES_FILE: Final = "rules.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesReference:
    """A recording's reference to its rules."""

    ruleset: str
    """The value of `ruleset` in recording.toml: the name of a shipped set, or of the file next to it."""
    toml: str | None = None
    """The text of that file; None for a shipped set."""


def rules_reference(ruleset: Ruleset) -> RulesReference:
    """Returns the reference to these rules for a recording of a game."""
    if ruleset.name in SHIPPED and preset_rules(ruleset.name).ruleset == ruleset:
        return RulesReference(ruleset=ruleset.name)
    return RulesReference(ruleset=RULES_FILE, toml=write_house(house_of(ruleset)))


def house_of(ruleset: Ruleset) -> HouseRules:
    """Returns the rules being played as a set that can be written: its decisions, without sources."""
    penalties, clauses = ruleset.penalties, all_clauses()
    rules = {rule.clause: rule for rule in penalties.rules}
    choices = {number: rules[number].choice or REFEREE if number in rules else REFEREE for number in clauses}
    return HouseRules(
        name=ruleset.name,
        switches=replace(ruleset, penalties=PenaltyRules()),
        choices=choices,
        amounts={key: amounts for rule in penalties.rules for key, amounts in _changed_amounts(rule)},
        articles=tuple(_article(rule) for rule in penalties.rules if rule.clause not in clauses),
        quick=penalties.quick,
        **{name: getattr(penalties, name) for name in SETTINGS},
    )


def _changed_amounts(rule: Rule) -> Iterator[tuple[str, dict[str, int]]]:
    """Yields the amounts of a clause's options that differ from the catalogue's."""
    clause = all_clauses().get(rule.clause)
    for option in rule.options:
        if clause is None or option.letter not in clause.letters:
            continue
        if not _is_same(option.effects, clause.option(option.letter).effects):
            yield f"{rule.clause} {option.letter}", amounts_of(option.effects)


def _is_same(first: tuple[Effect, ...], second: tuple[Effect, ...]) -> bool:
    return [dict(effect.params) for effect in first] == [dict(effect.params) for effect in second]


def _article(rule: Rule) -> Article:
    return Article(
        number=rule.clause,
        title=rule.title,
        effects=rule.options[0].effects,
        evidence="second_hand",
        about=rule.about,
    )

"""Reads a rule set from one TOML file strictly: a file with any mistake is refused as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Annotated, Any, Final, Literal

from table.rulebook.clause_catalogue import all_clauses, package_text
from table.rulebook.house_rules import REFEREE, SETTINGS, Article, FileText, HouseRules
from table.rulebook.option_amounts import LARGEST
from table.rulebook.rules_file import refusal, rules_file
from table.rules.penalties.penalty_rules import Deciders, LastDiscard, QuickFoul, Returned
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError
from vision.plain_values import with_tuples
from vision.strict_reader import Only, mismatch
from vision.toml_file import TomlFile

FORMAT: Final = 1
SHIPPED: Final = ("home", "parlour", "ema-2025", "wrc-2025", "m-league", "jpml-a", "tenhou", "mahjong-soul")
"""The shipped sets, the plain home rules first."""
LONGEST_NAME: Final = 40
SWITCHES: Final = tuple(switch.name for switch in fields(Ruleset) if switch.name not in ("name", "penalties"))
"""The names of everything that a file may set in `[rules]`."""
NAME: Final = f"a name of at most {LONGEST_NAME} letters without slashes, colons and quotes"


def _is_name(name: str) -> bool:
    is_plain = bool(name) and name == name.strip() and name.isprintable() and len(name) <= LONGEST_NAME
    return is_plain and not any(letter in name for letter in '/\\:"')


_Amounts = Annotated[Mapping[str, Any], Only("amounts by name, such as { each = 4000 }")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileContent:
    """The content of a file; a setting that is None stays as in the base."""

    format: Literal[1]
    name: Annotated[str, Only(NAME, _is_name)]
    base: str = ""
    switches: str = ""
    """The shipped set from which the switches are taken; files that earlier versions exported may name one."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    amounts: Mapping[str, _Amounts] = field(default_factory=dict)
    sources: Mapping[str, FileText] = field(default_factory=dict)
    articles: tuple[Article, ...] = field(default=(), metadata={"key": "article"})
    quick: tuple[QuickFoul, ...] = ()
    returned_sticks: Returned | None = None
    after_last_discard: LastDiscard | None = None
    win_voids_chombo: bool | None = None
    dead_riichi_shown: bool | None = None
    short_is_bust: bool | None = None
    chombo_counts: bool | None = None
    fouls_decided_by: Deciders | None = None


def parse_house(text: str, place: str, base: HouseRules | None = None) -> HouseRules:
    """Reads a rule set; `place` names its file in messages.

    Clauses, amounts and switches that the file does not name are those of `base`; without a base, clauses are left to
    the referee and switches are those of the plain home rules.

    Raises:
        ConfigError: an unknown key, clause, option or amount; the message names file, line, key, value, what is allowed
            and the nearest name.
    """
    file, start = rules_file(place, text), _undecided_rules() if base is None else base
    content: _FileContent = file.read(_FileContent)
    _check_names(file, "choices", content.choices, all_clauses())
    _check_names(file, "sources", content.sources, (*all_clauses(), *SWITCHES))
    for index, article in enumerate(content.articles):
        if (largest := max((effect.largest_number for effect in article.effects), default=0)) > LARGEST:
            raise file.wrong(f"article[{index}].effects", f"expected amounts up to {LARGEST:,}, got {largest}")
    switch_base = _switch_base(file, content, start)
    switches = _switches(file, content, switch_base.switches)
    choices = {**start.choices, **content.choices}
    sources = {key: source for key, source in content.sources.items() if source}
    settings = {key: getattr(content, key) for key in SETTINGS if getattr(content, key) is not None}
    try:
        return replace(
            start,
            name=content.name,
            switches=switches,
            choices=choices,
            amounts={**start.amounts, **content.amounts},
            sources=_kept_sources(start, choices)
            | {number: sources[number] for number in choices if number in sources},
            switch_sources=_inherited_sources(switch_base, switches)
            | {name: sources[name] for name in SWITCHES if name in sources},
            articles=content.articles or start.articles,
            quick=tuple(replace(foul, option=foul.option or None) for foul in content.quick) or start.quick,
            **settings,
        )
    except ConfigError as error:
        problem = str(error).removeprefix(f"{content.name}: ")
        key = problem.partition(":")[0].replace('"', "")
        raise ConfigError(f"{file.place(key)}: {problem}") from error


@cache
def preset_rules(name: str) -> HouseRules:
    """Returns a shipped rule set.

    Raises:
        ConfigError: none has that name; the message names the nearest.
    """
    if name not in SHIPPED:
        raise refusal("rule sets", "name", "one of these", name, SHIPPED)
    file = f"{name}.toml"
    return read_rules(package_text("presets", file), f"presets/{file}")


def read_rules(text: str, place: str) -> HouseRules:
    """Reads the text of a rule set, which may be based on a shipped one; `place` names it in messages.

    Raises:
        ConfigError: it has a mistake.
    """
    base = _base_of(text, place)
    if base is not None and base not in SHIPPED:
        raise refusal(place, "base", "a shipped rule set", base, SHIPPED)
    return parse_house(text, place, None if base is None else preset_rules(base))


@cache
def _undecided_rules() -> HouseRules:
    """Returns the plain home rules with every clause left to the referee."""
    return HouseRules(name=Ruleset().name, switches=Ruleset(), choices=dict.fromkeys(all_clauses(), REFEREE))


def _base_of(text: str, place: str) -> str | None:
    """Returns the name of the rule set on which a file is based, if it names one."""
    base = rules_file(place, text).data.get("base")
    return base if isinstance(base, str) and base else None


def checked_name(place: str, name: object) -> str:
    """Returns the name of a rule set, which is also that of its file.

    Raises:
        ConfigError: it is not a valid name.
    """
    if not isinstance(name, str) or not _is_name(name):
        raise refusal(place, "name", NAME, name)
    return name


def _check_names(file: TomlFile, table: str, names: Iterable[str], known_names: Iterable[str]) -> None:
    for name in names:
        if name not in known_names:
            expected = "a clause" if table == "choices" else "a clause or a switch"
            raise file.wrong(f"{table}.{name}", mismatch(expected, name, known_names))


def _kept_sources(start: HouseRules, choices: Mapping[str, str]) -> dict[str, str]:
    """Returns the sources of the clauses whose choice is the same as in `start`."""
    return {number: source for number, source in start.sources.items() if choices[number] == start.choices[number]}


def _inherited_sources(switch_base: HouseRules, switches: Ruleset) -> dict[str, str]:
    """Returns the sources of the switches whose value is the same as in the set that they come from."""
    sources, old_switches = switch_base.switch_sources, switch_base.switches
    return {
        name: sources[name]
        for name in SWITCHES
        if name in sources and getattr(switches, name) == getattr(old_switches, name)
    }


def _switch_base(file: TomlFile, content: _FileContent, start: HouseRules) -> HouseRules:
    """Returns the set that supplies the switches that the file does not set."""
    if content.switches and content.switches not in SHIPPED:
        raise refusal(file.place("switches"), "switches", "a named rule set", content.switches, SHIPPED)
    return preset_rules(content.switches) if content.switches else start


def _switches(file: TomlFile, content: _FileContent, base: Ruleset) -> Ruleset:
    for key in content.rules:
        if key not in SWITCHES:
            raise file.wrong(f"rules.{key}", mismatch("a switch of the rules", key, SWITCHES))
    try:
        return base.but(**{key: with_tuples(value) for key, value in content.rules.items()}, name=content.name)
    except RulesError as error:
        wrong_keys = [(found.start(), key) for key in content.rules if (found := re.search(rf"\b{key}\b", str(error)))]
        raise file.wrong(f"rules.{min(wrong_keys)[1]}" if wrong_keys else "rules", str(error)) from error

"""A rule set as one TOML file, read strictly: a set that cannot be understood whole is refused whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, Final

from table.rulebook.clause_catalogue import all_clauses, read_effects
from table.rulebook.house_rules import REFEREE, SETTINGS, Article, HouseRules
from table.rulebook.play_presets import PRESETS
from table.rulebook.switch_sources import switch_sources
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.ruleset import Ruleset
from table.rules.terms.rule_errors import RulesError
from table.runtime.table_errors import ConfigError
from table.runtime.toml_file import TomlTable, refusal

FORMAT: Final = 1
LONGEST_NAME: Final = 40
EVIDENCE: Final = ("read", "second_hand", "missing")
SWITCHES: Final = tuple(each.name for each in fields(Ruleset) if each.name not in ("name", "penalties"))
"""The names of everything that a file may set under `[rules]`."""


def parse_house(text: str, where: str, base: HouseRules | None = None) -> HouseRules:
    """Reads a rule set; `where` names its file in messages.

    Clauses, amounts and switches that the file does not name come from `base`; without one, clauses are left to the
    referee and switches are those of the plain home set.

    Raises:
        ConfigError: an unknown key, clause, option or amount: file, key, value, what is allowed and what is nearest.
    """
    file = TomlTable.parse(where, text)
    if (found := file.take("format", int)) != FORMAT:
        raise refusal(where, "format", str(FORMAT), found)
    name = _name(file)
    switches = file.take("switches", str, "")
    ruleset = _ruleset(file, name, switches, base)
    articles = tuple(_article(table) for table in file.tables("article")) or (() if base is None else base.articles)
    choices = _choices(file, base, articles)
    amounts = {**({} if base is None else base.amounts), **_amounts(file)}
    told = _sources(file)
    sources = _kept(base, choices) | {number: told[number] for number in choices if number in told}
    inherited = _inherited_sources(base, switches, ruleset)
    settings = {
        key: file.take(key, type(allowed[0]), allowed[0] if base is None else getattr(base, key))
        for key, allowed in SETTINGS.items()
    }
    quick = tuple(_quick(table) for table in file.tables("quick")) or (() if base is None else base.quick)
    file.end()
    return _checked(
        where,
        {
            "name": name,
            "ruleset": ruleset,
            "choices": choices,
            "amounts": amounts,
            "sources": sources,
            "switch_sources": inherited | {name: told[name] for name in SWITCHES if name in told},
            "articles": articles,
            "quick": quick,
            **settings,
        },
    )


def base_of(text: str, where: str) -> str | None:
    """Returns the name of the rule set that a file builds on, if it names one."""
    return TomlTable.parse(where, text).take("base", str, "") or None


def _checked(where: str, values: dict[str, Any]) -> HouseRules:
    try:
        return HouseRules(**values)
    except ConfigError as error:
        raise ConfigError(str(error).replace(f"{values['name']}: ", f"{where}: ", 1)) from error


def _name(file: TomlTable) -> str:
    file.take("base", str, "")
    return checked_name(file.where, file.take("name", str))


def checked_name(where: str, name: object) -> str:
    """Returns the name of a rule set, which is also that of its file.

    Raises:
        ConfigError: it cannot be one.
    """
    is_name = isinstance(name, str) and bool(name) and name == name.strip() and name.isprintable()
    if not isinstance(name, str) or not is_name or len(name) > LONGEST_NAME or any(each in name for each in '/\\:"'):
        expected = f"a name of at most {LONGEST_NAME} letters without slashes, colons and quotes"
        raise refusal(where, "name", expected, name)
    return name


def _choices(file: TomlTable, base: HouseRules | None, articles: tuple[Article, ...]) -> dict[str, str]:
    table = file.table("choices")
    numbers = all_clauses()
    own = [article.number for article in articles]
    chosen = {}
    for number in numbers:
        before = REFEREE if base is None else base.choices[number]
        choice = table.take(number, str, before)
        allowed = [*numbers[number].letters, *own, REFEREE]
        if choice not in allowed:
            raise refusal(file.where, table.key(f'"{number}"'), "an option", choice, allowed)
        chosen[number] = choice
    table.end()
    return chosen


def _amounts(file: TomlTable) -> dict[str, dict[str, int]]:
    table = file.table("amounts")
    found: dict[str, dict[str, int]] = {}
    for key, amounts in table.rest().items():
        if not isinstance(amounts, dict):
            raise refusal(file.where, table.key(f'"{key}"'), "amounts by name, such as { each = 4000 }", amounts)
        found[key] = amounts
    return found


def _sources(file: TomlTable) -> dict[str, str]:
    """Returns what the file itself cites, by clause and by switch."""
    table = file.table("sources")
    found = {key: table.take(key, str, "") for key in (*all_clauses(), *SWITCHES)}
    table.end()
    return {key: source for key, source in found.items() if source}


def _kept(base: HouseRules | None, choices: Mapping[str, str]) -> dict[str, str]:
    """Returns the base's sources of the clauses that are chosen as there."""
    if base is None:
        return {}
    return {number: source for number, source in base.sources.items() if choices[number] == base.choices[number]}


def _inherited_sources(base: HouseRules | None, switches: str, ruleset: Ruleset) -> dict[str, str]:
    """Returns the sources of the switches that are as in the set that they were taken from."""
    start, sources = (None, {}) if base is None else (base.ruleset, base.switch_sources)
    if switches:
        start, sources = PRESETS[switches], switch_sources(switches)
    return {
        name: sources[name] for name in SWITCHES if name in sources and getattr(ruleset, name) == getattr(start, name)
    }


def _article(table: TomlTable) -> Article:
    evidence = table.take("evidence", str)
    if evidence not in EVIDENCE:
        raise refusal(table.where, table.key("evidence"), "one of these", evidence, EVIDENCE)
    article = Article(
        number=table.take("number", str),
        title=table.take("title", str),
        evidence=evidence,
        effects=read_effects(table),
        about=tuple(table.take("about", list, [])),
    )
    table.end()
    return article


def _quick(table: TomlTable) -> QuickFoul:
    clause, option, facts = table.take("clause", str), table.take("option", str, ""), table.take("facts", list, [])
    if not all(isinstance(each, str) for each in facts):
        raise refusal(table.where, table.key("facts"), "texts", facts)
    try:
        foul = QuickFoul(clause=clause, option=option or None, facts=tuple(facts))
    except RulesError as error:
        raise ConfigError(f"{table.where}: {table.key('facts')}: {error}") from error
    table.end()
    return foul


def _ruleset(file: TomlTable, name: str, switches: str, base: HouseRules | None) -> Ruleset:
    if switches and switches not in PRESETS:
        raise refusal(file.where, "switches", "a named rule set", switches, PRESETS)
    start = PRESETS[switches] if switches else (Ruleset() if base is None else base.ruleset)
    table = file.table("rules")
    changes = {key: _frozen(value) for key, value in table.rest().items()}
    for key in changes:
        if key not in SWITCHES:
            near = get_close_matches(key, SWITCHES, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ConfigError(f"{file.where}: rules.{key}: expected a switch of the rules, got {key!r}{hint}")
    try:
        return start.but(**changes, name=name)
    except RulesError as error:
        raise ConfigError(f"{file.where}: rules: {error}") from error


def _frozen(value: Any) -> Any:
    return tuple(_frozen(each) for each in value) if isinstance(value, list) else value

"""Writes a rule set as one TOML file with comments that explain every switch, clause and option."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from table.rulebook.clause_catalogue import Clause, all_clauses
from table.rulebook.clause_texts import BookTexts, book_texts
from table.rulebook.house_rules import REFEREE, Article, HouseRules
from table.rulebook.ruleset_reader import FORMAT
from table.rules import ruleset as ruleset_module
from table.rules.ruleset import Ruleset

_WIDTH = 112
_HEAD = """\
Rules of a riichi table, for Tachiai. Change the values after "=" and import the file:
  tachiai rules import THIS_FILE
"{?}" is a digit missing in the source of the penalties."""
_UNREVIEWED = "The clauses are in our own translation, which nobody has reviewed; the original stands above each."


def write_house(house: HouseRules, language: str = "en") -> str:
    """Returns the file; `table.rulebook.ruleset_reader.parse_house` reads it as the same rule set.

    Raises:
        ConfigError: there is no such language.
    """
    texts = book_texts(language)
    lines = [
        *_comment(_HEAD if texts.is_reviewed else f"{_HEAD}\n{_UNREVIEWED}"),
        "",
        f"format = {FORMAT}",
        f"name = {_toml(house.name)}",
        "",
        *_comment("Which sticks of the hand are returned if it counts as not played: all, or riichi."),
        f"returned_sticks = {_toml(house.returned_sticks)}",
        *_comment("The result of a chombo that is found after the last discard: chombo, or dead_hand."),
        f"after_last_discard = {_toml(house.after_last_discard)}",
        *_comment("Whether a valid win at the same time voids any chombo, not only a false win (7-05-01-01)."),
        f"win_voids_chombo = {_toml(house.win_voids_chombo)}",
        *_comment("Whether a dead hand in riichi must be shown at a draw although it counts as noten."),
        f"dead_riichi_shown = {_toml(house.dead_riichi_shown)}",
        *_comment("Whether a player who cannot pay a deposit into the pot goes bust."),
        f"short_is_bust = {_toml(house.short_is_bust)}",
        *_comment("Whether a hand that a chombo ended counts as one that was played, once time was called."),
        f"chombo_counts = {_toml(house.chombo_counts)}",
        *_comment("Who must confirm a foul that is named on a phone: two people, or one owner."),
        f"fouls_decided_by = {_toml(house.fouls_decided_by)}",
        "",
        "[rules]",
        *_switches(house.switches),
        "[choices]",
        *_comment(f'The answer to each foul: an option\'s letter, or "{REFEREE}": the referee decides.'),
        "",
    ]
    for clause in all_clauses().values():
        lines += _choice(house, clause, texts)
    lines += [*_amounts(house), *_sources(house)]
    lines += _quick(house)
    for article in house.articles:
        lines += _article(article)
    return "\n".join(lines).rstrip() + "\n"


def _comment(text: str, indent: str = "") -> Iterator[str]:
    for line in text.splitlines():
        wrapped = textwrap.wrap(line, _WIDTH, initial_indent=indent, subsequent_indent=indent + "   ")
        yield from (f"# {part}" for part in wrapped)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _switches(ruleset: Ruleset) -> Iterator[str]:
    texts = switch_texts()
    for field in fields(Ruleset):
        if field.name in texts:
            yield from _comment(f"{texts[field.name]}{_allowed_text(field.name)}")
            yield f"{field.name} = {_toml(getattr(ruleset, field.name))}"
            yield ""


def _allowed_text(name: str) -> str:
    hint = _hints()[name]
    return f" One of: {', '.join(_toml(arg) for arg in get_args(hint))}." if get_origin(hint) is Literal else ""


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Ruleset)


@cache
def switch_texts() -> dict[str, str]:
    """Returns the description of each switch of the rules, by its name, except the name of the set."""
    (body,) = ast.parse(inspect.getsource(ruleset_module.Ruleset)).body
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - it is the source of a class
    found: dict[str, str] = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            found[field.target.id] = " ".join(ast.literal_eval(text.value).split())
    return {name: text for name, text in found.items() if name not in ("name", "penalties")}


def _choice(house: HouseRules, clause: Clause, texts: BookTexts) -> Iterator[str]:
    yield from _comment(f"{clause.number} {clause.title}")
    if texts.titles[clause.number] != clause.title:
        yield from _comment(texts.titles[clause.number], "  ")
    if condition := texts.conditions.get(clause.number):
        yield from _comment(f"({condition})", "  ")
    for option in clause.options:
        guess = " [amount is a guess: set it under amounts]" if house.is_guess(clause, option) else ""
        text = f"{option.letter}  {texts.option(clause.number, option.letter)}{guess}"
        yield from _comment(text, "  ")
    if source := house.sources.get(clause.number):
        yield from _comment(f"chosen by: {source}", "  ")
    yield f"{_toml(clause.number)} = {_toml(house.choices[clause.number])}"
    yield ""


def _amounts(house: HouseRules) -> Iterator[str]:
    yield "[amounts]"
    yield from _comment('Amounts that differ from the catalogue, or fill in a lost digit: "7-01 f" = { each = 4000 }')
    for key, amounts in house.amounts.items():
        yield f"{_toml(key)} = {{ {', '.join(f'{name} = {points}' for name, points in amounts.items())} }}"
    yield ""


def _sources(house: HouseRules) -> Iterator[str]:
    if not (house.sources or house.switch_sources):
        return
    yield "[sources]"
    yield from _comment("The source of each value; [S] marks second-hand ones.")
    yield from (f"{_toml(number)} = {_toml(source)}" for number, source in house.sources.items())
    yield from (f"{name} = {_toml(source)}" for name, source in house.switch_sources.items())
    yield ""


def _quick(house: HouseRules) -> Iterator[str]:
    if house.quick:
        yield from _comment(
            "Quick fouls: those that a seat's foul button steps through, at most six, indicated by its blinks."
        )
    for foul in house.quick:
        yield "[[quick]]"
        yield f"clause = {_toml(foul.clause)}"
        if foul.option is not None:
            yield f"option = {_toml(foul.option)}"
        if foul.facts:
            yield f"facts = {_toml(foul.facts)}"
        yield ""


def _article(article: Article) -> Iterator[str]:
    yield "[[article]]"
    yield f"number = {_toml(article.number)}"
    yield f"title = {_toml(article.title)}"
    yield f"evidence = {_toml(article.evidence)}"
    if article.about:
        yield f"about = {_toml(article.about)}"
    yield "effects = ["
    for effect in article.effects:
        yield f"  {{ {', '.join(f'{name} = {_toml(value)}' for name, value in effect.data.items())} }},"
    yield "]"
    yield ""

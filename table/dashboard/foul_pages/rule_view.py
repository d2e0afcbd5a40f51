"""A rule set as its page shows it: translated clauses, the choices, and the differences from another set. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from table.dashboard.foul_pages.foul_consequences import fact_text
from table.dashboard.foul_pages.play_switches import CONTROLS, has_usual_oka, play_view, value_text
from table.dashboard.web.clause_names import article_reference, article_text, article_title
from table.dashboard.web.view import View
from table.i18n import Catalogue
from table.i18n.clause_books import book_of
from table.rulebook.clause_catalogue import BookOption, Clause, entries, own_entries
from table.rulebook.clause_texts import TRADITIONAL, BookTexts
from table.rulebook.house_rules import REFEREE, SECOND_HAND, SETTINGS, Article, HouseRules
from table.rulebook.option_amounts import amounts_of
from table.rulebook.ruleset_difference import Difference, differences
from table.rules.chips import Chips
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.terms.yaku import YAKU

_EVIDENCE: Final = {"second_hand": "rules.second_hand", "missing": "rules.missing"}
_CHIPS: Final = {
    "ippatsu": "yaku.ippatsu",
    "ura": "yaku.ura_dora",
    "red": "yaku.red_five",
    "yakuman": "result.yakuman",
}
"""The uses of chips, and the text that names each."""


def rules_view(house: HouseRules, against: HouseRules | None, texts: Catalogue) -> View:
    """Returns everything that the page shows.

    Args:
        house: the rule set shown.
        against: the set to compare it with; None for no comparison.
        texts: the page's language.
    """
    found = [] if against is None else differences(against, house)
    changed = {difference.key for difference in found if difference.kind == "clause"}
    return {
        "name": house.name,
        "play": play_view(house.switches, None if against is None else against.switches, texts),
        "has_usual_oka": has_usual_oka(house.switches),
        "groups": list(_groups(house, against, changed, texts)),
        "own": _own_group(house, against, changed, texts),
        "articles": [_article(house, article, texts) for article in house.articles],
        "settings": [_setting(house, against, key, texts) for key in SETTINGS],
        "quick": [_quick(house, foul, texts) for foul in house.quick],
        "differences": [_difference(difference, texts) for difference in found if difference.kind == "switch"],
        "count": len(found),
        "count_text": texts.text("rules.count", count=len(found)),
    }


def _groups(house: HouseRules, against: HouseRules | None, changed: set[str], texts: Catalogue) -> Iterator[View]:
    """Yields the clauses under their headings in the book; those before the first heading have none."""
    number, clauses = "", list[View]()
    for entry in entries():
        if entry.options:
            clauses.append(_clause(house, against, entry, entry.number in changed, texts))
        elif entry.number.count("-") == 1:
            yield _group(number, clauses, texts)
            number, clauses = entry.number, []
    yield _group(number, clauses, texts)


def _group(number: str, clauses: list[View], texts: Catalogue) -> View:
    return {"number": number, "title": book_of(texts).title(number) if number else "", "clauses": clauses}


def _own_group(house: HouseRules, against: HouseRules | None, changed: set[str], texts: Catalogue) -> View:
    """Returns the house's own clauses under their heading."""
    heading, *clauses = own_entries()
    views = [_clause(house, against, clause, clause.number in changed, texts) for clause in clauses]
    return _group(heading.number, views, texts)


def _clause(house: HouseRules, against: HouseRules | None, clause: Clause, differs: bool, texts: Catalogue) -> View:
    book = book_of(texts)
    return {
        "number": clause.number,
        "title": book.title(clause.number),
        "original": "" if book.language == TRADITIONAL or book.title(clause.number) == clause.title else clause.title,
        "condition": book.conditions.get(clause.number, ""),
        "choice": house.choices[clause.number],
        "chosen": _choice_text(house, clause.number, book, texts),
        "amounts": _amounts(house, clause, texts),
        "is_guess": any(
            option.letter == house.choices[clause.number] and house.is_guess(clause, option)
            for option in clause.options
        ),
        **_source(house.sources.get(clause.number, ""), book, texts),
        "differs": differs,
        "other": _choice_text(against, clause.number, book, texts) if differs and against is not None else "",
        "options": [_option(house, clause, option, book) for option in clause.options],
    }


def _source(source: str, book: BookTexts, texts: Catalogue) -> View:
    """Returns the source of a choice, and that it is second-hand if it is."""
    is_hearsay = source.startswith(SECOND_HAND)
    return {
        "source": book.source(source.removeprefix(SECOND_HAND).lstrip()),
        "evidence": texts.text(_EVIDENCE["second_hand"]) if is_hearsay else "",
    }


def _amounts(house: HouseRules, clause: Clause, texts: Catalogue) -> str:
    """Returns the amounts of the chosen option that the house has set, or that replace an illegible digit."""
    choice = house.choices[clause.number]
    own_amounts = house.amounts.get(f"{clause.number} {choice}", {})
    is_digit_lost = choice in clause.letters and clause.option(choice).is_digit_lost
    amounts = amounts_of(house.effects(clause.number, choice)) if is_digit_lost else own_amounts
    return texts.list_text(f"{points:,}" for points in amounts.values())


def _option(house: HouseRules, clause: Clause, option: BookOption, book: BookTexts) -> View:
    return {
        "letter": option.letter,
        "text": book.option(clause.number, option.letter),
        "is_guess": house.is_guess(clause, option),
        "amounts": amounts_of(house.effects(clause.number, option.letter)),
    }


def _choice_text(house: HouseRules, number: str, book: BookTexts, texts: Catalogue) -> str:
    choice = house.choices[number]
    if choice == REFEREE:
        return texts.text("rules.referee")
    article = house.article(choice)
    return book.option(number, choice) if article is None else article_text(choice, article.title, texts)


def _article(house: HouseRules, article: Article, texts: Catalogue) -> View:
    key = _EVIDENCE.get(article.evidence)
    return {
        "number": article.number,
        "reference": article_reference(article.number, texts),
        "title": article_title(article.number, article.title, texts),
        "text": article_text(article.number, article.title, texts),
        "evidence": "" if key is None else texts.text(key),
        "amounts": amounts_of(house.effects("", article.number)),
    }


def _setting(house: HouseRules, against: HouseRules | None, key: str, texts: Catalogue) -> View:
    value = getattr(house, key)
    other = value if against is None else getattr(against, key)
    return {
        "key": key,
        "text": texts.text(f"rules.{key}"),
        "options": [(str(setting), _setting_text(setting, texts), setting == value) for setting in SETTINGS[key]],
        "chosen": _setting_text(value, texts),
        "other": "" if other == value else _setting_text(other, texts),
    }


def _setting_text(value: bool | str, texts: Catalogue) -> str:
    return texts.text(f"choice.{value}") if isinstance(value, str) else texts.text("rules.on" if value else "rules.off")


def _quick(house: HouseRules, foul: QuickFoul, texts: Catalogue) -> View:
    article = house.article(foul.clause)
    title = book_of(texts).title(foul.clause) if article is None else article_title(foul.clause, article.title, texts)
    return {"clause": foul.clause, "title": title, "facts": [fact_text(fact, texts) for fact in foul.facts]}


def _difference(difference: Difference, texts: Catalogue) -> View:
    if difference.key in CONTROLS and difference.key != "uma":
        mine, theirs = (value_text(difference.key, str(value), texts) for value in (difference.b, difference.a))
        return {"key": texts.text(f"play.{difference.key}"), "mine": mine, "theirs": theirs}
    return {
        "key": texts.text(f"switch.{difference.key}"),
        "mine": _value(difference.b, texts),
        "theirs": _value(difference.a, texts),
    }


def _value(value: Any, texts: Catalogue) -> str:
    if isinstance(value, bool):
        return texts.text("switch.on" if value else "switch.off")
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    if isinstance(value, Chips):
        counts = [(texts.text(key), getattr(value, name)) for name, key in _CHIPS.items()]
        return texts.list_text(f"{text} {count}" for text, count in counts if count) or texts.text("choice.none")
    if isinstance(value, tuple | list):
        if any(isinstance(item, tuple | list) for item in value):
            return " / ".join(" ".join(_value(inner, texts) for inner in item) for item in value)
        return texts.list_text(_value(item, texts) for item in value) or texts.text("choice.none")
    return texts.text(f"yaku.{value}" if value in YAKU else f"choice.{value}")

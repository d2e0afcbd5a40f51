"""The names of clauses on a page, and the check of a clause's name."""

from __future__ import annotations

import re
from typing import Final

from table.game.commands.game_commands import UNNAMED_FOUL
from table.game.snapshot import Snapshot
from table.i18n import Catalogue, catalogue
from table.i18n.clause_books import book_of
from table.rules.penalties.penalty_rules import Rule
from table.rules.ruleset import Ruleset

_BOOK: Final = re.compile(r"(?:[A-Z]\S*(?: \d\S*)?)?")
"""The book and the number at the beginning of an article's name: `EMA 6.4` of `EMA 6.4 dead wall`."""
_REPLACED: Final = re.compile("(.+) instead")
"""The reason in the journal if a foul was put right and people gave none: the number of the clause that replaced it."""


def rule_title(rule: Rule, texts: Catalogue) -> str:
    """Returns the title of a clause or an article of the house, in the page's language."""
    return book_of(texts).titles.get(rule.clause) or article_title(rule.clause, rule.title, texts) or rule.clause


def clause_title(clause: str, ruleset: Ruleset, texts: Catalogue) -> str:
    """Returns the title of a clause, an article or a requirement, in the page's language."""
    rule = ruleset.penalties.rule(clause)
    if rule is not None:
        return rule_title(rule, texts)
    if clause == UNNAMED_FOUL:
        return texts.text("fouls.other")
    return texts.texts.get(f"irregular.{clause}") or texts.text("irregular.other", clause=clause)


def cancellation_text(reason: str, snapshot: Snapshot, texts: Catalogue) -> str:
    """Returns why a foul was cancelled: the reason that people gave, or in words that another clause replaced it."""
    replaced = _REPLACED.fullmatch(reason)
    if replaced is None or not is_clause(replaced[1], snapshot, texts):  # people may type “instead”, too
        return reason
    title = book_of(texts).titles.get(replaced[1]) or clause_title(replaced[1], snapshot.ruleset, texts)
    return texts.text("fouls.instead", clause=title)


def article_title(number: str, title: str, texts: Catalogue) -> str:
    """Returns the title of a rulebook's own article in the page's language, unless the house has reworded it."""
    key = f"article.{number}"
    return texts.texts.get(key, title) if catalogue("en").texts.get(key) == title else title


def article_reference(number: str, texts: Catalogue) -> str:
    """Returns the part of an article's or a rule's name that is the same in every language: `EMA` of `EMA late`.

    It is empty if the name contains no book. A house's own articles, and the numbers of clauses, are returned whole.
    """
    book = _BOOK.match(number)
    return number if book is None or f"article.{number}" not in texts.texts else book[0]


def article_text(number: str, title: str, texts: Catalogue) -> str:
    """Returns a rulebook's own article with its reference, in the page's language."""
    reference, text = article_reference(number, texts), article_title(number, title, texts)
    return texts.labelled(reference, text) if reference else text


def is_clause(clause: str, snapshot: Snapshot, texts: Catalogue) -> bool:
    """Returns whether a foul may name this clause: one of the house, of the catalogue, or of the table's questions."""
    is_asked = f"irregular.{clause}" in texts.texts or any(
        suspicion.clause == clause for suspicion in snapshot.suspicions
    )
    is_of_house = snapshot.ruleset.penalties.answer(clause) is not None
    return clause == UNNAMED_FOUL or is_of_house or is_asked or clause in book_of(texts).titles

"""The names of clauses on a page, and the check of a clause's name."""

from __future__ import annotations

from table.game.game_commands import UNNAMED_FOUL
from table.game.snapshot import Snapshot
from table.i18n import Catalogue, catalogue
from table.i18n.clause_books import book_of


def article_title(number: str, title: str, texts: Catalogue) -> str:
    """Returns the title of a rulebook's own article in the page's language, unless a house has worded it anew."""
    key = f"article.{number}"
    return texts.texts.get(key, title) if catalogue("en").texts.get(key) == title else title


def is_clause(clause: str, snapshot: Snapshot, texts: Catalogue) -> bool:
    """Returns whether a foul may have this clause: one of the house, the catalogue, or the table's questions."""
    is_asked = f"irregular.{clause}" in texts.texts or any(each.clause == clause for each in snapshot.suspicions)
    is_of_house = snapshot.ruleset.penalties.answer(clause) is not None
    return clause == UNNAMED_FOUL or is_of_house or is_asked or clause in book_of(texts).titles

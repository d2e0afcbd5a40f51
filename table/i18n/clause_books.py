"""The penalty catalogue in the language of a page."""

from __future__ import annotations

from table.i18n.message_catalogue import Catalogue
from table.rulebook.clause_texts import BookTexts, book_texts


def book_of(texts: Catalogue) -> BookTexts:
    """Returns the penalty catalogue in the page's language."""
    return book_texts(texts.language)


def clause_words(clause: str, texts: Catalogue) -> str:
    """Returns the title of a clause, of a rulebook's article or of a requirement; its number if it has no title."""
    title = book_of(texts).titles.get(clause) or texts.texts.get(f"article.{clause}")
    return title or texts.texts.get(f"irregular.{clause}", clause)

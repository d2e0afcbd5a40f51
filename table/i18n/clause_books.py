"""The penalty catalogue in the language of a page."""

from __future__ import annotations

from table.i18n.message_catalogue import Catalogue
from table.rulebook.clause_texts import BookTexts, book_texts


def book_of(texts: Catalogue) -> BookTexts:
    """Returns the penalty catalogue in the page's language."""
    return book_texts(texts.language)

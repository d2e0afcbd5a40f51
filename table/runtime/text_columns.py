"""The width of texts in columns of a terminal, where Chinese, Japanese and Korean letters take two."""

from __future__ import annotations

from unicodedata import category, east_asian_width


def columns_of(text: str) -> int:
    """Returns the width of a text in columns."""
    return sum(map(_columns, text))


def padded(text: str, columns: int) -> str:
    """Returns a text with spaces behind it up to a width in columns."""
    return text + " " * (columns - columns_of(text))


def _columns(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1

"""Which signs a text that people typed or wrote into a file may have: none turns a line or commands a terminal."""

from __future__ import annotations

from typing import Final
from unicodedata import category

JOINER: Final = "\u200d"
INVISIBLE: Final = frozenset({"\u200c", JOINER, *map(chr, range(0xE0020, 0xE0080))})
"""What joins or parts letters, as Persian names and some emoji need, and the tags of some flags."""
UNSEEN: Final = str.maketrans("", "", "\u00ad\u034f\u061c\u17b4\u17b5\u200b\u200e\u200f\u2060\ufeff")
"""Signs that are never seen, many of which keyboards and copied text add: marks of direction, places where a word may
end.
"""
TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn what follows around, or end that."""


def is_line(text: str) -> bool:
    """Whether a text is one line, with no sign that turns the letters around it or commands a terminal."""
    return all(sign.isprintable() or sign in INVISIBLE or category(sign) == "Zs" for sign in text)


def is_harmless(text: str) -> bool:
    """Whether a text of any number of lines has no sign that turns the letters around it or commands a terminal."""
    return not any(sign in TURNING or (category(sign) == "Cc" and sign not in "\n\t") for sign in text)


def typed_line(text: str) -> str:
    """Returns a text that people typed with single spaces, and without signs that are never seen."""
    return " ".join(text.translate(UNSEEN).split())

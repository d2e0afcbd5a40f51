"""Names that people can see."""

from __future__ import annotations

import unicodedata
from typing import Final

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing: the fillers of Hangul, and the empty Braille pattern."""


def visible(text: str) -> str:
    """Returns a text without spaces around it; empty if nothing of it can be seen."""
    is_seen = any(unicodedata.category(letter)[0] in "LNPS" and letter not in BLANK for letter in text)
    return text.strip() if is_seen else ""

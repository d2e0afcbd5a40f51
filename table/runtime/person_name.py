"""One spelling for names that look alike: phones and files write the same letters in different ways."""

from __future__ import annotations

from typing import Final
from unicodedata import category, normalize

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing: the fillers of Hangul, and the empty Braille pattern."""


def spelt(name: str) -> str:
    """Returns a name with composed letters and single spaces: ``José``, however a keyboard wrote the accent.

    Empty if nothing of it can be seen.
    """
    is_seen = any(category(letter)[0] in "LNPS" and letter not in _BLANK for letter in name)
    return normalize("NFC", " ".join(name.split())) if is_seen else ""

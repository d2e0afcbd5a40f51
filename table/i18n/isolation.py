"""Keeps what people wrote from right to left, such as a Hebrew name, from turning the sentence around it.

A browser orders a line by its letters: in "שרה −1,000 → דוד +1,000" everything between the two names would be shown
reversed, and so the wrong one would pay. Marks around each name show it as one thing. Only such names get them; files,
messages and the journal never do.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import bidirectional

BEGIN: Final = "\u2068"
END: Final = "\u2069"
_DONE: Final = re.compile(f"{BEGIN}[^{BEGIN}{END}]*{END}")
_DONE_OR_LOOSE: Final = re.compile(f"({_DONE.pattern})|[\u2066-{END}]")
_TURNING: Final = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI"})
"""The classes of letters and marks that change the order of a line."""


def isolated(text: str) -> str:
    """Returns a text to insert into another one, with marks only if it would change the order around it.

    Marks of its own, by which it could end ours, are left out.
    """
    if text.isascii():
        return text
    text = _DONE_OR_LOOSE.sub(lambda found: found[1] or "", text)
    is_turning = any(bidirectional(letter) in _TURNING for letter in _DONE.sub("", text))
    return f"{BEGIN}{text}{END}" if is_turning else text

"""One spelling and one limit for players' names: phones and files write the same letters in different ways."""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from unicodedata import category, normalize

from table.runtime.table_errors import PressError
from table.runtime.typed_text import INVISIBLE, JOINER, UNSEEN, is_line

MOST_LETTERS: Final = 24
"""Limit of a player's name, in letters as people count them."""
_MOST_SIGNS: Final = 10
"""Number of signs that count as one letter: an emoji of two people with two colours of skin has as many."""
_JOINERS: Final = re.compile("[\u200c\u200d]+")
_UNJOINED_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "DIGIT")
"""The beginnings of Unicode's names of letters that nothing joins or parts: beside them a joiner only hides."""
_VARIANTS: Final = re.compile("([\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef])+(\u20e3?)")
"""Signs that choose a form of the letter or emoji before them, and the frame of a key, before which a digit has one."""
_LOOSE_TAGS: Final = re.compile("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+")
"""The tags of a flag where no flag is."""
_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""Colours of skin, which follow an emoji."""
_FLAGS: Final = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
"""Letters of flags, two for each."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing: the fillers of Hangul, and the empty Braille pattern."""

_BASE_LETTERS: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters that lists sort like others, although Unicode does not compose them from these."""


def normalised_name(name: str) -> str:
    """Returns a name with composed letters and single spaces: ``José``, however a keyboard wrote the accent.

    Signs that are not seen, and those that join nothing or choose the form of nothing, are left out, since two names
    that look the same must be the same. Empty if nothing of it can be seen.
    """
    name = _LOOSE_TAGS.sub("", _VARIANTS.sub(_seen_variant, name.translate(UNSEEN)))
    name = _JOINERS.sub(_needed_joiners, name)
    is_visible = any(category(letter)[0] in "LNPS" and letter not in _BLANK for letter in name)
    return normalize("NFC", " ".join(name.split())) if is_visible else ""


def _seen_variant(found: re.Match[str]) -> str:
    """Returns the sign that chooses a form, only where the letter or emoji before it has several."""
    before = unicodedata.name(found.string[: found.start()][-1:] or " ", "")
    is_seen = found[2] or before.startswith("CJK") or not before.startswith(("SPACE", *_UNJOINED_SCRIPTS))
    return (found[1] if is_seen else "") + found[2]


def _needed_joiners(found: re.Match[str]) -> str:
    """Returns joiners as they are; nothing at a name's ends and beside letters that nothing joins."""
    neighbours = (found.string[: found.start()][-1:], found.string[found.end() :][:1])
    return (
        found[0]
        if all(sign and not unicodedata.name(sign, "").startswith(_UNJOINED_SCRIPTS) for sign in neighbours)
        else ""
    )


def name_order(name: str) -> tuple[str, str]:
    """Returns the key that sorts names as a list for people does: É stands by E, Ł by L."""
    letters = normalize("NFKD", name.casefold().translate(_BASE_LETTERS))
    return "".join(letter for letter in letters if category(letter) != "Mn"), name


def letter_count(name: str) -> int:
    """Returns the length of a name as people count it: a letter with its accents is one, and so is an emoji."""
    sizes: list[int] = []
    before, is_flag_open = "", False
    for sign in normalize("NFC", name):
        is_second = sign in _FLAGS and is_flag_open
        is_flag_open = sign in _FLAGS and not is_second
        is_further = is_second or before == JOINER or sign in INVISIBLE or sign in _TONES or category(sign)[0] == "M"
        if is_further and sizes:
            sizes[-1] += 1
        else:
            sizes.append(1)
        before = sign
    return sum(-(-size // _MOST_SIGNS) for size in sizes)


def checked_name(name: str, most: int = MOST_LETTERS) -> str:
    """Returns a name as in `normalised_name`; empty if nothing of it can be seen.

    Raises:
        PressError: it is longer than `most` letters, or has signs that no line of text has.
    """
    name = normalised_name(name)
    if (letters := letter_count(name)) > most:
        error = f"expected a name of {most} letters at most, got {letters}: {name!r}"
        raise PressError(error, says="name_long", name=name, most=most)
    if not is_line(name):
        raise PressError(f"expected a name as one line of text, got {name!r}", says="name_signs", name=name)
    return name

"""Korean particles after a name or number: which of two forms follows from the sound that the word ends with."""

from __future__ import annotations

import re
from typing import Final

_SYLLABLES: Final = range(ord("가"), ord("힣") + 1)
_FINALS: Final = 28
"""Syllables of the same beginning, by their final consonant; the first has none."""
_L: Final = 8
"""The final consonant ㄹ, after which 로 stays as it is."""
_READ: Final = {
    **dict.fromkeys("036", 1),
    **dict.fromkeys("178", _L),
    **dict.fromkeys("2459%", 0),
    **dict.fromkeys("lr", _L),
    **dict.fromkeys("mn", 1),
    **dict.fromkeys("abcdefghijkopqstuvwxyz", 0),
}
"""How digits and letters end when they are read: 0 with a vowel, else with a consonant."""
_PARTICLE: Final = re.compile(r"(\w|%)([”’\")\]]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로)")


def with_particles(text: str) -> str:
    """Returns the text with each ``은(는)``, ``이(가)``, ``을(를)``, ``과(와)``, ``(으)로`` as the one that fits.

    After a letter whose sound is not known, both forms stay.
    """
    return _PARTICLE.sub(_chosen, text)


def _chosen(found: re.Match[str]) -> str:
    letter, quotes, both = found.groups()
    final = _final(letter)
    if final is None:
        return found[0]
    if both == "(으)로":
        return f"{letter}{quotes}{'로' if final in (0, _L) else '으로'}"
    return f"{letter}{quotes}{both[0] if final else both[2]}"


def _final(letter: str) -> int | None:
    """Returns the number of the final consonant, 0 for none; None where nobody knows how the letter is read."""
    if ord(letter) in _SYLLABLES:
        return (ord(letter) - _SYLLABLES.start) % _FINALS
    return _READ.get(letter.lower())

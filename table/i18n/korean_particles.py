"""Chooses Korean particles after a name or number, by the final sound of the word."""

from __future__ import annotations

import re
from typing import Final

_SYLLABLES: Final = range(ord("가"), ord("힣") + 1)
_FINALS: Final = 28
"""Number of Korean syllables that differ only in their final consonant; the first has none."""
_L: Final = 8
"""The final consonant ㄹ, after which 로 stays as it is."""
_FINAL_SOUNDS: Final = {
    **dict.fromkeys("036", 1),
    **dict.fromkeys("178", _L),
    **dict.fromkeys("2459%", 0),
    **dict.fromkeys("lr", _L),
    **dict.fromkeys("mn", 1),
    **dict.fromkeys("abcdefghijkopqstuvwxyz", 0),
}
"""The final sound of digits and letters: 0 for a vowel, else a consonant."""
_PARTICLE: Final = re.compile(r"(\w|%)([”’\")\]]*)(은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)로)")


def with_particles(text: str) -> str:
    """Returns the text with each ``은(는)``, ``이(가)``, ``을(를)``, ``과(와)``, ``(으)로`` replaced by the right form.

    Both forms stay after a letter whose sound is unknown.
    """
    return _PARTICLE.sub(_particle, text)


def _particle(found: re.Match[str]) -> str:
    letter, quotes, both = found.groups()
    final = _final(letter)
    if final is None:
        return found[0]
    if both == "(으)로":
        return f"{letter}{quotes}{'로' if final in (0, _L) else '으로'}"
    return f"{letter}{quotes}{both[0] if final else both[2]}"


def _final(letter: str) -> int | None:
    """Returns the number of the final consonant, 0 for none; None if the letter's reading is unknown."""
    if ord(letter) in _SYLLABLES:
        return (ord(letter) - _SYLLABLES.start) % _FINALS
    return _FINAL_SOUNDS.get(letter.lower())

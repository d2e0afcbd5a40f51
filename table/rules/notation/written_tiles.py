"""Tiles as people write them: `123m` or `m123`, honours as `1z`, E S W N P F C or 東南西北白發中, pictures such as 🀇.

Spaces may be anywhere. A red five is `0m`, or `5mr` as in mjai. Letters and digits may be full-width. A text has its
suits either after their numbers or before them, not both. A tile that nobody knows, `?`, cannot be written: no hand
with one has a value.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from table.rules.terms.rule_errors import InvalidValueError, NotationError
from table.rules.terms.seats import Wind
from table.rules.terms.tiles import Tile

_HONOURS: Final = {
    name: Tile(f"{number}z")
    for number, names in enumerate(("E東东", "S南", "W西", "N北", "P白", "F發発发", "C中"), start=1)
    for name in names
}
"""The honours by their letter in mjai and their characters: Japanese, traditional and simplified Chinese."""
_FIRST_PICTURE: Final = 0x1F000
_PICTURE_TILES: Final = tuple(
    Tile(text)
    for text in (
        *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
        *(f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)),
    )
)
"""The pictures in Unicode order: winds, red, green and white dragon, characters, bamboo, circles."""
_VARIATIONS: Final = re.compile("[\\s\ufe0e\ufe0f]")
"""Spaces, and the variation selectors after a picture."""
_SUIT_BEHIND: Final = re.compile(r"([0-9]+)([mpsz])(r?)")
_SUIT_BEFORE: Final = re.compile(r"([mpsz])([0-9]+)(r?)")
_WINDS: Final = {
    name: wind
    for wind, names in zip(
        Wind,
        (("e", "east", "1z", "東", "东", "🀀"), ("s", "south", "2z", "南", "🀁"), ("w", "west", "3z", "西", "🀂"),
         ("n", "north", "4z", "北", "🀃")),
        strict=True,
    )
    for name in names
}  # fmt: skip


def half_width(text: str) -> str:
    """Returns the text with full-width letters, digits and signs, as typed on East Asian keyboards, made plain."""
    return unicodedata.normalize("NFKC", text)


def written_tiles(text: str) -> tuple[Tile, ...]:
    """Reads tiles in the order written.

    Raises:
        NotationError: if a part of the text is not a tile, or suits are both before and after their numbers.
    """
    compact = _VARIATIONS.sub("", half_width(text))
    behind = _read(compact, _SUIT_BEHIND)
    if isinstance(behind, tuple):
        return behind
    before = _read(compact, _SUIT_BEFORE)
    if isinstance(before, tuple):
        return before
    is_mixed = re.search(r"(?:^|[^0-9])[mpsz][0-9]", compact) and re.search(r"[0-9][mpsz](?:$|[^0-9])", compact)
    if is_mixed:
        raise NotationError(f"expected suits all before or all behind their numbers, got both in {text!r:.80}")
    raise NotationError(f"expected tiles such as 123m, m123, 0p, 1z, E, 東 or 🀇, got {behind!r:.80} in {text!r:.80}")


def written_tile(text: str) -> Tile:
    """Reads one tile.

    Raises:
        NotationError: if the text is not exactly one tile.
    """
    tiles = written_tiles(text)
    if len(tiles) != 1:
        raise NotationError(f"expected one tile such as 1m, 0p, 7z or E, got {text!r:.80}")
    return tiles[0]


def written_wind(text: str) -> Wind:
    """Reads a wind: its letter, name, tile or picture.

    Raises:
        InvalidValueError: if the text is not a wind.
    """
    wind = _WINDS.get(half_width(text).strip().lower())
    if wind is None:
        raise InvalidValueError(f"expected a wind such as E, east or 1z, got {text!r:.80}")
    return wind


def _read(text: str, group: re.Pattern[str]) -> tuple[Tile, ...] | str:
    """Returns the tiles, or the rest of the text from the first part that is not a tile; `group` matches one suit."""
    tiles: list[Tile] = []
    at = 0
    while at < len(text):
        place = ord(text[at]) - _FIRST_PICTURE
        match = group.match(text, at)
        if text[at] in _HONOURS:
            tiles.append(_HONOURS[text[at]])
        elif 0 <= place < len(_PICTURE_TILES):
            tiles.append(_PICTURE_TILES[place])
        else:
            read = None if match is None else _suit_tiles(match, is_before=group is _SUIT_BEFORE)
            if match is None or read is None:
                return text[at:]
            tiles += read
            at = match.end() - 1
        at += 1
    return tuple(tiles)


def _suit_tiles(match: re.Match[str], *, is_before: bool) -> list[Tile] | None:
    """Returns the tiles of numbers with one suit; None if one of them is not a tile."""
    ranks, suit = (match[2], match[1]) if is_before else (match[1], match[2])
    if match[3]:
        if not ranks.endswith("5") or suit == "z":
            return None
        ranks = f"{ranks[:-1]}0"
    try:
        return [Tile(rank + suit) for rank in ranks]
    except NotationError:
        return None

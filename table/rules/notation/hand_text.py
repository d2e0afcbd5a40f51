"""A won hand as people write it down: melds as text, and why a hand cannot win in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from table.rules.notation.written_tiles import written_tiles
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.rule_errors import InvalidValueError
from table.rules.terms.seats import Seat

NO_WIN: Final[Mapping[str, str]] = {
    "not_winning": "its tiles make no winning shape",
    "no_yaku": "it has no yaku",
    "one_han": "it has one han of yaku where two are needed",
    "too_many_copies": "it has more than four copies of a tile",
    "unknown_tile": "it has an unknown tile",
    "contradiction": "the facts of the win exclude each other",
}
"""The reasons of `table.rules.scoring.hand_value.NoWin`."""


def read_melds(text: str) -> tuple[Meld, ...]:
    """Reads melds separated by commas or spaces; closed kans stand in brackets: `123m,555z 1111p (2222s)`.

    Raises:
        RulesError: for tiles that are no meld.
    """
    return tuple(_read_meld(part) for part in re.split(r"[,\s]+", text) if part)


def _read_meld(text: str) -> Meld:
    closed = text.startswith("(") and text.endswith(")")
    tiles = tuple(sorted(written_tiles(text.strip("()"))))
    kinds = [tile.kind for tile in tiles]
    if closed and len(kinds) == 4 and len(set(kinds)) == 1:
        return Meld(kind=MeldKind.CLOSED_KAN, tiles=tiles)
    if closed or not tiles or not tiles[0].is_known:
        raise InvalidValueError(f"expected a meld such as 123m, 555z, 1111p or (2222s), got {text!r}")
    return Meld(kind=_open_kind(kinds, text), tiles=tiles, called=tiles[0], from_seat=Seat.LEFT)


def _open_kind(kinds: list[int], text: str) -> MeldKind:
    if len(set(kinds)) == 1 and len(kinds) in (3, 4):
        return MeldKind.PON if len(kinds) == 3 else MeldKind.OPEN_KAN
    lowest = kinds[0]
    if kinds == [lowest, lowest + 1, lowest + 2] and lowest < 27 and lowest % 9 <= 6:
        return MeldKind.CHI
    raise InvalidValueError(f"expected a meld such as 123m, 555z, 1111p or (2222s), got {text!r}")

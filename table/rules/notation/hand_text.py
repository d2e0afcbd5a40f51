"""Reads a winning hand as people write it: its melds and its winning tile; explains why a hand cannot win."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from table.rules.notation.written_tiles import half_width, written_tiles
from table.rules.terms.amounts import amount
from table.rules.terms.melds import Meld, meld_of
from table.rules.terms.rule_errors import InvalidValueError, RulesError
from table.rules.terms.tiles import Tile, tiles_text

NO_WIN: Final[Mapping[str, str]] = {
    "not_winning": "its tiles make no winning shape",
    "no_yaku": "it has no yaku",
    "one_han": "it has one han of yaku where two are needed",
    "too_many_copies": "it has more than four copies of a tile",
    "unknown_tile": "it has an unknown tile",
    "contradiction": "the facts of the win exclude each other",
}
"""An explanation for each reason of `table.rules.scoring.hand_value.NoWin`."""


def read_melds(text: str) -> tuple[Meld, ...]:
    """Reads melds separated by commas or spaces; closed kans are in brackets: `123m,555z 1111p (2222s)`.

    They have no discarder, since the text does not name one.

    Raises:
        RulesError: for tiles that are not a meld.
    """
    return tuple(_read_meld(part) for part in re.split(r"[,、\s]+", half_width(text)) if part)


def split_winning_tile(
    tiles_written: Sequence[Tile], melds: Sequence[Meld], win: Tile | None
) -> tuple[tuple[Tile, ...], Tile]:
    """Returns the concealed tiles without the winning tile, and the winning tile.

    The number of tiles shows whether `tiles_written` includes the winning tile. Without `win`, its last tile wins.

    Raises:
        InvalidValueError: for too few or too many tiles, or a winning tile that is not among them.
    """
    tiles = list(tiles_written)
    concealed_count = 13 - 3 * len(melds)
    if len(tiles) not in (concealed_count, concealed_count + 1):
        raise InvalidValueError(
            f"expected {_expected_tiles(concealed_count, len(melds))}, got {len(tiles)}: {tiles_text(tiles):.80}"
        )
    if len(tiles) == concealed_count:
        if win is None:
            raise InvalidValueError(
                f"expected a winning tile beside {_concealed_text(concealed_count)}, got none: {tiles_text(tiles):.80}"
            )
        return tuple(tiles), win
    if win is None:
        return tuple(tiles[:-1]), tiles[-1]
    same_tile = next((tile for tile in tiles if tile is win), None)
    winning_tile = same_tile or next((tile for tile in tiles if tile.kind == win.kind and tile.is_known), None)
    if winning_tile is None:
        found = f"{tiles_text(tiles):.80}"
        raise InvalidValueError(f"expected the winning tile {win} among the concealed tiles, got {found}")
    tiles.remove(winning_tile)
    return tuple(tiles), winning_tile


def _expected_tiles(concealed_count: int, melds: int) -> str:
    """Returns a text with the numbers of tiles of a hand, without and with the winning tile."""
    melds_text = f" beside {amount(melds, 'meld')}" if melds else ""
    return f"{_concealed_text(concealed_count)}{melds_text} and the winning tile, or {concealed_count + 1} with it"


def _concealed_text(count: int) -> str:
    return amount(count, "concealed tile")


def _read_meld(text: str) -> Meld:
    is_closed = text.startswith("(") and text.endswith(")")
    try:
        return meld_of(written_tiles(text[1:-1] if is_closed else text), is_closed=is_closed)
    except RulesError as error:
        raise InvalidValueError(f"expected a meld such as 123m, 555z, 1111p or (2222s), got {text!r:.80}") from error

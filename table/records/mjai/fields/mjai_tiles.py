"""Tiles as mjai writes them: ``1m``, red fives ``5mr``, honours ``E S W N P F C``, unknown ``?``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from table.rules.terms.tiles import UNKNOWN, Tile
from table.runtime.table_errors import RecordError

_HONORS: Final = "ESWNPFC"


def to_mjai(tile: Tile) -> str:
    """Writes one tile."""
    if tile is UNKNOWN:
        return "?"
    if tile.is_honor:
        return _HONORS[tile.kind - 27]
    return f"5{tile.text[1]}r" if tile.is_red else tile.text


def mjai_texts(tiles: Iterable[Tile]) -> list[str]:
    """Writes several tiles."""
    return [to_mjai(tile) for tile in tiles]


def from_mjai(text: str) -> Tile:
    """Reads one tile.

    Raises:
        RecordError: for any other text.
    """
    if isinstance(text, str) and text in _BY_TEXT:
        return _BY_TEXT[text]
    raise RecordError(f"expected a tile such as 1m, 5mr, E or ?, got {text!r:.80}")


def _tiles_by_text() -> dict[str, Tile]:
    texts = [f"{rank}{suit}" for suit in "mps" for rank in range(10)] + [f"{rank}z" for rank in range(1, 8)] + ["?"]
    return {to_mjai(tile): tile for tile in map(Tile, texts)}


_BY_TEXT: Final = _tiles_by_text()

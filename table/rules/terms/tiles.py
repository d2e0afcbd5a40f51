"""Tiles and their mpsz text: ``1m``-``9m 1p``-``9p 1s``-``9s 1z``-``7z``, red fives ``0m 0p 0s``, unknown ``?``.

Every `Tile` exists only once, so tiles can be compared with ``is`` and are cheap as keys.
"""

from __future__ import annotations

import re
from typing import Final

from table.rules.terms.rule_errors import NotationError

SUITS: Final = "mpsz"
KINDS: Final = 34
"""The number of kinds of tile in a set; a red five is of the same kind as the other fives of its suit."""
COPIES: Final = 4
"""How many tiles of each kind a set has."""


class Tile:
    """A tile's face, identified by its text, which is also its repr.

    Attributes:
        text: mpsz text, or ``?`` for an unreadable tile.
        kind: 0-8 man, 9-17 pin, 18-26 sou, 27-33 honours E S W N haku hatsu chun; -1 for ``?``.
        is_red: whether it is a red five.
        is_honor: whether it is a wind or a dragon.
        is_terminal: whether it is a one or a nine.
    """

    __slots__ = ("is_honor", "is_red", "is_terminal", "kind", "text")

    text: str
    kind: int
    is_red: bool
    is_honor: bool
    is_terminal: bool

    def __new__(cls, text: str) -> Tile:
        """Returns the tile with this text.

        Raises:
            NotationError: for any other text.
        """
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError):
            raise NotationError(f"expected a tile such as 1m, 0p, 7z or ?, got {text!r:.80}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tile cannot be changed: {name}={value!r}")

    def __repr__(self) -> str:
        return self.text

    def __lt__(self, other: Tile) -> bool:
        return (self.kind, self.is_red) < (other.kind, other.is_red)

    def __reduce__(self) -> tuple[type[Tile], tuple[str]]:
        return Tile, (self.text,)

    @property
    def is_known(self) -> bool:
        """Whether the face was read."""
        return self.kind >= 0

    @property
    def is_orphan(self) -> bool:
        """Whether it is a terminal or an honour."""
        return self.is_honor or self.is_terminal

    @property
    def without_red(self) -> Tile:
        """The same kind without its red colour."""
        return KIND_TILES[self.kind] if self.is_red else self


def _make_tile(text: str, kind: int) -> Tile:
    tile = object.__new__(Tile)
    is_honor = kind >= 27
    values = {
        "text": text,
        "kind": kind,
        "is_red": text[0] == "0",
        "is_honor": is_honor,
        "is_terminal": 0 <= kind < 27 and kind % 9 in (0, 8),
    }
    for name, value in values.items():
        object.__setattr__(tile, name, value)
    return tile


def _all_tiles() -> dict[str, Tile]:
    tiles = {"?": _make_tile("?", -1)}
    for index, suit in enumerate(SUITS):
        for rank in range(1, 8 if suit == "z" else 10):
            tiles[f"{rank}{suit}"] = _make_tile(f"{rank}{suit}", index * 9 + rank - 1)
        if suit != "z":
            tiles[f"0{suit}"] = _make_tile(f"0{suit}", index * 9 + 4)
    return tiles


_BY_TEXT: Final[dict[str, Tile]] = _all_tiles()

UNKNOWN: Final = Tile("?")
KIND_TILES: Final[tuple[Tile, ...]] = tuple(
    sorted((tile for tile in _BY_TEXT.values() if tile.is_known and not tile.is_red), key=lambda tile: tile.kind)
)
"""The plain tile of each kind, by kind number."""

_TILE_GROUP = re.compile(r"([0-9]+)([mpsz])|(\?)")


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Reads compact text such as ``123m0p55z?`` into tiles, in the order written.

    Raises:
        NotationError: if a part is not a tile.
    """
    tiles: list[Tile] = []
    at = 0
    compact = text.replace(" ", "")
    while at < len(compact):
        match = _TILE_GROUP.match(compact, at)
        if match is None:
            raise NotationError(f"expected tiles such as 123m0p55z, got {compact[at:]!r:.80} in {text!r:.80}")
        tiles += [UNKNOWN] if match[3] else [Tile(rank + match[2]) for rank in match[1]]
        at = match.end()
    return tuple(tiles)


def tiles_text(tiles: tuple[Tile, ...] | list[Tile]) -> str:
    """Writes tiles compactly, keeping their order: the inverse of `parse_tiles`."""
    out: list[str] = []
    for index, tile in enumerate(tiles):
        suit = tile.text[1:]
        following = tiles[index + 1].text[1:] if index + 1 < len(tiles) else ""
        out.append(tile.text[0] + ("" if following == suit else suit))
    return "".join(out)

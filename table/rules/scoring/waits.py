"""Winning shapes: the tiles that complete a hand, and every interpretation of a complete one.

A shape is four sets and a pair, seven different pairs, or thirteen orphans. Each suit is analysed alone and cached,
since hands share most of their suits.

A tile of which the seat already holds all four copies is not a wait, as on Tenhou and in the rulebooks that mention it;
a hand without another wait is noten. Copies elsewhere on the table do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from table.rules.terms.tiles import KIND_TILES, KINDS, Tile

Counts = tuple[int, ...]
"""The number of tiles of each rank: nine numbers for a suit, seven for honours."""
Block = tuple[int, ...]
"""The kinds of a pair, a triplet, a sequence, or thirteen orphans with their pair."""
Reading = tuple[Block, ...]
"""One interpretation of a complete hand, with its blocks in order."""

ORPHANS: Final = frozenset((0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33))
"""The thirteen kinds of terminals and honours."""
_SUITS: Final = ((0, 9), (9, 18), (18, 27), (27, 34))


def kind_counts(tiles: Sequence[Tile]) -> list[int]:
    """Returns the number of tiles of each of the 34 kinds; unknown tiles are not counted."""
    counts = [0] * KINDS
    for tile in tiles:
        if tile.kind >= 0:
            counts[tile.kind] += 1
    return counts


def waits(concealed: Sequence[Tile], melds: int = 0, *, in_melds: Sequence[Tile] = ()) -> frozenset[int]:
    """Returns the kinds that complete the concealed tiles; empty if the hand is noten.

    Args:
        concealed: 13 tiles less three for each meld; any other number, or an unknown tile, is noten.
        melds: the number of melds.
        in_melds: the tiles of the melds, only to exclude fifth copies.
    """
    if len(concealed) != 13 - 3 * melds or any(tile.kind < 0 for tile in concealed):
        return frozenset()
    counts = kind_counts(concealed)
    found = _standard_waits(counts)
    if melds == 0:
        found = found | _pair_waits(counts) | _orphan_waits(counts)
    if not found:
        return frozenset()
    held_counts = kind_counts((*concealed, *in_melds))
    return frozenset(kind for kind in found if held_counts[kind] < 4)


def waits_of_part(tiles: Sequence[Tile]) -> frozenset[int]:
    """Returns the waits of a part of a tenpai hand whose rest is complete: `45p` waits for 3p and 6p.

    Args:
        tiles: the whole hand, or the sets and tiles that form the wait, with or without a separate pair.
    """
    if len(tiles) % 3 == 1:
        return waits(tiles, (13 - len(tiles)) // 3)
    if len(tiles) % 3 == 0 or any(tile.kind < 0 for tile in tiles):
        return frozenset()
    pair_kind = next(kind for kind in range(_SUITS[-1][0], KINDS) if all(tile.kind != kind for tile in tiles))
    pair = (KIND_TILES[pair_kind], KIND_TILES[pair_kind])
    return waits((*tiles, *pair), (11 - len(tiles)) // 3) - {pair_kind}


def is_complete(tiles: Sequence[Tile], melds: int) -> bool:
    """Whether 14 tiles less three for each meld have a winning shape."""
    return bool(tiles) and tiles[-1].kind in waits(tiles[:-1], melds)


def readings(tiles: Sequence[Tile], melds: int = 0) -> tuple[Reading, ...]:
    """Returns every interpretation of 14 tiles, less three for each meld, as a winning hand; empty if there is none."""
    if len(tiles) != 14 - 3 * melds or any(tile.kind < 0 for tile in tiles):
        return ()
    counts = kind_counts(tiles)
    found = list(_standard_readings(counts))
    if melds == 0 and sorted(set(counts)) == [0, 2]:
        found.append(tuple((kind, kind) for kind in range(KINDS) if counts[kind]))
    if melds == 0 and {kind for kind in range(KINDS) if counts[kind]} == ORPHANS:
        found.append((tuple(sorted(tile.kind for tile in tiles)),))
    return tuple(found)


def _standard_waits(counts: list[int]) -> frozenset[int]:
    suits = [tuple(counts[start:end]) for start, end in _SUITS]
    found: set[int] = set()
    for index, suit in enumerate(suits):
        others = [_suit_shape(other) for place, other in enumerate(suits) if place != index]
        if not all(others):
            continue
        pairs = sum(shape == "pair" for shape in others)
        if pairs <= 1:
            wanted_shape = "sets" if pairs else "pair"
            start = _SUITS[index][0]
            found.update(start + rank for rank in _suit_waits(suit, wanted_shape))
    return frozenset(found)


def _pair_waits(counts: list[int]) -> frozenset[int]:
    """Returns the thirteenth tile beside six pairs."""
    return frozenset((counts.index(1),)) if counts.count(2) == 6 else frozenset()


def _orphan_waits(counts: list[int]) -> frozenset[int]:
    if any(counts[kind] for kind in range(KINDS) if kind not in ORPHANS):
        return frozenset()
    missing = [kind for kind in ORPHANS if not counts[kind]]
    if len(missing) > 1:
        return frozenset()
    return frozenset(missing) or ORPHANS


@lru_cache(maxsize=1 << 17)
def _suit_shape(suit: Counts) -> str:
    """Returns `sets`, `pair` (sets and one pair), or an empty text if the suit is neither.

    It cannot be both, since the numbers of tiles differ.
    """
    rest = sum(suit) % 3
    if rest == 1:
        return ""
    shape = "pair" if rest == 2 else "sets"
    return shape if next(_suit_readings(suit, shape == "pair"), None) is not None else ""


@lru_cache(maxsize=1 << 17)
def _suit_waits(suit: Counts, shape: str) -> tuple[int, ...]:
    return tuple(
        rank for rank in range(len(suit)) if _suit_shape(suit[:rank] + (suit[rank] + 1,) + suit[rank + 1 :]) == shape
    )


def _suit_readings(suit: Counts, pair: bool, start: int = 0) -> Iterator[tuple[Block, ...]]:
    """Yields the ways to split a suit into blocks from the lowest tile, with or without a pair."""
    first = next((rank for rank, count in enumerate(suit) if count), None)
    if first is None:
        yield from () if pair else ((),)
        return
    for block, takes_pair in _blocks_at(suit, first, pair):
        left = list(suit)
        for rank in block:
            left[rank] -= 1
        kinds = tuple(start + rank for rank in block)
        for rest in _suit_readings(tuple(left), pair and not takes_pair, start):
            yield (kinds, *rest)


def _blocks_at(suit: Counts, first: int, pair: bool) -> Iterator[tuple[Block, bool]]:
    """Yields the blocks that can contain the lowest tile, and whether each is the pair."""
    if suit[first] >= 3:
        yield (first, first, first), False
    if pair and suit[first] >= 2:
        yield (first, first), True
    if len(suit) == 9 and first <= 6 and suit[first + 1] and suit[first + 2]:
        yield (first, first + 1, first + 2), False


def _standard_readings(counts: list[int]) -> Iterator[Reading]:
    suits = [tuple(counts[start:end]) for start, end in _SUITS]
    shapes = [_suit_shape(suit) for suit in suits]
    if not all(shapes) or shapes.count("pair") != 1:
        return
    partial: list[Reading] = [()]
    for (start, _), suit, shape in zip(_SUITS, suits, shapes, strict=True):
        suit_readings = list(_suit_readings(suit, shape == "pair", start))
        partial = [head + suit_reading for head in partial for suit_reading in suit_readings]
    yield from sorted({tuple(sorted(reading)) for reading in partial})

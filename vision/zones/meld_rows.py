"""Separates melds from an open hand among the tiles along one side's rail.

Melds lie in the owner's right corner, new ones leftward or in further rows; a hand laid open is one row. A row of
touching tiles is split into shapes of melds: three or four tiles of which one is turned, or four of a kind, all face up
or two of them face down. The rest of a row is a hand, or in the right corner a meld that is still being laid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from vision.geometry.plane_geometry import TileSize
from vision.geometry.sides import RestingTile, TileFromSide, seen_from, split_rows

_TOUCHING: Final = 0.4
"""Gap in tile widths up to which tiles of a row belong together."""
_ROW_GAP: Final = 0.4
"""The outer edges of tiles in one row differ by less than this, in tile widths, from one to the next."""
_CORNER: Final = 0.52
"""A few tiles in a row farther right than this share of half the table's side are a meld, not a hand."""
_RIGHT_MELD: Final = 10.0
"""Score per tile of a meld's shape whose faces make a meld."""
_ODD_MELD: Final = 5.0
"""Score per tile of a meld's shape whose faces make none: one may be misread."""
_PLAIN_KAN: Final = 4.0
"""Score per tile of four of a kind, all upright and face up."""
_STRAY_TURNED: Final = -3.0
"""Score of a turned tile that is in no meld."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail:
    """What lies along one side's rail."""

    melds: tuple[tuple[TileFromSide, ...], ...]
    """In the order in which they were laid; each from its left end, an added tile last."""
    hand: tuple[TileFromSide, ...]
    """The face-up tiles of an open hand, from the left."""


def sort_rail(tiles: Sequence[RestingTile], side: int, *, size: TileSize, side_mm: float) -> Rail:
    """Separates melds and an open hand among the tiles along one side's rail."""
    seen_tiles = [seen_from(tile, side) for tile in tiles]
    added = _added_tiles(seen_tiles, size)
    base = [seen for seen in seen_tiles if seen.tile.id not in added]
    melds: list[tuple[TileFromSide, ...]] = []
    hand: list[TileFromSide] = []
    for chain in _chains(base, size):
        found, rest = _split(tuple(chain), corner=_CORNER * side_mm / 2)
        melds += found
        hand += rest
    melds = [_with_added(meld, added) for meld in melds]
    melds.sort(key=lambda meld: min(seen.tile.id for seen in meld))
    face_up = [seen for seen in hand if not seen.is_back]
    return Rail(melds=tuple(melds), hand=tuple(sorted(face_up, key=lambda seen: seen.right)))


def _added_tiles(tiles: Sequence[TileFromSide], size: TileSize) -> dict[int, tuple[TileFromSide, TileFromSide]]:
    """Returns the fourth tiles of added kans, by id, each with the turned tile under it or on its rail side."""
    sideways = [seen for seen in tiles if seen.is_sideways and not seen.is_back]
    upright = [seen for seen in tiles if not seen.is_sideways]
    found: dict[int, tuple[TileFromSide, TileFromSide]] = {}
    for above in sideways:
        for below in sideways:
            away = below.out - above.out
            is_aligned = abs(above.right - below.right) < 0.5 * size.width_mm and above.kind == below.kind
            is_beside = 0.6 * size.width_mm < away < 1.4 * size.width_mm
            is_on_top = abs(away) < 0.5 * size.width_mm and above.tile.id > below.tile.id
            if not is_aligned or not (is_beside or is_on_top) or not _is_in_pon(below, upright, size):
                continue
            if is_on_top or not _is_in_meld(above, tiles, size):
                found[above.tile.id] = (above, below)
    return found


def _is_in_meld(turned: TileFromSide, tiles: Sequence[TileFromSide], size: TileSize) -> bool:
    """Returns whether a turned tile makes a meld in a row of its own, of tiles that make none without it."""
    (chain,) = (tuple(chain) for chain in _chains(tiles, size) if turned in chain)
    others = tuple(seen for seen in chain if seen is not turned)
    return _best_cuts(chain)[0] - _best_cuts(others)[0] > 3 * _ODD_MELD


def _is_in_pon(turned: TileFromSide, upright: Sequence[TileFromSide], size: TileSize) -> bool:
    """Returns whether an upright tile of the same kind lies in the row of a turned one, as in a pon, but in no chi."""
    return any(
        seen.kind == turned.kind
        and abs(seen.right - turned.right) < 3 * size.width_mm
        and abs(_outer_edge(seen, size) - _outer_edge(turned, size)) < _ROW_GAP * size.width_mm
        for seen in upright
    )


def _outer_edge(seen: TileFromSide, size: TileSize) -> float:
    """Returns how far from the centre the edge of a tile on the rail's side is."""
    return seen.out + seen.half_extents(size)[1]


def _with_added(
    meld: tuple[TileFromSide, ...], added: dict[int, tuple[TileFromSide, TileFromSide]]
) -> tuple[TileFromSide, ...]:
    meld_ids = {seen.tile.id for seen in meld}
    return (*meld, *(seen for seen, below in added.values() if below.tile.id in meld_ids))


def _chains(tiles: Sequence[TileFromSide], size: TileSize) -> list[list[TileFromSide]]:
    """Groups tiles into rows by their outer edges, cut where tiles do not touch; each chain runs from the left."""
    edges = [(_outer_edge(seen, size), seen) for seen in tiles]
    chains: list[list[TileFromSide]] = []
    for row in split_rows(edges, gap=_ROW_GAP * size.width_mm):
        row.sort(key=lambda seen: seen.right)
        for index, seen in enumerate(row):
            if index == 0 or _gap(row[index - 1], seen, size) > _TOUCHING * size.width_mm:
                chains.append([])
            chains[-1].append(seen)
    return chains


def _gap(left: TileFromSide, right: TileFromSide, size: TileSize) -> float:
    return right.right - left.right - left.half_extents(size)[0] - right.half_extents(size)[0]


def _split(
    chain: tuple[TileFromSide, ...], *, corner: float
) -> tuple[list[tuple[TileFromSide, ...]], list[TileFromSide]]:
    """Cuts a row of touching tiles into melds and the rest."""
    _, cuts = _best_cuts(chain)
    used = {index for start, stop in cuts for index in range(start, stop)}
    melds = [chain[start:stop] for start, stop in cuts]
    rest = [seen for index, seen in enumerate(chain) if index not in used]
    has_only_plain_kans = bool(melds) and all(map(_is_plain_kan, melds))
    is_upright = not any(seen.is_sideways for seen in chain)
    if has_only_plain_kans and is_upright and (len(chain) > 4 or chain[0].right < corner):
        return [], list(chain)  # four of a kind within an open hand
    if rest and len(rest) <= 4 and _is_unfinished(rest, bool(melds), corner):
        melds.append(tuple(rest))
        rest = []
    return melds, rest


def _best_cuts(chain: tuple[TileFromSide, ...]) -> tuple[float, tuple[tuple[int, int], ...]]:
    """Returns where the melds of a row of touching tiles most likely begin and end, and their score."""

    @cache
    def best(start: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if start == len(chain):
            return 0.0, ()
        score, cuts = best(start + 1)
        top = (score + (_STRAY_TURNED if chain[start].is_sideways else 0.0), cuts)
        for length in (3, 4):
            if start + length <= len(chain):
                worth = _meld_worth(chain[start : start + length])
                score, cuts = best(start + length)
                if worth > 0 and worth * length + score > top[0]:
                    top = (worth * length + score, ((start, start + length), *cuts))
        return top

    return best(0)


def _is_unfinished(rest: Sequence[TileFromSide], beside_melds: bool, corner: float) -> bool:
    """Returns whether a few tiles are a meld being laid: in the corner, or beside melds and with a turned tile."""
    if all(seen.is_back for seen in rest):
        return False
    if all(seen.right > corner for seen in rest):
        return True
    return beside_melds and any(seen.is_sideways for seen in rest)


def _meld_worth(tiles: tuple[TileFromSide, ...]) -> float:
    """Returns the score per tile of neighbours as one meld; 0 if they have no meld's shape."""
    sideways = sum(seen.is_sideways for seen in tiles)
    backs = [seen.is_back for seen in tiles]
    if sideways == 1 and not any(backs):
        return _RIGHT_MELD if are_one_meld([seen.tile.face for seen in tiles]) else _ODD_MELD
    if sideways == 0 and len(tiles) == 4 and backs in ([True, False, False, True], [False, True, True, False]):
        kinds = {seen.kind for seen in tiles if not seen.is_back}
        return _RIGHT_MELD if len(kinds) == 1 else _ODD_MELD
    return _PLAIN_KAN if _is_plain_kan(tiles) else 0.0


def _is_plain_kan(tiles: Sequence[TileFromSide]) -> bool:
    """Returns whether these are four of a kind, none turned: a closed kan as it is first shown."""
    upright = len(tiles) == 4 and not any(seen.is_sideways or seen.is_back for seen in tiles)
    return upright and len({seen.kind for seen in tiles}) == 1


def are_one_meld(faces: Sequence[str]) -> bool:
    """Returns whether these faces are of one kind, or three of a suit in a row; a red five is an ordinary five."""
    kinds = sorted(face.replace("0", "5") for face in faces)
    if len(set(kinds)) == 1:
        return True
    suits = {kind[-1] for kind in kinds}
    if len(suits) != 1 or suits == {"z"}:
        return False
    first = int(kinds[0][0])
    return [int(kind[0]) for kind in kinds] == [first, first + 1, first + 2]

"""Reads a group of tiles in a meld corner: the kind of meld, the discarder, and the caller's own tiles.

The tiles support each other: a pon has one kind, a chi three consecutive ones, so the others and the last discard
determine an uncertain face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from table.game.referee import felt_in_seats
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import UNKNOWN, Tile
from vision.felt import LyingTile

EXPECTED_CONFIDENCE = 0.5
"""Least confidence of the called tile if it is the last discard, however it reads."""
MISREAD = 0.005
"""Least probability of the last discard as the face of the called tile, however surely that reads as another."""
MOST_SURE = 0.98
"""How sure it is at most that the called tile is the last discard as it was read: another may have been overlooked."""
GUESSED_MELD_CONFIDENCE = 0.4
"""Confidence of a meld with missing tiles."""
UNLIKELY_MELD_CONFIDENCE = 0.01
"""Confidence of a meld if no combination of its tiles' readings is a legal one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMeld:
    """A meld as read from the felt."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    """The tiles from the left end, with the tile of an added kan last."""
    called_index: int | None
    """The index in `tiles` of the turned tile; None for a closed kan, or if none is turned."""
    points_at: Seat | None
    """The seat that the turned tile points at."""
    confidence: float
    evidence: tuple[int, ...]

    @property
    def called_tile(self) -> Tile | None:
        """The turned tile."""
        return None if self.called_index is None else self.tiles[self.called_index]

    def own_tiles(self, called_tile: Tile) -> tuple[Tile, ...]:
        """Returns the tiles from the caller's hand, if `called_tile` came from a river."""
        index = self.called_index if self.called_index is not None else self._index_of(called_tile)
        return self.tiles[:index] + self.tiles[index + 1 :]

    def _index_of(self, called_tile: Tile) -> int:
        equal_indices = [index for index, tile in enumerate(self.tiles) if tile.kind == called_tile.kind]
        return equal_indices[0] if equal_indices else 0


def read_meld(
    group: Sequence[LyingTile], seat: Seat, expected: Tile | None, sureness: float = MOST_SURE
) -> SeenMeld | None:
    """Reads one group.

    Args:
        group: the tiles from the meld's left end, as its owner sees it.
        seat: the owner of the meld.
        expected: the last discard of another seat, if it can be called.
        sureness: the score of that discard's reading in its river.

    Returns:
        The meld, or None if the group has too few or too many tiles.
    """
    turned_indices = [index for index, tile in enumerate(group) if tile.is_sideways]
    if len(group) == 4 and (not turned_indices or any(felt_in_seats.is_back(tile) for tile in group)):
        return _closed_kan(group)
    if len(group) == 4 and len(turned_indices) == 2:
        return _added_kan(group, seat, turned_indices)
    if len(group) not in (3, 4) or len(turned_indices) > 1:
        return None
    turned_index = turned_indices[0] if turned_indices else None
    kinds = (MeldKind.OPEN_KAN,) if len(group) == 4 else (MeldKind.CHI, MeldKind.PON)
    kind, tiles, score = _likeliest(group, turned_index, kinds, expected, min(sureness, MOST_SURE))
    return SeenMeld(
        kind=kind,
        tiles=tiles,
        called_index=turned_index,
        points_at=None if turned_index is None else _seat_pointed_at(seat, turned_index, len(group)),
        confidence=score,
        evidence=felt_in_seats.ids(group),
    )


def guess_meld(group: Sequence[LyingTile], called_tile: Tile) -> SeenMeld | None:
    """Guesses a call with missing tiles from the discard that disappeared.

    Returns:
        The pon or chi that fits, with `?` for unknown own tiles; None if the tiles fit neither.
    """
    hand_tiles = [felt_in_seats.tile_of(tile) for tile in group if not tile.is_sideways][:2]
    if any(tile.kind != called_tile.kind for tile in hand_tiles):
        kind, sequence_tiles = MeldKind.CHI, [tile for tile in hand_tiles if 0 < abs(tile.kind - called_tile.kind) <= 2]
        if len(sequence_tiles) != len(hand_tiles):
            return None
    else:
        kind, hand_tiles = MeldKind.PON, [*hand_tiles, called_tile.without_red, called_tile.without_red][:2]
    own_tiles = [*hand_tiles, UNKNOWN, UNKNOWN][:2]
    return SeenMeld(
        kind=kind,
        tiles=(called_tile, *own_tiles),
        called_index=0,
        points_at=None,
        confidence=GUESSED_MELD_CONFIDENCE,
        evidence=felt_in_seats.ids(group),
    )


def _seat_pointed_at(seat: Seat, place: int, size: int) -> Seat:
    """Returns the seat that a turned tile points at: left for the left tile, right for the right one, else across."""
    if place == 0:
        return seat.plus(3)
    return seat.next if place == size - 1 else seat.plus(2)


def _closed_kan(group: Sequence[LyingTile]) -> SeenMeld | None:
    """Returns the closed kan of a group that shows two or four equal faces; None without one."""
    faces = [tile for tile in group if felt_in_seats.is_face_up(tile)]
    if len(faces) < 2:
        return None
    clearest = max(faces, key=lambda tile: tile.reading.score)
    tiles_as_read = [felt_in_seats.tile_of(tile) for tile in group]
    kind = felt_in_seats.tile_of(clearest).without_red
    tiles = tuple(tile if tile.kind == kind.kind else kind for tile in tiles_as_read)
    return SeenMeld(
        kind=MeldKind.CLOSED_KAN,
        tiles=tiles,
        called_index=None,
        points_at=None,
        confidence=felt_in_seats.confidence([clearest]),
        evidence=felt_in_seats.ids(group),
    )


def with_red_fives(tiles: Sequence[Tile], group: Sequence[LyingTile], red: Mapping[str, int]) -> tuple[Tile, ...]:
    """Returns the tiles of a closed kan with the set's red fives: a kan of fives holds all of them.

    Args:
        tiles: the kan as read, in the order of `group`.
        group: its tiles on the felt; red fives that no face shows lie face down.
        red: the number of red fives of each suit in the set.
    """
    kind = tiles[0].without_red.text
    missing = red.get(kind[-1], 0) - sum(tile.is_red for tile in tiles) if kind[0] == "5" else 0
    backs = [place for place, tile in enumerate(group) if felt_in_seats.is_back(tile)][: max(missing, 0)]
    return tuple(Tile(f"0{kind[-1]}") if place in backs else tile for place, tile in enumerate(tiles))


def _added_kan(group: Sequence[LyingTile], seat: Seat, turned_indices: list[int]) -> SeenMeld:
    """Returns an added kan; the added tile lies beside the turned one and is equal to it, so either may be taken."""
    pon = [tile for index, tile in enumerate(group) if index != turned_indices[1]]
    _, tiles, confidence = _likeliest(pon, turned_indices[0], (MeldKind.PON,))
    added = felt_in_seats.tile_of(group[turned_indices[1]])
    return SeenMeld(
        kind=MeldKind.ADDED_KAN,
        tiles=(*tiles, added if added.kind == tiles[0].kind else tiles[0].without_red),
        called_index=turned_indices[0],
        points_at=_seat_pointed_at(seat, turned_indices[0], 3),
        confidence=confidence,
        evidence=felt_in_seats.ids(group),
    )


def _likeliest(
    group: Sequence[LyingTile],
    turned_index: int | None,
    kinds: tuple[MeldKind, ...],
    expected: Tile | None = None,
    sureness: float = MOST_SURE,
) -> tuple[MeldKind, tuple[Tile, ...], float]:
    """Returns the most likely legal meld with its confidence, or the faces as read if no meld is legal.

    The turned tile is the `expected` one with the probability `sureness`; if none is turned, any one tile may be.
    """
    found: list[tuple[float, MeldKind, tuple[Tile, ...], float]] = []
    chances = [_chances(tile) for tile in group]
    for called_index in range(len(group)) if turned_index is None else (turned_index,):
        called = chances[called_index]
        least = {} if expected is None else {expected: max(called.get(expected, 0.0), MISREAD)}
        for tiles in product(*chances[:called_index], called | least, *chances[called_index + 1 :]):
            kind = next((kind for kind in kinds if _is_legal(kind, tiles)), None)
            if kind is None:
                continue
            own = prod(chances[index][tile] for index, tile in enumerate(tiles) if index != called_index)
            tile = tiles[called_index]
            is_expected = expected is not None and tile.kind == expected.kind
            likelihood = own * (called | least)[tile] * (sureness if is_expected else 1 - sureness)
            confidence = own * max(called.get(tile, 0.0), EXPECTED_CONFIDENCE if tile == expected else 0.0)
            found.append((likelihood, kind, tiles, min(1.0, confidence ** (1 / len(tiles)))))
    if not found:
        tiles_as_read = tuple(felt_in_seats.tile_of(tile) for tile in group)
        return _nearest(kinds, tiles_as_read), tiles_as_read, UNLIKELY_MELD_CONFIDENCE
    _, kind, tiles, confidence = max(found, key=lambda entry: entry[0])
    return kind, tiles, confidence


def _chances(lying_tile: LyingTile) -> dict[Tile, float]:
    """Returns the probability of each known face that a tile may have."""
    chances = {
        felt_in_seats.tile_of(lying_tile): lying_tile.reading.score,
        **dict(felt_in_seats.alternatives_of(lying_tile)),
    }
    chances.pop(UNKNOWN, None)
    return chances


def _is_legal(kind: MeldKind, tiles: Sequence[Tile]) -> bool:
    numbers = sorted(tile.kind for tile in tiles)
    if kind is not MeldKind.CHI:
        return numbers[0] == numbers[-1]
    neighbours = numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    return neighbours and numbers[-1] < 27 and numbers[0] // 9 == numbers[-1] // 9


def _nearest(kinds: tuple[MeldKind, ...], tiles: Sequence[Tile]) -> MeldKind:
    """Returns the kind of meld that unlikely faces resemble most: a pon if two are equal."""
    return kinds[0] if len({tile.kind for tile in tiles}) == len(tiles) else kinds[-1]


def new_group_indices(
    known_ids: frozenset[int], groups: Sequence[tuple[LyingTile, ...]], meld_count: int
) -> Iterator[int]:
    """Yields the indices in `groups` of groups that are not yet melds of the state.

    Args:
        known_ids: felt ids of tiles in melds already reported.
        groups: the groups of a seat in the order in which they were laid.
        meld_count: the number of that seat's melds in the state.
    """
    new_indices = [index for index, group in enumerate(groups) if not known_ids.intersection(felt_in_seats.ids(group))]
    surplus = len(groups) - meld_count
    yield from new_indices[max(0, len(new_indices) - surplus) :] if surplus > 0 else ()

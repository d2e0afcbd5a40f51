"""The felt in terms of the game: sides become seats, faces become tiles."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from table.rules.terms.rule_errors import NotationError
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import UNKNOWN, Tile
from vision.felt import BACK, Felt, LyingTile, Zone

RIICHI_STICK = 1000
ON_TOP_MM = 8.0
"""Two tiles nearer than this cannot lie beside each other."""


def tile_of(tile: LyingTile) -> Tile:
    """Returns the face that was read; `?` for a back, and for an object that is not a tile."""
    return as_tile(tile.reading.tile)


def as_tile(face: str) -> Tile:
    """Returns a face's text as a tile; `?` for a back, and for an object that is not a tile."""
    try:
        return Tile(face)
    except NotationError:
        return UNKNOWN


def alternatives_of(lying_tile: LyingTile) -> tuple[tuple[Tile, float], ...]:
    """Returns at most three alternative readings of a tile with probabilities, best first."""
    readings = ((as_tile(face), score) for face, score in lying_tile.reading.alternatives)
    return tuple((tile, score) for tile, score in readings if tile.is_known)[:3]


def is_face_up(tile: LyingTile) -> bool:
    """Whether a face was read at all."""
    return tile_of(tile).is_known


def ids(tiles: Iterable[LyingTile]) -> tuple[int, ...]:
    """Returns the felt's ids of these tiles."""
    return tuple(tile.id for tile in tiles)


def confidence(tiles: Iterable[LyingTile]) -> float:
    """Returns the confidence of the least certain reading; 1 for no tiles."""
    return min((min(1.0, max(0.0, tile.reading.score)) for tile in tiles), default=1.0)


def river(felt: Felt, seat: Seat) -> tuple[LyingTile, ...]:
    """Returns a seat's river in the order of discarding."""
    return felt.in_zone(seat, Zone.RIVER)


def open_hand(felt: Felt, seat: Seat) -> tuple[LyingTile, ...]:
    """Returns the face-up tiles in the place of a seat's hand, from the seat's left."""
    return tuple(tile for tile in felt.in_zone(seat, Zone.HAND) if is_face_up(tile))


def groups(felt: Felt, seat: Seat) -> tuple[tuple[LyingTile, ...], ...]:
    """Returns a seat's melds in the order in which they were laid, each from its left end."""
    tiles = felt.in_zone(seat, Zone.MELD)
    numbers = sorted({tile.group for tile in tiles})
    return tuple(tuple(tile for tile in tiles if tile.group == number) for number in numbers)


def indicators(felt: Felt) -> tuple[LyingTile, ...]:
    """Returns the face-up tiles on the walls."""
    return tuple(tile for seat in SEATS for tile in felt.in_zone(seat, Zone.WALL) if is_face_up(tile))


def sticks(felt: Felt, seat: Seat) -> int:
    """Returns the number of riichi sticks in a seat's zone, including sticks of unreadable value."""
    seat_sticks = [stick for stick in felt.sticks if stick.side == seat and stick.zone is Zone.STICKS]
    return sum(stick.value in (0, RIICHI_STICK) for stick in seat_sticks)


def is_clear(felt: Felt) -> bool:
    """Whether there are no rivers, melds and open hands."""
    return not any(tile.zone in (Zone.RIVER, Zone.MELD) for tile in felt.tiles) and not any(
        open_hand(felt, seat) for seat in SEATS
    )


def is_covered(felt: Felt, seat: Seat, zone: Zone) -> bool:
    """Whether an arm or motion covers that zone now."""
    return (int(seat), zone) in felt.covered


def is_back(tile: LyingTile) -> bool:
    """Whether the tile lies face down."""
    return tile.reading.tile == BACK


def is_on_top(tile: LyingTile, others: Iterable[LyingTile]) -> bool:
    """Whether the tile lies on one of these others, in the same place."""
    return any(
        other.id != tile.id and hypot(other.x_mm - tile.x_mm, other.y_mm - tile.y_mm) < ON_TOP_MM for other in others
    )

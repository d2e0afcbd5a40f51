"""Reads a group of tiles in a meld corner: which meld it is, whose discard was called, and what came from the hand.

Three or four tiles support each other: a pon has one kind, a chi three neighbours, so a doubtful face is decided by
the others and by the tile that was just discarded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from table.game.referee import felt_in_seats
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import UNKNOWN, Tile
from vision.felt import LyingTile

EXPECTED = 0.5
"""Weight of the tile that was just discarded as the face of the turned one, beside what was read."""
GUESSED = 0.4
"""How sure a meld is of which not all tiles were found."""
UNLIKELY = 0.01
"""Weight of a face that fits the meld and was not among those read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldSeen:
    """A meld as it was read."""

    kind: MeldKind
    tiles: tuple[Tile, ...]
    """From its left end, the added tile of a kan last."""
    called: int | None
    """Which of `tiles` lies turned; None in a closed kan, or where none does."""
    points_at: Seat | None
    """The seat that the turned tile points at."""
    confidence: float
    evidence: tuple[int, ...]

    @property
    def called_tile(self) -> Tile | None:
        """The turned tile."""
        return None if self.called is None else self.tiles[self.called]

    def own(self, called: Tile) -> tuple[Tile, ...]:
        """The tiles that came from the caller's hand, when `called` came from a river."""
        place = self.called if self.called is not None else self._place_of(called)
        return self.tiles[:place] + self.tiles[place + 1 :]

    def _place_of(self, called: Tile) -> int:
        equal = [place for place, tile in enumerate(self.tiles) if tile.kind == called.kind]
        return equal[0] if equal else 0


def read_meld(group: Sequence[LyingTile], seat: Seat, expected: Tile | None) -> MeldSeen | None:
    """Reads one group.

    Args:
        group: the tiles from the meld's left end as its owner sees it.
        seat: whose meld it is.
        expected: the tile that was just discarded by somebody else, if one lies to be called.

    Returns:
        The meld, or None while it cannot be one: too few tiles, or too many.
    """
    turned = [place for place, tile in enumerate(group) if tile.is_sideways]
    if len(group) == 4 and (not turned or any(felt_in_seats.is_back(tile) for tile in group)):
        return _closed_kan(group)
    if len(group) == 4 and len(turned) == 2:
        return _added_kan(group, seat, turned)
    if len(group) not in (3, 4) or len(turned) > 1:
        return None
    place = turned[0] if turned else None
    kinds = (MeldKind.OPEN_KAN,) if len(group) == 4 else (MeldKind.CHI, MeldKind.PON)
    kind, tiles, score = _best(group, place, kinds, expected)
    return MeldSeen(
        kind=kind,
        tiles=tiles,
        called=place,
        points_at=None if place is None else _pointed(seat, place, len(group)),
        confidence=score,
        evidence=felt_in_seats.ids(group),
    )


def guess_meld(group: Sequence[LyingTile], called: Tile) -> MeldSeen | None:
    """Guesses a call of which only some tiles were found, from the discard that is gone.

    Returns:
        The pon or chi that fits, its unknown own tiles `?`; None where the tiles found fit neither.
    """
    held = [felt_in_seats.tile_of(tile) for tile in group if not tile.is_sideways][:2]
    if any(tile.kind != called.kind for tile in held):
        kind, near = MeldKind.CHI, [tile for tile in held if 0 < abs(tile.kind - called.kind) <= 2]
        if len(near) != len(held):
            return None
    else:
        kind, held = MeldKind.PON, [*held, called.plain, called.plain][:2]
    own = [*held, UNKNOWN, UNKNOWN][:2]
    return MeldSeen(
        kind=kind,
        tiles=(called, *own),
        called=0,
        points_at=None,
        confidence=GUESSED,
        evidence=felt_in_seats.ids(group),
    )


def _pointed(seat: Seat, place: int, size: int) -> Seat:
    """Left tile: the seat to the left; right tile: the next seat; any between: across."""
    if place == 0:
        return seat.plus(3)
    return seat.next if place == size - 1 else seat.plus(2)


def _closed_kan(group: Sequence[LyingTile]) -> MeldSeen | None:
    """A closed kan shows two or four of its faces."""
    faces = [tile for tile in group if felt_in_seats.is_face_up(tile)]
    if len(faces) < 2:
        return None
    best = max(faces, key=lambda tile: tile.reading.score)
    shown = [felt_in_seats.tile_of(tile) for tile in group]
    kind = felt_in_seats.tile_of(best).plain
    tiles = tuple(tile if tile.kind == kind.kind else kind for tile in shown)
    return MeldSeen(
        kind=MeldKind.CLOSED_KAN,
        tiles=tiles,
        called=None,
        points_at=None,
        confidence=felt_in_seats.confidence([best]),
        evidence=felt_in_seats.ids(group),
    )


def _added_kan(group: Sequence[LyingTile], seat: Seat, turned: list[int]) -> MeldSeen:
    """The added tile lies by the turned one; which of the two it is does not matter, for they are equal."""
    pon = [tile for place, tile in enumerate(group) if place != turned[1]]
    _, tiles, score = _best(pon, turned[0], (MeldKind.PON,), None)
    added = felt_in_seats.tile_of(group[turned[1]])
    return MeldSeen(
        kind=MeldKind.ADDED_KAN,
        tiles=(*tiles, added if added.kind == tiles[0].kind else tiles[0].plain),
        called=turned[0],
        points_at=_pointed(seat, turned[0], 3),
        confidence=score,
        evidence=felt_in_seats.ids(group),
    )


def _best(
    group: Sequence[LyingTile], turned: int | None, kinds: tuple[MeldKind, ...], expected: Tile | None
) -> tuple[MeldKind, tuple[Tile, ...], float]:
    """The likeliest legal meld; where none is likely, the faces as they were read."""
    choices = [_choices(tile, expected if place == turned else None) for place, tile in enumerate(group)]
    found: list[tuple[float, MeldKind, tuple[Tile, ...]]] = []
    for combination in product(*choices):
        tiles = tuple(tile for tile, _ in combination)
        kind = next((kind for kind in kinds if _is_legal(kind, tiles)), None)
        if kind is not None:
            found.append((prod(weight for _, weight in combination), kind, tiles))
    if not found:
        read = tuple(felt_in_seats.tile_of(tile) for tile in group)
        return _nearest(kinds, read), read, UNLIKELY
    score, kind, tiles = max(found, key=lambda entry: entry[0])
    return kind, tiles, min(1.0, score ** (1 / len(tiles)))


def _choices(lying: LyingTile, expected: Tile | None) -> list[tuple[Tile, float]]:
    read = {felt_in_seats.tile_of(lying): lying.reading.score, **dict(felt_in_seats.alternatives_of(lying))}
    if expected is not None:
        read[expected] = max(read.get(expected, 0.0), EXPECTED)
    read.pop(UNKNOWN, None)
    return list(read.items())


def _is_legal(kind: MeldKind, tiles: Sequence[Tile]) -> bool:
    numbers = sorted(tile.kind for tile in tiles)
    if kind is not MeldKind.CHI:
        return numbers[0] == numbers[-1]
    neighbours = numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    return neighbours and numbers[-1] < 27 and numbers[0] // 9 == numbers[-1] // 9


def _nearest(kinds: tuple[MeldKind, ...], tiles: Sequence[Tile]) -> MeldKind:
    """What unlikely faces are most like: two equal ones make a pon."""
    return kinds[0] if len({tile.kind for tile in tiles}) == len(tiles) else kinds[-1]


def new_groups(known: frozenset[int], seen: Sequence[tuple[LyingTile, ...]], count: int) -> Iterator[int]:
    """Which of the groups seen are no melds of the state yet, by their place among `seen`.

    Args:
        known: felt ids of tiles in melds already told.
        seen: the groups of a seat in the order they were laid.
        count: how many melds the state knows of that seat.
    """
    fresh = [place for place, group in enumerate(seen) if not known.intersection(felt_in_seats.ids(group))]
    surplus = len(seen) - count
    yield from fresh[max(0, len(fresh) - surplus) :] if surplus > 0 else ()

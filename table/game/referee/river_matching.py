"""Which lying tile is which discard, and which tiles are new in a river.

Both follow from the order in the river; the remembered ids only keep a tile that was lost and found again from counting
as another discard. With no memory (after a restart) the order alone decides.
"""

from __future__ import annotations

from math import hypot

from table.game.referee import felt_in_seats
from table.rules.state import HandState, RiverTile
from table.rules.terms.seats import Seat
from vision.felt import Felt, LyingTile

SAME_PLACE_MM = 14.0
"""An equal tile found again this near to where a discard lay is that discard: two thirds of a tile's width."""


class Rivers:
    """What the referee remembers of one hand's rivers."""

    def __init__(self) -> None:
        self._discard: dict[int, int] = {}
        self._place: dict[int, tuple[float, float]] = {}

    def bind(self, tile: LyingTile, discard: int) -> None:
        """Remembers that a felt tile is the n-th discard of the hand."""
        self._discard[tile.id] = discard
        self._place[discard] = (tile.x_mm, tile.y_mm)

    def forget(self, tile: LyingTile) -> None:
        """Lets a tile be a new one: something else lies in its place."""
        self._discard.pop(tile.id, None)

    def discard_of(self, tile: LyingTile) -> int | None:
        """Which discard of the hand a felt tile is."""
        return self._discard.get(tile.id)

    def new_tiles(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[LyingTile, ...]:
        """The tiles at the end of a seat's river that no discard accounts for yet, in laying order."""
        seen = felt_in_seats.river(felt, seat)
        self._find_again(lying(hand, seat), seen)
        last = max((place for place, tile in enumerate(seen) if tile.id in self._discard), default=-1)
        return tuple(seen[last + 1 :])

    def missing(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[RiverTile, ...]:
        """Discards that should lie in a seat's river and do not."""
        seen = felt_in_seats.river(felt, seat)
        discards = lying(hand, seat)
        self._find_again(discards, seen)
        present = {self._discard.get(tile.id) for tile in seen}
        return tuple(discard for discard in discards if discard.index not in present)

    def _find_again(self, discards: tuple[RiverTile, ...], seen: tuple[LyingTile, ...]) -> None:
        for tile in seen:
            if tile.id in self._discard:
                self._place[self._discard[tile.id]] = (tile.x_mm, tile.y_mm)
        present = {self._discard.get(tile.id) for tile in seen}
        for rank, discard in enumerate(discards):
            if discard.index not in present:
                found = self._lost(discard, rank, seen)
                if found is not None:
                    self.bind(found, discard.index)

    def _lost(self, discard: RiverTile, rank: int, seen: tuple[LyingTile, ...]) -> LyingTile | None:
        free = [tile for tile in seen if tile.id not in self._discard]
        if discard.index not in self._place:
            return seen[rank] if rank < len(seen) and seen[rank] in free else None
        x, y = self._place[discard.index]
        equal = [tile for tile in free if felt_in_seats.tile_of(tile).kind == discard.tile.kind]
        near = [tile for tile in equal if hypot(tile.x_mm - x, tile.y_mm - y) < SAME_PLACE_MM]
        return min(near, key=lambda tile: hypot(tile.x_mm - x, tile.y_mm - y), default=None)


def lying(hand: HandState, seat: Seat) -> tuple[RiverTile, ...]:
    """The discards of a seat that nobody called away."""
    return tuple(discard for discard in hand.rivers[seat] if discard.called_by is None)

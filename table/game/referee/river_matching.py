"""Matches the tiles of a river with discards, and finds new tiles.

The match follows from the order in the river; remembered ids only prevent a tile that was lost and found again from
counting as another discard. After a restart, only the order decides.
"""

from __future__ import annotations

from math import hypot

from table.game.referee import felt_in_seats
from table.rules.state import HandState, RiverTile
from table.rules.terms.seats import Seat
from vision.felt import Felt, LyingTile

SAME_PLACE_MM = 14.0
"""The distance within which an equal tile found again is the same discard: two thirds of a tile's width."""


class Rivers:
    """The remembered tiles of one hand's rivers."""

    def __init__(self) -> None:
        self._discard: dict[int, int] = {}
        self._place: dict[int, tuple[float, float]] = {}

    def bind(self, tile: LyingTile, discard: int) -> None:
        """Remembers the number, from 0, of the discard that a felt tile is."""
        self._discard[tile.id] = discard
        self._place[discard] = (tile.x_mm, tile.y_mm)

    def forget(self, tile: LyingTile) -> None:
        """Forgets a tile, since another one is in its place."""
        self._discard.pop(tile.id, None)

    def discard_of(self, tile: LyingTile) -> int | None:
        """Returns the number of the discard that a felt tile is; None if unknown."""
        return self._discard.get(tile.id)

    def new_tiles(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[LyingTile, ...]:
        """Returns the tiles at the end of a seat's river that match no discard yet, in the order of discarding."""
        seen = felt_in_seats.river(felt, seat)
        self._find_again(hand, seat, seen)
        last = max((place for place, tile in enumerate(seen) if tile.id in self._discard), default=-1)
        return tuple(seen[last + 1 :])

    def overlooked(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[LyingTile, ...]:
        """Returns the end of a seat's river from the first tile that was seen only after a later one was discarded.

        Empty if there is none, or while a discard is missing, since that tile may be the missing one, read otherwise.
        """
        seen, fresh = felt_in_seats.river(felt, seat), self.new_tiles(hand, seat, felt)
        known = seen[: len(seen) - len(fresh)]
        first = next((place for place, tile in enumerate(known) if tile.id not in self._discard), None)
        return () if first is None or self.missing(hand, seat, felt) else seen[first:]

    def missing(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[RiverTile, ...]:
        """Returns the discards that are missing from a seat's river."""
        seen = felt_in_seats.river(felt, seat)
        discards = lying(hand, seat)
        self._find_again(hand, seat, seen)
        present = {self._discard.get(tile.id) for tile in seen}
        return tuple(discard for discard in discards if discard.discard_number not in present)

    def _find_again(self, hand: HandState, seat: Seat, seen: tuple[LyingTile, ...]) -> None:
        for tile in seen:
            if tile.id in self._discard:
                self._place[self._discard[tile.id]] = (tile.x_mm, tile.y_mm)
        present, discards = {self._discard.get(tile.id) for tile in seen}, lying(hand, seat)
        is_known = any(discard.discard_number in self._place for discard in discards)
        for rank, discard in enumerate(discards):
            if discard.discard_number not in present:
                found = self._renumbered(discard, hand, seat, seen) or self._lost(discard, rank, seen, is_known)
                if found is not None:
                    self.bind(found, discard.discard_number)

    def _renumbered(
        self, discard: RiverTile, hand: HandState, seat: Seat, seen: tuple[LyingTile, ...]
    ) -> LyingTile | None:
        """Returns the tile of a discard whose number changed, since a void call before it was taken back."""
        own = {each.discard_number for each in hand.rivers[seat]}
        others = (tile for tile in seen if tile.id in self._discard and self._discard[tile.id] not in own)
        return next((tile for tile in others if felt_in_seats.tile_of(tile).kind == discard.tile.kind), None)

    def _lost(self, discard: RiverTile, rank: int, seen: tuple[LyingTile, ...], is_known: bool) -> LyingTile | None:
        """Returns the tile of a discard that no seen one is; `is_known` if the river was seen before.

        Then a discard without a place was only guessed: another face is another discard.
        """
        free = [tile for tile in seen if tile.id not in self._discard]
        equal = [tile for tile in free if felt_in_seats.tile_of(tile).kind == discard.tile.kind]
        if discard.discard_number not in self._place:
            there = seen[rank] if rank < len(seen) else None
            return there if there in (equal if is_known else free) else None
        x, y = self._place[discard.discard_number]
        near = [tile for tile in equal if hypot(tile.x_mm - x, tile.y_mm - y) < SAME_PLACE_MM]
        return min(near, key=lambda tile: hypot(tile.x_mm - x, tile.y_mm - y), default=None)


def lying(hand: HandState, seat: Seat) -> tuple[RiverTile, ...]:
    """Returns the discards of a seat that nobody called."""
    return tuple(discard for discard in hand.rivers[seat] if discard.called_by is None)

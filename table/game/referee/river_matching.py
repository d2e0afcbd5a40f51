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
        self._discard_of: dict[int, int] = {}
        self._place_of: dict[int, tuple[float, float]] = {}

    def bind(self, tile: LyingTile, discard: int) -> None:
        """Remembers the number, from 0, of the discard that a felt tile is."""
        self._discard_of[tile.id] = discard
        self._place_of[discard] = (tile.x_mm, tile.y_mm)

    def forget(self, tile: LyingTile) -> None:
        """Forgets a tile, since another one is in its place."""
        self._discard_of.pop(tile.id, None)

    def discard_of(self, tile: LyingTile) -> int | None:
        """Returns the number of the discard that a felt tile is; None if unknown."""
        return self._discard_of.get(tile.id)

    def new_tiles(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[LyingTile, ...]:
        """Returns the tiles at the end of a seat's river that match no discard yet, in the order of discarding."""
        tiles = felt_in_seats.river(felt, seat)
        self._find_again(hand, seat, tiles)
        last_matched = max((index for index, tile in enumerate(tiles) if tile.id in self._discard_of), default=-1)
        return tuple(tiles[last_matched + 1 :])

    def overlooked_tiles(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[LyingTile, ...]:
        """Returns the end of a seat's river from the first tile that was seen only after a later one was discarded.

        Empty if there is none, or while a discard is missing, since that tile may be the missing one, read otherwise.
        """
        tiles, new_tiles = felt_in_seats.river(felt, seat), self.new_tiles(hand, seat, felt)
        earlier_tiles = tiles[: len(tiles) - len(new_tiles)]
        first_unmatched = next(
            (index for index, tile in enumerate(earlier_tiles) if tile.id not in self._discard_of), None
        )
        return () if first_unmatched is None or self.missing_discards(hand, seat, felt) else tiles[first_unmatched:]

    def missing_discards(self, hand: HandState, seat: Seat, felt: Felt) -> tuple[RiverTile, ...]:
        """Returns the discards that are missing from a seat's river."""
        tiles = felt_in_seats.river(felt, seat)
        discards = uncalled_discards(hand, seat)
        self._find_again(hand, seat, tiles)
        matched_numbers = {self._discard_of.get(tile.id) for tile in tiles}
        return tuple(discard for discard in discards if discard.discard_number not in matched_numbers)

    def _find_again(self, hand: HandState, seat: Seat, tiles: tuple[LyingTile, ...]) -> None:
        for tile in tiles:
            if tile.id in self._discard_of:
                self._place_of[self._discard_of[tile.id]] = (tile.x_mm, tile.y_mm)
        matched_numbers, discards = {self._discard_of.get(tile.id) for tile in tiles}, uncalled_discards(hand, seat)
        is_river_known = any(discard.discard_number in self._place_of for discard in discards)
        for rank, discard in enumerate(discards):
            if discard.discard_number not in matched_numbers:
                found = self._renumbered_tile(discard, hand, seat, tiles) or self._lost_tile(
                    discard, rank, tiles, is_river_known
                )
                if found is not None:
                    self.bind(found, discard.discard_number)

    def _renumbered_tile(
        self, discard: RiverTile, hand: HandState, seat: Seat, tiles: tuple[LyingTile, ...]
    ) -> LyingTile | None:
        """Returns the tile of a discard whose number changed, since a void call before it was taken back."""
        numbers = {each.discard_number for each in hand.rivers[seat]}
        stale_tiles = (
            tile for tile in tiles if tile.id in self._discard_of and self._discard_of[tile.id] not in numbers
        )
        return next((tile for tile in stale_tiles if felt_in_seats.tile_of(tile).kind == discard.tile.kind), None)

    def _lost_tile(
        self, discard: RiverTile, rank: int, tiles: tuple[LyingTile, ...], is_river_known: bool
    ) -> LyingTile | None:
        """Returns the tile of a discard that no seen one is; `is_river_known` if the river was seen before.

        Then a discard without a place was only guessed: another face is another discard.
        """
        unmatched_tiles = [tile for tile in tiles if tile.id not in self._discard_of]
        equal = [tile for tile in unmatched_tiles if felt_in_seats.tile_of(tile).kind == discard.tile.kind]
        if discard.discard_number not in self._place_of:
            tile_at_rank = tiles[rank] if rank < len(tiles) else None
            return tile_at_rank if tile_at_rank in (equal if is_river_known else unmatched_tiles) else None
        x, y = self._place_of[discard.discard_number]
        near_tiles = [tile for tile in equal if hypot(tile.x_mm - x, tile.y_mm - y) < SAME_PLACE_MM]
        return min(near_tiles, key=lambda tile: hypot(tile.x_mm - x, tile.y_mm - y), default=None)


def uncalled_discards(hand: HandState, seat: Seat) -> tuple[RiverTile, ...]:
    """Returns the discards of a seat that nobody called."""
    return tuple(discard for discard in hand.rivers[seat] if discard.called_by is None)

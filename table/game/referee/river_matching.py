"""Matches the tiles of a river with discards, and finds new tiles.

The match follows from the order in the river; remembered ids only prevent a tile that was lost and found again from
counting as another discard. After a restart, order and faces decide until every discard was seen: an arm may hide some.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from table.game.referee import felt_in_seats
from table.rules.state import HandState, RiverTile
from table.rules.terms.seats import Seat
from vision.felt import Felt, LyingTile

SAME_PLACE_MM = 14.0
"""The distance within which an equal tile found again is the same discard: two thirds of a tile's width."""


class _Look(NamedTuple):
    """Where a tile was seen, as which kind it was read, and how surely."""

    x_mm: float
    y_mm: float
    kind: int
    score: float

    @classmethod
    def at(cls, tile: LyingTile) -> _Look:
        """Returns the look at a felt tile."""
        return cls(tile.x_mm, tile.y_mm, felt_in_seats.tile_of(tile).kind, tile.reading.score)

    def distance_mm(self, tile: LyingTile) -> float:
        """Returns how far away a tile lies."""
        return hypot(tile.x_mm - self.x_mm, tile.y_mm - self.y_mm)


class Rivers:
    """The remembered tiles of one hand's rivers."""

    def __init__(self) -> None:
        self._discard_of: dict[int, int] = {}
        self._last_look: dict[int, _Look] = {}
        """The last look at each discard; people may have named another face."""
        self._partly_seen: set[Seat] = set()
        """The seats whose recorded discards have not all been seen with their faces since the referee began."""

    def bind(self, tile: LyingTile, discard: int) -> None:
        """Remembers the number, from 0, of the discard that a felt tile is."""
        self._discard_of[tile.id] = discard
        self._last_look[discard] = _Look.at(tile)

    def forget(self, tile: LyingTile) -> None:
        """Forgets a tile, since another one is in its place."""
        self._discard_of.pop(tile.id, None)

    def discard_of(self, tile: LyingTile) -> int | None:
        """Returns the number of the discard that a felt tile is; None if unknown."""
        return self._discard_of.get(tile.id)

    def score_of(self, discard: int) -> float | None:
        """Returns the score of the last reading of a discard in its river; None if it was not seen there."""
        look = self._last_look.get(discard)
        return None if look is None else look.score

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

    def moved_discard(self, hand: HandState, seat: Seat, tile: LyingTile, felt: Felt) -> RiverTile | None:
        """Returns the missing discard of a seat that a new tile in its river may be, laid back in another place."""
        kind = felt_in_seats.tile_of(tile).kind
        missing = self.missing_discards(hand, seat, felt)
        return next((discard for discard in missing if discard.tile.kind == kind), None)

    def _find_again(self, hand: HandState, seat: Seat, tiles: tuple[LyingTile, ...]) -> None:
        for tile in tiles:
            if tile.id in self._discard_of:
                self._last_look[self._discard_of[tile.id]] = _Look.at(tile)
        matched_numbers, discards = {self._discard_of.get(tile.id) for tile in tiles}, uncalled_discards(hand, seat)
        is_river_known = any(discard.discard_number in self._last_look for discard in discards)
        if discards and (seat in self._partly_seen or not is_river_known):
            self._match_anew(discards, seat, tiles)
            return
        for rank, discard in enumerate(discards):
            if discard.discard_number not in matched_numbers:
                found = self._renumbered_tile(discard, hand, seat, tiles) or self._lost_tile(discard, rank, tiles)
                if found is not None:
                    self.bind(found, discard.discard_number)
        self._find_tidied(discards, tiles)

    def _find_tidied(self, discards: Sequence[RiverTile], tiles: Sequence[LyingTile]) -> None:
        """Matches tiles that were taken up together and laid back in other places: several missing faces are there."""
        matched_numbers = {self._discard_of.get(tile.id) for tile in tiles}
        unmatched_tiles = [tile for tile in tiles if tile.id not in self._discard_of]
        pairs: list[tuple[LyingTile, RiverTile]] = []
        for discard in discards:
            equal = [tile for tile in unmatched_tiles if felt_in_seats.tile_of(tile).kind == discard.tile.kind]
            if discard.discard_number not in matched_numbers and equal:
                unmatched_tiles.remove(equal[0])
                pairs.append((equal[0], discard))
        for tile, discard in pairs if len(pairs) > 1 else ():
            self.bind(tile, discard.discard_number)

    def _match_anew(self, discards: Sequence[RiverTile], seat: Seat, tiles: Sequence[LyingTile]) -> None:
        """Matches a whole river by order and faces, until each discard has been seen there with its face."""
        for tile in tiles:
            self.forget(tile)
        match = river_match(discards, tiles)
        for discard, tile in match.pairs:
            self.bind(tile, discard.discard_number)
        if match.equal_faces == len(discards):
            self._partly_seen.discard(seat)
        else:
            self._partly_seen.add(seat)

    def _renumbered_tile(
        self, discard: RiverTile, hand: HandState, seat: Seat, tiles: tuple[LyingTile, ...]
    ) -> LyingTile | None:
        """Returns the tile of a discard whose number changed, since a void call before it was taken back."""
        numbers = {tile.discard_number for tile in hand.rivers[seat]}
        stale_tiles = (
            tile for tile in tiles if tile.id in self._discard_of and self._discard_of[tile.id] not in numbers
        )
        return next((tile for tile in stale_tiles if felt_in_seats.tile_of(tile).kind == discard.tile.kind), None)

    def _lost_tile(self, discard: RiverTile, rank: int, tiles: Sequence[LyingTile]) -> LyingTile | None:
        """Returns the unmatched tile that is this discard; None if no tile fits.

        A discard that was never seen was only guessed, so a tile with another face is another discard. One that was
        seen has its recorded face, or the one as which it was read before people named its tile.
        """
        unmatched_tiles = [tile for tile in tiles if tile.id not in self._discard_of]
        look = self._last_look.get(discard.discard_number)
        kinds = (discard.tile.kind,) if look is None else (discard.tile.kind, look.kind)
        fitting_tiles = [tile for tile in unmatched_tiles if felt_in_seats.tile_of(tile).kind in kinds]
        if look is None:
            tile_at_rank = tiles[rank] if rank < len(tiles) else None
            return tile_at_rank if tile_at_rank in fitting_tiles else None
        near_tiles = [tile for tile in fitting_tiles if look.distance_mm(tile) < SAME_PLACE_MM]
        return min(near_tiles, key=look.distance_mm, default=None)


def uncalled_discards(hand: HandState, seat: Seat) -> tuple[RiverTile, ...]:
    """Returns the discards of a seat that nobody called."""
    return tuple(discard for discard in hand.rivers[seat] if discard.called_by is None)


class RiverMatch(NamedTuple):
    """A match of a river's tiles with discards, and how well they agree."""

    equal_faces: int = 0
    equal_ranks: int = 0
    pairs: tuple[tuple[RiverTile, LyingTile], ...] = ()

    def paired(self, discard: RiverTile, tile: LyingTile, *, has_equal_rank: bool) -> RiverMatch:
        """Returns the match with one more pair in front."""
        has_equal_face = felt_in_seats.tile_of(tile).kind == discard.tile.kind
        pairs = ((discard, tile), *self.pairs)
        return RiverMatch(self.equal_faces + has_equal_face, self.equal_ranks + has_equal_rank, pairs)


def river_match(discards: Sequence[RiverTile], tiles: Sequence[LyingTile]) -> RiverMatch:
    """Matches the tiles of a river with discards in their order: as many equal faces as possible, then equal ranks."""
    after = [RiverMatch()] * (len(tiles) + 1)
    for rank in reversed(range(len(discards))):
        best = [RiverMatch()] * (len(tiles) + 1)
        for index in reversed(range(len(tiles))):
            paired = after[index + 1].paired(discards[rank], tiles[index], has_equal_rank=rank == index)
            best[index] = max(paired, after[index], best[index + 1], key=lambda match: (*match[:2], len(match.pairs)))
        after = best
    return after[0]

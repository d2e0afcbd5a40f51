"""Computes the changes of the felt between two states of belief, in a possible chronological order."""

from __future__ import annotations

from vision.felt import Felt, FeltChange, LyingTile, StickLaid, StickTaken, TileLaid, TileReread, TileTaken, Zone


def changes_between(before: Felt, after: Felt) -> tuple[FeltChange, ...]:
    """Returns tiles and sticks taken, then tiles reread, then tiles and sticks laid, each kind sorted by id."""
    tiles_before = {tile.id: tile for tile in before.tiles}
    tiles_after = {tile.id: tile for tile in after.tiles}
    sticks_before = {stick.id: stick for stick in before.sticks}
    sticks_after = {stick.id: stick for stick in after.sticks}
    return (
        *(TileTaken(tile=tiles_before[i]) for i in sorted(tiles_before.keys() - tiles_after.keys())),
        *(StickTaken(stick=sticks_before[i]) for i in sorted(sticks_before.keys() - sticks_after.keys())),
        *(
            TileReread(before=tiles_before[i], tile=tiles_after[i])
            for i in sorted(tiles_before.keys() & tiles_after.keys())
            if _meaning(tiles_before[i]) != _meaning(tiles_after[i])
        ),
        *(TileLaid(tile=tiles_after[i]) for i in sorted(tiles_after.keys() - tiles_before.keys())),
        *(StickLaid(stick=sticks_after[i]) for i in sorted(sticks_after.keys() - sticks_before.keys())),
    )


def is_cleared(before: Felt, after: Felt) -> bool:
    """Returns whether the tiles of a hand have been cleared away."""
    hand_zones = (Zone.RIVER, Zone.MELD, Zone.HAND)
    return any(tile.zone in hand_zones for tile in before.tiles) and not any(
        tile.zone in hand_zones for tile in after.tiles
    )


def _meaning(tile: LyingTile) -> tuple[object, ...]:
    """Returns all of a tile whose change is reported: not its millimetres, its angle and its confidence."""
    return (tile.reading.tile, tile.reading.outcome, tile.side, tile.zone, tile.is_sideways, tile.order, tile.group)

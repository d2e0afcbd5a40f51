"""Computes the changes of the felt between two states of belief, in a possible chronological order."""

from __future__ import annotations

from vision.felt import Felt, FeltChange, LyingTile, StickLaid, StickTaken, TileLaid, TileReread, TileTaken, Zone


def changes_between(before: Felt, after: Felt) -> tuple[FeltChange, ...]:
    """Returns tiles taken, then changed, then laid, each sorted by id."""
    was = {tile.id: tile for tile in before.tiles}
    now = {tile.id: tile for tile in after.tiles}
    lay = {stick.id: stick for stick in before.sticks}
    lies = {stick.id: stick for stick in after.sticks}
    return (
        *(TileTaken(tile=was[i]) for i in sorted(was.keys() - now.keys())),
        *(StickTaken(stick=lay[i]) for i in sorted(lay.keys() - lies.keys())),
        *(
            TileReread(before=was[i], tile=now[i])
            for i in sorted(was.keys() & now.keys())
            if _meaning(was[i]) != _meaning(now[i])
        ),
        *(TileLaid(tile=now[i]) for i in sorted(now.keys() - was.keys())),
        *(StickLaid(stick=lies[i]) for i in sorted(lies.keys() - lay.keys())),
    )


def is_cleared(before: Felt, after: Felt) -> bool:
    """Returns whether the tiles of a hand have been cleared away."""
    played = (Zone.RIVER, Zone.MELD, Zone.HAND)
    return any(tile.zone in played for tile in before.tiles) and not any(tile.zone in played for tile in after.tiles)


def _meaning(tile: LyingTile) -> tuple[object, ...]:
    """All of a tile except its millimetres and its confidence."""
    return (tile.reading.tile, tile.reading.outcome, tile.side, tile.zone, tile.is_sideways, tile.order, tile.group)

"""Assigns each thing on the table to a side and a zone, by its position, angle and face.

From the centre outward: sticks and the centre unit, rivers, walls, then along the rail hands and melds. The limits
follow measured tables: the third row of a river ends 152-178 mm out, a wall begins 168-200 mm out, and a tile no
farther from the rail than about the depth of a hand belongs to a hand or a meld.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from vision.felt import BACK, Zone
from vision.geometry.plane_geometry import TileSize, wrap
from vision.geometry.sides import SIDES, RestingTile, nearest_side, seen_from, side_coordinates
from vision.zones.meld_rows import sort_rail
from vision.zones.rivers import assign_sides, laying_order

_DEEP_CORNER: Final = 0.7
"""Farther from the middle of a rail than this share of its half, tiles lie deep in a corner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonePlace:
    """The zone of a tile, and its order there: see the fields of the same names in `vision.felt.LyingTile`."""

    side: int
    zone: Zone
    is_sideways: bool = False
    order: int = 0
    group: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Zones:
    """The zones of one table."""

    side_mm: float
    """The side of the play surface."""
    size: TileSize
    """The size of the tiles."""

    @property
    def sticks_end(self) -> float:
        """How far from the centre, toward a side, a stick still lies in the stick zone."""
        return 80.0

    @property
    def river_end(self) -> float:
        """The limit between the middles of river tiles and those of wall tiles."""
        return 175.0

    @property
    def rail_start(self) -> float:
        """The limit between the middles of wall tiles and those of open hands."""
        return min(255.0, self.side_mm / 2 - 2.9 * self.size.height_mm)

    def is_by_rail(self, x_mm: float, y_mm: float) -> bool:
        """Returns whether the middle of a tile lies where hands and melds do."""
        return max(abs(x_mm), abs(y_mm)) >= self.rail_start

    def side_and_zone(self, x_mm: float, y_mm: float) -> tuple[int, Zone]:
        """Returns the side and zone of a point, whatever lies there."""
        side = nearest_side(x_mm, y_mm)
        right, out = side_coordinates(x_mm, y_mm, side)
        if out >= self.rail_start:
            corner = 0.52 * self.side_mm / 2
            if right < -self.rail_start:
                return (side - 1) % 4, Zone.MELD
            return side, Zone.MELD if right > corner else Zone.HAND
        if out >= self.river_end:
            return side, Zone.WALL
        return side, Zone.STICKS if out < 60 else Zone.RIVER

    def lies_across_river(self, x_mm: float, y_mm: float, angle_deg: float) -> bool:
        """Returns whether a tile at this place and angle lies sideways in the river of the nearest side."""
        side, zone = self.side_and_zone(x_mm, y_mm)
        return zone is Zone.RIVER and abs(wrap(angle_deg - 90 * side, period=180)) > 45

    def stick_side(self, x_mm: float, y_mm: float, angle_deg: float) -> tuple[int, Zone]:
        """Returns the side of a stick, and whether it lies in that side's stick zone or elsewhere.

        `angle_deg` is the direction of its long axis, 0 along x.
        """
        lies_along_x = abs((angle_deg + 90) % 180 - 90) < 45
        sides = [side for side in SIDES if (side % 2 == 0) == lies_along_x]
        right, out, side = max(
            ((*side_coordinates(x_mm, y_mm, side), side) for side in sides), key=lambda found: found[1]
        )
        if out < self.sticks_end and abs(right) < self.sticks_end:
            return side, Zone.STICKS
        return self.side_and_zone(x_mm, y_mm)[0], Zone.ELSEWHERE

    def arrange(self, tiles: Sequence[RestingTile]) -> dict[int, ZonePlace]:
        """Returns each tile's place, by id.

        Tiles lying face down outside melds, such as walls and turned-down hands, are left out.
        """
        rail = [tile for tile in tiles if self.is_by_rail(tile.x_mm, tile.y_mm)]
        by_rail = {tile.id for tile in rail}
        face_up = [tile for tile in tiles if tile.id not in by_rail and tile.face != BACK]
        walls = [tile for tile in face_up if self._is_beyond_rivers(tile)]
        on_walls = {tile.id for tile in walls}
        places = {tile.id: self._on_wall(tile) for tile in walls}
        places |= self._rivers([tile for tile in face_up if tile.id not in on_walls])
        for side, side_tiles in self._by_rail(rail).items():
            places |= self._rail(side_tiles, side)
        return places

    def walls(self, tiles: Sequence[RestingTile]) -> int:
        """Returns how many tiles lie face down where walls stand."""
        backs = [tile for tile in tiles if tile.face == BACK and not self.is_by_rail(tile.x_mm, tile.y_mm)]
        return sum(map(self._is_beyond_rivers, backs))

    def _is_beyond_rivers(self, tile: RestingTile) -> bool:
        return max(abs(tile.x_mm), abs(tile.y_mm)) >= self.river_end

    @staticmethod
    def _on_wall(tile: RestingTile) -> ZonePlace:
        side = nearest_side(tile.x_mm, tile.y_mm)
        return ZonePlace(side=side, zone=Zone.WALL, is_sideways=seen_from(tile, side).is_sideways)

    def _rivers(self, tiles: Sequence[RestingTile]) -> dict[int, ZonePlace]:
        sides = assign_sides(tiles, self.size)
        places: dict[int, ZonePlace] = {}
        for side in SIDES:
            side_tiles = [tile for tile in tiles if sides[tile.id] == side]
            for order, seen in enumerate(laying_order(side_tiles, side, self.size)):
                places[seen.tile.id] = ZonePlace(side=side, zone=Zone.RIVER, is_sideways=seen.is_sideways, order=order)
        for tile in tiles:
            if sides[tile.id] is None:
                places[tile.id] = ZonePlace(side=nearest_side(tile.x_mm, tile.y_mm), zone=Zone.ELSEWHERE)
        return places

    def _by_rail(self, tiles: Sequence[RestingTile]) -> dict[int, list[RestingTile]]:
        """Groups the tiles along the rails by the side to which they belong.

        Tiles deep in a corner belong to the side whose right corner it is, since only its melds can lie there. Near the
        corner, a cluster belongs to the side for which most of its tiles are upright.
        """
        owners: dict[int, list[RestingTile]] = {side: [] for side in SIDES}
        for cluster in _clusters(tiles, most_mm=1.35 * self.size.height_mm):
            owners[self._owner(cluster)].extend(cluster)
        return owners

    def _owner(self, cluster: Sequence[RestingTile]) -> int:
        x = sum(tile.x_mm for tile in cluster) / len(cluster)
        y = sum(tile.y_mm for tile in cluster) / len(cluster)
        side = nearest_side(x, y)
        right, _ = side_coordinates(x, y, side)
        if abs(right) < 0.45 * self.side_mm / 2:
            return side
        neighbour = (side + 1) % 4 if right > 0 else (side - 1) % 4
        if abs(right) > _DEEP_CORNER * self.side_mm / 2:
            return side if right > 0 else neighbour
        upright = [sum(not seen_from(tile, owner).is_sideways for tile in cluster) for owner in (side, neighbour)]
        if upright[0] != upright[1]:
            return side if upright[0] > upright[1] else neighbour
        return side if right > 0 else neighbour

    def _rail(self, tiles: Sequence[RestingTile], side: int) -> dict[int, ZonePlace]:
        rail = sort_rail(tiles, side, size=self.size, side_mm=self.side_mm)
        places: dict[int, ZonePlace] = {}
        for group, meld in enumerate(rail.melds):
            for order, seen in enumerate(meld):
                places[seen.tile.id] = ZonePlace(
                    side=side, zone=Zone.MELD, is_sideways=seen.is_sideways, order=order, group=group
                )
        for order, seen in enumerate(rail.hand):
            places[seen.tile.id] = ZonePlace(side=side, zone=Zone.HAND, is_sideways=seen.is_sideways, order=order)
        return places


def _clusters(tiles: Iterable[RestingTile], *, most_mm: float) -> list[list[RestingTile]]:
    """Groups tiles whose middles are within `most_mm` of a neighbour's."""
    waiting = list(tiles)
    clusters: list[list[RestingTile]] = []
    while waiting:
        cluster = [waiting.pop()]
        for tile in cluster:
            candidates = [
                other for other in waiting if abs(tile.x_mm - other.x_mm) + abs(tile.y_mm - other.y_mm) < 3 * most_mm
            ]
            for other in candidates:
                if (tile.x_mm - other.x_mm) ** 2 + (tile.y_mm - other.y_mm) ** 2 < most_mm**2:
                    cluster.append(other)
                    waiting.remove(other)
        clusters.append(cluster)
    return clusters

"""Builds the felt from beliefs: assigns zones and order, and creates the objects of `vision.felt`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from vision.arrays import Floats, Mask
from vision.confidence import LIKELY
from vision.felt import BACK, Felt, LyingStick, LyingTile, Reading, Zone
from vision.geometry.plane_geometry import wrap
from vision.geometry.sides import SIDES, RestingTile, nearest_side, side_coordinates
from vision.watching.belief.evidence import StickEvidence, TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.belief.vote import Vote
from vision.watching.looks.visible_sides import may_be_misread
from vision.zones.table_zones import ZonePlace, Zones

_COVERED_SHARE: Final = 0.03
"""Share of a zone that must move for the zone to count as covered."""
_EVERY: Final = 3
"""Every how many cells one is sampled, in each direction: fine enough to detect covered zones."""
_ZONES: Final = tuple(Zone)


class FeltBuilder:
    """Turns beliefs into a `Felt`."""

    def __init__(self, zones: Zones, vote: Vote, cells_mm: Floats) -> None:
        """Takes the table's zones and vote, and the middles of the motion gate's cells, shape [cells, cells, 2]."""
        self._zones = zones
        self._vote = vote
        sampled = cells_mm[::_EVERY, ::_EVERY].reshape(-1, 2)
        names = list(product(SIDES, _ZONES))
        self._labels = np.array([names.index(zones.side_and_zone(float(x), float(y))) for x, y in sampled])
        self._sizes = np.maximum(np.bincount(self._labels, minlength=4 * len(_ZONES)), 1)

    def felt(
        self,
        tiles: Iterable[TrackedThing[TileEvidence]],
        sticks: Iterable[TrackedThing[StickEvidence]],
        *,
        moving: Mask,
        camera_mm: Floats,
    ) -> Felt:
        """Returns everything believed to lie there.

        `moving` marks the gate's cells that are not at rest; `camera_mm` is the camera's position, shape [3].
        """
        tiles = list(tiles)
        readings = self._vote.believed(tiles)
        resting, places = self._arrangement(tiles, readings)
        weighed = self._vote.weighed(tiles, places)
        if weighed != readings:
            readings = weighed
            resting, places = self._arrangement(tiles, readings)
        for i in self._doubtful_ids(tiles, readings, places, camera_mm):
            readings[i] = replace(readings[i], score=min(readings[i].score, LIKELY))
        lying_tiles = [_lying_tile(resting[i], readings[i], places[i]) for i in sorted(places)]
        hidden_mm = [(thing.place.x_mm, thing.place.y_mm) for thing in tiles if thing.is_hidden]
        return Felt(
            tiles=tuple(lying_tiles),
            sticks=tuple(self._stick(stick) for stick in sorted(sticks, key=lambda stick: stick.id or 0)),
            covered=self._covered_zones(moving) | {self._zones.side_and_zone(x, y) for x, y in hidden_mm},
            walls=self._zones.walls(list(resting.values())),
        )

    @staticmethod
    def _doubtful_ids(
        tiles: Sequence[TrackedThing[TileEvidence]],
        readings: Mapping[int, Reading],
        places: Mapping[int, ZonePlace],
        camera_mm: Floats,
    ) -> Iterator[int]:
        """Yields the ids of tiles to doubt however they read: those perhaps absent, and ura partly behind a wall."""
        tile_places = [thing.place for thing in tiles]
        indicators = {i for i, zone_place in places.items() if zone_place.zone is Zone.WALL and readings[i].is_face}
        for thing in tiles:
            if (i := thing.id) is None:
                continue
            is_hidden = i in indicators and may_be_misread(thing.place, readings[i].tile, tile_places, camera_mm)
            if thing.is_supposed or is_hidden:
                yield i

    def _arrangement(
        self, tiles: Iterable[TrackedThing[TileEvidence]], readings: Mapping[int, Reading]
    ) -> tuple[dict[int, RestingTile], dict[int, ZonePlace]]:
        """Returns the position of every tile, and its zone, by id."""
        resting = {i: _resting_tile(thing, readings[i]) for thing in tiles if (i := thing.id) is not None}
        return resting, self._zones.arrange(list(resting.values()))

    def rank(self, thing: TrackedThing[TileEvidence]) -> tuple[float, ...]:
        """Returns a key that sorts tiles believed at the same time in the order in which they were probably laid.

        Rivers come from the centre out and from the left; melds from the rim in and from the right.
        """
        x, y = thing.place.x_mm, thing.place.y_mm
        side, zone = self._zones.side_and_zone(x, y)
        right, out = side_coordinates(x, y, side)
        step = self._zones.size.height_mm
        if zone is Zone.MELD:
            rim = self._zones.side_mm / 2
            return (1, side, (rim - out) // (1.5 * step), -right)
        return (0, nearest_side(x, y), round(out / step), right)

    def _stick(self, thing: TrackedThing[StickEvidence]) -> LyingStick:
        place = thing.place
        angle = wrap(place.angle_deg + 90, period=180)
        side, zone = self._zones.stick_side(place.x_mm, place.y_mm, angle)
        return LyingStick(
            id=-1 if thing.id is None else thing.id,
            value=thing.evidence.value,
            score=thing.evidence.confidence,
            x_mm=place.x_mm,
            y_mm=place.y_mm,
            angle_deg=angle,
            side=side,
            zone=zone,
        )

    def _covered_zones(self, moving: Mask) -> frozenset[tuple[int, Zone]]:
        counts = np.bincount(self._labels[moving[::_EVERY, ::_EVERY].ravel()], minlength=len(self._sizes))
        covered = np.nonzero(counts > _COVERED_SHARE * self._sizes)[0]
        return frozenset((int(label) // len(_ZONES), _ZONES[int(label) % len(_ZONES)]) for label in covered)


def _resting_tile(thing: TrackedThing[TileEvidence], reading: Reading) -> RestingTile:
    angle = thing.place.angle_deg + (180 if reading.turned else 0)
    return RestingTile(
        id=-1 if thing.id is None else thing.id,
        face=reading.tile,
        x_mm=thing.place.x_mm,
        y_mm=thing.place.y_mm,
        angle_deg=wrap(angle, period=180 if reading.tile == BACK else 360),
    )


def _lying_tile(tile: RestingTile, reading: Reading, place: ZonePlace) -> LyingTile:
    return LyingTile(
        id=tile.id,
        reading=reading,
        x_mm=tile.x_mm,
        y_mm=tile.y_mm,
        angle_deg=tile.angle_deg,
        side=place.side,
        zone=place.zone,
        is_sideways=place.is_sideways,
        order=place.order,
        group=place.group,
    )

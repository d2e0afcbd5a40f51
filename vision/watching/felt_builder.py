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
from vision.geometry.sides import SIDES, Resting, nearest_side, place
from vision.watching.belief.evidence import StickEvidence, TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.belief.vote import Vote
from vision.watching.looks.visible_sides import may_be_misread
from vision.zones.table_zones import Place, Zones

_COVERED_SHARE: Final = 0.03
"""Share of a zone that must move for the zone to count as covered."""
_EVERY: Final = 3
"""Step of the sampled cells, in each direction, which is fine enough to detect covered zones."""
_ZONES: Final = tuple(Zone)


class FeltBuilder:
    """Turns beliefs into a `Felt`."""

    def __init__(self, zones: Zones, vote: Vote, cells_mm: Floats) -> None:
        """Takes the table's zones and vote, and the middles of the motion gate's cells, shape [cells, cells, 2]."""
        self._zones = zones
        self._vote = vote
        sampled = cells_mm[::_EVERY, ::_EVERY].reshape(-1, 2)
        names = list(product(SIDES, _ZONES))
        self._labels = np.array([names.index(zones.rough(float(x), float(y))) for x, y in sampled])
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
        resting, places = self._arranged(tiles, readings)
        weighed = self._vote.weighed(tiles, places)
        if weighed != readings:
            readings = weighed
            resting, places = self._arranged(tiles, readings)
        for i in self._doubted(tiles, readings, places, camera_mm):
            readings[i] = replace(readings[i], score=min(readings[i].score, LIKELY))
        lying = [_lying(resting[i], readings[i], places[i]) for i in sorted(places)]
        hidden = [(thing.place.x_mm, thing.place.y_mm) for thing in tiles if thing.is_hidden]
        return Felt(
            tiles=tuple(lying),
            sticks=tuple(self._stick(stick) for stick in sorted(sticks, key=lambda stick: stick.id or 0)),
            covered=self._covered(moving) | {self._zones.rough(x, y) for x, y in hidden},
            walls=self._zones.walls(list(resting.values())),
        )

    @staticmethod
    def _doubted(
        tiles: Sequence[TrackedThing[TileEvidence]],
        readings: Mapping[int, Reading],
        places: Mapping[int, Place],
        camera_mm: Floats,
    ) -> Iterator[int]:
        """Yields the tiles to doubt however they read: those that may not be there, and ura partly behind a wall."""
        lying = [thing.place for thing in tiles]
        indicators = {i for i, where in places.items() if where.zone is Zone.WALL and readings[i].is_face}
        for thing in tiles:
            if (i := thing.id) is None:
                continue
            is_hidden = i in indicators and may_be_misread(thing.place, readings[i].tile, lying, camera_mm)
            if thing.is_supposed or is_hidden:
                yield i

    def _arranged(
        self, tiles: Iterable[TrackedThing[TileEvidence]], readings: Mapping[int, Reading]
    ) -> tuple[dict[int, Resting], dict[int, Place]]:
        """The position of every tile, and its place, by id."""
        resting = {i: _resting(thing, readings[i]) for thing in tiles if (i := thing.id) is not None}
        return resting, self._zones.arrange(list(resting.values()))

    def rank(self, thing: TrackedThing[TileEvidence]) -> tuple[float, ...]:
        """Returns a key that sorts tiles believed at the same time in the order in which they were probably laid.

        Rivers come from the centre out and from the left; melds from the rim in and from the right.
        """
        x, y = thing.place.x_mm, thing.place.y_mm
        side, zone = self._zones.rough(x, y)
        right, out = place(x, y, side)
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

    def _covered(self, moving: Mask) -> frozenset[tuple[int, Zone]]:
        counts = np.bincount(self._labels[moving[::_EVERY, ::_EVERY].ravel()], minlength=len(self._sizes))
        covered = np.nonzero(counts > _COVERED_SHARE * self._sizes)[0]
        return frozenset((int(label) // len(_ZONES), _ZONES[int(label) % len(_ZONES)]) for label in covered)


def _resting(thing: TrackedThing[TileEvidence], reading: Reading) -> Resting:
    angle = thing.place.angle_deg + (180 if reading.turned else 0)
    return Resting(
        id=-1 if thing.id is None else thing.id,
        face=reading.tile,
        x_mm=thing.place.x_mm,
        y_mm=thing.place.y_mm,
        angle_deg=wrap(angle, period=180 if reading.tile == BACK else 360),
    )


def _lying(tile: Resting, reading: Reading, where: Place) -> LyingTile:
    return LyingTile(
        id=tile.id,
        reading=reading,
        x_mm=tile.x_mm,
        y_mm=tile.y_mm,
        angle_deg=tile.angle_deg,
        side=where.side,
        zone=where.zone,
        is_sideways=where.is_sideways,
        order=where.order,
        group=where.group,
    )

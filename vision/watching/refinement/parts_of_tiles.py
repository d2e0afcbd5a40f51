"""Recognises finds of the locator that are only parts of tiles.

A small face of three rows may look like two tiles across it, or, with the tile's side, like one across and one along.
Halves of two tiles of one face side by side may look like a third tile between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import hypot
from typing import Final

import numpy as np

from vision.geometry.plane_geometry import TileSize, wrap
from vision.watching.detection import ASKEW_DEG, Detection

OVERLAPPING: Final = (0.4, 0.85)
"""Of two finds side by side that are this many tile widths apart, at most one is a tile: tiles do not overlap."""
_JOINED: Final = (0.4, 0.96)
"""Two finds that are this many tile widths apart may be parts of one tile, if that is read between them."""
_NO_ROOM: Final = 1.5
"""Between two tiles whose middles are nearer than this, in tile widths, no third one lies."""
OFF_MIDDLE: Final = 0.2
"""The middle of a part of a tile is at least this far from the tile's, in tile widths."""


def finds_between(places: Sequence[Detection], size: TileSize) -> Iterator[int]:
    """Yields the indexes of finds between two tiles side by side that leave no room for a third: halves of both.

    Two finds that overlap, each of them between the other and a third one, may be one tile, and are not among them.
    """
    middles = np.array([(place.x_mm, place.y_mm) for place in places]).reshape(-1, 2)
    distances = np.linalg.norm(middles[:, None] - middles[None], axis=2) / size.width_mm
    are_near = (distances > OVERLAPPING[0]) & (distances < OVERLAPPING[1])
    around: dict[int, list[tuple[int, int]]] = {}
    for index in np.flatnonzero(are_near.sum(axis=1) > 1).tolist():
        place = places[index]
        neighbours = [
            near for near in np.flatnonzero(are_near[index]).tolist() if place.lean_to(places[near]) < ASKEW_DEG
        ]
        sides = place.offsets_of([places[near] for near in neighbours])
        around[index] = [
            (neighbours[one], neighbours[other])
            for one, other in combinations(range(len(neighbours)), 2)
            if OVERLAPPING[1] <= distances[neighbours[one], neighbours[other]] < _NO_ROOM
            and sides[one, 0] * sides[other, 0] < 0
        ]
    for index, pairs in around.items():
        if any(not (around.get(one) or around.get(other)) for one, other in pairs):
            yield index


def joined_parts(places: Sequence[Detection], size: TileSize) -> Iterator[tuple[int, int, Detection]]:
    """Yields the indexes of two finds that overlap or almost touch, one across a tile, and where that would lie."""
    middles = np.array([(place.x_mm, place.y_mm) for place in places]).reshape(-1, 2)
    distances = np.linalg.norm(middles[:, None] - middles[None], axis=2) / size.width_mm
    for first, second in np.argwhere(np.triu((distances > _JOINED[0]) & (distances < _JOINED[1]))).tolist():
        one, other = places[first], places[second]
        across = _lying_across(one, other)
        if across is None:
            continue
        x_mm, y_mm = (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2
        angle_deg, half_mm = wrap(across.angle_deg + 90.0, period=180), (size.width_mm / 2, size.height_mm / 2)
        yield first, second, Detection(x_mm=x_mm, y_mm=y_mm, angle_deg=angle_deg, half_mm=half_mm)


def lies_as(place: Detection, believed: Detection, size: TileSize) -> bool:
    """Returns whether a tile at a place lies about as a believed one does."""
    away_mm = hypot(place.x_mm - believed.x_mm, place.y_mm - believed.y_mm)
    return away_mm <= OFF_MIDDLE * size.width_mm and believed.lean_to(place) < ASKEW_DEG


def is_part_of(place: Detection, believed: Detection, size: TileSize) -> bool:
    """Returns whether a find lies across a believed tile, off its middle; about the middle, the tile may be turned."""
    is_across = believed.lean_to(place) > 90 - ASKEW_DEG
    away_mm = hypot(place.x_mm - believed.x_mm, place.y_mm - believed.y_mm)
    return is_across and away_mm > OFF_MIDDLE * size.width_mm


def _lying_across(one: Detection, other: Detection) -> Detection | None:
    """Returns which of two finds, turned alike or at right angles, has the other at its long side; None if neither."""
    if ASKEW_DEG <= one.lean_to(other) <= 90 - ASKEW_DEG:
        return None
    return next((place for place, next_ in ((one, other), (other, one)) if _is_beside(next_, place)), None)


def _is_beside(place: Detection, other: Detection) -> bool:
    """Returns whether a find lies at the long side of another."""
    ((right, up),) = other.offsets_of([place])
    return bool(abs(right) > 2 * abs(up))

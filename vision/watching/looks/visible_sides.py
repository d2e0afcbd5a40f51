"""What is seen where a tile may lie: the sides of its neighbours, the bare table, or something that hides it.

Where a tile was taken away, the side of its neighbour may be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot
from typing import Final

import numpy as np

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import TileSize, as_float64
from vision.watching.bare_table import BareTable
from vision.watching.detection import Detection

_NEAR_MM: Final = 150.0
"""A thing farther away than this, right and up added, neither hides a tile nor shows its side there."""
_BARE_SHARE: Final = 0.7
"""The least share of a bare place's deciding points that are bare."""
_DECIDING_SHARE: Final = 0.3
"""The least share of a place's points that must decide: those that do not show the sides of its neighbours."""
_ASLANT: Final = 0.35
"""The least tangent of the camera's angle to the vertical at which a tile must show its own side."""
_SIDE_DEPTHS: Final = (0.2, 0.4, 0.6, 0.8)
"""How far below its face a tile's own side is looked for, as shares of its thickness."""
_LEAST_SIDE_SHARE: Final = 0.15
"""The least share of a tile's body that must be seen beyond its face and its neighbours to look for its side."""
_MARGIN_MM: Final = 1.5
"""By how much the outlines of neighbours may be found too small."""
_FELT_SHARE: Final = 0.7
"""A tile's own side is not there if this share of where it is looked for shows felt."""
_BODY: Final = 0.95
"""The scale of an outline within which a tile's own side surely is: found outlines are inexact."""
_FINE: Final = 20
"""Steps of the grid, in each direction, by which the hidden share of a tile is measured."""
_STROKES: Final = frozenset({"1m", "2m"})
"""The faces that are left of a 2m or a 3m whose uppermost stroke is hidden."""
_LEAST_HIDDEN: Final = {True: 0.04, False: 0.12}
"""From this share on, a tile is hidden enough to be another one: for these faces, and for others.

The locator errs by less than the first where tiles touch. The measured share is less than the hidden one: 0.07 instead
of 0.12 for a 3m that read as 2m.
"""
_INNER: Final = 0.85
"""A tile that only touches another does not reach into the other's outline when that is scaled by this."""
_UNDER: Final = (0.1, 0.5)
"""A find may be a tile's side if a share of it between these lies in that tile's outline; with more, it is the tile."""
_SIDE: Final = 0.7
"""A place shows a side if this share of it does."""
_LEVELS: Final = 4
"""Heights at which a side is looked for, the face's among them."""


def is_seen_bare(
    place: Detection, others: Sequence[Detection], ground: BareTable, camera_mm: Floats, tile: TileSize
) -> bool:
    """Returns whether a place shows the bare table or other things, wherever it does not show their sides."""
    points = place.grid()
    neighbours = _neighbours(place, others)
    is_taken = _are_within(points, neighbours)
    decides = is_taken | ~_show_sides(points, neighbours, camera_mm, tile)
    is_bare = (ground.is_bare(points) | is_taken)[decides]
    return len(is_bare) >= _DECIDING_SHARE * len(points) and float(is_bare.mean()) >= _BARE_SHARE


def is_felt_before(
    place: Detection, others: Sequence[Detection], ground: BareTable, camera_mm: Floats, tile: TileSize
) -> bool:
    """Returns whether felt is seen where the side of a tile at a place would be, so that none lies there.

    From far aslant, where a tile was taken away, its neighbour's side may be seen all over its place.
    """
    if _away_mm(place, camera_mm) < _ASLANT * (camera_mm[2] - tile.depth_mm):
        return False
    neighbours = _neighbours(place, others)
    points = np.concatenate([_side_points(place, depth * tile.depth_mm, camera_mm, tile) for depth in _SIDE_DEPTHS])
    widened = [
        replace(neighbour, half_mm=(neighbour.half_mm[0] + _MARGIN_MM, neighbour.half_mm[1] + _MARGIN_MM))
        for neighbour in neighbours
    ]
    is_hidden = _are_within(points, [place, *widened]) | _show_sides(points, widened, camera_mm, tile)
    is_felt = ground.shows_felt(points)[~is_hidden]
    return len(is_felt) >= _LEAST_SIDE_SHARE * len(points) and float(is_felt.mean()) >= _FELT_SHARE


def _side_points(place: Detection, depth_mm: float, camera_mm: Floats, tile: TileSize) -> Floats:
    """Returns where points `depth_mm` below a face are seen in the plane of the faces, [N, 2]."""
    share = depth_mm / (camera_mm[2] - tile.depth_mm + depth_mm)
    points = place.grid(scale=_BODY)
    return as_float64(points - (points - camera_mm[:2]) * share)


def may_be_misread(place: Detection, face: str, others: Iterable[Detection], camera_mm: Floats) -> bool:
    """Returns whether a tile may be misread, however surely it reads as `face`, because much of it is hidden.

    Whatever hides it lies higher: its outline, nearer to the camera, reaches into the tile's. Things of one height
    touch each other at most. An ura behind a wall read surely as 2m, and was a 3m.
    """
    away_mm = _away_mm(place, camera_mm)
    nearer = [neighbour for neighbour in _neighbours(place, others) if _away_mm(neighbour, camera_mm) < away_mm]
    hidden = float(_are_within(place.grid(scale=1 - 1 / _FINE, steps=_FINE), nearer).mean())
    return hidden >= _LEAST_HIDDEN[face in _STROKES]


def _neighbours(place: Detection, others: Iterable[Detection]) -> list[Detection]:
    return [other for other in others if abs(other.x_mm - place.x_mm) + abs(other.y_mm - place.y_mm) < _NEAR_MM]


def _are_within(points_mm: Floats, outlines: Iterable[Detection]) -> Mask:
    """Returns which points [N, 2] lie in one of the outlines."""
    within = [np.zeros(len(points_mm), np.bool_), *(outline.holds(points_mm) for outline in outlines)]
    return np.asarray(np.logical_or.reduce(within), np.bool_)


def _away_mm(place: Detection, camera_mm: Floats) -> float:
    return hypot(place.x_mm - camera_mm[0], place.y_mm - camera_mm[1])


def is_side_of(
    place: Detection, other: Detection, camera_mm: Floats, tile: TileSize, *, is_darker: bool = False
) -> bool:
    """Returns whether the outline at a place is the visible side of another tile: it reaches under that tile's face.

    A find of that face's colour that `is_darker` is its side even if it only touches it: a tile would be as light.
    """
    share_under = float(other.holds(place.grid(scale=_INNER)).mean())
    least_share = 0.0 if is_darker else _UNDER[0]
    return least_share <= share_under <= _UNDER[1] and shows_side(place, other, camera_mm, tile)


def shows_side(place: Detection, other: Detection, camera_mm: Floats, tile: TileSize) -> bool:
    """Returns whether the camera sees the sides of another tile at most of a place."""
    return float(_show_sides(place.grid(), [other], camera_mm, tile).mean()) >= _SIDE


def _show_sides(points_mm: Floats, tiles: Sequence[Detection], camera_mm: Floats, tile: TileSize) -> Mask:
    """Returns at which points [N, 2] of the plane of the faces the camera sees the sides of these tiles."""
    away = (points_mm - camera_mm[:2]) / (camera_mm[2] - tile.depth_mm)
    below = [points_mm + away * depth_mm for depth_mm in np.linspace(0.0, tile.depth_mm, _LEVELS)]
    return np.asarray(np.logical_or.reduce([_are_within(points, tiles) for points in below]), np.bool_)

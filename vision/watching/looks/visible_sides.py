"""How far the sides of a lying tile are visible below its face, on the way to the camera.

A tile on top of another shows twice as much, since its foot stays where it was; a tile that was pushed takes its foot
along, and shows as much as before. Where a tile was taken away, the side of its neighbour may be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import TileSize, as_float64, turn
from vision.geometry.rectify import TopView
from vision.watching.bare_table import BareTable, Colours
from vision.watching.detection import Detection
from vision.watching.looks.top_look import TopLook

_EDGE: Final = np.linspace(-0.7, 0.7, 9)
"""Where along an edge its side is looked at, from its middle, in halves of its length."""
_DEPTHS: Final = np.arange(0.5, 41.0) / 12
"""Where the side below a face is looked at, in predicted visible heights of a tile."""
_FACING: Final = 0.35
"""Cosine of the angle to the camera's direction from which on an edge shows enough of its side."""
_SOLID: Final = 7
"""Number of samples in a row that must show felt: more than a back of the felt's colour shows in a stack."""
_LEAST_POINTS: Final = 3
"""At so many places of an edge at least the end of its side must be seen."""
_NEAR_MM: Final = 150.0
"""What lies farther away, right and up added, neither hides a tile nor shows its side there."""
_BARE_SHARE: Final = 0.7
"""A place is bare if so much of it is …"""
_DECIDING_SHARE: Final = 0.3
"""… and at least so much of it does not show the sides of its neighbours."""
_ASLANT: Final = 0.35
"""The tangent of the angle to the vertical from which on a tile's own side is looked for where it is missed …"""
_SIDE_DEPTHS: Final = (0.2, 0.4, 0.6, 0.8)
"""… so far below its face, in heights of a tile …"""
_LEAST_SIDE_SHARE: Final = 0.15
"""… if so much of its body there is seen beyond its face, and beyond its neighbours …"""
_MARGIN_MM: Final = 1.5
"""… whose outlines may be found so much too small …"""
_FELT_SHARE: Final = 0.7
"""… and no side is there if so much of that shows felt."""
_BODY: Final = 0.95
"""The scale of an outline within which a tile's own side surely is: found outlines are inexact."""
_FINE: Final = 20
"""Steps of the grid, in each direction, by which the hidden share of a tile is measured."""
_STROKES: Final = frozenset({"1m", "2m"})
"""What is left of a 2m or a 3m whose uppermost stroke is hidden."""
_LEAST_HIDDEN: Final = {True: 0.04, False: 0.12}
"""From this share on, a tile is hidden enough to be another one: for these faces, and for others.

The locator errs by less than the first where tiles touch. Less is measured than is hidden: 0.07 of the 0.12 of a 3m
that read as 2m.
"""
_INNER: Final = 0.85
"""Of two tiles that touch, neither reaches so far into the other as this scale of its outline …"""
_UNDER: Final = (0.1, 0.5)
"""… with such a share of it; with more, it is the same tile."""
_SIDE: Final = 0.7
"""A place shows a side if this share of it does."""
_LEVELS: Final = 4
"""Heights at which a side is looked for, the face's among them."""
_BEYOND: Final = slice(28, None)
"""Where the ground beyond both tiles is seen, among `_DEPTHS`."""
_LAB_BLACK: Final = 41.0
"""The 16 of CIE Lab's lightness, 116 f(Y) - 16, in bytes: with it added, lightness scales with light as hue does."""
_HUE: Final = 10.0
"""The most that a shade of a colour differs from it in Lab's two others, its light evened out."""
_ANY_LIGHT: Final = (0.45, 1.5)
"""The light of the felt beyond, compared with its usual colour: the darkest and the brightest …"""
_SHADE: Final = (0.5, 1.15)
"""… and of the felt in a tile's shadow, or a little brighter, compared with the felt beyond."""
_LEAST_GROWTH_MM: Final = 1.2
"""An edge whose side would grow less decides nothing …"""
_LEAST_IN_ALL_MM: Final = 2.0
"""… nor do all edges together below this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """How far a tile is seen from where it lay before."""

    index: int
    """Of its detection now."""
    vector: tuple[float, float]
    """In millimetres."""
    along: float
    """Its part in the direction away from the camera …"""
    across: float
    """… and across it, never negative."""


def displaced(place: Detection, view: TopView, tile: TileSize) -> tuple[float, float]:
    """Returns how far a tile on top of the one at `place` appears displaced in the plane of the faces."""
    camera_x, camera_y, height = view.calibration.camera_mm
    share = tile.depth_mm / (height - 2 * tile.depth_mm)
    return float((place.x_mm - camera_x) * share), float((place.y_mm - camera_y) * share)


def is_seen_bare(
    place: Detection, others: Sequence[Detection], ground: BareTable, camera_mm: Floats, tile: TileSize
) -> bool:
    """Returns whether the table or others of these things are seen at a place, where it does not show their sides."""
    points = place.grid()
    near = _near(place, others)
    taken = _are_held(points, near)
    decides = taken | ~_show_sides(points, near, camera_mm, tile)
    is_bare = (ground.is_bare(points) | taken)[decides]
    return len(is_bare) >= _DECIDING_SHARE * len(points) and float(is_bare.mean()) >= _BARE_SHARE


def is_felt_before(
    place: Detection, others: Sequence[Detection], ground: BareTable, camera_mm: Floats, tile: TileSize
) -> bool:
    """Returns whether felt is seen where the side of a tile at a place would be, so that none lies there.

    From far aslant, where a tile was taken away, its neighbour's side may be seen all over its place.
    """
    if _away_mm(place, camera_mm) < _ASLANT * (camera_mm[2] - tile.depth_mm):
        return False
    near = _near(place, others)
    points = np.concatenate([_side_points(place, depth * tile.depth_mm, camera_mm, tile) for depth in _SIDE_DEPTHS])
    around = [replace(one, half_mm=(one.half_mm[0] + _MARGIN_MM, one.half_mm[1] + _MARGIN_MM)) for one in near]
    is_hidden = _are_held(points, [place, *around]) | _show_sides(points, around, camera_mm, tile)
    is_felt = ground.shows_felt(points)[~is_hidden]
    return len(is_felt) >= _LEAST_SIDE_SHARE * len(points) and float(is_felt.mean()) >= _FELT_SHARE


def _side_points(place: Detection, depth_mm: float, camera_mm: Floats, tile: TileSize) -> Floats:
    """Returns where points so far below a face are seen in the plane of the faces, [N, 2]."""
    share = depth_mm / (camera_mm[2] - tile.depth_mm + depth_mm)
    points = place.grid(scale=_BODY)
    return as_float64(points - (points - camera_mm[:2]) * share)


def may_be_misread(place: Detection, face: str, others: Iterable[Detection], camera_mm: Floats) -> bool:
    """Returns whether so much of a tile is hidden that it may be another one than this face, however surely it reads.

    What hides it lies higher: its outline, nearer to the camera, reaches into the tile's. Things of one height touch
    each other at most. An ura behind a wall read surely as 2m, and was a 3m.
    """
    away_mm = _away_mm(place, camera_mm)
    nearer = [one for one in _near(place, others) if _away_mm(one, camera_mm) < away_mm]
    hidden = float(_are_held(place.grid(scale=1 - 1 / _FINE, steps=_FINE), nearer).mean())
    return hidden >= _LEAST_HIDDEN[face in _STROKES]


def _near(place: Detection, others: Iterable[Detection]) -> list[Detection]:
    return [one for one in others if abs(one.x_mm - place.x_mm) + abs(one.y_mm - place.y_mm) < _NEAR_MM]


def _are_held(points_mm: Floats, outlines: Iterable[Detection]) -> Mask:
    """Returns which points [N, 2] lie in one of the outlines."""
    held = [np.zeros(len(points_mm), np.bool_), *(outline.holds(points_mm) for outline in outlines)]
    return np.asarray(np.logical_or.reduce(held), np.bool_)


def _away_mm(place: Detection, camera_mm: Floats) -> float:
    return hypot(place.x_mm - camera_mm[0], place.y_mm - camera_mm[1])


def is_side_of(
    place: Detection, other: Detection, camera_mm: Floats, tile: TileSize, *, is_darker: bool = False
) -> bool:
    """Returns whether the outline at a place is the visible side of another tile: it reaches under that tile's face.

    What has that face's colour, but `is_darker`, is its side if it only touches it: a tile there has the same light.
    """
    under = float(other.holds(place.grid(scale=_INNER)).mean())
    least = 0.0 if is_darker else _UNDER[0]
    return least <= under <= _UNDER[1] and shows_side(place, other, camera_mm, tile)


def shows_side(place: Detection, other: Detection, camera_mm: Floats, tile: TileSize) -> bool:
    """Returns whether the camera sees the sides of another tile at most of a place."""
    return float(_show_sides(place.grid(), [other], camera_mm, tile).mean()) >= _SIDE


def _show_sides(points_mm: Floats, tiles: Sequence[Detection], camera_mm: Floats, tile: TileSize) -> Mask:
    """Returns at which points [N, 2] of the plane of the faces the camera sees the sides of these tiles."""
    away = (points_mm - camera_mm[:2]) / (camera_mm[2] - tile.depth_mm)
    below = [points_mm + away * depth_mm for depth_mm in np.linspace(0.0, tile.depth_mm, _LEVELS)]
    return np.asarray(np.logical_or.reduce([_are_held(points, tiles) for points in below]), np.bool_)


def growth_of_sides(before: Floats, now: Floats, detection: Detection, moved: Moved, shift: Floats) -> float | None:
    """Returns how far the visible sides grew, as a share of what they do if the foot stayed where it was.

    Args:
        before: the depths of the sides below the four edges before, as from `side_depths`.
        now: the same now.
        detection: the face now.
        moved: its displacement.
        shift: the direction away from the camera, [2].

    None if the edges toward the camera grow too little to tell, or are not seen.
    """
    away = shift / max(float(np.linalg.norm(shift)), 1e-6)
    grown = expected = 0.0
    for number, (_, out) in enumerate(_edges(detection)):
        toward = -float(out @ away)
        growth = -float(out @ np.array(moved.vector)) / max(toward, 1e-6)
        if toward >= _FACING and growth >= _LEAST_GROWTH_MM and not np.isnan(before[number] + now[number]):
            grown, expected = grown + float(now[number] - before[number]), expected + growth
    return grown / expected if expected >= _LEAST_IN_ALL_MM else None


def side_depths(detection: Detection, others: Sequence[Detection], tile: TileSize, look: TopLook) -> Floats:
    """Returns how far the sides below a face's four edges are visible toward the camera.

    A tile that lies on another shows twice as much. In millimetres of the top view, shape [4]; NaN if an edge faces
    away, if something hides where its side ends, or if no felt is seen beyond it.
    """
    step = -np.array(displaced(detection, look.view, tile))
    length = max(float(np.linalg.norm(step)), 1e-6)
    edges = _edges(detection)
    points = np.stack([edge for edge, _ in edges])[:, :, None] + _DEPTHS[:, None] * step
    hidden = np.zeros(points.shape[:3], np.bool_)
    for other in others:
        for back in np.linspace(0, 1, 4):
            hidden |= other.holds((points - step * back).reshape(-1, 2)).reshape(hidden.shape)
    seen = look.colours(points.reshape(-1, len(_DEPTHS), 2))
    lab = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB).astype(np.float32).reshape(*points.shape[:3], 3)
    depths = np.full(len(edges), np.nan)
    for number, (_, out) in enumerate(edges):
        if look.felt is not None and float(out @ step) >= _FACING * length:
            depths[number] = length * _depth(lab[number], hidden[number], look.felt)
    return depths


def _depth(colours: Colours, hidden: Mask, felt: Colours) -> float:
    """Returns the depth, in predicted ones, at which the felt begins below an edge; NaN if that is not seen.

    Args:
        colours: along rays from points of the edge, [points, depths, 3].
        hidden: where another tile lies, [points, depths].
        felt: the felt's colour.
    """
    beyond = colours[:, _BEYOND][~hidden[:, _BEYOND]]
    ground = beyond[_are_shades(beyond, felt, *_ANY_LIGHT)]
    if len(ground) < _LEAST_POINTS * _SOLID:
        return float("nan")
    is_felt = _are_shades(colours, np.median(ground, axis=0), *_SHADE) & ~hidden
    depths = [_first_of_rest(*row) for row in zip(is_felt, hidden, strict=True)]
    known = [depth for depth in depths if depth is not None]
    return float(np.median(known)) if len(known) >= _LEAST_POINTS else float("nan")


def _are_shades(colours: Colours, of: Colours, darkest: float, brightest: float) -> Mask:
    """Returns which colours [..., 3] in Lab of bytes are this one in other light: Lab scales almost as a whole."""
    light = (colours[..., 0] + _LAB_BLACK) / (of[0] + _LAB_BLACK)
    hue = np.hypot(*(colours[..., i] - 128 - light * (of[i] - 128) for i in (1, 2)))
    return np.asarray((light > darkest) & (light < brightest) & (hue < _HUE), np.bool_)


def _first_of_rest(is_felt: Mask, hidden: Mask) -> float | None:
    """Returns the depth from which on felt is seen; None if it is not, or if something hides where it begins."""
    for index in range(len(is_felt) - _SOLID + 1):
        if is_felt[index : index + _SOLID].all():
            return None if index and hidden[index - 1] else float(_DEPTHS[index])
    return None


def _edges(place: Detection) -> list[tuple[Floats, Floats]]:
    """Returns points along each of the four edges, [N, 2], and its outward direction."""
    right = turn([(1.0, 0.0)], place.angle_deg)[0]
    up = turn([(0.0, 1.0)], place.angle_deg)[0]
    middle = np.array([place.x_mm, place.y_mm])
    sides = ((right, up, place.half_mm), (up, right, place.half_mm[::-1]))
    return [
        (as_float64(middle + sign * out * reach[0] + _EDGE[:, None] * along * reach[1]), as_float64(sign * out))
        for out, along, reach in sides
        for sign in (-1.0, 1.0)
    ]

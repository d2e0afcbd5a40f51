"""How far the sides of a lying tile are visible below its face, on the way to the camera.

A tile on top of another shows twice as much, since its foot stays where it was; a tile that was pushed takes its foot
along, and shows as much as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import TileSize, as_float64, turn
from vision.geometry.rectify import TopView
from vision.watching.bare_table import Colours
from vision.watching.detection import Detection
from vision.watching.looks.top_look import TopLook

_EDGE: Final = np.linspace(-0.7, 0.7, 9)
"""Points along an edge below which its side is examined: distances from the middle, in halves of its length."""
_DEPTHS: Final = np.arange(0.5, 41.0) / 12
"""Depths below a face at which its side is examined, in predicted visible heights of a tile."""
_FACING: Final = 0.35
"""The least cosine of the angle between an edge's outward direction and the camera's that shows enough of its side."""
_FELT_RUN: Final = 7
"""Number of samples in a row that must show felt: more than a back of the felt's colour shows in a stack."""
_LEAST_POINTS: Final = 3
"""The least number of places of an edge at which the end of its side must be seen."""
_BEYOND: Final = slice(28, None)
"""The samples of `_DEPTHS` that show the ground beyond both tiles."""
_LAB_BLACK: Final = 41.0
"""The 16 of CIE Lab's lightness, 116 f(Y) - 16, in bytes: with it added, lightness scales with light as hue does."""
_HUE: Final = 10.0
"""The most that a shade of a colour differs from it in Lab's a and b, its light evened out."""
_ANY_LIGHT: Final = (0.45, 1.5)
"""The light of the felt beyond, compared with its usual colour: the darkest and the brightest."""
_SHADE: Final = (0.5, 1.15)
"""The light of the felt in a tile's shadow, or a little brighter, compared with that of the felt beyond."""
_LEAST_GROWTH_MM: Final = 1.2
"""An edge whose side would grow by less decides nothing."""
_LEAST_IN_ALL_MM: Final = 2.0
"""All edges together decide nothing if their sides would grow by less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Displacement:
    """How far a tile is seen from where it lay before."""

    index: int
    """Index of its detection now."""
    vector: tuple[float, float]
    """In millimetres."""
    along: float
    """Its component in the direction away from the camera."""
    across: float
    """Its component across that direction, never negative."""


def top_tile_offset(place: Detection, view: TopView, tile: TileSize) -> tuple[float, float]:
    """Returns how far a tile on top of the one at `place` appears displaced in the plane of the faces."""
    camera_x, camera_y, height = view.calibration.camera_mm
    share = tile.depth_mm / (height - 2 * tile.depth_mm)
    return float((place.x_mm - camera_x) * share), float((place.y_mm - camera_y) * share)


def growth_of_sides(
    before: Floats, now: Floats, detection: Detection, displacement: Displacement, shift: Floats
) -> float | None:
    """Returns how far the visible sides grew, as a share of the growth expected if the foot stayed where it was.

    Args:
        before: the earlier depths of the sides below the four edges, as from `side_depths`.
        now: these depths now.
        detection: the face now.
        displacement: how far it is seen from where it lay before.
        shift: the direction away from the camera, [2].

    None if the sides toward the camera should grow too little to be measured, or are not seen.
    """
    away = shift / max(float(np.linalg.norm(shift)), 1e-6)
    grown = expected = 0.0
    for number, (_, out) in enumerate(_edges(detection)):
        toward = -float(out @ away)
        growth = -float(out @ np.array(displacement.vector)) / max(toward, 1e-6)
        if toward >= _FACING and growth >= _LEAST_GROWTH_MM and not np.isnan(before[number] + now[number]):
            grown, expected = grown + float(now[number] - before[number]), expected + growth
    return grown / expected if expected >= _LEAST_IN_ALL_MM else None


def side_depths(detection: Detection, others: Sequence[Detection], tile: TileSize, look: TopLook) -> Floats:
    """Returns how far the sides below a face's four edges are visible toward the camera.

    A tile that lies on another shows twice as much. In millimetres of the top view, shape [4]; NaN if an edge faces
    away, if something hides where its side ends, or if no felt is seen beyond it.
    """
    step = -np.array(top_tile_offset(detection, look.view, tile))
    length = max(float(np.linalg.norm(step)), 1e-6)
    edges = _edges(detection)
    points = np.stack([edge for edge, _ in edges])[:, :, None] + _DEPTHS[:, None] * step
    hidden = np.zeros(points.shape[:3], np.bool_)
    for other in others:
        for back in np.linspace(0, 1, 4):
            hidden |= other.holds((points - step * back).reshape(-1, 2)).reshape(hidden.shape)
    pixels = look.colours(points.reshape(-1, len(_DEPTHS), 2))
    lab = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB).astype(np.float32).reshape(*points.shape[:3], 3)
    depths = np.full(len(edges), np.nan)
    for number, (_, out) in enumerate(edges):
        if look.felt is not None and float(out @ step) >= _FACING * length:
            depths[number] = length * _depth(lab[number], hidden[number], look.felt)
    return depths


def _depth(colours: Colours, hidden: Mask, felt: Colours) -> float:
    """Returns the depth below an edge at which the felt begins, as a share of the predicted; NaN if that is not seen.

    Args:
        colours: along rays from points of the edge, [points, depths, 3].
        hidden: where another tile lies, [points, depths].
        felt: the felt's colour.
    """
    beyond = colours[:, _BEYOND][~hidden[:, _BEYOND]]
    ground = beyond[_are_shades(beyond, felt, *_ANY_LIGHT)]
    if len(ground) < _LEAST_POINTS * _FELT_RUN:
        return float("nan")
    is_felt = _are_shades(colours, np.median(ground, axis=0), *_SHADE) & ~hidden
    depths = [_felt_start(*row) for row in zip(is_felt, hidden, strict=True)]
    known_depths = [depth for depth in depths if depth is not None]
    return float(np.median(known_depths)) if len(known_depths) >= _LEAST_POINTS else float("nan")


def _are_shades(colours: Colours, colour: Colours, darkest: float, brightest: float) -> Mask:
    """Returns which colours [..., 3] in Lab of bytes are shades of one: light scales Lab almost as a whole."""
    light = (colours[..., 0] + _LAB_BLACK) / (colour[0] + _LAB_BLACK)
    hue = np.hypot(*(colours[..., i] - 128 - light * (colour[i] - 128) for i in (1, 2)))
    return np.asarray((light > darkest) & (light < brightest) & (hue < _HUE), np.bool_)


def _felt_start(is_felt: Mask, hidden: Mask) -> float | None:
    """Returns the depth at which the felt begins; None if no felt is seen, or if something hides where it begins."""
    for index in range(len(is_felt) - _FELT_RUN + 1):
        if is_felt[index : index + _FELT_RUN].all():
            return None if index and hidden[index - 1] else float(_DEPTHS[index])
    return None


def _edges(place: Detection) -> list[tuple[Floats, Floats]]:
    """Returns points along each of the four edges, [N, 2], and its outward direction."""
    right = turn([(1.0, 0.0)], place.angle_deg)[0]
    up = turn([(0.0, 1.0)], place.angle_deg)[0]
    middle = np.array([place.x_mm, place.y_mm])
    sides = ((right, up, place.half_mm), (up, right, place.half_mm[::-1]))
    return [
        (as_float64(middle + sign * out * half_mm[0] + _EDGE[:, None] * along * half_mm[1]), as_float64(sign * out))
        for out, along, half_mm in sides
        for sign in (-1.0, 1.0)
    ]

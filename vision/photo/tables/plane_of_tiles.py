"""Finds the plane on which the tiles in a photo lie, from their quads alone, if neither markers nor felt show it.

Tiles of a set are equal rectangles. The right view of the plane is therefore the one in which they have equal widths,
equal lengths and right angles. Tiles elsewhere, such as a hand standing in front of the camera, have other measures and
do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32, Mask
from vision.geometry.plane_geometry import FOCAL_SPREAD, USUAL_FOCAL, TileSize, as_float64

_FEWEST: Final = 12
"""The fewest tiles that give a plane."""
_LEAST_SHARE: Final = 0.5
"""The least share of all tiles that must lie on the plane."""
_LEAST_MM: Final = 130.0
"""How far they must extend in both directions: a single row, lying or standing, does not show the plane."""
_AROUND_MM: Final = 60.0
"""How far around its tiles the plane is read."""
_MOST_MM: Final = 1100.0
_TILTS: Final = np.radians(np.arange(0.0, 73.0, 6.0))
_TURNS: Final = np.radians(np.arange(0.0, 360.0, 15.0))
_FOCALS: Final = np.exp(np.linspace(np.log(0.5), np.log(1.6), 5))
"""Focal lengths over the longer side of the picture."""
_ENOUGH: Final = 40
"""About how many tiles determine the view; more would not improve it."""
_ROUNDS: Final = 6
_SPREAD: Final = 0.07
"""How much a tile's measured sides vary, as logarithms, and its corners' angle, as a cosine."""
_LIMIT: Final = 3.0
"""A tile that differs by more spreads than this lies elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaneOfTiles:
    """A square part of the felt that holds the tiles."""

    corners_px: tuple[tuple[float, float], ...]
    """Its corners on the felt: far left, far right, near right, near left. They may lie outside the picture."""
    side_mm: float
    is_on: Mask
    """[N], which of the quads lie there."""


def plane_of(quads: Floats32, *, size: tuple[int, int]) -> PlaneOfTiles | None:
    """Returns the part of the plane on which most quads [N, 4, 2] lie; None if they do not show a plane.

    Args:
        quads: tiles in pixels, corners 0 and 1 on a short side.
        size: the picture's width and height.
    """
    if len(quads) < _FEWEST:
        return None
    rays = (quads - np.array(size) / 2) / max(size)
    best = _best_view(rays[:: -(-len(rays) // _ENOUGH)].astype(np.float64))
    tiles, measured = _tiles_on_plane(rays.astype(np.float64), best[None])
    is_on = np.asarray(_misfits(measured)[0].max(axis=0) < _LIMIT, np.bool_)
    if is_on.sum() < max(_FEWEST, _LEAST_SHARE * len(quads)):
        return None
    usual_size = TileSize()
    scale = np.sqrt(usual_size.width_mm * usual_size.height_mm) / float(
        np.exp(np.median(measured[0, :2, is_on].mean(axis=1)))
    )
    flat = tiles[0, is_on].reshape(-1, 2) * scale
    turn = _rotation(_row_angle(flat.reshape(-1, 4, 2)))
    low, high = (flat @ turn.T).min(axis=0), (flat @ turn.T).max(axis=0)
    side = float((high - low).max()) + 2 * _AROUND_MM
    if (high - low).min() < _LEAST_MM or side > _MOST_MM:
        return None
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 + (low + high) / 2
    corners = _projected(square @ turn / scale, best, below=usual_size.depth_mm / scale)
    if corners is None:
        return None
    pixels = corners * max(size) + np.array(size) / 2
    return PlaneOfTiles(corners_px=tuple((float(x), float(y)) for x, y in pixels), side_mm=side, is_on=is_on)


def _best_view(rays: Floats) -> Floats:
    """Returns the tilt, its direction and the focal length with which the tiles measure most alike."""
    views = np.stack(np.meshgrid(_TILTS, _TURNS, _FOCALS, indexing="ij"), axis=-1).reshape(-1, 3)
    step = np.array([0.1, 0.26, 0.3])
    best = as_float64(views[0])
    for _ in range(_ROUNDS):
        best = as_float64(views[int(_costs(rays, views).argmin())])
        around = np.stack(np.meshgrid(*[np.linspace(-0.75, 0.75, 7)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) * step
        views = np.column_stack([best[:2] + around[:, :2], best[2] * np.exp(around[:, 2])])
        views[:, 0] = np.clip(views[:, 0], 0.0, _TILTS[-1])
        step = step * 0.4
    return best


def _costs(rays: Floats, views: Floats) -> Floats:
    _, measured = _tiles_on_plane(rays, views)
    misfits = np.minimum(_misfits(measured), _LIMIT) ** 2
    rarity = np.log(views[:, 2] / USUAL_FOCAL) / FOCAL_SPREAD
    return np.asarray(misfits.sum(axis=(1, 2)) + rarity**2, np.float64)


def _misfits(measured: Floats) -> Floats:
    """Returns how far each tile's width, length and angle are from the usual, in spreads, [K, 3, N]."""
    usual_size = TileSize()
    size = np.median(measured[:, :2], axis=2, keepdims=True).mean(axis=1, keepdims=True)
    ratio = np.log(usual_size.height_mm / usual_size.width_mm) / 2
    expected = np.concatenate([size - ratio, size + ratio, np.zeros_like(size)], axis=1)
    return np.asarray(np.abs(measured - expected) / _SPREAD, np.float64)


def _tiles_on_plane(rays: Floats, views: Floats) -> tuple[Floats, Floats]:
    """Returns the tiles on each view's plane [K, N, 4, 2], and their log width, log length and angle [K, 3, N]."""
    normals, axes = _plane(views)
    homogeneous = np.concatenate([rays, np.ones_like(rays[..., :1])], axis=-1).reshape(-1, 3)
    scaled_rays = np.stack([homogeneous * (1 / focal, 1 / focal, 1.0) for focal in views[:, 2]])
    depth = np.maximum(np.einsum("kpi,ki->kp", scaled_rays, normals), 1e-3)
    flat = np.einsum("kpi,kij->kpj", scaled_rays, axes) / depth[..., None]
    tiles = flat.reshape(len(views), len(rays), 4, 2)
    across = (tiles[:, :, 1] - tiles[:, :, 0] + tiles[:, :, 2] - tiles[:, :, 3]) / 2
    along = (tiles[:, :, 3] - tiles[:, :, 0] + tiles[:, :, 2] - tiles[:, :, 1]) / 2
    width, length = (np.maximum(np.linalg.norm(side, axis=2), 1e-9) for side in (across, along))
    skew = (across * along).sum(axis=2) / (width * length)
    return tiles, np.stack([np.log(width), np.log(length), skew], axis=1)


def _plane(views: Floats) -> tuple[Floats, Floats]:
    """Returns each view's direction away from the camera [K, 3], and the plane's axes as columns [K, 3, 2]."""
    tilt, turn = views[:, 0], views[:, 1]
    normals = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=1)
    first = np.stack([np.cos(tilt) * np.cos(turn), np.cos(tilt) * np.sin(turn), -np.sin(tilt)], axis=1)
    second = np.stack([-np.sin(turn), np.cos(turn), np.zeros_like(turn)], axis=1)
    return normals, np.stack([first, second], axis=2)


def _projected(square: Floats, view: Floats, *, below: float) -> Floats | None:
    """Returns where a square lying `below` the tiles' faces appears, as rays [4, 2]; None if it reaches the horizon."""
    normal, axes = _plane(view[None])
    points_3d = square @ axes[0].T + normal[0] * (1 + below)
    if (points_3d[:, 2] < 0.15).any():
        return None
    points = points_3d[:, :2] / points_3d[:, 2:] * view[2]
    edges = np.roll(points, -1, axis=0) - points
    is_clockwise = edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0] > 0
    corners = points if is_clockwise else points[::-1]
    return np.asarray(np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0), np.float64)


def _row_angle(tiles: Floats) -> float:
    """Returns the angle of the rows within a quarter turn, in radians: the mean direction of the tiles' sides."""
    side = tiles[:, 1] - tiles[:, 0]
    turns = 4 * np.arctan2(side[:, 1], side[:, 0])
    return float(np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())) / 4


def _rotation(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]])

"""The parts of a tile's face: polygons and discs in face units, and the strokes that make polygons.

A face is 300 units wide and 400 high, x to the right, y down. Shapes are drawn in order; a shape in
``PAPER`` removes ink, so that the tile's body shows through, whatever its colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, radians, sin

import numpy as np
from numpy.typing import NDArray

WIDTH = 300
HEIGHT = 400

RED = "#b3202a"
GREEN = "#0b6a3a"
BLUE = "#1c3f8c"
BLACK = "#17181f"
PAPER = "paper"

Points = NDArray[np.float64]

_CAP_ANGLES: Points = np.linspace(pi / 2, -pi / 2, 7)[1:-1, None]
_CAP_COSINES, _CAP_SINES = np.cos(_CAP_ANGLES), np.sin(_CAP_ANGLES)
"""The directions of the corners of a stroke's rounded end, (5, 1) each."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Polygon:
    """A filled outline."""

    colour: str
    """``#rrggbb`` or ``PAPER``."""
    points: Points
    """(n, 2) corners in face units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    """A filled circle."""

    colour: str
    """``#rrggbb`` or ``PAPER``."""
    x: float
    y: float
    radius: float


Shape = Polygon | Disc


def smooth(points: Points, *, steps: int) -> Points:
    """Returns a Catmull-Rom curve through the rows of (n, k) points, with `steps` samples from each to the next."""
    if len(points) < 3:
        return points
    before = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])[:, None]
    p0, p1, p2, p3 = before[:-3], before[1:-2], before[2:-1], before[3:]
    t = np.arange(steps)[:, None] / steps
    parts = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    return np.vstack([parts.reshape(-1, points.shape[1]), points[-1:]])


def brush(track: Points, *, colour: str) -> Polygon:
    """Returns the outline of a brush stroke along (n, 3) rows of x, y and width."""
    curve = smooth(track, steps=5)
    centre, half = curve[:, :2], np.maximum(curve[:, 2], 0.4) / 2
    along = _gradient(centre)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) * half[:, None]
    tip = _cap(centre[-1], along[-1], half[-1])
    tail = _cap(centre[0], -along[0], half[0])
    # `across` points to the right of the stroke; a cap runs from right to left around its end.
    outline = np.vstack([centre + across, tip, (centre - across)[::-1], tail])
    return Polygon(colour=colour, points=outline)


def _gradient(curve: Points) -> Points:
    """Returns `numpy.gradient` along the rows of (n, 2) points, for short curves several times faster."""
    slope = np.empty_like(curve)
    slope[1:-1] = (curve[2:] - curve[:-2]) / 2
    slope[0], slope[-1] = curve[1] - curve[0], curve[-1] - curve[-2]
    return slope


def _cap(end: Points, along: Points, half: float) -> Points:
    across = np.array([-along[1], along[0]])
    arc: Points = end + half * (_CAP_COSINES * along + _CAP_SINES * across)
    return arc


def ellipse(x: float, y: float, rx: float, ry: float, *, colour: str, tilt_deg: float = 0.0) -> Polygon:
    """Returns a filled ellipse turned clockwise by `tilt_deg`."""
    angles = np.linspace(0, 2 * pi, 28, endpoint=False)
    flat = np.stack([rx * np.cos(angles), ry * np.sin(angles)], axis=1)
    return Polygon(colour=colour, points=rotate(flat, tilt_deg) + np.array([x, y]))


def rotate(points: Points, degrees: float) -> Points:
    """Returns points turned clockwise (as y points down) about the origin."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    rotated: Points = points @ np.array([[c, s], [-s, c]])
    return rotated


def closed_curve(corners: Sequence[tuple[float, float]], *, colour: str) -> Polygon:
    """Returns the filled smooth closed curve through the corners."""
    points = np.array(corners, dtype=np.float64)
    padded = np.vstack([points[-2:], points, points[:2]])
    curve = smooth(padded, steps=5)
    return Polygon(colour=colour, points=curve[10:-6])


def bar(start: tuple[float, float], end: tuple[float, float], width: float, *, colour: str) -> Polygon:
    """Returns a straight bar with square ends."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    along = (np.array(end) - start) / length
    across = np.array([-along[1], along[0]]) * width / 2
    corners = np.array([start + across, end + across, end - across, start - across])
    return Polygon(colour=colour, points=corners)

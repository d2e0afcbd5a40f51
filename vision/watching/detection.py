"""Where a look found a thing on the felt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, radians, sin
from typing import Final

import numpy as np

from vision.arrays import Floats, Mask
from vision.geometry.plane_geometry import as_float64, turn, wrap
from vision.privacy.hand_privacy import lean_of

ASKEW_DEG: Final = 15.0
"""Tiles laid by hand lean less than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """The place of an object in one frame."""

    x_mm: float
    y_mm: float
    angle_deg: float
    """Direction of its first short side; a half turn makes no difference."""
    half_mm: tuple[float, float]
    """Half its short and its long side."""

    def grid(self, *, scale: float = 0.8, steps: int = 5) -> Floats:
        """Returns the points of a raster over the outline, scaled about its middle.

        Shape [steps * steps, 2], in felt millimetres; read-only.
        """
        return _grid(self, scale, steps)

    def corners(self, *, scale: float = 1.0) -> Floats:
        """Returns the corners [4, 2] of its outline, scaled about its middle, in felt millimetres.

        They run clockwise from the upper left one in its own axes.
        """
        return self.grid(scale=scale, steps=2)[[2, 3, 1, 0]]

    def lean_to(self, other: Detection) -> float:
        """Returns the angle to another place in degrees, 0-90; a half turn makes no difference."""
        return abs(wrap(other.angle_deg - self.angle_deg, period=180))

    def offsets_of(self, places: Sequence[Detection]) -> Floats:
        """Returns how far places' middles lie to its right and above it in its own axes, [N, 2] in millimetres."""
        offsets = [(place.x_mm - self.x_mm, place.y_mm - self.y_mm) for place in places]
        return turn(np.array(offsets).reshape(-1, 2), -self.angle_deg)

    def holds(self, points_mm: Floats) -> Mask:
        """Returns which points [N, 2] lie within the outline."""
        offsets = np.abs(turn(points_mm - (self.x_mm, self.y_mm), -self.angle_deg))
        return np.asarray((offsets[:, 0] <= self.half_mm[0]) & (offsets[:, 1] <= self.half_mm[1]), dtype=np.bool_)


@lru_cache(maxsize=2048)
def _grid(place: Detection, scale: float, steps: int) -> Floats:
    sine, cosine = sin(radians(place.angle_deg)) * scale, cos(radians(place.angle_deg)) * scale
    across, along = place.half_mm
    axes = np.array([[cosine * across, sine * across], [-sine * along, cosine * along]])
    points = as_float64(_raster(steps) @ axes + (place.x_mm, place.y_mm))
    points.flags.writeable = False
    return points


def detection_of(quad_mm: Floats) -> Detection:
    """Returns the place of a quad [4, 2] on the felt; corners 0 and 1 are on a short side."""
    x, y = quad_mm.mean(axis=0)
    short = np.linalg.norm(quad_mm[1] - quad_mm[0]) + np.linalg.norm(quad_mm[2] - quad_mm[3])
    long = np.linalg.norm(quad_mm[3] - quad_mm[0]) + np.linalg.norm(quad_mm[2] - quad_mm[1])
    return Detection(
        x_mm=float(x),
        y_mm=float(y),
        angle_deg=lean_of(as_float64(quad_mm)),
        half_mm=(float(short / 4), float(long / 4)),
    )


@cache
def _raster(steps: int) -> Floats:
    along = np.linspace(-1, 1, steps)
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)

"""Where light comes from, and its effect on every pixel."""

from dataclasses import dataclass
from math import ceil, cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import Lens

FloatImage = NDArray[np.float32]

_LAMP_MM = 1800.0
"""Distance of the lamp from the table's centre."""
_LAMP_SPREAD_MM = (70.0, 30.0)
"""Size of the lamp's image on polished tiles."""
LEAST_GLARE = 0.004
"""The share of the lamp's reflection at a tile's middle below which the tile is drawn without glare."""
_COARSE = 8
"""Slow changes are computed for every eighth pixel only."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """The light of one appearance."""

    direction: Floats
    """(3,) unit vector from the table to the lamp."""
    size: tuple[int, int]
    """Width and height of the picture."""
    coarse_gain: FloatImage
    """`gain` of every `_COARSE`-th pixel; of every pixel it would take 10 MB."""
    glare: FloatImage
    """(h, w) share of the lamp's reflection on tile tops, 0-1; 0 where it is not drawn on any tile."""

    def gain(self, left: int, top: int, right: int, bottom: int) -> FloatImage:
        """Returns the factor of every pixel in a region: exposure, temperature, slope, vignette.

        Its shape is (h, w, 3), or (h, w, 1) for light without a colour.
        """
        width, height = self.size
        if width % _COARSE or height % _COARSE:
            return _enlarged(self.coarse_gain, self.size)[top:bottom, left:right]
        rows, columns = _coarse_range(top, bottom, height), _coarse_range(left, right, width)
        part = self.coarse_gain[rows, columns]
        enlarged = _enlarged(part, (part.shape[1] * _COARSE, part.shape[0] * _COARSE))
        top, left = top - rows.start * _COARSE, left - columns.start * _COARSE
        bottom, right = bottom - rows.start * _COARSE, right - columns.start * _COARSE
        return enlarged[top:bottom, left:right]

    def wall_brightness(self, outward: Floats) -> float:
        """Returns the brightness of an upright wall that faces `outward` (2,), relative to a top."""
        return 0.58 + 0.34 * max(0.0, float(outward @ self.direction[:2]))

    def shift(self, height_mm: float) -> Floats:
        """Returns how far (2,) the shadow of a point at this height falls, in millimetres."""
        offset: Floats = -self.direction[:2] / self.direction[2] * height_mm
        return offset


def light_of(appearance: Appearance, lens: Lens) -> Light:
    """Returns the light that an appearance describes."""
    azimuth, elevation = radians(appearance.light_deg), radians(appearance.light_elevation_deg)
    flat = cos(elevation)
    direction = np.array([flat * cos(azimuth), flat * sin(azimuth), sin(elevation)])
    return Light(
        direction=direction,
        size=(appearance.width_px, appearance.height_px),
        coarse_gain=_gain(appearance, azimuth),
        glare=_glare(appearance, lens, direction),
    )


def _coarse_range(begin: int, end: int, side: int) -> slice:
    """Returns the coarse rows or columns that the pixels from `begin` to `end` of a side are computed from."""
    return slice(max(begin // _COARSE - 1, 0), min(-(-end // _COARSE) + 1, side // _COARSE))


def _enlarged(coarse: FloatImage, size: tuple[int, int]) -> FloatImage:
    enlarged = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(enlarged, np.float32).reshape(size[1], size[0], -1)


def _gain(appearance: Appearance, azimuth: float) -> FloatImage:
    rows, columns = -(-appearance.height_px // _COARSE), -(-appearance.width_px // _COARSE)
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    slope = 1 + appearance.light_slope * (x * cos(azimuth) - y * sin(azimuth))
    vignette = 1 - appearance.vignette * (x**2 + y**2) / 2
    channels = np.array([1 - 0.16 * appearance.warmth, 1.0, 1 + 0.10 * appearance.warmth] if appearance.warmth else [1])
    coarse = (appearance.exposure * slope * vignette)[..., None] * channels
    return np.asarray(coarse, np.float32)


def _glare(appearance: Appearance, lens: Lens, direction: Floats) -> FloatImage:
    """Returns the lamp's reflection: where the line from the camera to its mirror image meets the tile tops."""
    top = appearance.tile_depth_mm
    lamp = direction * _LAMP_MM
    share = (lens.position[2] - top) / (lens.position[2] + lamp[2] - 2 * top)
    spot = lens.position[:2] + (lamp[:2] - lens.position[:2]) * share
    across = np.array([-direction[1], direction[0]]) / max(float(np.hypot(*direction[:2])), 1e-6)
    places = _places(appearance, lens, top) - spot
    along = places @ np.array([across[1], -across[0]])
    wide = places @ across
    blob = appearance.glare * np.exp(-((wide / _LAMP_SPREAD_MM[0]) ** 2) - (along / _LAMP_SPREAD_MM[1]) ** 2)
    size = (appearance.width_px, appearance.height_px)
    return _near_spot(cv2.resize(blob.astype(np.float32), size, interpolation=cv2.INTER_LINEAR), appearance)


def _near_spot(glare: FloatImage, appearance: Appearance) -> FloatImage:
    """Returns the glare where it matters for a tile, and 0 elsewhere: pages of zeros take no memory."""
    rows, columns = (np.flatnonzero((glare >= LEAST_GLARE).any(axis=axis)) for axis in (1, 0))
    glare_near: FloatImage = np.zeros(glare.shape, np.float32)
    if len(rows):
        margin = ceil(3 * appearance.tile_height_mm * appearance.px_per_mm)
        box = tuple(slice(max(indices[0] - margin, 0), indices[-1] + margin) for indices in (rows, columns))
        glare_near[box] = glare[box]
    return glare_near


def _places(appearance: Appearance, lens: Lens, z_mm: float) -> Floats:
    """Returns the millimetres (2,) of every `_COARSE`-th pixel on the plane at one height."""
    rows, columns = -(-appearance.height_px // _COARSE), -(-appearance.width_px // _COARSE)
    y, x = np.mgrid[0 : appearance.height_px - 1 : rows * 1j, 0 : appearance.width_px - 1 : columns * 1j]
    plane = np.column_stack([lens.matrix[:, :2], lens.matrix[:, 2] * z_mm + lens.matrix[:, 3]])
    homogeneous = np.stack([x, y, np.ones_like(x)], axis=-1) @ np.linalg.inv(plane).T
    places: Floats = homogeneous[..., :2] / homogeneous[..., 2:]
    return places

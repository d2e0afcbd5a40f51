"""The empty table: floor, rail, felt and centre unit, before light and shadow."""

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image
from vision.cameras.synthetic.appearance import Appearance, Colour, in_light
from vision.cameras.synthetic.drawing.optics import Lens
from vision.geometry.plane_geometry import square

_SHIFT = 4
_EDGE_POINTS = 12
_UNIT: Colour = (34, 32, 30)
_UNIT_EDGE: Colour = (58, 56, 54)
_WINDOW: Colour = (14, 14, 14)
_DIGITS: Colour = (70, 70, 235)
_SCORE = "25000"
_FLOOR_GRAIN, _RAIL_GRAIN, _UNIT_GRAIN = 0.05, 0.03, 0.02
_SEGMENTS = {"0": "abcdef", "2": "abged", "5": "afgcd"}
_STROKES = {
    "a": ((0, 2), (1, 2)),
    "b": ((1, 2), (1, 1)),
    "c": ((1, 1), (1, 0)),
    "d": ((0, 0), (1, 0)),
    "e": ((0, 0), (0, 1)),
    "f": ((0, 1), (0, 2)),
    "g": ((0, 1), (1, 1)),
}
"""Seven-segment strokes in a cell of 1 by 2."""


class _Ground:
    """A picture of the bare table, with the roughness of each material."""

    def __init__(self, appearance: Appearance, lens: Lens) -> None:
        self.lens = lens
        self.picture = np.full((appearance.height_px, appearance.width_px, 3), appearance.floor, np.uint8)
        self.grain = np.full((appearance.height_px, appearance.width_px), _FLOOR_GRAIN, np.float32)

    def fill(self, corners: Floats, z_mm: float, colour: Colour, grain: float) -> None:
        """Fills a polygon of (n, 2) millimetres at one height."""
        self.fill_solid(np.column_stack([corners, np.full(len(corners), z_mm)]), colour, grain)

    def fill_solid(self, corners: Floats, colour: Colour, grain: float) -> None:
        """Fills a polygon of (n, 3) millimetres."""
        pixels = np.rint(self.lens.project(_subdivided(corners)) * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
        cv2.fillPoly(self.picture, [pixels], colour, cv2.LINE_AA, _SHIFT)
        cv2.fillPoly(self.grain, [pixels], grain, cv2.LINE_8, _SHIFT)

    def line(self, start: Floats, end: Floats, z_mm: float, colour: Colour, width: int) -> None:
        """Draws a stroke between two points of (2,) millimetres."""
        ends = np.rint(self.lens.project_flat(np.stack([start, end]), z_mm) * 2**_SHIFT).astype(int)
        first, last = ends.tolist()
        cv2.line(self.picture, first, last, colour, width, cv2.LINE_AA, _SHIFT)


def empty_table(appearance: Appearance, lens: Lens) -> Image:
    """Returns the picture of the bare table in even light, (h, w, 3)."""
    bare_table = _Ground(appearance, lens)
    _rail(bare_table, appearance)
    if appearance.unit_mm > 0:
        _unit(bare_table, appearance)
    rng = np.random.default_rng([appearance.seed, 0xFE17])
    rough = 1 + bare_table.grain * _roughness(rng, appearance)
    return np.clip(bare_table.picture * rough[..., None], 0, 255).astype(np.uint8)


def _rail(bare_table: _Ground, appearance: Appearance) -> None:
    inner, outer = square(appearance.felt_mm), square(appearance.felt_mm + 2 * appearance.rail_mm)
    bare_table.fill(outer, appearance.rail_height_mm, appearance.rail, _RAIL_GRAIN)
    bare_table.fill(inner, appearance.rail_height_mm, appearance.felt, appearance.felt_grain)
    bare_table.fill(inner, 0.0, appearance.felt, appearance.felt_grain)
    darker = in_light(appearance.rail, 0.6)
    for near, far in zip(inner, np.roll(inner, -1, axis=0), strict=True):
        if _faces_camera(near, far, bare_table.lens):
            wall = _upright(near, far, appearance.rail_height_mm)
            bare_table.fill_solid(wall, darker, _RAIL_GRAIN)


def _faces_camera(start: Floats, end: Floats, lens: Lens) -> bool:
    """Returns whether the wall along an edge of a clockwise outline turns its inner face to the camera."""
    along = end - start
    inward = np.array([along[1], -along[0]])
    return float(inward @ (lens.position[:2] - start)) > 0


def _upright(start: Floats, end: Floats, height: float) -> Floats:
    return np.array([[*start, 0.0], [*end, 0.0], [*end, height], [*start, height]])


def _unit(bare_table: _Ground, appearance: Appearance) -> None:
    high = appearance.unit_height_mm
    plan = square(appearance.unit_mm)
    bare_table.fill(plan, 0.0, in_light(_UNIT, 0.5), _UNIT_GRAIN)
    bare_table.fill(plan, high, _UNIT_EDGE, _UNIT_GRAIN)
    bare_table.fill(plan * 0.95, high, _UNIT, _UNIT_GRAIN)
    bare_table.fill(plan * 0.34, high, _WINDOW, _UNIT_GRAIN)
    for side in range(4):
        _display(bare_table, appearance, side)


def _display(bare_table: _Ground, appearance: Appearance, side: int) -> None:
    """Draws the score display that faces one side."""
    right = np.array([np.cos(side * np.pi / 2), np.sin(side * np.pi / 2)])
    up = np.array([-right[1], right[0]])
    cell = appearance.unit_mm * 0.055
    base = -up * appearance.unit_mm * 0.41
    window = np.array([[-3.9, 3.2], [3.9, 3.2], [3.9, -1.0], [-3.9, -1.0]]) * cell
    bare_table.fill(base + window[:, :1] * right + window[:, 1:] * up, appearance.unit_height_mm, _WINDOW, _UNIT_GRAIN)
    width = max(1, round(cell * 0.3 * appearance.px_per_mm))
    for place, digit in enumerate(_SCORE):
        corner = base + right * cell * (place * 1.5 - 3.5)
        for name in _SEGMENTS[digit]:
            (x0, y0), (x1, y1) = _STROKES[name]
            start = corner + (right * x0 + up * y0 * 1.1) * cell
            end = corner + (right * x1 + up * y1 * 1.1) * cell
            bare_table.line(start, end, appearance.unit_height_mm, _DIGITS, width)


def _subdivided(corners: Floats) -> Floats:
    """Adds points along the edges, since a lens may bend them."""
    share = np.arange(_EDGE_POINTS)[:, None] / _EDGE_POINTS
    edges = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    return np.concatenate([start + (end - start) * share for start, end in edges])


def _roughness(rng: np.random.Generator, appearance: Appearance) -> Floats32:
    """Returns a field of mean 0 and deviation about 1, rough as cloth and slowly varying."""
    shape = (appearance.height_px, appearance.width_px)
    fine = rng.standard_normal(shape, np.float32)
    soft = cv2.GaussianBlur(fine, (0, 0), 1.6)
    uneven = rng.standard_normal((7, 7)).astype(np.float32)
    slow = cv2.resize(uneven, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(0.6 * fine + 0.5 * soft / float(soft.std()) + 0.5 * slow, np.float32)

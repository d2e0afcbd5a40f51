"""Things on the felt as one side of the table sees them: to its right, and away from the centre."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import Final

from vision.arrays import Floats
from vision.felt import BACK
from vision.geometry.plane_geometry import TileSize, wrap

SIDES: Final = range(4)
_TURNS: Final = [(cos(radians(90 * side)), sin(radians(90 * side))) for side in SIDES]
_GLYPH_SHOWS: Final = 0.25
"""A standing face may measure like a lying one if the camera is this far behind it, as a share of its height above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingTile:
    """A tile at rest with its believed face: the input for assigning zones."""

    id: int
    face: str
    """One of `vision.felt.CLASSES`."""
    x_mm: float
    y_mm: float
    angle_deg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFromSide:
    """A tile at rest as one side of the table sees it."""

    tile: RestingTile
    right: float
    """Millimetres to the side's right of the centre."""
    out: float
    """Millimetres from the centre toward the side."""
    lean: float
    """Degrees of rotation from upright for the side, in [-90, 90); half turns are ignored."""

    @property
    def is_sideways(self) -> bool:
        """Whether it lies across rather than upright."""
        return abs(self.lean) > 45

    @property
    def is_back(self) -> bool:
        """Whether it lies face down."""
        return self.tile.face == BACK

    @property
    def kind(self) -> str:
        """Its face, with a red five as an ordinary five."""
        return self.tile.face.replace("0", "5")

    def half_extents(self, size: TileSize) -> tuple[float, float]:
        """Returns half its extent to the right and half its extent outward, in millimetres."""
        across, along = size.width_mm / 2, size.height_mm / 2
        return (along, across) if self.is_sideways else (across, along)


def side_coordinates(x_mm: float, y_mm: float, side: int) -> tuple[float, float]:
    """Returns how many millimetres to the right and how many outward a point is from the centre, as a side sees it."""
    cosine, sine = _TURNS[side]
    return x_mm * cosine + y_mm * sine, x_mm * sine - y_mm * cosine


@lru_cache(maxsize=2048)  # most tiles lie where they lay before
def seen_from(tile: RestingTile, side: int) -> TileFromSide:
    """Returns the tile as a side sees it."""
    right, out = side_coordinates(tile.x_mm, tile.y_mm, side)
    return TileFromSide(tile=tile, right=right, out=out, lean=wrap(tile.angle_deg - 90 * side, period=180))


def nearest_side(x_mm: float, y_mm: float) -> int:
    """Returns the side toward which a point lies from the centre."""
    return max(SIDES, key=lambda side: side_coordinates(x_mm, y_mm, side)[1])


def split_rows(values: list[tuple[float, TileFromSide]], *, gap: float) -> list[list[TileFromSide]]:
    """Splits things into rows by rising value: a row ends where the next value is more than `gap` higher."""
    rows: list[list[TileFromSide]] = []
    last = 0.0
    for value, seen in sorted(values, key=lambda pair: (pair[0], pair[1].tile.id)):
        if not rows or value - last > gap:
            rows.append([])
        rows[-1].append(seen)
        last = value
    return rows


def shows_faces(out: float, side: int, camera_mm: Floats, size: TileSize) -> bool:
    """Returns whether the camera could recognise the face of a tile that stands `out` millimetres from the centre.

    `camera_mm` is the camera's position, shape [3].
    """
    above = max(float(camera_mm[2]) - size.height_mm, 1.0)
    return beyond(out, side, camera_mm) / above > _GLYPH_SHOWS


def beyond(out: float, side: int, camera_mm: Floats) -> float:
    """Returns how many millimetres farther out on a side the camera is than a place; negative if it is farther in."""
    return side_coordinates(float(camera_mm[0]), float(camera_mm[1]), side)[1] - out

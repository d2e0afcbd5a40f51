"""Tiles and sticks as blocks with upright walls, which is all that a camera above them can distinguish.

A tile is two slabs, one of the body's colour and one of the back's, and a picture on top.
"""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance, Colour
from vision.cameras.synthetic.scene import Pose, SceneStick, SceneTile

STICK_DEPTH_MM = 2.5
TopKey = tuple[str, str]
"""The kind and name of the texture on top."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slab:
    """A block of one colour."""

    footprint: Floats
    """(4, 2) millimetres, counter-clockwise seen from above."""
    low_mm: float
    high_mm: float
    colour: Colour


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solid:
    """An object to draw: slabs in any order, and the texture on its top."""

    slabs: tuple[Slab, ...]
    footprint: Floats
    """(4, 2) of the whole, clockwise in the image from the top left of its texture."""
    low_mm: float
    high_mm: float
    top: TopKey

    @property
    def centre(self) -> Floats:
        """The middle of the footprint, (2,) millimetres."""
        middle: Floats = self.footprint.mean(axis=0)
        return middle


def tile_solid(tile: SceneTile, appearance: Appearance) -> Solid:
    """Returns the block of one tile."""
    if tile.pose is Pose.STANDING:
        return _standing_solid(tile, appearance)
    face_up = tile.pose is Pose.FACE_UP
    plan = _plan(tile.x_mm, tile.y_mm, tile.angle_deg, appearance.tile_width_mm, appearance.tile_height_mm)
    share = appearance.back_share if face_up else 1 - appearance.back_share
    seam = tile.z_mm + appearance.tile_depth_mm * share
    high = tile.z_mm + appearance.tile_depth_mm
    below, above = (appearance.back, appearance.body) if face_up else (appearance.body, appearance.back)
    counterclockwise = plan[::-1]
    return Solid(
        slabs=(
            Slab(footprint=counterclockwise, low_mm=tile.z_mm, high_mm=seam, colour=below),
            Slab(footprint=counterclockwise, low_mm=seam, high_mm=high, colour=above),
        ),
        footprint=plan,
        low_mm=tile.z_mm,
        high_mm=high,
        top=("face", tile.face) if face_up else ("back", ""),
    )


def _standing_solid(tile: SceneTile, appearance: Appearance) -> Solid:
    """Returns a standing tile's slabs and top; at angle 0 its face looks to -y, and its back to +y."""
    depth, width = appearance.tile_depth_mm, appearance.tile_width_mm
    high = tile.z_mm + appearance.tile_height_mm
    parts = []
    for colour, start, end in (
        (appearance.body, -0.5, 0.5 - appearance.back_share),
        (appearance.back, 0.5 - appearance.back_share, 0.5),
    ):
        middle = (start + end) / 2 * depth
        turn = radians(tile.angle_deg)
        x, y = tile.x_mm - sin(turn) * middle, tile.y_mm + cos(turn) * middle
        plan = _plan(x, y, tile.angle_deg, width, (end - start) * depth)
        parts.append(Slab(footprint=plan[::-1], low_mm=tile.z_mm, high_mm=high, colour=colour))
    return Solid(
        slabs=tuple(parts),
        footprint=_plan(tile.x_mm, tile.y_mm, tile.angle_deg, width, depth),
        low_mm=tile.z_mm,
        high_mm=high,
        top=("standing", ""),
    )


def stick_solid(stick: SceneStick, appearance: Appearance) -> Solid:
    """Returns the thin block of one point stick."""
    plan = _plan(stick.x_mm, stick.y_mm, stick.angle_deg, appearance.stick_length_mm, appearance.stick_breadth_mm)
    high = stick.z_mm + STICK_DEPTH_MM
    colour = appearance.stick_colour(stick.value)
    return Solid(
        slabs=(Slab(footprint=plan[::-1], low_mm=stick.z_mm, high_mm=high, colour=colour),),
        footprint=plan,
        low_mm=stick.z_mm,
        high_mm=high,
        top=("stick", str(stick.value)),
    )


def _plan(x: float, y: float, angle_deg: float, width: float, height: float) -> Floats:
    """Returns the corners of a turned rectangle: top left, top right, bottom right, bottom left."""
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    right, up = np.array([c, s]) * width / 2, np.array([-s, c]) * height / 2
    corners: Floats = np.array([up - right, up + right, right - up, -right - up]) + np.array([x, y])
    return corners

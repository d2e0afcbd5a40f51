"""The geometry of the locator's scenes in millimetres: boxes that lie, stand or lean, and cameras.

Coordinates: x right, y down as a picture has them, z up towards the viewer. A box has axes a (the glyph's right),
b (the glyph's down) and n (out of its face), of the same handedness.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from models.training.faces.tile_skins import Colour, Skin
from vision.arrays import Floats

SIGNS: Final = np.array([[a, b, n] for n in (1, -1) for b in (-1, 1) for a in (-1, 1)], np.float64)
"""The signs of a box's eight corners along its axes."""
SURFACES: Final = (
    (0, 1, 3, 2),  # face
    (5, 4, 6, 7),  # back
    (1, 5, 7, 3),  # right
    (4, 0, 2, 6),  # left
    (2, 3, 7, 6),  # bottom
    (4, 5, 1, 0),  # top
)
"""The corners of each surface, clockwise as seen from outside; for a face, from its glyph's top left."""
NORMALS: Final = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box: a tile, a stick, or clutter."""

    kind: str
    """`tile`, `stick`, or `clutter`."""
    centre: Floats
    axes: Floats
    """[3, 3]; columns a, b, n."""
    size: tuple[float, float, float]
    """The sizes along a, b and n."""
    face: Skin
    back: Skin | None
    """The print of the back; None for the body's colour."""
    body: Colour
    cover: Colour
    seam: float = 0.0
    """The fraction of the thickness, from the back, that has the cover's colour."""
    value: int = 0
    """A stick's points; 0 if its value is not a target."""
    tags: frozenset[str] = field(default_factory=frozenset)
    """`standing`: its back must not be found."""

    def corners(self) -> Floats:
        """The eight corners in millimetres, [8, 3]."""
        return np.asarray(self.centre + (SIGNS * np.array(self.size) / 2) @ self.axes.T, np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A view: a projection [3, 4] from millimetres to pixels, and the place of the eye."""

    projection: Floats
    eye: Floats

    def pixels(self, points: Floats) -> Floats:
        """Projects points [N, 3]; returns [N, 2]."""
        homogeneous = points @ self.projection[:, :3].T + self.projection[:, 3]
        return np.asarray(homogeneous[:, :2] / np.maximum(homogeneous[:, 2:], 1e-6), np.float64)


def overhead(*, scale: float, size: int, eye: Floats, level: float) -> Camera:
    """Returns the view of the felt from `eye`, rectified on the plane z = `level`, with `scale` pixels per mm."""
    x, y, height = eye
    rise = height - level
    plane = np.array([[rise, 0, -x, x * level], [0, rise, -y, y * level], [0, 0, -1, height]])
    screen = np.array([[scale, 0, size / 2], [0, scale, size / 2], [0, 0, 1]])
    return Camera(projection=screen @ plane, eye=np.asarray(eye, np.float64))


def oblique(
    *, scale: float, size: int, distance: float, tilt: float, roll: float, bearing: float, squeeze: float
) -> Camera:
    """Returns the view of an ordinary photo aimed at the origin from `distance` mm.

    Angles are in radians; tilt 0 is straight from above, and with bearing 0 the viewer is at +y. Pictures made square
    are squeezed: `squeeze` is the ratio of apparent width to height.
    """
    aim = turn_z(roll) @ turn_x(-tilt) @ turn_z(bearing) @ np.diag([1.0, 1.0, -1.0])
    focal = scale * distance
    across, down = focal * squeeze**0.5, focal / squeeze**0.5
    screen = np.array([[across, 0, size / 2], [0, down, size / 2], [0, 0, 1]])
    pose = np.hstack([aim, np.array([[0.0], [0.0], [distance]])])
    return Camera(projection=screen @ pose, eye=-aim.T @ np.array([0, 0, distance]))


def turn_x(angle: float) -> Floats:
    """Returns the rotation about the first axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def turn_z(angle: float) -> Floats:
    """Returns the rotation about the third axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


FACE_UP: Final = np.eye(3)
FACE_DOWN: Final = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
STANDING: Final = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""The pose of a standing tile: the face looks along +y, to the picture's bottom; the glyph's top points up."""
ON_SIDE: Final = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
"""The pose of a tile on a long side: the face looks along +y."""

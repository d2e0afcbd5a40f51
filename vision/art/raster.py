"""Faces and sticks as pixels."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Bgra, Floats
from vision.art.faces import shapes_of
from vision.art.shapes import HEIGHT, PAPER, WIDTH, Disc, Shape
from vision.art.sticks import BREADTH, LENGTH, dots_of

_FINER = 4
"""Scale at which shapes are drawn, before they are averaged down."""
_SHIFT = 4
"""Fractional bits of a drawn coordinate."""


def draw_face(face: str, width: int, height: int) -> Bgra:
    """Returns the ink of a face, (height, width, 4) BGRA; without ink, opacity is 0.

    The caller paints the ink over the tile's body. Haku and the back have none.

    Raises:
        UnknownFaceError: `face` is not a tile text.
    """
    return _draw(shapes_of(face), width=width, height=height, units=(WIDTH, HEIGHT))


def draw_stick(value: int, width: int, height: int) -> Bgra:
    """Returns the dots of a stick lying along x, (height, width, 4) BGRA on a transparent ground.

    Raises:
        UnknownStickError: no stick has this value.
    """
    return _draw(dots_of(value), width=width, height=height, units=(LENGTH, BREADTH))


def _draw(shapes: Iterable[Shape], *, width: int, height: int, units: tuple[int, int]) -> Bgra:
    """Draws each colour into a premultiplied canvas, so that averaging leaves no dark fringe."""
    fine = np.zeros((height * _FINER, width * _FINER, 4), np.uint8)
    scale = np.array([fine.shape[1] / units[0], fine.shape[0] / units[1]])
    for shape in shapes:
        corners = np.rint((_corners(shape) * scale - 0.5) * 2**_SHIFT).astype(np.int32)
        cv2.fillPoly(fine, [corners.reshape(-1, 1, 2)], _ink(shape.colour), shift=_SHIFT)
    mean = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    mean[..., :3] *= 255.0 / np.maximum(mean[..., 3:], 1.0)
    return np.clip(np.rint(mean), 0, 255).astype(np.uint8)


def _corners(shape: Shape) -> Floats:
    if not isinstance(shape, Disc):
        return shape.points
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return ring * shape.radius + (shape.x, shape.y)


def _ink(colour: str) -> tuple[int, int, int, int]:
    if colour == PAPER:
        return (0, 0, 0, 0)
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return (blue, green, red, 255)

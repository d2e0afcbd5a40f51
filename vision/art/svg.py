"""Faces and sticks as small standalone SVG pictures, for pages."""

from collections.abc import Iterable

import numpy as np

from vision.art.faces import shapes_of
from vision.art.shapes import HEIGHT, PAPER, WIDTH, Disc, Polygon, Shape
from vision.art.sticks import BREADTH, LENGTH, dots_of
from vision.felt import BACK

IVORY = "#f7f3e6"
BACK_COLOUR = "#e0a32e"
_EDGE = "#cfc7b0"


def face_svg(face: str) -> str:
    """Returns one face as an SVG document with viewBox ``0 0 300 400``, without scripts or references.

    Raises:
        UnknownFaceError: `face` is not a tile text.
    """
    shapes = shapes_of(face)
    body = BACK_COLOUR if face == BACK else IVORY
    plate = (
        f'<rect x="3" y="3" width="{WIDTH - 6}" height="{HEIGHT - 6}" rx="26" '
        f'fill="{body}" stroke="{_EDGE}" stroke-width="5"/>'
    )
    return _document(WIDTH, HEIGHT, plate + _paint(shapes))


def stick_svg(value: int) -> str:
    """Returns one point stick as an SVG document with viewBox ``0 0 930 90``.

    Raises:
        UnknownStickError: no stick has this value.
    """
    plate = (
        f'<rect x="2" y="2" width="{LENGTH - 4}" height="{BREADTH - 4}" rx="20" '
        f'fill="{IVORY}" stroke="{_EDGE}" stroke-width="4"/>'
    )
    return _document(LENGTH, BREADTH, plate + _paint(dots_of(value)))


def _document(width: int, height: int, inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{inside}</svg>'


def _paint(shapes: Iterable[Shape]) -> str:
    return "".join(_element(shape) for shape in shapes)


def _element(shape: Shape) -> str:
    fill = IVORY if shape.colour == PAPER else shape.colour
    if isinstance(shape, Disc):
        return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" fill="{fill}"/>'
    return f'<path fill="{fill}" d="{_path(shape)}"/>'


def _path(polygon: Polygon) -> str:
    """Returns an outline in whole units, with relative moves, which are shortest."""
    corners = np.rint(polygon.points).astype(int)
    moves = np.diff(corners, axis=0)
    moves = moves[np.any(moves != 0, axis=1)]
    steps = "l".join(f"{dx} {dy}" for dx, dy in moves.tolist())
    return f"M{corners[0, 0]} {corners[0, 1]}l{steps}z"

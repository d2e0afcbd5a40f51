"""Draws the readings onto a picture, so that people see at a glance what was read and what is doubtful."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.confidence import DOUBTED, MARK_BELOW, STICK_SURE
from vision.felt import BACK, HAKU, NOT_A_TILE
from vision.photo.photo_things import Quad, ReadStick, ReadTile

Colour = tuple[int, int, int]

_SURE: Final[Colour] = (120, 220, 60)
_AMBER: Final[Colour] = (20, 170, 255)
_STICK: Final[Colour] = (255, 150, 60)
_DARK: Final[Colour] = (24, 24, 24)
_WHITE: Final[Colour] = (255, 255, 255)
LEGEND: Final = f"green: sure  orange: doubtful, with its score (capped at {100 * DOUBTED:.0f}, no percentage)"
_LEAST_LEGEND: Final = 6.0
"""The height of capitals, in pixels, below which nobody could read the legend."""
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_SHIFT: Final = 4
"""Fractional bits of a drawn coordinate."""


def draw(
    image: Image,
    tiles: Iterable[ReadTile],
    sticks: Iterable[ReadStick],
    *,
    numbered: Container[int] = (),
    is_explained: bool = False,
) -> Image:
    """Returns a copy of a BGR picture with every tile's and stick's outline and name; amber is doubtful.

    Args:
        image: the picture.
        tiles: what was read in it, in reading order.
        sticks: the sticks in it.
        numbered: indices in `tiles` of tiles with a remark, which are drawn with their number, counted from 1.
        is_explained: whether a line at the foot says in English what colours and numbers mean, if there is room.

    A tile has its name at its lowest edge in the picture, and a bar at the head of its glyph, which shows its
    orientation.
    """
    picture = image.copy()
    seen_tiles, seen_sticks = list(tiles), list(sticks)
    size = _text_size([_corners(tile.quad) for tile in seen_tiles])
    for stick in seen_sticks:
        _outline(picture, _corners(stick.quad), _stick_colour(stick), size)
    for tile in seen_tiles:
        corners = _corners(tile.quad)
        _outline(picture, corners, _tile_colour(tile), size)
        if tile.tile not in {BACK, NOT_A_TILE, HAKU}:
            _head(picture, corners, _tile_colour(tile), size)
    for stick in seen_sticks:
        name = str(stick.value) if stick.value else "?"
        _label(picture, _corners(stick.quad).mean(axis=0), name, _stick_colour(stick), size)
    for index, tile in enumerate(seen_tiles):
        number = f"{index + 1}: " if index in numbered else ""
        score = "" if tile.score >= MARK_BELOW else f" {100 * tile.score:.0f}"
        _label(picture, _foot(_corners(tile.quad)), f"{number}{tile.tile}{score}", _tile_colour(tile), size)
    if is_explained and (seen_tiles or seen_sticks):
        _explain(picture, size)
    return picture


def _explain(picture: Image, size: float) -> None:
    """Writes what the colours and numbers mean at the foot of the picture, as large as there is room."""
    height, width = picture.shape[:2]
    while size >= _LEAST_LEGEND and _text_extent(LEGEND, size)[0] > 0.96 * width:
        size *= 0.95
    if size >= _LEAST_LEGEND:
        _label(picture, np.array([0.0, height]), LEGEND, _WHITE, size)


def _tile_colour(tile: ReadTile) -> Colour:
    return _SURE if tile.score >= MARK_BELOW else _AMBER


def _stick_colour(stick: ReadStick) -> Colour:
    return _AMBER if stick.value == 0 or stick.score < STICK_SURE else _STICK


def _corners(quad: Quad) -> Floats:
    return np.asarray(quad, np.float64).reshape(4, 2)


def _text_size(quads: list[Floats]) -> float:
    """Returns a capital's height in pixels that suits the tiles: a quarter of their width, but always legible."""
    widths = [float(np.linalg.norm(quad[1] - quad[0])) for quad in quads]
    return float(np.clip(np.median(widths) * 0.26 if widths else 12.0, 8.0, 40.0))


def _points(corners: Floats) -> npt.NDArray[np.int32]:
    return np.rint(corners * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _outline(picture: Image, corners: Floats, colour: Colour, size: float) -> None:
    """Draws a bright line with dark edges, visible on any ground, slightly inside the quad to keep neighbours apart."""
    thick = max(1, round(size / 9))
    middle = corners.mean(axis=0)
    radius = np.linalg.norm(corners - middle, axis=1).mean()
    inner = _points(middle + (corners - middle) * (1 - min(thick / max(float(radius), 1.0), 0.3)))
    cv2.polylines(picture, [inner], True, _DARK, thick + 2, cv2.LINE_AA, _SHIFT)
    cv2.polylines(picture, [inner], True, colour, thick, cv2.LINE_AA, _SHIFT)


def _head(picture: Image, corners: Floats, colour: Colour, size: float) -> None:
    thick = max(1, round(size / 9))
    left, right = corners[0], corners[1]
    down = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    down = down / max(float(np.linalg.norm(down)), 1.0) * thick * 1.6
    ends = np.array([left + (right - left) * 0.25 + down, left + (right - left) * 0.75 + down])
    cv2.polylines(picture, [_points(ends)], False, colour, thick + 1, cv2.LINE_AA, _SHIFT)


def _foot(corners: Floats) -> Floats:
    """Returns the place of the name: near the middle of the edge that is lowest in the picture."""
    middle = corners.mean(axis=0)
    edges = [(corners[i] + corners[(i + 1) % 4]) / 2 for i in range(4)]
    lowest = max(edges, key=lambda edge: float(edge[1]))
    return np.asarray(middle + (lowest - middle) * 0.72, np.float64)


def _strokes(size: float) -> tuple[float, int]:
    """Returns OpenCV's font scale and line thickness for capitals of this height in pixels."""
    return size / 21.5, max(1, round(size / 10))


def _text_extent(text: str, size: float) -> tuple[int, int]:
    """Returns a text's width and height in pixels."""
    (width, height), _ = cv2.getTextSize(text, _FONT, *_strokes(size))
    return width, height


def _label(picture: Image, position: Floats, text: str, colour: Colour, size: float) -> None:
    width, height = _text_extent(text, size)
    pad = max(2, round(size * 0.28))
    rows, columns = picture.shape[:2]
    x = int(np.clip(position[0] - width / 2, pad, max(columns - width - pad, pad)))
    y = int(np.clip(position[1] + height / 2, height + pad, max(rows - pad, height + pad)))
    low, high = (max(x - pad, 0), max(y - height - pad, 0)), (x + width + pad, y + pad)
    plate = picture[low[1] : high[1], low[0] : high[0]]
    plate[:] = (plate * 0.25 + np.array(_DARK) * 0.75).astype(np.uint8)
    cv2.rectangle(picture, low, (high[0] - 1, high[1] - 1), colour, 1)
    scale, thick = _strokes(size)
    cv2.putText(picture, text, (x, y), _FONT, scale, _WHITE if colour != _AMBER else _AMBER, thick, cv2.LINE_AA)

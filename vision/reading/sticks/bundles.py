"""Finds bundles of sticks, which the locator does not know: as long as a stick, of another colour than the felt.

A bundle of coloured sticks that touches an arm, a wall or its own shadow is separated from them by its hue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import TILE_AMONG_STICKS
from vision.geometry.plane_geometry import square
from vision.geometry.rectify import TopView
from vision.geometry.roi import Roi
from vision.reading.locator import Located
from vision.reading.tile_bodies import bodies

_COARSER: Final = 2
"""Bundles are searched for with pixels this many times as wide as the view's, about 1.5 mm."""
_GROUND: Final = 8
"""The ground's colour is computed with pixels this many times as wide as those."""
_AROUND_PX: Final = 13
"""The ground's colour is the median of so wide a square: 160 mm, more than a bundle, less than a lamp's light."""
_LONG_MM: Final = (50.0, 120.0)
"""The least and the greatest length of a bundle."""
_LONG_HUE_MM: Final = 56.0
"""The least length of a bundle found by its hue, without its shadow and neighbours; the shortest stick has 63 mm."""
_BROAD_MM: Final = (9.0, 90.0)
"""The least and the greatest breadth of a bundle."""
_OTHER_COLOUR: Final = 16
"""A thing has another colour than the ground if they differ by more than this in a channel."""
_FILLED: Final = 0.72
"""A bundle covers at least this share of the rectangle about it."""
_HUES: Final = np.array(
    [[hue < 180 and abs((hue - middle + 90) % 180 - 90) <= 12 for hue in range(256)] for middle in range(0, 180, 15)],
    np.uint8,
)
"""Overlapping ranges on OpenCV's circle of 180 hues, for coloured sticks; each row marks the hues of one range."""
_VIVID: Final = 100
_BRIGHT: Final = 40
"""Coloured sticks have at least the saturation `_VIVID`, and this value."""
_PRINTS: Final = np.ones((5, 5), np.uint8)
"""Prints and glare on a coloured stick are smaller than this."""
_EDGES: Final = np.ones((3, 3), np.uint8)
"""Coloured edges of shadows are narrower than this."""
_NO_HUE: Final = 255
_SQUARE: Final = 1.35
"""In a bundle less than this many times as long as broad, the sticks may lie along either side."""


def bundles(picture: Image, found: Located, roi: Roi, view: TopView) -> Floats32:
    """Returns possible bundles of sticks, each as a quad along its middle, [N, 4, 2] in pixels of the view.

    Args:
        picture: the whole view.
        found: what the locator found in `roi`.
        roi: the part of the view to search.
        view: the view.
    """
    small = _coarser(picture[roi.rows, roi.columns], _COARSER)
    mm, start = _COARSER / view.px_per_mm, (0.5 - roi.start) / _COARSER - 0.5

    def to_small(pixels: Floats | Floats32) -> Floats:
        return np.asarray(pixels / _COARSER + start, np.float64)

    tiles = [to_small(body) for body in bodies(found.tiles, view)]
    sure = [body for body, score in zip(tiles, found.tile_scores, strict=True) if score >= TILE_AMONG_STICKS]
    off_table = ~_filled([to_small(view.from_felt(square(view.calibration.side_mm)))], small)
    things = _is_other_colour(small, _filled(tiles, small) | off_table) & ~off_table
    middles = [*_middles(things & ~_filled(sure, small), mm), *_middles(things, mm)]
    middles += [
        middle for thing in _of_one_hue(small, things, mm) for middle in _middles(thing, mm, least_mm=_LONG_HUE_MM)
    ]
    quads = np.array(middles, np.float32).reshape(-1, 4, 2)
    return np.asarray((quads + 0.5) * _COARSER - 0.5 + roi.start, np.float32)


def _coarser(picture: Image, times: int) -> Image:
    """Returns a picture with pixels `times` as wide, a power of two; each is the mean of those that it replaces."""
    while times > 1:
        size = picture.shape[1] // 2, picture.shape[0] // 2
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        times //= 2
    return picture


def _is_other_colour(small: Image, is_taken: Mask) -> Mask:
    """Returns where a picture has another colour than the ground around it, to which `is_taken` does not belong."""
    height, width = small.shape[:2]
    free = (~is_taken).astype(np.uint8)
    free_colours = _coarser(small * free[..., None], _GROUND).astype(np.float32)
    share = _coarser(free * 255, _GROUND).astype(np.float32) / 255
    size = (_AROUND_PX // 2, _AROUND_PX // 2)
    mean = cv2.blur(free_colours, size) / np.maximum(cv2.blur(share, size), 1e-3)[..., None]
    filled_in = np.where(share[..., None] > 0.5, free_colours / np.maximum(share, 1e-3)[..., None], mean)
    ground = cv2.medianBlur(np.clip(filled_in, 0, 255).astype(np.uint8), _AROUND_PX)
    difference = cv2.absdiff(small, cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR))
    return np.asarray(
        cv2.max(cv2.max(difference[..., 0], difference[..., 1]), difference[..., 2]) > _OTHER_COLOUR, np.bool_
    )


def _filled(outlines: list[Floats], small: Image) -> Mask:
    mask = np.zeros(small.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.bool_)


def _of_one_hue(small: Image, things: Mask, mm: float) -> Iterator[Mask]:
    """Yields the parts of things in one range of hues, with their prints, for each range that is frequent enough."""
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    vivid = things & (hsv[..., 1] >= _VIVID) & (hsv[..., 2] >= _BRIGHT)
    hue = np.where(vivid, hsv[..., 0], _NO_HUE).astype(np.uint8)
    counts = np.bincount(hue.ravel(), minlength=256)
    least_area = _LONG_HUE_MM * _BROAD_MM[0] / mm**2
    for is_near in _HUES[_HUES @ counts > least_area]:
        part = cv2.LUT(hue, is_near)
        with_prints = cv2.morphologyEx(part, cv2.MORPH_CLOSE, _PRINTS)
        yield np.asarray(cv2.morphologyEx(with_prints, cv2.MORPH_OPEN, _EDGES), np.bool_)


def _middles(things: Mask, mm: float, least_mm: float = _LONG_MM[0]) -> list[Floats32]:
    """Returns a quad along the middle of each thing that is as long as a stick and as broad as a bundle."""
    limits = (least_mm, _LONG_MM[1]), _BROAD_MM
    middles = []
    outlines, hierarchy = cv2.findContours(things.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for outline, (*_, parent) in zip(outlines, hierarchy[0] if hierarchy is not None else (), strict=True):
        if parent >= 0:  # the outline of a hole
            continue
        middle, sides, degrees = cv2.minAreaRect(outline)
        sides = sides[0] + 1, sides[1] + 1
        area = cv2.contourArea(outline) + len(outline) / 2
        if sides[0] < sides[1]:
            sides, degrees = (sides[1], sides[0]), degrees + 90
        long, broad = sides
        is_long = all(low <= side * mm <= high for side, (low, high) in zip(sides, limits, strict=True))
        if not is_long or area < _FILLED * long * broad:
            continue
        middles.append(cv2.boxPoints((middle, (long, broad / 2), degrees)))
        if long < _SQUARE * broad:
            middles.append(cv2.boxPoints((middle, (long / 2, broad), degrees)))
    return [np.asarray(quad, np.float32) for quad in middles]

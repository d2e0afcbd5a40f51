"""Joins the halves of a 4p in a photo: each looks like a 2p and, where the scale is unknown, like a whole tile.

Two 2p that lie side by side look like a 4p too. But then each of them is as big as the tiles around, not both together.
Where the locator takes each half for as big as a tile, their middles are nearer to each other than those of two tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Floats32
from vision.geometry.quads import areas_of, covers
from vision.photo.candidates import FEWEST, TileSizes, is_sure, quads_of
from vision.photo.photo_things import ReadTile

_HALF: Final = "2p"
_WHOLE: Final = "4p"
_DISTANCE: Final = (0.6, 1.3)
"""Distance of the middles of two halves, in the mean of their lengths in this direction."""
_OFFSET: Final = 0.25
"""How far the middle of the one may be beside the line through the other, in widths."""
_ANGLE: Final = 0.25
"""Largest sine of the angle between two halves."""
_WIDER: Final = 1.6
"""Largest ratio of their widths."""
_BIG: Final = (0.8, 1.5)
"""A half is smaller than this share of the tiles around, and the whole than this: a tile and another are larger."""
_LEAST_WIDTHS: Final = 0.8
"""Middles of two tiles that lie side by side are farther from each other, in widths of the tiles around."""
_SLENDER: Final = 0.74
"""Width of a tile over its height."""


def possible_wholes(tiles: Sequence[ReadTile], candidates: Floats32) -> Floats32:
    """Returns the quads [K, 4, 2] of which one half may be a 2p among `tiles`, and the other a tile or candidate."""
    sure = [tile for tile in tiles if is_sure(tile) and tile.tile != _HALF]
    halves = [index for index, tile in enumerate(tiles) if tile.tile == _HALF]
    if len(sure) < FEWEST or not halves:
        return candidates[:0]
    sizes, quads = TileSizes(sure), np.concatenate([quads_of(tiles), candidates])
    wholes = [
        whole
        for first in halves
        for second, joined in _continuations(quads, first)
        if second not in halves or first < second
        if (whole := _whole(quads[[first, second]], joined, sizes)) is not None
    ]
    return np.array(wholes, np.float32).reshape(-1, 4, 2)


def with_wholes(tiles: Sequence[ReadTile], wholes: Sequence[ReadTile]) -> list[ReadTile]:
    """Returns the tiles, with each of `wholes` that reads surely as a 4p in place of the 2p that it covers."""
    result = list(tiles)
    for whole in sorted(wholes, key=lambda tile: -tile.score):
        quads = quads_of([*result, whole])
        areas = areas_of(quads)
        covered = [tile for index, tile in enumerate(result) if covers(quads, areas, index, len(result))]
        if whole.tile == _WHOLE and is_sure(whole) and covered and all(tile.tile == _HALF for tile in covered):
            result = [tile for tile in result if tile not in covered]
            result.append(replace(whole, found=max(tile.found for tile in covered)))
    return result


def _whole(parts: Floats32, joined: Floats32, sizes: TileSizes) -> Floats32 | None:
    """Returns the quad of the tile of which both parts may be halves; None if they are none."""
    half_area, whole_area = areas_of(parts).max(), areas_of(joined[None])[0]
    usual_area = sizes.usual_area(joined)
    if half_area < _BIG[0] * usual_area and whole_area < _BIG[1] * usual_area:
        return joined
    middles = parts.mean(axis=1)
    if np.linalg.norm(middles[1] - middles[0]) < _LEAST_WIDTHS * np.sqrt(_SLENDER * usual_area):
        middle = joined.mean(axis=0)
        return np.asarray(middle + (joined - middle) * np.sqrt(usual_area / whole_area), np.float32)
    return None


def _continuations(quads: Floats32, first: int) -> Iterator[tuple[int, Floats32]]:
    """Yields which quads go on in the width of one where it ends, and the quad of both together."""
    middles = quads.mean(axis=1)
    for second, step in enumerate(middles - middles[first]):
        if not step.any():
            continue
        (wide, down), (other_wide, other_down) = _axes(quads[first], step), _axes(quads[second], step)
        if _goes_on(step, wide, down, other_wide, other_down):
            side, start, end = (wide + other_wide) / 2, middles[first] - down, middles[second] + other_down
            yield second, np.array([start - side, start + side, end + side, end - side], np.float32)


def _axes(quad: Floats32, step: Floats32) -> tuple[Floats32, Floats32]:
    """Returns the half axes of a quad across a step, clockwise before the other, and along it."""
    axes = np.stack([quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]]) / 4
    is_along = np.abs(axes @ step) / (np.linalg.norm(axes, axis=1) + 1e-6)
    wide, down = axes[np.argsort(is_along)]
    down = down * np.sign(down @ step)
    return wide * np.sign(_cross(wide, down)), down


def _goes_on(step: Floats32, wide: Floats32, down: Floats32, other_wide: Floats32, other_down: Floats32) -> bool:
    """Returns whether what lies a step away from a quad with these half axes goes on in its width where it ends."""
    width, other_width = float(np.linalg.norm(wide)), float(np.linalg.norm(other_wide))
    distance = float(np.linalg.norm(step)) / float(np.linalg.norm(down) + np.linalg.norm(other_down) + 1e-6)
    return (
        _DISTANCE[0] < distance < _DISTANCE[1]
        and 1 / _WIDER < width / max(other_width, 1e-6) < _WIDER
        and abs(_cross(wide, other_wide)) < _ANGLE * width * other_width
        and abs(float(step @ wide)) < _OFFSET * 2 * width**2
    )


def _cross(one: Floats32, other: Floats32) -> float:
    return float(one[0] * other[1] - one[1] * other[0])

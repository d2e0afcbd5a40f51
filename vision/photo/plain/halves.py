"""Joins the halves of a 4p in a photo: each looks like a 2p and, where the scale is unknown, like a whole tile.

Two 2p that lie side by side look like a 4p, too. But then each of them is as big as the tiles around it, not both
together. If the locator outlines each half as large as a tile, their middles are nearer to each other than those of two
tiles.
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
"""The range of the distance of two halves' middles, in the mean of their lengths in this direction."""
_OFFSET: Final = 0.25
"""How far the middle of one half may be beside the centre line of the other, in widths."""
_ANGLE: Final = 0.25
"""Largest sine of the angle between two halves."""
_WIDER: Final = 1.6
"""Largest ratio of their widths."""
_BIG: Final = (0.8, 1.5)
"""Upper limits of the area of a half and of the whole, as shares of a tile's area around: two tiles are larger."""
_LEAST_WIDTHS: Final = 0.8
"""The middles of two tiles side by side are farther from each other than this, in widths of the tiles around."""
_SLENDER: Final = 0.74
"""Width of a tile over its height."""


def possible_wholes(tiles: Sequence[ReadTile], candidates: Floats32) -> Floats32:
    """Returns the quads [K, 4, 2] that one of the `tiles`, read as 2p, and another tile or candidate form together."""
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
    """Returns the tiles, in which each of `wholes` that is surely a 4p replaces the 2p that it covers."""
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
    """Returns the quad of the tile whose halves both `parts` may be; None if they are no halves."""
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
    """Yields the index of each quad that continues the `first` one at its end, and the quad of both together."""
    middles = quads.mean(axis=1)
    for second, step in enumerate(middles - middles[first]):
        if not step.any():
            continue
        (wide, down), (other_wide, other_down) = _axes(quads[first], step), _axes(quads[second], step)
        if _goes_on(step, wide, down, other_wide, other_down):
            side, start, end = (wide + other_wide) / 2, middles[first] - down, middles[second] + other_down
            yield second, np.array([start - side, start + side, end + side, end - side], np.float32)


def _axes(quad: Floats32, step: Floats32) -> tuple[Floats32, Floats32]:
    """Returns a quad's half axes across and along a step; the first is a quarter turn before the second, clockwise."""
    axes = np.stack([quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]]) / 4
    is_along = np.abs(axes @ step) / (np.linalg.norm(axes, axis=1) + 1e-6)
    wide, down = axes[np.argsort(is_along)]
    down = down * np.sign(down @ step)
    return wide * np.sign(_cross(wide, down)), down


def _goes_on(step: Floats32, wide: Floats32, down: Floats32, other_wide: Floats32, other_down: Floats32) -> bool:
    """Returns whether a quad a `step` away continues one at its end, with the same width; both have these half axes."""
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

"""The detections of a network in a picture, and their selection: by size, without doubles and edges of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Mask
from vision.confidence import LYING, STICK_IN_PHOTO
from vision.geometry.quads import areas_of, close_pairs, covers, long_sides, short_sides
from vision.geometry.roi import Roi

_FEW: Final = 6
"""Fewer tiles than this do not establish a usual size."""
_TOP_SPREAD: Final = (0.36, 0.13)
"""Tolerance of the logarithms of the short and the long side in a top view; in rows the short one varies more."""
_LENGTH: Final = 1.33
"""A tile's length in widths; of the sizes that are sold, 1.32 to 1.35."""
_AS_LYING: Final = 0.1
"""Tolerance of the logarithms of both sides within which a detection has a lying tile's size."""
_SPREAD: Final = 0.4
"""Tolerance of the logarithm of a tile's width within a photo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finds:
    """Detections of one kind at one scale, in pixels of the picture."""

    quads: Floats32
    """[N, 4, 2]."""
    scores: Floats32
    """[N], the network's."""
    fit: Floats32
    """How well each detection's size fits the scale, 0-1."""
    values: npt.NDArray[np.int64]
    """[N], the values of sticks; 0 if unknown."""

    def chosen(self, index: npt.NDArray[np.intp] | Mask) -> Finds:
        """Returns the detections at these indexes, or where the mask is true."""
        return Finds(quads=self.quads[index], scores=self.scores[index], fit=self.fit[index], values=self.values[index])


def no_finds() -> Finds:
    """Returns no detections."""
    none = np.zeros(0, np.float32)
    return Finds(quads=np.zeros((0, 4, 2), np.float32), scores=none, fit=none, values=np.zeros(0, np.int64))


def best_of(found: Finds, most: int | None = None) -> Finds:
    """Returns the detections, best first, at most so many."""
    return found.chosen(np.argsort(-(found.scores * found.fit), kind="stable")[:most])


def fitting(found: Finds, size: Floats32, band: tuple[float, float, float]) -> Finds:
    """Keeps detections with a size between the outer two of `band`, and rates how close it is to the middle one."""
    fit = np.exp(-((np.log(np.maximum(size, 1e-3) / band[1]) / 0.6) ** 2) / 2)
    scaled = Finds(quads=found.quads, scores=found.scores, fit=fit.astype(np.float32), values=found.values)
    return scaled.chosen((size > band[0]) & (size < band[2]))


def stretched(found: Finds, ratio: Floats32) -> Finds:
    """Returns the detections in pixels of a picture that is larger by `ratio`: in width, in height."""
    quads = ((found.quads + 0.5) * ratio - 0.5).astype(np.float32)
    return Finds(quads=quads, scores=found.scores, fit=found.fit, values=found.values)


def joined(parts: list[Finds]) -> Finds:
    """Returns the detections of all parts together."""
    return Finds(
        quads=np.concatenate([part.quads for part in parts]),
        scores=np.concatenate([part.scores for part in parts]),
        fit=np.concatenate([part.fit for part in parts]),
        values=np.concatenate([part.values for part in parts]),
    )


def width_of_most(tiles: Finds) -> float:
    """Returns the width of most confident detections; wide ones count more, as parts of tiles are found too."""
    short = short_sides(tiles.quads)
    widths, trust = np.log(short), (tiles.scores * tiles.fit) ** 4 * short**1.5
    support = np.exp(-(((widths[:, None] - widths[None]) / 0.3) ** 2) / 2) @ trust
    return float(short[int(support.argmax())])


def sure_sticks(sticks: Finds) -> Finds:
    """Keeps confident sticks only, since photos contain many long, narrow objects."""
    return sticks.chosen(sticks.scores > STICK_IN_PHOTO)


def uniform(tiles: Finds, tile_px: float) -> Finds:
    """Drops detections of unusual size in a top view, such as tops of standing tiles and parts of rows.

    The usual size is the median, weighted by score, since the tops of four hands may outnumber the lying tiles. Early
    in a hand they do so even then, or tiles of a wall that the window cuts do; so what is surely found in the size of
    a lying tile, which is `tile_px` wide, is never dropped.
    """
    sides = np.stack([short_sides(tiles.quads), long_sides(tiles.quads)])
    if sides.shape[1] < _FEW:
        return tiles
    order = np.argsort(sides, axis=1, kind="stable")
    weights = np.cumsum(tiles.scores[order] ** 2, axis=1)
    middle = (weights < weights[:, -1:] / 2).sum(axis=1, keepdims=True)
    usual_sides = np.take_along_axis(sides, np.take_along_axis(order, middle, axis=1), axis=1)
    is_usual = (np.abs(np.log(sides / usual_sides)) < np.array(_TOP_SPREAD)[:, None]).all(axis=0)
    lying_sides = np.array([[tile_px], [_LENGTH * tile_px]])
    is_lying = (np.abs(np.log(sides / lying_sides)) < _AS_LYING).all(axis=0) & (tiles.scores >= LYING)
    return tiles.chosen(is_usual | is_lying)


def of_usual_size(tiles: Finds, usual_width: float, least_score: float) -> Finds:
    """Drops uncertain detections much smaller or bigger than the picture's tiles (parts of glyphs, textures)."""
    stray = np.log(short_sides(tiles.quads) / usual_width) / _SPREAD
    likeness = np.exp(-(stray**2) / 2).astype(np.float32)
    weighed = Finds(quads=tiles.quads, scores=tiles.scores, fit=tiles.fit * likeness, values=tiles.values)
    return weighed.chosen(tiles.scores * likeness > least_score)


def within_window(found: Finds, roi: Roi | None) -> Finds:
    """Drops detections that an edge of the window may have cut."""
    return found if roi is None else found.chosen(np.asarray(roi.holds(found.quads + roi.start).all(axis=1)))


def without_doubles(found: Finds, is_double: Callable[[Floats32, Floats32, int, int], bool] = covers) -> Finds:
    """Keeps the best of overlapping detections, best first."""
    found = best_of(found)
    areas = areas_of(found.quads)
    is_kept = np.ones(len(areas), np.bool_)
    for index, other in close_pairs(found.quads).tolist():
        if is_kept[index] and is_kept[other] and is_double(found.quads, areas, index, other):
            is_kept[index] = False
    return found.chosen(is_kept)


def quads_not_among(quads: Floats32, others: Floats32) -> Floats32:
    """Returns the quads that are not among `others`."""
    other_bytes = {quad.tobytes() for quad in others}
    return quads[np.array([quad.tobytes() not in other_bytes for quad in quads], np.bool_)]


def without_row_edges(sticks: Finds, tiles: Floats32) -> Finds:
    """Drops sticks across the middles of two tiles, since the edge of a row is long and narrow too."""
    middles = tiles.mean(axis=1)
    covered = [
        sum(cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in middles[_in_box(middles, quad)])
        for quad in sticks.quads
    ]
    return sticks.chosen(np.array(covered, np.int64) < 2)


def _in_box(points: Floats32, quad: Floats32) -> Mask:
    """Returns which points [N, 2] lie within the limits of a quad along both axes."""
    inside = (points >= quad.min(axis=0)) & (points <= quad.max(axis=0))
    return np.asarray(inside.all(axis=1), np.bool_)

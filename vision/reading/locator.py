"""Locates tiles and sticks in a rectified view of the felt, or in a photo of unknown scale.

A small dense network predicts for every cell of a grid four pixels wide: the probability that the centre of a tile's
upper surface (face or back) or of a stick is there; its exact position; and the two half-axes, from which the quad
follows as a parallelogram. Tiles in the picture must have about the width that the network was trained on (`_BAND`),
so pictures are scaled first: to the known tile width, or to several sizes, of which the detections that fit their
scale best are kept.

Tops of walls are found like any tile that lies face down; the zones decide what is a wall.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.confidence import CANDIDATE, STICK_CANDIDATE, STICK_VALUE
from vision.errors import ModelError
from vision.geometry.quads import is_same, long_sides, short_sides
from vision.geometry.roi import Roi
from vision.reading.finds import (
    Finds,
    fitting,
    joined,
    no_finds,
    of_usual_size,
    quads_not_among,
    stretched,
    sure_sticks,
    uniform,
    width_of_most,
    within_window,
    without_doubles,
    without_row_edges,
)
from vision.reading.weights import Weights, load, outputs_of, session

STRIDE: Final = 4
"""Pixels per cell of the network's grid."""
STICK_VALUES: Final = (1000, 100, 5000, 10000)
"""Stick values in the order of the network's output."""
CHANNELS: Final = 10 + len(STICK_VALUES)
"""Tile here, stick here, middle x, y, log of long and short half, doubled angle of each as cosine and sine, value."""
LONG_UNIT: Final = 16.0
SHORT_UNIT: Final = 12.0
"""Pixels at which the predicted logarithms are 0."""
_MULTIPLE: Final = 16
_SURROUNDINGS_PX: Final = 192
"""Distance from a cell, in pixels, beyond which the network sees nothing; a multiple of `_MULTIPLE`."""
_MOST_PX: Final = 1_350_000
"""The most pixels that the network processes at once, at 40 bytes per pixel; a table's top view is smaller."""
_SURE_OF_VALUE: Final = np.array([STICK_VALUE[value] for value in STICK_VALUES])
_WIDEST: Final = 2400
"""Longest side in pixels of a picture searched without a known scale; a larger one is shrunk to it once."""
_CLOSEST: Final = 3200
"""Longest side in pixels of a picture that is searched again at the scale of its tiles."""
_LONG: Final = 4.0
"""From this ratio of its sides on, a picture shrunk to `_WIDEST` has hardly any pixels left across."""
_SMALLEST_PX: Final = 128
"""Longest side in pixels of the smallest size in the search."""
_STEP: Final = 1.6
"""Ratio of two successive sizes in the search."""
_STICK_TILES: Final = (2.4, 5.5)
"""Length of a stick in tile widths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """The located objects, best first; quads in pixels, clockwise, with corners 0 and 1 on a short side."""

    tiles: Floats32
    """[N, 4, 2]; the reader decides which short side is the glyph's top."""
    tile_scores: Floats32
    """[N], 0-1."""
    sticks: Floats32
    """[M, 4, 2]."""
    stick_scores: Floats32
    """[M], 0-1."""
    stick_values: tuple[int, ...]
    """1000, 100, 5000, 10000, or 0 if unknown."""
    candidates: Floats32 = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    """[K, 4, 2]; further candidates for tiles in a photo: low scores, and detections overlapped by others."""
    stick_candidates: Floats32 = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    """[L, 4, 2]; further candidates for sticks if the scale is known, best first, for `vision.reading.sticks`."""

    of_any_size: Finds = field(default_factory=no_finds)
    """What was found in a photo at any size of tiles, with many parts of tiles and other things."""

    def moved(self, move: Callable[[Floats32], Floats32]) -> Located:
        """Returns the same objects elsewhere; `move` takes and returns quads [N, 4, 2]."""
        return replace(
            self,
            tiles=move(self.tiles),
            sticks=move(self.sticks),
            candidates=move(self.candidates),
            stick_candidates=move(self.stick_candidates),
            of_any_size=replace(self.of_any_size, quads=move(self.of_any_size.quads)),
        )

    def with_sticks_of(self, other: Located) -> Located:
        """Returns the same tiles with another search's sticks."""
        return replace(self, sticks=other.sticks, stick_scores=other.stick_scores, stick_values=other.stick_values)


class Locator:
    """The trained locator: returns quads for a picture."""

    def __init__(self, *, threads: int = 1, weights: Weights | None = None) -> None:
        """Loads the shipped model for arbitrary pictures, or `weights` if given.

        Raises:
            ModelError: the weights are not usable (`vision.reading.weights.load`) or have another grid.
        """
        self._weights = load("locate") if weights is None else weights
        details = self._weights.manifest.details
        if details.get("stride") != STRIDE or details.get("channels") != CHANNELS:
            raise ModelError(
                f"expected stride {STRIDE} and {CHANNELS} channels, got {details.get('stride')!r} and "
                f"{details.get('channels')!r}, in {self._weights.path}"
            )
        try:
            self._thresholds = (float(details["tile_threshold"]), float(details["stick_threshold"]))
            self._band = (float(details["band"][0]), float(details["band"][1]))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            got = {key: details.get(key) for key in ("tile_threshold", "stick_threshold", "band")}
            raise ModelError(
                f"expected two thresholds and a band of two widths, got {got!r}, in {self._weights.path}"
            ) from error
        self._session = session(self._weights, threads)

    @classmethod
    def from_above(cls) -> Locator:
        """Loads the shipped model for pictures, original or rectified, of a table from straight above.

        Raises:
            ModelError: as `__init__`.
        """
        return cls(weights=load("watch"))

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        """Finds tiles and sticks in a BGR picture, or in a window of it; quads are in the picture's pixels.

        `tile_px` is the short side of a lying tile in pixels if the scale is known, as on the rectified felt; None
        searches the sizes that a phone photo may have.
        """
        start = np.zeros(2, np.float32)
        if roi is not None:
            image, start = np.ascontiguousarray(image[roi.rows, roi.columns]), roi.start
        if tile_px is None:
            tiles, sticks, candidates, of_any_size = self._search(image)
            faint = sticks.chosen(np.zeros(len(sticks.quads), np.bool_))
        else:
            scale = 1.0 if self._band[0] <= tile_px <= self._band[1] else self._middle / tile_px
            tiles, faint = self._detect(image, scale, self._thresholds[0], STICK_CANDIDATE)
            sticks = faint.chosen(faint.scores > self._thresholds[1])
            width = short_sides(tiles.quads)
            tiles = candidates = uniform(tiles.chosen((width > 0.6 * tile_px) & (width < 1.6 * tile_px)), tile_px)
            of_any_size = no_finds()
        of_any_size = within_window(of_any_size, roi)
        tiles = without_doubles(within_window(tiles, roi))
        sticks = without_row_edges(without_doubles(within_window(sticks, roi)), tiles.quads)
        faint = without_doubles(within_window(faint, roi))
        return Located(
            tiles=tiles.quads + start,
            tile_scores=tiles.scores,
            sticks=sticks.quads + start,
            stick_scores=sticks.scores,
            stick_values=tuple(int(value) for value in sticks.values),
            candidates=quads_not_among(candidates.quads, tiles.quads) + start,
            stick_candidates=quads_not_among(faint.quads, sticks.quads) + start,
            of_any_size=replace(of_any_size, quads=of_any_size.quads + start),
        )

    @property
    def _middle(self) -> float:
        return float(np.sqrt(self._band[0] * self._band[1]))

    def _search(self, image: Image) -> tuple[Finds, Finds, Finds, Finds]:
        """Searches a photo in all possible sizes.

        Returns tiles and sticks, everything of the tiles' size that may be a tile, and everything of any size.
        """
        small = at_most(image, _WIDEST)
        ratio = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]], np.float32)
        tiles, sticks, candidates, of_any_size = (stretched(found, ratio) for found in self._search_small(small))
        return tiles, sticks, candidates, of_any_size

    def _search_small(self, image: Image) -> tuple[Finds, Finds, Finds, Finds]:
        """Searches a picture whose longest side is at most `_WIDEST`; returns the same as `_search`."""
        threshold, longest = self._thresholds[0], max(image.shape[:2])
        scale = 1.0 if longest > 1000 else _STEP
        parts: list[tuple[Finds, Finds]] = []
        while not parts or longest * scale >= _SMALLEST_PX:
            parts.append(self._detect(image, scale, CANDIDATE))
            scale /= _STEP
        of_any_size = joined([tiles for tiles, _ in parts])
        tiles = without_doubles(of_any_size.chosen(of_any_size.scores > threshold))
        if not len(tiles.quads):
            return tiles, sure_sticks(joined([sticks for _, sticks in parts])), tiles, of_any_size
        usual_width = width_of_most(tiles)
        scale = float(np.clip(self._middle / usual_width, _SMALLEST_PX / longest, min(2.0, _CLOSEST / longest)))
        parts.append(self._detect(image, scale, CANDIDATE))
        tiles = joined([tiles for tiles, _ in parts])
        sticks = sure_sticks(joined([sticks for _, sticks in parts]))
        length = long_sides(sticks.quads) / usual_width
        sticks = sticks.chosen((length > _STICK_TILES[0]) & (length < _STICK_TILES[1]))
        return (
            of_usual_size(tiles, usual_width, threshold),
            sticks,
            without_doubles(of_usual_size(tiles, usual_width, CANDIDATE / 3), is_same),
            tiles,
        )

    def _detect(
        self, image: Image, scale: float, least_score: float, least_stick_score: float | None = None
    ) -> tuple[Finds, Finds]:
        """Detects once at this scale: tiles of at least `least_score`, sticks of at least `least_stick_score`."""
        least_stick_score = self._thresholds[1] if least_stick_score is None else least_stick_score
        height, width = image.shape[:2]
        if scale != 1.0:
            interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            fx, fy = max(scale, 1 / width), max(scale, 1 / height)  # a narrow strip keeps at least one pixel
            image = np.asarray(cv2.resize(image, None, fx=fx, fy=fy, interpolation=interpolation), np.uint8)
        ratio = np.array([width / image.shape[1], height / image.shape[0]], np.float32)
        down, right = (-size % _MULTIPLE for size in image.shape[:2])
        if down or right:
            image = np.asarray(cv2.copyMakeBorder(image, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
        maps = self._maps(image)
        found = [_peaks(maps, layer, least_score) for layer, least_score in enumerate((least_score, least_stick_score))]
        tiles = fitting(
            found[0], short_sides(found[0].quads), (self._band[0] * 0.75, self._middle, self._band[1] * 1.3)
        )
        sticks = fitting(found[1], long_sides(found[1].quads), (45.0, 110.0, 220.0))
        return stretched(tiles, ratio), stretched(sticks, ratio)

    def _maps(self, image: Image) -> Floats32:
        """Returns the network's output [CHANNELS, H, W]; the picture's sides are multiples of `_MULTIPLE`.

        A picture larger than `_MOST_PX` is processed in parts along its longer side, each with the surroundings that
        the network sees, so that the output is the same as for the whole.
        """
        axis = int(image.shape[1] > image.shape[0])
        parts = []
        for start, end in _parts(image.shape[axis], _MOST_PX // image.shape[1 - axis]):
            first = max(start - _SURROUNDINGS_PX, 0)
            inner = slice((start - first) // STRIDE, (end - first) // STRIDE)
            part_maps = self._maps_of(
                image[first : end + _SURROUNDINGS_PX] if axis == 0 else image[:, first : end + _SURROUNDINGS_PX]
            )
            parts.append(part_maps[:, inner] if axis == 0 else part_maps[:, :, inner])
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1 + axis)

    def _maps_of(self, image: Image) -> Floats32:
        height, width = image.shape[:2]
        shape = (1, CHANNELS, height // STRIDE, width // STRIDE)
        channels = np.array(cv2.split(image), np.float32)
        (maps,) = outputs_of(self._session, {"image": channels[None]}, {"maps": shape})
        return np.asarray(maps[0], np.float32)


def is_long(image: Image) -> bool:
    """Returns whether a picture is long, like a panorama: without a known scale, little is found in it."""
    return bool(max(image.shape[:2]) > max(_WIDEST, _LONG * min(image.shape[:2])))


def at_most(image: Image, longest: int) -> Image:
    """Returns the picture, shrunk if its longer side has more than `longest` pixels."""
    scale = longest / max(image.shape[:2])
    if scale >= 1:
        return image
    size = max(round(image.shape[1] * scale), 1), max(round(image.shape[0] * scale), 1)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _parts(length: int, longest: int) -> list[tuple[int, int]]:
    """Splits the length of a picture's side into about equal parts, each at most `longest` with its surroundings."""
    number = max(1, ceil((length - 2 * _SURROUNDINGS_PX) / max(longest - 2 * _SURROUNDINGS_PX, _SURROUNDINGS_PX)))
    step = (length - 2 * _SURROUNDINGS_PX) / number
    cuts = [round((_SURROUNDINGS_PX + step * n) / _MULTIPLE) * _MULTIPLE for n in range(1, number)]
    return list(pairwise([0, *cuts, length]))


def decode(maps: Floats32, *, layer: int, least_score: float) -> tuple[Floats32, Floats32]:
    """Decodes quads [N, 4, 2] and scores [N] from the network's output [CHANNELS, H, W], best first.

    `layer` 0 is tiles, 1 sticks; quads are in pixels of the network's input picture.
    """
    found = without_doubles(_peaks(maps, layer, least_score))
    return found.quads, found.scores


def _peaks(maps: Floats32, layer: int, least_score: float) -> Finds:
    """Decodes the quads at the local maxima of one kind's layer."""
    heat = maps[layer]
    high = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    hot = np.flatnonzero(heat > np.log(least_score / (1 - least_score)))
    rows, columns = np.divmod(hot[heat.ravel()[hot] >= high.ravel()[hot]], heat.shape[1])
    answers = maps[:, rows, columns]
    scores = 1 / (1 + np.exp(-answers[layer]))
    middles = (np.stack([columns, rows], axis=1) + answers[2:4].T) * STRIDE + (STRIDE - 1) / 2
    long = _half(answers[4], answers[6:8], LONG_UNIT)
    short = _half(answers[5], answers[8:10], SHORT_UNIT)
    clockwise = short[:, 0] * long[:, 1] - short[:, 1] * long[:, 0] > 0
    short = np.where(clockwise[:, None], short, -short)
    quads = np.stack(
        [middles - short - long, middles + short - long, middles + short + long, middles - short + long], 1
    )
    return Finds(
        quads=quads.astype(np.float32),
        scores=scores.astype(np.float32),
        fit=np.ones(len(scores), np.float32),
        values=_values(answers[10:]),
    )


def _half(logarithm: Floats32, turn: Floats32, unit: float) -> Floats:
    """Returns half-axes [N, 2] from the logarithms of their lengths [N] in `unit` and their doubled angles [2, N]."""
    angle = np.arctan2(turn[1], turn[0]) / 2
    length = np.exp(np.clip(logarithm, -4, 4)) * unit
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None], np.float64)


def _values(logits: Floats32) -> npt.NDArray[np.int64]:
    """Returns the values of sticks [N] from logits [4, N]; 0 where none is probable enough."""
    powers = np.exp(logits - logits.max(axis=0, initial=-60.0))
    chance = powers / powers.sum(axis=0)
    likeliest = chance.argmax(axis=0)
    is_sure = chance.max(axis=0, initial=0.0) >= _SURE_OF_VALUE[likeliest]
    return np.where(is_sure, np.array(STICK_VALUES, np.int64)[likeliest], 0)

"""Classifies which face a crop of a tile shows, and which way up it is.

Each tile is read alone; other modules weigh what the rest of the table makes likely. A quad outlines the printed face:
four corners in pixels, clockwise from the glyph's top left or from the opposite corner; its first side (corner 0 to
corner 1) is a short one.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.confidence import SURE
from vision.errors import ModelError
from vision.felt import CLASSES, NOT_A_TILE, Reading
from vision.reading.weights import Weights, load, session

WIDTH: Final = 48
"""Pixels across a crop; the glyph's own width."""
HEIGHT: Final = 64
AT_ONCE: Final = 8
"""Batch size of the model: each crop needs 0.8 MB, and more of them do not fit into a processor's cache."""
_LAID_OUT: Final = 16 * AT_ONCE
"""The number of crops, of 5 MB in all, that are converted to the model's layout before it runs: between its runs, which
use the whole cache, that would take longer.
"""
ALTERNATIVES: Final = 4
"""Number of alternatives in a reading."""
_MAX_OVERSAMPLING: Final = 8
_WORTH_A_COPY: Final = 0.25
"""From this ratio of pixels to cut out to pixels of the picture on, a copy of the picture with four channels pays off:
pixels are cut out of it in half the time.
"""
_SMALL: Final = 26.0
"""Pixels across a face below which linear interpolation would blur its strokes."""
_VARIATIONS: Final = tuple(
    cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), angle, scale)
    + np.array([[0, 0, shift], [0, 0, shift]])
    for angle, scale, shift in ((0, 1.05, 0), (0, 0.95, 0), (3, 1, 0), (-3, 1, 0), (0, 1, 1.5), (0, 1, -1.5))
)
"""Variations of the crop for a second reading of uncertain tiles: scaled, rotated and shifted a little. Quads are not
exact, and the mean of several crops errs less.
"""


def crops(image: Image, quads: npt.ArrayLike) -> Image:
    """Cuts each quad out of a BGR image as an upright portrait.

    Takes quads of shape [N, 4, 2] in pixels (x, y); returns uint8 of shape [N, 64, 48, 3]. Large faces are averaged
    down, not sampled, so that thin strokes remain visible; small ones are enlarged by cubic interpolation.
    """
    corners = np.asarray(quads, dtype=np.float32).reshape(-1, 4, 2)
    across = np.linalg.norm(corners[:, [1, 2]] - corners[:, [0, 3]], axis=2).max(axis=1, initial=0.0)
    cut: Image = np.empty((len(corners), HEIGHT, WIDTH, 3), np.uint8)
    is_small, is_large = across < _SMALL, across >= 1.5 * WIDTH
    for index in np.flatnonzero(is_small).tolist():
        cut[index] = _cut_warped(image, corners[index], interpolation=cv2.INTER_CUBIC)
    for index in np.flatnonzero(is_large).tolist():
        cut[index] = _cut_averaged(image, corners[index], float(across[index]))
    is_middling = ~(is_small | is_large)
    cut[is_middling] = _cut_directly(image, corners[is_middling])
    return cut


def _cut_directly(image: Image, corners: Floats32) -> Image:
    """Cuts out quads that are about as wide as a crop."""
    if len(corners) * WIDTH * HEIGHT < _WORTH_A_COPY * image.shape[0] * image.shape[1]:
        return np.array([_cut_warped(image, quad) for quad in corners], np.uint8).reshape(-1, HEIGHT, WIDTH, 3)
    copy = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA), np.uint8)
    cut = np.array([_cut_warped(copy, quad) for quad in corners], np.uint8)
    three = cv2.cvtColor(cut.reshape(-1, WIDTH, 4), cv2.COLOR_BGRA2BGR)
    return np.asarray(three, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)


def _cut_averaged(image: Image, quad: Floats32, across: float) -> Image:
    """Cuts out a large quad, sampled more finely than a crop and then averaged."""
    large = _cut_warped(image, quad, int(min(np.rint(across / WIDTH), _MAX_OVERSAMPLING)))
    return np.asarray(cv2.resize(large, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _cut_warped(image: Image, quad: Floats32, factor: int = 1, interpolation: int = cv2.INTER_LINEAR) -> Image:
    """Cuts out a quad at `factor` times the size of a crop."""
    size = WIDTH * factor, HEIGHT * factor
    homography = cv2.getPerspectiveTransform(quad, _outline(*size))
    cut = cv2.warpPerspective(image, homography, size, flags=interpolation, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8)


@cache
def _outline(width: int, height: int) -> Floats32:
    """Returns the corners of a crop; they begin at -0.5, since the centres of pixels are at whole numbers."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - np.float32(0.5)


class FaceReader(Protocol):
    """A reader of faces: `TileReader`, or one adapted to a table's set."""

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        """Reads quads [N, 4, 2] of a BGR picture, in order."""
        ...


class TileReader:
    """The trained reader: returns calibrated readings of crops."""

    def __init__(self, *, threads: int = 1, weights: Weights | None = None) -> None:
        """Loads the shipped model, or `weights` if given.

        Raises:
            ModelError: the weights are not usable (`vision.reading.weights.load`) or have other classes.
        """
        self._weights = load("tiles") if weights is None else weights
        manifest = self._weights.manifest
        if manifest.classes != CLASSES or manifest.input != (3, HEIGHT, WIDTH):
            raise ModelError(
                f"expected {len(CLASSES)} classes in the order of vision.felt and input (3, {HEIGHT}, {WIDTH}), "
                f"got {len(manifest.classes)} and {manifest.input!r}, in {self._weights.path}"
            )
        self._upright = frozenset(manifest.details.get("upright", ()))
        self._session = session(self._weights, threads)

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        """Reads every quad (shape [N, 4, 2], see the module) of a BGR image, in order."""
        return self.read_crops(crops(image, quads))

    def read_crops(self, cut: Image) -> list[Reading]:
        """Reads crops of shape [N, 64, 48, 3] as `crops` makes them."""
        probabilities, turned, _ = self.outputs(cut)
        return self.readings(probabilities, turned)

    def outputs(self, cut: Image) -> tuple[Floats32, Floats32, Floats32]:
        """Returns calibrated probabilities [N, 39], the chance of being upside down [N], and embeddings [N, D]."""
        if len(cut) == 0:
            return np.empty((0, len(CLASSES)), np.float32), np.empty(0, np.float32), np.empty((0, 0), np.float32)
        probabilities, turned, embedding = self._infer(cut)
        is_doubtful = probabilities.max(axis=1) < SURE
        if is_doubtful.any():
            again, _, _ = self._infer(np.concatenate([_varied(cut[is_doubtful], move) for move in _VARIATIONS]))
            variants = again.reshape(len(_VARIATIONS), -1, len(CLASSES))
            probabilities[is_doubtful] = np.mean([probabilities[is_doubtful], *variants], axis=0)
        return probabilities, turned, embedding

    def _infer(self, cut: Image) -> tuple[Floats32, Floats32, Floats32]:
        """Returns `outputs` of one or more crops, from a single pass."""
        runs = [run for first in range(0, len(cut), _LAID_OUT) for run in self._run(cut[first : first + _LAID_OUT])]
        logits, turned, embedding = (np.concatenate(parts) for parts in zip(*runs, strict=True))
        scaled = np.asarray(logits / self._weights.manifest.temperature, dtype=np.float32)
        return _softmax(scaled), _sigmoid(turned.reshape(-1)), embedding

    def _run(self, cut: Image) -> list[list[Floats32]]:
        """Returns the logits, the upside-down logit, and the embedding of each crop, in batches."""
        planes = np.empty((len(cut), 3, HEIGHT, WIDTH), np.float32)
        for channel, values in enumerate(cv2.split(cut.reshape(-1, WIDTH, 3))):
            planes[:, channel] = values.reshape(-1, HEIGHT, WIDTH)
        batches = [planes[first : first + AT_ONCE] for first in range(0, len(cut), AT_ONCE)]
        return [self._session.run(["logits", "turned", "embedding"], {"crops": batch}) for batch in batches]

    def readings(self, probabilities: Floats32, turned: Floats32) -> list[Reading]:
        """Returns the readings by probabilities [N, 39]; `turned` [N] is the probability of being upside down."""
        best = np.argsort(-probabilities, axis=1, kind="stable")[:, : ALTERNATIVES + 1]
        scores = np.take_along_axis(probabilities, best, axis=1)
        return [
            self._reading([CLASSES[index] for index in order], row, half)
            for order, row, half in zip(best.tolist(), scores.tolist(), turned.tolist(), strict=True)
        ]

    def _reading(self, names: list[str], scores: list[float], turned: float) -> Reading:
        (tile, score), *others = zip(names, scores, strict=True)
        is_turned = tile != NOT_A_TILE and tile in self._upright and turned > 0.5
        return Reading(tile=tile, score=score, alternatives=tuple(others), turned=is_turned)


def _varied(cut: Image, move: Floats) -> Image:
    varied = [cv2.warpAffine(crop, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE) for crop in cut]
    return np.asarray(varied, np.uint8)


def _softmax(logits: Floats32) -> Floats32:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def _sigmoid(logits: Floats32) -> Floats32:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -60, 60))), dtype=np.float32)

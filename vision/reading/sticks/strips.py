"""Reads point sticks from strips of the table, each cut along a possible stick at the frame's full resolution.

A strip shows 128 x 64 mm of the felt, about as wide as seven sticks side by side. It is read in 24 rows along its
length. The row at a stick's middle contains its value and exact place, so that touching sticks are read one by one.
All places are apparent places on the felt's own plane, 0 mm high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.errors import ModelError
from vision.geometry.plane_geometry import apply
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.heaps import shows_ground
from vision.reading.sticks.spots import Spot, Stick, spot_of, without_near
from vision.reading.sticks.votes import Answer, spots_across_heaps, voted_sticks
from vision.reading.weights import Weights, load, outputs_of, session

PX_PER_MM: Final = 1.5
WIDTH: Final = 192
HEIGHT: Final = 96
"""Pixels of a strip."""
ROWS: Final = 24
ANSWERS: Final = 10
"""For each row: the probability of a stick's middle, four values, the offset below the row's middle (in rows), the
slope, the offset to the right of the strip's middle, half the length and half the breadth (in strip lengths).
"""
_AT_ONCE: Final = 8
"""Batch size of the model: more takes more memory, and no less time."""
_TRACE: Final = 0.3
"""From this score on, an answer deserves mirrored looks, and a strip of its own."""
_ABOUT: Final = (10.0, 8.0, 8.0)
"""A possible stick this near to a strip's middle, along and across (mm) and in degrees, needs no other strip."""
_AMID: Final = (8.0, 4.0, 6.0)
"""A stick that was found farther than this from the middle of every strip is read again in its own."""
_ROUNDS: Final = 4
"""The most rounds of reading: each reads the sticks found in the one before, and finds further ones of a bundle."""
_MIRRORS: Final = ((-1, -1), (-1, 1), (1, -1))
"""Steps along the rows and columns of a strip for its mirror images: both reversed, then each alone."""
_MOST_FINER: Final = 32
"""The most picture pixels averaged for a strip pixel, in each direction; no picture of a table is sharper."""
_MUCH_FINER: Final = 1.6
"""From this many picture pixels per strip pixel on, the picture is averaged instead of sampled."""


ToPixels = Callable[[Floats], Floats]
"""Maps points [N, 2] on the plane of the felt, in millimetres, to pixels of the picture."""


class ReadsSticks(Protocol):
    """Reads sticks: `StripReader`."""

    def sticks(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[Stick]:
        """Returns the sticks in strips of a BGR picture about these spots, each once, best first."""
        ...


class StripReader:
    """Reads strips with `strips.onnx`, which is loaded for the first strip."""

    def __init__(self, *, threads: int = 1, weights: Weights | None = None) -> None:
        """Takes `weights` instead of the shipped ones if given."""
        self._threads = threads
        self._weights = weights

    def sticks(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[Stick]:
        """Returns the sticks in strips of a BGR picture about these spots, each once, best first.

        A stick found away from the middle of a strip is read again in its own; all strips that show a stick vote on it.
        In a heap, strips across each stick are read as well.

        Raises:
            ModelError: the weights are not usable (`vision.reading.weights.load`), or are for other strips.
        """
        is_gap = partial(_is_gap, image, to_pixels)
        answers, read_spots = self._read_on(image, to_pixels, without_near(spots, _ABOUT), [], [])
        found = voted_sticks(answers, read_spots, is_gap)
        across = spots_across_heaps([spot_of(stick.quad) for stick in found])
        if not across:
            return found
        answers, read_spots = self._read_on(
            image, to_pixels, without_near(across, _ABOUT, read_spots), answers, read_spots
        )
        return voted_sticks(answers, read_spots, is_gap)

    def _read_on(
        self, image: Image, to_pixels: ToPixels, unread: list[Spot], answers: list[Answer], read_spots: list[Spot]
    ) -> tuple[list[Answer], list[Spot]]:
        """Reads strips, and those about the sticks that these show; returns all answers and all strips read so far."""
        for _ in range(_ROUNDS):
            new = self._read(image, to_pixels, unread)
            answers = [*answers, *(answer._replace(strip=len(read_spots) + answer.strip) for answer in new)]
            read_spots = [*read_spots, *unread]
            places = [
                answer.place._replace(
                    least_score=read_spots[answer.strip].least_score, is_across=read_spots[answer.strip].is_across
                )
                for answer in answers
            ]
            unread = without_near(places, _AMID, read_spots)
        return answers, read_spots

    def answers(self, strips: Image) -> Floats32:
        """Returns the network's answers for strips [N, HEIGHT, WIDTH, 3], BGR: [N, ROWS, ANSWERS]."""
        batches = [strips[start : start + _AT_ONCE] for start in range(0, len(strips), _AT_ONCE)]
        parts = [
            outputs_of(self._session, {"strips": batch}, {"rows": (len(batch), ROWS, ANSWERS)}) for batch in batches
        ]
        return np.concatenate([rows for (rows,) in parts])

    def _mean_answers(self, strips: Image) -> Floats32:
        """Returns the answers for strips; where a stick may be, the mean for the strip and its three mirror images."""
        rows = self.answers(strips)
        promising = np.flatnonzero(_sigmoid(rows[:, :, 0].max(axis=1)) > _TRACE)
        if len(promising):
            mirrored = [
                _mirrored(self.answers(_mirrored_strips(strips[promising], mirror)), mirror) for mirror in _MIRRORS
            ]
            rows[promising] = np.mean([rows[promising], *mirrored], axis=0)
        return rows

    @cached_property
    def _session(self) -> Any:
        weights = self._weights or load("strips")
        expected = (3, HEIGHT, WIDTH), ROWS, STICK_VALUES
        details = weights.manifest.details
        got = weights.manifest.input, details.get("rows"), tuple(details.get("values", ()))
        if got != expected:
            raise ModelError(f"expected strips, rows and values {expected!r}, got {got!r}, in {weights.path}")
        return session(weights, self._threads)

    def _read(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[Answer]:
        if not spots:
            return []
        rows = self._mean_answers(np.stack([cut(image, to_pixels, spot) for spot in spots]))
        return [
            answer._replace(strip=number)
            for number, (spot, strip_rows) in enumerate(zip(spots, rows, strict=True))
            for answer in decoded(strip_rows, spot)
        ]


def strip_to_felt(spot: Spot) -> Floats:
    """Returns the homography from a strip's pixels to felt millimetres."""
    turn, step = np.radians(spot.degrees), 1 / PX_PER_MM
    c, s = np.cos(turn) * step, np.sin(turn) * step
    # Down in the strip is clockwise from its length, since the felt's y points up.
    matrix = np.array([[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, 1.0]])
    middle = np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    matrix[:2, 2] = np.array([spot.x, spot.y]) - matrix[:2, :2] @ middle
    return matrix


def cut(image: Image, to_pixels: ToPixels, spot: Spot) -> Image:
    """Cuts a strip out of a picture, [HEIGHT, WIDTH, 3]; black outside the picture."""
    frame = np.array([[0, 0], [WIDTH - 1, 0], [WIDTH - 1, HEIGHT - 1], [0, HEIGHT - 1]], np.float32)
    corners_px = to_pixels(apply(strip_to_felt(spot), frame)).astype(np.float32)
    px_per_strip_px = float(np.linalg.norm(corners_px[[0, 1, 2, 3]] - corners_px[[1, 2, 3, 0]], axis=1).sum()) / (
        2 * (WIDTH + HEIGHT - 2)
    )
    parts = round(min(px_per_strip_px, _MOST_FINER)) if px_per_strip_px >= _MUCH_FINER else 1
    inner = (frame + 0.5) * parts - 0.5
    plane = cv2.getPerspectiveTransform(inner.astype(np.float32), corners_px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    strip = cv2.warpPerspective(image, plane, (WIDTH * parts, HEIGHT * parts), flags=flags)
    if parts > 1:
        strip = cv2.resize(strip, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(strip, np.uint8)


def decoded(rows: npt.NDArray[np.floating[Any]], spot: Spot) -> Iterator[Answer]:
    """Yields the possible sticks in the network's output [ROWS, ANSWERS] for one strip."""
    chances = _sigmoid(rows[:, 0].astype(np.float64))
    padded = np.pad(chances, 1)
    # A stick on the border of two rows is half in each; the next stick is three rows away.
    scores = np.minimum(chances + np.maximum(padded[:-2], padded[2:]), 1.0)
    for row in np.flatnonzero(scores > _TRACE):
        if chances[row] < chances[max(0, row - 1) : row + 2].max():
            continue
        below, slope, across, half_long, half_short = (float(value) for value in rows[row, 5:])
        powers = np.exp(rows[row, 1:5].astype(np.float64) - rows[row, 1:5].max())
        middle = np.array([(WIDTH - 1) / 2 + across * WIDTH, (row + 0.5 + below) * HEIGHT / ROWS - 0.5])
        direction = np.array([1.0, slope]) / np.hypot(1.0, slope)
        long, short = direction * half_long * WIDTH, np.array([-direction[1], direction[0]]) * half_short * WIDTH
        corners = np.array([middle + long - short, middle + long + short, middle - long + short, middle - long - short])
        quad = apply(strip_to_felt(spot), corners)
        yield Answer(quad=quad, place=spot_of(quad), score=float(scores[row]), chances=powers / powers.sum())


def _sigmoid(logits: npt.NDArray[np.floating[Any]]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float64)


def _mirrored_strips(strips: Image, mirror: tuple[int, int]) -> Image:
    """Returns strips upside down if `mirror` starts with -1, and left to right if it ends with it."""
    return np.ascontiguousarray(strips[:, :: mirror[0], :: mirror[1]])


def _mirrored(rows: Floats32, mirror: tuple[int, int]) -> Floats32:
    """Converts the answers for mirrored strips to answers for the strips themselves."""
    down, right = mirror
    signs = np.ones(ANSWERS, np.float32)
    signs[5:8] = down, down * right, right
    return rows[:, ::down] * signs


def _is_gap(image: Image, to_pixels: ToPixels, quad: Floats, others: Sequence[Floats]) -> bool:
    """Returns whether a quad on the felt shows only other sticks and the gaps between them, and no further stick."""
    spot = spot_of(quad)
    to_strip = np.asarray(np.linalg.inv(strip_to_felt(spot)), np.float64)
    return shows_ground(
        cut(image, to_pixels, spot), apply(to_strip, quad), [apply(to_strip, other) for other in others]
    )

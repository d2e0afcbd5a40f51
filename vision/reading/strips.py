"""Reads point sticks from strips of the table, each cut along a possible stick at the frame's full resolution.

A strip shows 128 x 64 mm of the felt, about as wide as seven sticks side by side. It is read in 24 rows along its
length. The row at a stick's middle contains its value and exact place, so that touching sticks are read one by one.
All places are apparent places on the felt's own plane, 0 mm high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.confidence import RIICHI_IN_STRIP, STICK_IN_STRIP, STRIP_VALUE
from vision.errors import ModelError
from vision.geometry.plane_geometry import apply
from vision.reading.locator import STICK_VALUES
from vision.reading.weights import Weights, load, outputs_of, session

LONG_MM: Final = 128.0
WIDE_MM: Final = 64.0
PX_PER_MM: Final = 1.5
WIDTH: Final = 192
HEIGHT: Final = 96
"""Pixels of a strip."""
ROWS: Final = 24
ANSWERS: Final = 10
"""For each row: the probability of a stick's middle, four values, the offset below the row's middle (in rows), the
slope, the offset to the right of the strip's middle, half the length and half the breadth (in strip lengths).
"""
RIICHI_MM: Final = 60.0
"""Approximate distance of riichi sticks from the table's centre."""
_AT_ONCE: Final = 8
"""Batch size of the model: more takes more memory, and no less time."""
_SAME: Final = 0.3
"""Two answers that share more than this part of their combined area are one stick."""
_COVERED: Final = 0.55
"""An answer with more than this share of its area on better ones is wrong: dots of adjacent sticks form rows too."""
_BY_RIICHI_MM: Final = 25.0
_ASIDE_MM: Final = (10.0, 8.0)
"""A stick this near to a strip's middle, along and across, is read as well as in a strip of its own …"""
_LEAN_DEG: Final = 8.0
"""… if it is rotated by no more than this."""
_MUCH_FINER: Final = 1.6
"""From this many picture pixels per strip pixel on, the picture is averaged instead of sampled."""

ToPixels = Callable[[Floats], Floats]
"""Maps points [N, 2] on the plane of the felt, in millimetres, to pixels of the picture."""


class Spot(NamedTuple):
    """A strip on the felt: its middle in millimetres, and the direction of its length."""

    x: float
    y: float
    degrees: float
    trust: float = 0.0
    """The locator's confidence in a stick there, 0-1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stick:
    """A stick in its apparent place on the plane of the felt."""

    quad: Floats
    """[4, 2] in millimetres, clockwise in the picture, corners 0 and 1 on a short side."""
    value: int
    """1000, 100, 5000, 10000, or 0 if unknown."""
    score: float
    """The probability of a stick there, 0-1."""


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

        A stick is read best in the middle of a strip, so one found aside is read again in a strip about it.

        Raises:
            ModelError: the weights are not usable (`vision.reading.weights.load`), or are for other strips.
        """
        first = _once(self._read(image, to_pixels, _apart(spots)), spots)
        central = [(spot, stick) for spot, stick in first if _is_central(spot, stick)]
        aside = [spot_of(stick.quad) for spot, stick in first if not _is_central(spot, stick)]
        told = _once(central + self._read(image, to_pixels, aside), spots)
        return [stick for _, stick in told if stick.score >= STICK_IN_STRIP or _is_riichi(stick)]

    def answers(self, strips: Image) -> Floats32:
        """Returns the network's answers for strips [N, HEIGHT, WIDTH, 3], BGR: [N, ROWS, ANSWERS]."""
        batches = [strips[start : start + _AT_ONCE] for start in range(0, len(strips), _AT_ONCE)]
        parts = [outputs_of(self._session, {"strips": some}, {"rows": (len(some), ROWS, ANSWERS)}) for some in batches]
        return np.concatenate([rows for (rows,) in parts])

    @cached_property
    def _session(self) -> Any:
        weights = self._weights or load("strips")
        expected = (3, HEIGHT, WIDTH), ROWS, STICK_VALUES
        details = weights.manifest.details
        got = weights.manifest.input, details.get("rows"), tuple(details.get("values", ()))
        if got != expected:
            raise ModelError(f"expected strips, rows and values {expected!r}, got {got!r}, in {weights.path}")
        return session(weights, self._threads)

    def _read(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[tuple[Spot, Stick]]:
        if not spots:
            return []
        answers = self.answers(np.stack([cut(image, to_pixels, spot) for spot in spots]))
        return [(spot, stick) for spot, rows in zip(spots, answers, strict=True) for stick in decoded(rows, spot)]


def riichi_spots() -> list[Spot]:
    """Returns a strip for each side, where its riichi stick would lie."""
    turns = np.radians(90.0 * np.arange(4))
    return [Spot(float(RIICHI_MM * np.sin(t)), float(-RIICHI_MM * np.cos(t)), float(np.degrees(t))) for t in turns]


def spot_of(quad: Floats) -> Spot:
    """Returns the strip about a stick's quad on the felt."""
    sides = quad[1] - quad[0], quad[2] - quad[1]
    way = max(sides, key=lambda side: float(np.linalg.norm(side)))
    x, y = quad.mean(axis=0)
    return Spot(float(x), float(y), float(np.degrees(np.arctan2(way[1], way[0]))))


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
    shown = to_pixels(apply(strip_to_felt(spot), frame)).astype(np.float32)
    finer = float(np.linalg.norm(shown[[0, 1, 2, 3]] - shown[[1, 2, 3, 0]], axis=1).sum()) / (2 * (WIDTH + HEIGHT - 2))
    parts = 1 if finer < _MUCH_FINER else round(finer)
    inner = (frame + 0.5) * parts - 0.5
    plane = cv2.getPerspectiveTransform(inner.astype(np.float32), shown)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    strip = cv2.warpPerspective(image, plane, (WIDTH * parts, HEIGHT * parts), flags=flags)
    if parts > 1:
        strip = cv2.resize(strip, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(strip, np.uint8)


def decoded(rows: npt.NDArray[np.floating[Any]], spot: Spot) -> Iterator[Stick]:
    """Yields the sticks in the answers [ROWS, ANSWERS] for one strip."""
    here = 1 / (1 + np.exp(-rows[:, 0].astype(np.float64)))
    for row in np.flatnonzero(here > RIICHI_IN_STRIP):
        if here[row] < here[max(0, row - 1) : row + 2].max():
            continue
        below, slope, across, half_long, half_short = (float(value) for value in rows[row, 5:])
        powers = np.exp(rows[row, 1:5] - rows[row, 1:5].max())
        chance = powers / powers.sum()
        middle = np.array([(WIDTH - 1) / 2 + across * WIDTH, (row + 0.5 + below) * HEIGHT / ROWS - 0.5])
        way = np.array([1.0, slope]) / np.hypot(1.0, slope)
        long, short = way * half_long * WIDTH, np.array([-way[1], way[0]]) * half_short * WIDTH
        quad = np.array([middle + long - short, middle + long + short, middle - long + short, middle - long - short])
        value = STICK_VALUES[int(chance.argmax())] if chance.max() >= STRIP_VALUE else 0
        yield Stick(quad=apply(strip_to_felt(spot), quad), value=value, score=float(here[row]))


def _apart(spots: Sequence[Spot]) -> list[Spot]:
    """Returns the spots without those whose stick is read as well in an earlier strip."""
    kept: list[Spot] = []
    for spot in spots:
        if not any(_is_about(other, spot) for other in kept):
            kept.append(spot)
    return kept


def _is_about(spot: Spot, other: Spot) -> bool:
    """Returns whether the strip about `spot` reads a stick at `other` as well as a strip of its own."""
    turn = np.radians(spot.degrees)
    right, up = other.x - spot.x, other.y - spot.y
    along, across = right * np.cos(turn) + up * np.sin(turn), up * np.cos(turn) - right * np.sin(turn)
    lean = abs((other.degrees - spot.degrees + 90) % 180 - 90)
    return bool(abs(along) < _ASIDE_MM[0] and abs(across) < _ASIDE_MM[1] and lean < _LEAN_DEG)


def _is_riichi(stick: Stick) -> bool:
    """Returns whether a stick lies where riichi sticks do, and has value 1000 or an unknown one."""
    place = spot_of(stick.quad)
    away = min(np.hypot(place.x - spot.x, place.y - spot.y) for spot in riichi_spots())
    return bool(stick.value in (0, 1000) and away < _BY_RIICHI_MM)


def _is_central(spot: Spot, stick: Stick) -> bool:
    return _is_about(spot, spot_of(stick.quad))


def _once(told: Sequence[tuple[Spot, Stick]], spots: Sequence[Spot]) -> list[tuple[Spot, Stick]]:
    """Returns each stick once, best first, preferring the strip in whose middle it lies, at a find of the locator."""
    kept: list[tuple[Spot, Stick]] = []
    for spot, stick in sorted(told, key=lambda one: -_weight(one[0], one[1], spots)):
        if not _is_taken(stick.quad, [other.quad for _, other in kept]):
            kept.append((spot, stick))
    return kept


def _weight(spot: Spot, stick: Stick, spots: Sequence[Spot]) -> float:
    turn, place = np.radians(spot.degrees), spot_of(stick.quad)
    aside = abs((place.y - spot.y) * np.cos(turn) - (place.x - spot.x) * np.sin(turn))
    trust = max((other.trust for other in spots if _is_about(other, place)), default=0.0)
    return float(trust + stick.score * (1 - min(aside / WIDE_MM, 1.0)))


def _is_taken(quad: Floats, others: Sequence[Floats]) -> bool:
    """Returns whether a stick was found there already, or several sticks that it would lie across."""
    own, sizes = quad.astype(np.float32), [float(cv2.contourArea(one.astype(np.float32))) for one in (quad, *others)]
    shared = [float(cv2.intersectConvexConvex(own, other.astype(np.float32))[0]) for other in others]
    is_same = any(part > _SAME * (sizes[0] + size - part) for part, size in zip(shared, sizes[1:], strict=True))
    return is_same or sum(shared) > _COVERED * sizes[0]

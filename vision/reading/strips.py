"""Reads point sticks from strips of the table, each cut along a possible stick at the frame's full resolution.

A strip shows 128 x 64 mm of the felt, about as wide as seven sticks side by side. It is read in 24 rows along its
length. The row at a stick's middle contains its value and exact place, so that touching sticks are read one by one.
All places are apparent places on the felt's own plane, 0 mm high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image
from vision.confidence import RIICHI_IN_STRIP, STICK_ACROSS, STICK_BESIDE, STICK_IN_STRIP, STRIP_VALUE
from vision.errors import ModelError
from vision.geometry.plane_geometry import apply
from vision.reading.locator import STICK_VALUES
from vision.reading.stick_heaps import shows_ground
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
_TRACE: Final = 0.3
"""An answer from this score on is worth the other looks, and a strip of its own."""
_AGREES: Final = 0.5
"""Answers of several strips that share this part of their combined area vote for the same stick."""
_SAME: Final = 0.4
"""Two sticks that share more than this part of their combined area are one."""
_CROSSED: Final = (3.5, 8.0)
"""So are two with middles nearer than this (mm), askew by more than this (degrees): the upper would hide the print."""
_COVERED: Final = 0.55
"""An answer with more than this share of its area on better ones is wrong: dots of adjacent sticks form rows too."""
_NEXT: Final = (4.0, (4.5, 10.0), 6.5)
"""Sticks of a bundle lie so far from each other at most along (mm), so far across (mm), and askew by less (degrees)."""
_BY_RIICHI_MM: Final = 25.0
_ABOUT: Final = (10.0, 8.0, 8.0)
"""A possible stick this near to a strip's middle, along and across (mm) and in degrees, needs no other strip."""
_AMID: Final = (8.0, 4.0, 6.0)
"""A stick that was found farther than this from the middle of every strip is read again in its own."""
_ROUNDS: Final = 4
"""How often sticks found in the last strips are read again at most: each round finds further ones of a bundle."""
_FADES: Final = (12.0, 10.0, 6.0)
"""The vote of a strip fades like a bell curve with a stick's distance along and across (mm) and its lean (degrees)."""
_HEARD: Final = 0.1
"""A lesser vote does not count."""
_OWN: Final = 0.2
"""How much the answer of the strip about a stick is preferred to that of one aside."""
_MIRRORS: Final = ((-1, -1), (-1, 1), (1, -1))
"""Upside down and left to right; each alone."""
_MUCH_FINER: Final = 1.6
"""From this many picture pixels per strip pixel on, the picture is averaged instead of sampled."""

_HEAPED: Final = (45.0, 5.0)
"""Sticks nearer than this (mm) and askew by more than this (degrees) form a heap …"""
_ACROSS: Final = (20.0, -20.0, 36.0, -36.0)
"""… in which more may lie across each at about these angles: a strip shows only what lies within 14° of its length."""
_COVERED_IN_HEAP: Final = 0.8
"""The counterpart of `_COVERED` for a stick that lies across others."""

ToPixels = Callable[[Floats], Floats]
"""Maps points [N, 2] on the plane of the felt, in millimetres, to pixels of the picture."""


IsGap = Callable[[Floats, Sequence[Floats]], bool]
"""Returns whether a quad on the felt shows nothing but the given other sticks and the gaps between them."""


class Spot(NamedTuple):
    """A strip on the felt: its middle in millimetres, and the direction of its length."""

    x: float
    y: float
    degrees: float
    least: float = STICK_IN_STRIP
    """The score from which a stick found from here counts."""
    is_across: bool = False
    """Whether it is read for sticks that lie across others."""


class Answer(NamedTuple):
    """What one strip tells of one stick."""

    quad: Floats
    """As `Stick.quad`."""
    place: Spot
    """The strip of its own that it would be read in."""
    score: float
    """The probability of a stick there, 0-1."""
    chances: Floats
    """The probability of each of the four values."""
    strip: int = 0
    """The number of the strip that tells it."""


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

        A stick found aside is read again in a strip about it; all strips that show a stick vote on it. In a heap,
        strips across each stick are read as well.

        Raises:
            ModelError: the weights are not usable (`vision.reading.weights.load`), or are for other strips.
        """
        is_gap = partial(_is_gap, image, to_pixels)
        told, read = self._followed(image, to_pixels, _apart(spots, _ABOUT), [], [])
        found = _voted(told, read, is_gap)
        across = _across_heaps([spot_of(stick.quad) for stick in found])
        if not across:
            return found
        read_apart = _apart(read, _ABOUT)
        told, read = self._followed(
            image, to_pixels, _apart([*read_apart, *across], _ABOUT)[len(read_apart) :], told, read
        )
        return _voted(told, read, is_gap)

    def _followed(
        self, image: Image, to_pixels: ToPixels, unread: list[Spot], told: list[Answer], read: list[Spot]
    ) -> tuple[list[Answer], list[Spot]]:
        """Adds to the answers, and to the strips that tell them, unread strips and those about what they show."""
        for _ in range(_ROUNDS):
            new = self._read(image, to_pixels, unread)
            told = [*told, *(answer._replace(strip=len(read) + answer.strip) for answer in new)]
            read = [*read, *unread]
            places = [
                answer.place._replace(least=read[answer.strip].least, is_across=read[answer.strip].is_across)
                for answer in told
            ]
            unread = _apart([*read, *places], _AMID)[len(read) :]
        return told, read

    def answers(self, strips: Image) -> Floats32:
        """Returns the network's answers for strips [N, HEIGHT, WIDTH, 3], BGR: [N, ROWS, ANSWERS]."""
        batches = [strips[start : start + _AT_ONCE] for start in range(0, len(strips), _AT_ONCE)]
        parts = [outputs_of(self._session, {"strips": some}, {"rows": (len(some), ROWS, ANSWERS)}) for some in batches]
        return np.concatenate([rows for (rows,) in parts])

    def _looks(self, strips: Image) -> Floats32:
        """Returns the answers for strips; where a stick may be, the mean for the strip and its three mirror images."""
        rows = self.answers(strips)
        seen = np.flatnonzero(_sigmoid(rows[:, :, 0].max(axis=1)) > _TRACE)
        if len(seen):
            looks = [_mirrored(self.answers(_mirrored_strips(strips[seen], way)), way) for way in _MIRRORS]
            rows[seen] = np.mean([rows[seen], *looks], axis=0)
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
        rows = self._looks(np.stack([cut(image, to_pixels, spot) for spot in spots]))
        return [
            answer._replace(strip=number)
            for number, (spot, some) in enumerate(zip(spots, rows, strict=True))
            for answer in decoded(some, spot)
        ]


def riichi_spots(out_mm: float = RIICHI_MM) -> list[Spot]:
    """Returns a strip for each side, where its riichi stick would lie: so far from the table's centre."""
    turns = np.radians(90.0 * np.arange(4))
    return [Spot(float(out_mm * np.sin(t)), float(-out_mm * np.cos(t)), float(np.degrees(t))) for t in turns]


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


def decoded(rows: npt.NDArray[np.floating[Any]], spot: Spot) -> Iterator[Answer]:
    """Yields what the answers [ROWS, ANSWERS] for one strip tell of sticks."""
    here = _sigmoid(rows[:, 0].astype(np.float64))
    padded = np.pad(here, 1)
    # A stick on the border of two rows is half in each; the next stick is three rows away.
    scores = np.minimum(here + np.maximum(padded[:-2], padded[2:]), 1.0)
    for row in np.flatnonzero(scores > _TRACE):
        if here[row] < here[max(0, row - 1) : row + 2].max():
            continue
        below, slope, across, half_long, half_short = (float(value) for value in rows[row, 5:])
        powers = np.exp(rows[row, 1:5].astype(np.float64) - rows[row, 1:5].max())
        middle = np.array([(WIDTH - 1) / 2 + across * WIDTH, (row + 0.5 + below) * HEIGHT / ROWS - 0.5])
        way = np.array([1.0, slope]) / np.hypot(1.0, slope)
        long, short = way * half_long * WIDTH, np.array([-way[1], way[0]]) * half_short * WIDTH
        corners = np.array([middle + long - short, middle + long + short, middle - long + short, middle - long - short])
        quad = apply(strip_to_felt(spot), corners)
        yield Answer(quad=quad, place=spot_of(quad), score=float(scores[row]), chances=powers / powers.sum())


def _sigmoid(logits: npt.NDArray[np.floating[Any]]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float64)


def _mirrored_strips(strips: Image, way: tuple[int, int]) -> Image:
    """Returns strips upside down if `way` starts with -1, and left to right if it ends with it."""
    return np.ascontiguousarray(strips[:, :: way[0], :: way[1]])


def _mirrored(rows: Floats32, way: tuple[int, int]) -> Floats32:
    """Returns the answers for mirrored strips as for the strips themselves."""
    down, right = way
    signs = np.ones(ANSWERS, np.float32)
    signs[5:8] = down, down * right, right
    return rows[:, ::down] * signs


def _apart(spots: Sequence[Spot], limits: tuple[float, float, float]) -> list[Spot]:
    """Returns the spots without those within `limits` (along, across, degrees) of an earlier one that is returned."""
    kept: list[Spot] = []
    for spot in spots:
        if not any((_away(other, spot) < limits).all() for other in kept):
            kept.append(spot)
    return kept


def _away(spot: Spot, other: Spot) -> Floats:
    """Returns how far `other` is from `spot`, along and across its length in mm, and how far it is rotated."""
    turn = np.radians(spot.degrees)
    right, up = other.x - spot.x, other.y - spot.y
    along, across = right * np.cos(turn) + up * np.sin(turn), up * np.cos(turn) - right * np.sin(turn)
    return np.abs([along, across, (other.degrees - spot.degrees + 90) % 180 - 90])


def _across_heaps(found: Sequence[Spot]) -> list[Spot]:
    """Returns strips across each found stick that lies askew to a neighbour."""
    heaped = [one for one in found if any(_is_askew(one, other) for other in found)]
    return [
        one._replace(degrees=one.degrees + turn, least=STICK_ACROSS, is_across=True)
        for one in heaped
        for turn in _ACROSS
    ]


def _is_askew(one: Spot, other: Spot) -> bool:
    near, least = _HEAPED
    return bool(np.hypot(one.x - other.x, one.y - other.y) < near and _away(one, other)[2] > least)


def _is_gap(image: Image, to_pixels: ToPixels, quad: Floats, others: Sequence[Floats]) -> bool:
    """Returns whether a quad on the felt lies across sticks and the gaps between them, and is no stick."""
    spot = spot_of(quad)
    to_strip = np.asarray(np.linalg.inv(strip_to_felt(spot)), np.float64)
    return shows_ground(cut(image, to_pixels, spot), apply(to_strip, quad), [apply(to_strip, one) for one in others])


def is_riichi(stick: Stick) -> bool:
    """Returns whether a stick lies where riichi sticks do, and has value 1000 or an unknown one."""
    place = spot_of(stick.quad)
    away = min(np.hypot(place.x - spot.x, place.y - spot.y) for spot in riichi_spots())
    return bool(stick.value in (0, 1000) and away < _BY_RIICHI_MM)


def _voted(told: Sequence[Answer], spots: Sequence[Spot], is_gap: IsGap) -> list[Stick]:
    """Returns each stick once, best first, those across others last, as all strips that show its place tell it."""
    votes = [_weights(answer.place, spots) for answer in told]
    central = [n for n, answer in enumerate(told) if votes[n][answer.strip] > 0]
    sticks = {n: _vote(told[n], told, votes[n]) for n in central}
    best = {n: sticks[n].score + _OWN * votes[n][told[n].strip] for n in central}
    kept: list[Stick] = []
    for n in sorted(central, key=lambda n: (spots[told[n].strip].is_across, -best[n])):
        stick, spot, others = sticks[n], spots[told[n].strip], [other.quad for other in kept]
        if spot.is_across:
            is_kept = stick.score >= spot.least and not _is_taken(stick.quad, others, _COVERED_IN_HEAP)
            is_kept = is_kept and not is_gap(stick.quad, others)
        else:
            least = RIICHI_IN_STRIP if is_riichi(stick) else spot.least
            least = min(least, STICK_BESIDE) if _is_next(stick, kept) else least
            is_kept = stick.score >= least and not _is_taken(stick.quad, others, _COVERED)
        if is_kept:
            kept.append(stick)
    return kept


def _is_next(stick: Stick, others: Sequence[Stick]) -> bool:
    """Returns whether a stick lies against one of the others, of its value, as in a bundle."""
    along, (least, most), lean = _NEXT
    away = [_away(spot_of(other.quad), spot_of(stick.quad)) for other in others if other.value == stick.value]
    return any(a < along and least < b < most and c < lean for a, b, c in away)


def _weights(place: Spot, spots: Sequence[Spot]) -> Floats:
    """Returns the weight of each strip's vote on a stick at `place`, 0-1."""
    away = np.array([_away(spot, place) for spot in spots])
    weights = np.exp(-((away / _FADES) ** 2).sum(axis=1))
    return np.where(weights < _HEARD, 0.0, weights)


def _vote(answer: Answer, told: Sequence[Answer], weights: Floats) -> Stick:
    """Returns the stick of an answer, with the score and the value of all strips that should show it."""
    shared = {n: _overlap(answer.quad, other.quad) for n, other in enumerate(told) if weights[other.strip] > 0}
    agreeing: dict[int, Answer] = {}
    for n in sorted(shared, key=lambda n: shared[n]):
        if shared[n] >= _AGREES:
            agreeing[told[n].strip] = told[n]
    score = sum(weights[strip] * other.score for strip, other in agreeing.items()) / weights.sum()
    chances = sum(weights[strip] * other.chances for strip, other in agreeing.items())
    value = STICK_VALUES[int(chances.argmax())] if chances.max() >= STRIP_VALUE * chances.sum() else 0
    return Stick(quad=answer.quad, value=value, score=float(score))


def _overlap(one: Floats, other: Floats) -> float:
    """Returns the share of two quads' combined area that both cover."""
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).sum() > LONG_MM / 2:
        return 0.0
    first, second = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(first, second)[0])
    return shared / (float(cv2.contourArea(first)) + float(cv2.contourArea(second)) - shared)


def _is_crossed(one: Spot, other: Spot) -> bool:
    """Returns whether two answers have one middle, and lean apart."""
    near, lean = _CROSSED
    return bool(np.hypot(one.x - other.x, one.y - other.y) < near and _away(one, other)[2] > lean)


def _is_taken(quad: Floats, others: Sequence[Floats], covered: float) -> bool:
    """Returns whether a stick was found there already, or several sticks that it would lie across."""
    own, sizes = quad.astype(np.float32), [float(cv2.contourArea(one.astype(np.float32))) for one in (quad, *others)]
    shared = [float(cv2.intersectConvexConvex(own, other.astype(np.float32))[0]) for other in others]
    if any(part > _SAME * (sizes[0] + size - part) for part, size in zip(shared, sizes[1:], strict=True)):
        return True
    place = spot_of(quad)
    return sum(shared) > covered * sizes[0] or any(_is_crossed(place, spot_of(other)) for other in others)

"""Decides which sticks lie on the table, by the answers of all strips that should show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats
from vision.confidence import RIICHI_IN_STRIP, STICK_ACROSS, STICK_BESIDE, STRIP_VALUE
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.spots import LONG_MM, Spot, Stick, distances, is_riichi, spot_of

_AGREES: Final = 0.5
"""Answers of several strips that share this part of their combined area vote for the same stick."""
_SAME_STICK: Final = 0.4
"""Two sticks that share more than this part of their combined area are one."""
_CROSSED: Final = (3.5, 8.0)
"""Two sticks are one, too, if their middles are nearer than this (mm), and they are askew by more than this (degrees).

The upper one would hide the other's print."""
_IN_LINE: Final = (55.0, 4.0, 6.0)
"""Two sticks in one line are one if they are nearer than this: along, across (mm) and askew (degrees). The shortest
sticks have 63 mm.
"""
_COVERED: Final = 0.55
"""An answer with more than this share of its area on better ones is wrong: dots of adjacent sticks form rows too."""
_COVERED_IN_HEAP: Final = 0.8
"""The counterpart of `_COVERED` for a stick that lies across others."""
_ASKEW: Final = 5.0
"""A stick lies across another one if it is askew by more than this (degrees)."""
_NEXT: Final = (4.0, (4.5, 10.0), 6.5)
"""How far apart two sticks of a bundle lie: along, at most (mm); across, from and to (mm); askew, at most (degrees)."""
_FADES: Final = (12.0, 10.0, 6.0)
"""The vote of a strip fades like a bell curve with a stick's distance along and across (mm) and its lean (degrees)."""
_LEAST_VOTE: Final = 0.1
"""A lesser vote does not count."""
_OWN_STRIP: Final = 0.2
"""How much an answer from a stick's own strip is preferred to one from a strip farther away."""
_HEAPED: Final = (45.0, 5.0)
"""Sticks nearer than this (mm) and askew by more than this (degrees) form a heap."""
_ACROSS: Final = (20.0, -20.0, 36.0, -36.0)
"""Angles at which other sticks of a heap may lie across one: a strip shows only what is within 14° of its length."""

IsGap = Callable[[Floats, Sequence[Floats]], bool]
"""Returns whether a quad on the felt shows nothing but the given other sticks and the gaps between them."""


class Answer(NamedTuple):
    """A possible stick as one strip shows it."""

    quad: Floats
    """As `Stick.quad`."""
    place: Spot
    """Its own strip, about its middle."""
    score: float
    """The probability of a stick there, 0-1."""
    chances: Floats
    """The probability of each of the four values."""
    strip: int = 0
    """The number of the strip that shows it."""


def voted_sticks(answers: Sequence[Answer], spots: Sequence[Spot], is_gap: IsGap) -> list[Stick]:
    """Returns each stick once, by the votes of all strips that show its place: best first, those across others last."""
    votes = _weights([answer.place for answer in answers], spots)
    central = [n for n, answer in enumerate(answers) if votes[n][answer.strip] > 0]
    sticks = {n: _vote(answers[n], answers, votes[n]) for n in central}
    best = {n: sticks[n].score + _OWN_STRIP * votes[n][answers[n].strip] for n in central}
    accepted: list[Stick] = []
    for n in sorted(central, key=lambda n: (spots[answers[n].strip].is_across, -best[n])):
        stick, spot = sticks[n], spots[answers[n].strip]
        if _is_accepted(stick, spot, accepted, is_gap):
            accepted.append(stick)
    return accepted


def _is_accepted(stick: Stick, spot: Spot, others: Sequence[Stick], is_gap: IsGap) -> bool:
    """Returns whether a stick is sure enough, and enough of it is visible among `others`, which are surer."""
    if spot.is_across:
        return stick.score >= spot.least_score and _shows_across(stick, others, is_gap)
    least_score = RIICHI_IN_STRIP if is_riichi(stick) else spot.least_score
    if _is_next(stick, others):
        least_score = min(least_score, STICK_BESIDE)
    is_clear = not _is_covered(stick, others, _COVERED)
    return stick.score >= least_score and (
        is_clear or (_is_askew(stick, others) and _shows_across(stick, others, is_gap))
    )


def _shows_across(stick: Stick, others: Sequence[Stick], is_gap: IsGap) -> bool:
    """Returns whether enough of a stick is visible among the others that it lies across."""
    return not _is_covered(stick, others, _COVERED_IN_HEAP) and not is_gap(stick.quad, [other.quad for other in others])


def _is_askew(stick: Stick, others: Sequence[Stick]) -> bool:
    """Returns whether a stick lies askew to every other stick that it overlaps."""
    crossed = [spot_of(other.quad) for other in others if _shared_area(stick.quad, other.quad) > 0]
    return bool((distances(crossed, [spot_of(stick.quad)])[..., 2] > _ASKEW).all())


def _is_next(stick: Stick, others: Sequence[Stick]) -> bool:
    """Returns whether a stick lies against another one of its value, as in a bundle."""
    along, (least, most), lean = _NEXT
    same_value = [spot_of(other.quad) for other in others if other.value == stick.value]
    apart = distances(same_value, [spot_of(stick.quad)])
    return bool(((apart < (along, most, lean)).all(axis=2) & (apart[..., 1] > least)).any())


def _weights(places: Sequence[Spot], spots: Sequence[Spot]) -> Floats:
    """Returns the weight of each strip's vote on a stick at each of the places, 0-1: [places, strips]."""
    weights = np.exp(-((distances(spots, places) / _FADES) ** 2).sum(axis=2)).T
    return np.where(weights < _LEAST_VOTE, 0.0, weights)


def _vote(answer: Answer, answers: Sequence[Answer], weights: Floats) -> Stick:
    """Returns the stick of an answer, with its score and value by the votes of all strips that should show it."""
    overlaps = {n: _overlap(answer.quad, other.quad) for n, other in enumerate(answers) if weights[other.strip] > 0}
    agreeing: dict[int, Answer] = {}
    for n in sorted(overlaps, key=lambda n: overlaps[n]):
        if overlaps[n] >= _AGREES:
            agreeing[answers[n].strip] = answers[n]
    score = sum(weights[strip] * other.score for strip, other in agreeing.items()) / weights.sum()
    chances = sum(weights[strip] * other.chances for strip, other in agreeing.items())
    value = STICK_VALUES[int(chances.argmax())] if chances.max() >= STRIP_VALUE * chances.sum() else 0
    return Stick(quad=answer.quad, value=value, score=float(score))


def _overlap(one: Floats, other: Floats) -> float:
    """Returns the share of two quads' combined area that both cover."""
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).sum() > LONG_MM / 2:
        return 0.0
    shared_area = _shared_area(one, other)
    return shared_area / (_area(one) + _area(other) - shared_area)


def _shared_area(one: Floats, other: Floats) -> float:
    """Returns the area that two quads both cover."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def _area(quad: Floats) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def _is_crossed(spot: Spot, others: Sequence[Spot]) -> bool:
    """Returns whether one of the others has about the same middle as a spot, but lies askew to it."""
    near, lean = _CROSSED
    away = distances(others, [spot])
    return bool(((np.hypot(away[..., 0], away[..., 1]) < near) & (away[..., 2] > lean)).any())


def _is_covered(stick: Stick, others: Sequence[Stick], covered: float) -> bool:
    """Returns whether another stick was found there or in its line, or others that share more than `covered` of it."""
    size, shared_areas = _area(stick.quad), [_shared_area(stick.quad, other.quad) for other in others]
    sizes = [_area(other.quad) for other in others]
    if any(part > _SAME_STICK * (size + other - part) for part, other in zip(shared_areas, sizes, strict=True)):
        return True
    places = [spot_of(other.quad) for other in others]
    is_in_line = bool((distances(places, [spot_of(stick.quad)]) < _IN_LINE).all(axis=2).any())
    return is_in_line or sum(shared_areas) > covered * size or _is_crossed(spot_of(stick.quad), places)


def spots_across_heaps(spots: Sequence[Spot]) -> list[Spot]:
    """Returns strips across each found stick that lies askew to a neighbour."""
    near, least = _HEAPED
    away = distances(spots, spots)
    is_askew = np.asarray((np.hypot(away[..., 0], away[..., 1]) < near) & (away[..., 2] > least), np.bool_)
    return [
        spot._replace(degrees=spot.degrees + turn, least_score=STICK_ACROSS, is_across=True)
        for spot, is_heaped in zip(spots, np.asarray(is_askew.any(axis=1), np.bool_), strict=True)
        if is_heaped
        for turn in _ACROSS
    ]

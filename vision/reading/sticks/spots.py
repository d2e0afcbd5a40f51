"""Where a strip lies on the felt, and which sticks and strips are near each other.

All places are apparent places on the felt's own plane, 0 mm high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from vision.arrays import Floats, Mask
from vision.confidence import STICK_IN_STRIP

LONG_MM: Final = 128.0
WIDE_MM: Final = 64.0
"""Length and width of the part of the felt that a strip shows."""
RIICHI_MM: Final = 60.0
"""Approximate distance of riichi sticks from the table's centre."""
_BY_RIICHI_MM: Final = 25.0
"""A stick this near to the place of a riichi stick may be one."""


class Spot(NamedTuple):
    """A strip on the felt: its middle in millimetres, and the direction of its length."""

    x: float
    y: float
    degrees: float
    least_score: float = STICK_IN_STRIP
    """The least score at which a stick found in this strip counts."""
    is_across: bool = False
    """Whether it is read for sticks that lie across others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stick:
    """A stick in its apparent place on the plane of the felt."""

    quad: Floats
    """[4, 2] in millimetres, clockwise in the picture, corners 0 and 1 on a short side."""
    value: int
    """1000, 100, 5000, 10000, or 0 if unknown."""
    score: float
    """The probability of a stick there, 0-1."""


def riichi_spots(out_mm: float = RIICHI_MM) -> list[Spot]:
    """Returns a strip for each side, where its riichi stick would lie, `out_mm` from the table's centre."""
    turns = np.radians(90.0 * np.arange(4))
    return [Spot(float(out_mm * np.sin(t)), float(-out_mm * np.cos(t)), float(np.degrees(t))) for t in turns]


def spot_of(quad: Floats) -> Spot:
    """Returns the strip about a stick's quad on the felt."""
    sides = quad[1] - quad[0], quad[2] - quad[1]
    long_side = max(sides, key=lambda side: float(np.linalg.norm(side)))
    x, y = quad.mean(axis=0)
    return Spot(float(x), float(y), float(np.degrees(np.arctan2(long_side[1], long_side[0]))))


def is_riichi(stick: Stick) -> bool:
    """Returns whether a stick lies where riichi sticks do, and has value 1000 or an unknown one."""
    place = spot_of(stick.quad)
    away = min(np.hypot(place.x - spot.x, place.y - spot.y) for spot in riichi_spots())
    return bool(stick.value in (0, 1000) and away < _BY_RIICHI_MM)


def without_near(spots: Sequence[Spot], limits: tuple[float, float, float], used: Sequence[Spot] = ()) -> list[Spot]:
    """Returns the spots without those within `limits` (along, across, degrees) of an earlier one that is kept.

    Spots as near to one of `used` are left out as well.
    """
    is_free = ~_are_near(used, spots, limits).any(axis=0)
    is_near = _are_near(spots, spots, limits)
    is_returned = np.zeros(len(spots), np.bool_)
    for n in np.flatnonzero(is_free):
        is_returned[n] = not (is_near[:, n] & is_returned).any()
    return [spot for spot, is_kept in zip(spots, is_returned, strict=True) if is_kept]


def _are_near(spots: Sequence[Spot], others: Sequence[Spot], limits: tuple[float, float, float]) -> Mask:
    """Returns which of `others` are within the limits of each spot, [N, M]."""
    return np.asarray((distances(spots, others) < limits).all(axis=2), np.bool_)


def distances(spots: Sequence[Spot], others: Sequence[Spot]) -> Floats:
    """Returns how far each of `others` is from each spot, along and across its length in mm, and how far it is rotated.

    The shape is [N, M, 3].
    """
    first, second = (np.array([spot[:3] for spot in group], np.float64).reshape(-1, 3) for group in (spots, others))
    right, up, lean = np.moveaxis(second[None] - first[:, None], 2, 0)
    cosine, sine = np.cos(np.radians(first[:, 2:])), np.sin(np.radians(first[:, 2:]))
    offsets = right * cosine + up * sine, up * cosine - right * sine, (lean + 90) % 180 - 90
    return np.asarray(np.abs(np.stack(offsets, axis=2)), np.float64)

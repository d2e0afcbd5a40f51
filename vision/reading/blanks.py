"""Identifies blank tiles by comparison: each has the colour of this table's faces or of its backs.

Under yellow light, a haku without a frame looks like a pale back, and a dark back like a haku in shadow. Dozens of
other faces and backs lie on the same table under the same light, so a blank tile is compared with the nearest ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import BY_COLOUR, LIKELY, SURE
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.reading.reader import HEIGHT, WIDTH

HAKU: Final = "5z"
_BLANK: Final = frozenset({HAKU, BACK, NOT_A_TILE})
_EVEN: Final = 5.0
"""A blank tile's colours deviate from their mean by less than this, in CIE Lab."""
_ALIKE: Final = 12.0
"""Two colours nearer than this in CIE Lab are the same under one light …"""
_CLEARLY: Final = 0.5
"""… if the other colour is farther away: the distance to the nearer one is at most this share of it."""
_APART: Final = 14.0
"""A back nearer than this to the faces' colour is a misread haku, or its colour decides nothing."""
_LIKE_A_TILE: Final = 0.3
"""Something less probable than this to be a blank tile is none, even with the colour of the faces."""
_FEWEST: Final = 3
_NEAREST: Final = 5
_PAPER: Final = (55, 92)
"""Percentiles of lightness between which a printed face shows its background."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """The colours of some tiles in CIE Lab, and where they lie."""

    middles: Floats
    """[N, 2], in any consistent unit."""
    lab: Floats32
    """[N, 3]."""

    def near(self, middle: Floats) -> Floats32 | None:
        """Returns the mean colour of the nearest tiles, [3]; None if there are too few."""
        if len(self.lab) < _FEWEST:
            return None
        nearest = np.argsort(np.linalg.norm(self.middles - middle, axis=1), kind="stable")[:_NEAREST]
        return np.asarray(np.median(self.lab[nearest], axis=0), np.float32)

    def chosen(self, which: Mask) -> Colours:
        """Returns a selection of them."""
        return Colours(middles=self.middles[which], lab=self.lab[which])


def samples_of(cut: Image) -> Floats32:
    """Returns the colours in each of the crops [N, 64, 48, 3] of `vision.reading.reader`: [N, K, 3] in CIE Lab."""
    inner = cut[:, HEIGHT // 6 : -HEIGHT // 6 : 2, WIDTH // 6 : -WIDTH // 6 : 2]
    return lab_of(inner.reshape(len(cut), inner.shape[1] * inner.shape[2], 3))


def lab_of(pixels: Image) -> Floats32:
    """Converts BGR bytes [N, K, 3] to CIE Lab."""
    if not pixels.size:
        return np.zeros(pixels.shape, np.float32)
    return np.asarray(cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def known_colours(samples: Floats32, middles: Floats, readings: Sequence[Reading]) -> tuple[Colours, Colours]:
    """Returns the colours behind printed faces, and those of backs, from surely read tiles."""
    tiles = np.array([reading.tile if reading.score >= SURE else NOT_A_TILE for reading in readings], np.str_)
    printed, backs = ~np.isin(tiles, list(_BLANK)), tiles == BACK
    paper = np.array([_paper(one) for one in samples[printed]], np.float32).reshape(-1, 3)
    faces = Colours(middles=middles[printed], lab=paper)
    told = Colours(middles=middles[backs], lab=samples[backs].mean(axis=1).astype(np.float32).reshape(-1, 3))
    apart = [
        (near := faces.near(middle)) is None or _distance(colour, near) >= _APART
        for middle, colour in zip(told.middles, told.lab, strict=True)
    ]
    return faces, told.chosen(np.array(apart, np.bool_))


def identify_blanks(
    readings: Sequence[Reading], samples: Floats32, middles: Floats, faces: Colours, backs: Colours
) -> list[Reading]:
    """Returns the readings, with blank tiles identified by colour if the table shows both faces and backs."""
    return [
        _by_colour(reading, own, middle, faces, backs)
        for reading, own, middle in zip(readings, samples, middles, strict=True)
    ]


def _by_colour(reading: Reading, own: Floats32, middle: Floats, faces: Colours, backs: Colours) -> Reading:
    paper, back = faces.near(middle), backs.near(middle)
    if reading.tile not in _BLANK or paper is None or back is None or float(own.std(axis=0).max()) > _EVEN:
        return reading
    colour = own.mean(axis=0)
    to_paper, to_back = _distance(colour, paper), _distance(colour, back)
    if to_paper < min(_ALIKE, _CLEARLY * to_back) and _blank_chance(reading) >= _LIKE_A_TILE:
        return _identified_as(reading, HAKU)
    if to_back < min(_ALIKE, _CLEARLY * to_paper):
        return _identified_as(reading, BACK)
    return reading


def _blank_chance(reading: Reading) -> float:
    """Returns the probability that it is a tile, and blank; other things, such as sticks, may have a face's colour."""
    return sum(
        chance for tile, chance in ((reading.tile, reading.score), *reading.alternatives) if tile in (HAKU, BACK)
    )


def _identified_as(reading: Reading, tile: str) -> Reading:
    """Returns the reading as this tile, with the score of an identification by colour."""
    if reading.tile == tile:
        return replace(reading, score=max(reading.score, BY_COLOUR))
    score = BY_COLOUR if reading.tile != NOT_A_TILE else min(BY_COLOUR, max(reading.score, LIKELY))
    return Reading(tile=tile, score=score, alternatives=((reading.tile, (1 - score) * reading.score),))


def _paper(samples: Floats32) -> Floats32:
    low, high = np.percentile(samples[:, 0], _PAPER)
    return np.asarray(samples[(samples[:, 0] >= low) & (samples[:, 0] <= high)].mean(axis=0), np.float32)


def _distance(one: Floats32, other: Floats32) -> float:
    return float(np.linalg.norm(one - other))

"""The tiles with which a blank one is compared: the colours of a table's faces and backs, and where its walls lie.

Dozens of faces and backs lie on the same table under the same light, so the nearest ones show which colour a haku or a
back has at a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import SURE
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE, Reading, Zone
from vision.reading.reader import HEIGHT, WIDTH

BLANK: Final = frozenset({HAKU, BACK, NOT_A_TILE})
"""Readings of finds that may show no print."""
EVEN: Final = 3.0
"""A blank tile's colours deviate from their mean by less than this, in CIE Lab; those of a faint print by more."""
_FRAME: Final = 10.0
"""The colours of a haku outside walls that deviate from their mean by more than this show a frame: it is no back."""
_AS_EVEN: Final = 1.5
"""In a noisy picture, a blank tile's colours deviate by up to this many times what those of the table's backs do."""
_IN_ANY_LIGHT: Final = np.array([0.5, 1.0, 1.0], np.float32)
"""Weights of a distance in CIE Lab: far from a lamp, or slanting, a colour is darker but keeps its tint."""
SAME_COLOUR: Final = 16.0
"""Two colours nearer than this may be the same under one light, unless another one is about as near."""
OTHER_COLOUR: Final = 20.0
"""Two colours farther from each other than this are not the same in any light on the table."""
_FEWEST: Final = 3
"""Fewer tiles than this give no usual colour."""
_NEAREST: Final = 5
"""The number of nearest tiles that give the colour at a place."""
_INK: Final = 5
"""The percentile of lightness at which a printed face shows its ink."""
_NEAREST_INK: Final = 3
"""The number of nearest faces whose ink shows whether a lamp is mirrored there."""
_PAPER: Final = (80, 97)
"""Percentiles of lightness between which a printed face shows its background: ink makes the others darker."""
_LIGHTEST: Final = 5
"""The lightest part of a find is one in so many of its colours: a face shows its background there."""
_REDDEST: Final = 45.0
"""No face's background is redder than this (a of CIE Lab), at most 30 were seen; a display's bright red digits have 65.

Measured on 1,700 faces on drawn tables in all lights, and on 900 in photographs."""
_MOST_YELLOW: Final = 1.2
"""What is red is not yellower (b of CIE Lab) than this many times as it is red: else it is orange."""
_TOUCHING_LENGTHS: Final = 1.3
"""Two tiles whose middles are nearer than this many tile lengths touch each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedColours:
    """The colours of some tiles in CIE Lab, and where they lie."""

    middles: Floats
    """[N, 2], in any consistent unit."""
    lab: Floats32
    """[N, 3]."""

    def nearest_colour(self, middle: Floats) -> Floats32 | None:
        """Returns the median colour [3] of the tiles nearest to `middle`; None if there are too few tiles."""
        if len(self.lab) < _FEWEST:
            return None
        return np.asarray(np.median(self.lab[self.nearest(middle)], axis=0), np.float32)

    def greatest_lightness_near(self, middle: Floats) -> float:
        """Returns the greatest lightness among the tiles nearest to `middle`; 0 if there are none."""
        return float(self.lab[self.nearest(middle), 0].max(initial=0.0))

    def nearest(self, middle: Floats, count: int = _NEAREST) -> npt.NDArray[np.intp]:
        """Returns the indexes of the `count` tiles nearest to `middle`, nearest first."""
        return np.argsort(np.linalg.norm(self.middles - middle, axis=1), kind="stable")[:count]

    def usual_lightness(self) -> float:
        """Returns the median lightness of the tiles; 0 if there are none."""
        return float(np.median(self.lab[:, 0])) if len(self.lab) else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Where some finds lie, and how surely each is a tile."""

    middles: Floats
    """[N, 2], in any consistent unit."""
    lengths: Floats
    """[N], a tile's length there, in the same unit."""
    found: Floats32
    """[N], the locator's scores."""
    zones: tuple[Zone | None, ...]
    """The zone of each find; None if unknown."""
    bare: Floats
    """[N], the lightness in CIE Lab of the bare table where each lies, as seen before; NaN if unknown."""

    def first(self, count: int) -> Spots:
        """Returns the first `count` spots."""
        return Spots(
            middles=self.middles[:count],
            lengths=self.lengths[:count],
            found=self.found[:count],
            zones=self.zones[:count],
            bare=self.bare[:count],
        )

    def are_in(self, zone: Zone) -> Mask:
        """Returns which finds lie in this zone, [N]."""
        return np.array([spot_zone is zone for spot_zone in self.zones], np.bool_)

    def are_beside(self, others: Floats) -> Mask:
        """Returns which finds touch a tile with one of these middles [M, 2]; none touches itself."""
        away = np.linalg.norm(self.middles[:, None] - others[None], axis=2)
        return np.asarray(((away > 0) & (away < _TOUCHING_LENGTHS * self.lengths[:, None])).any(axis=1), np.bool_)


def samples_of(crops: Image) -> Floats32:
    """Returns the colours in each of the crops [N, 64, 48, 3] of `vision.reading.reader`: [N, K, 3] in CIE Lab."""
    inner = crops[:, HEIGHT // 6 : -HEIGHT // 6 : 2, WIDTH // 6 : -WIDTH // 6 : 2]
    return lab_of(inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3))


def without_displays(readings: Sequence[Reading], samples: Floats32) -> list[Reading]:
    """Returns the readings, without faces whose lightest part is too red for a background: red digits of a display.

    Lamps may be as vivid, but orange, pink or blue. `samples` are the colours in each find, [N, K, 3] in CIE Lab.
    """
    if not len(samples):
        return []
    lightest = np.argsort(samples[:, :, 0], axis=1)[:, -(samples.shape[1] // _LIGHTEST) :]
    colours = np.take_along_axis(samples, lightest[:, :, None], axis=1).mean(axis=1)
    red, yellow = colours[:, 1], colours[:, 2]
    is_red = (red > _REDDEST) & (yellow > 0) & (yellow < _MOST_YELLOW * red)
    nothing = Reading(tile=NOT_A_TILE, score=1.0)
    return [
        nothing if is_digit and reading.is_face else reading for reading, is_digit in zip(readings, is_red, strict=True)
    ]


def light_in(samples: Floats32, face_samples: Floats32) -> float:
    """Returns a blank tile's luminance as a share of that of a face's paper, from samples [K, 3] in CIE Lab."""
    return float(_luminance(samples[:, 0].mean()) / _luminance(_paper(face_samples)[0]))


def _luminance(lightness: npt.ArrayLike) -> Floats:
    """Returns the luminance, up to 1, of lightnesses in CIE Lab; what is nearly black is taken to be lighter."""
    return np.asarray(((np.maximum(lightness, 0.0) + 16.0) / 116.0) ** 3, np.float64)


def lab_of(pixels: Image) -> Floats32:
    """Converts BGR bytes [N, K, 3] to CIE Lab."""
    if not pixels.size:
        return np.zeros(pixels.shape, np.float32)
    return np.asarray(cv2.cvtColor(pixels.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTiles:
    """The tiles on a table with which a blank one is compared."""

    faces: PlacedColours
    """The colours behind surely read faces."""
    backs: PlacedColours
    """The colours of backs: surely read ones, and the blank tiles of walls."""
    back_middles: Floats
    """Where all backs lie, [N, 2]: also those by the rails, whose colours count only if few others are known."""
    walls: Mask
    """Which finds are, by their places, blank tiles of walls, [N]."""
    most_spread: float = EVEN
    """A blank tile's colours deviate from their mean by at most this."""
    ground: Floats32 | None = None
    """The colour of the bare table, [3]; None if unknown."""
    ink: Floats32
    """How light the ink of each of `faces` is in CIE Lab, [N]."""
    paper_to_bare: float
    """The luminance of most faces' paper, as a multiple of that of the bare table under them; NaN if unknown."""

    def veil_at(self, middle: Floats) -> float:
        """Returns how much lighter the ink of the nearest faces is than the median: a mirrored lamp veils prints."""
        if len(self.ink) < _FEWEST:
            return 0.0
        nearest = self.faces.nearest(middle, _NEAREST_INK)
        return float(np.median(self.ink[nearest]) - np.median(self.ink))

    def paper_lightness_on(self, bare: float) -> float:
        """Returns how light paper is in CIE Lab where the bare table has the lightness `bare`: NaN if unknown.

        Both are lit alike where the light is uneven. A mirrored lamp lightens a tile but hardly the cloth.
        """
        return float(116.0 * np.cbrt(self.paper_to_bare * _luminance(bare)) - 16.0)

    def may_be_back(self, samples: Floats32, middle: Floats) -> bool:
        """Returns whether a blank find of these colours [K, 3] may be a back by the nearest ones; True if unknown."""
        back = self.backs.nearest_colour(middle)
        return back is None or distance_between(samples.mean(axis=0), back) <= SAME_COLOUR


def known_tiles(
    readings: Sequence[Reading], samples: Floats32, spots: Spots, *, ground: Floats32 | None = None
) -> KnownTiles:
    """Returns the faces and backs among these tiles, and the colours that they show; `ground` is the bare table's."""
    sure = [reading.tile if reading.score >= SURE else NOT_A_TILE for reading in readings]
    printed = ~np.isin(np.array(sure, np.str_), list(BLANK))
    paper = np.array([_paper(sample) for sample in samples[printed]], np.float32).reshape(-1, 3)
    faces = PlacedColours(middles=spots.middles[printed], lab=paper)
    is_framed = np.array([tile == HAKU for tile in sure], np.bool_) & (samples.std(axis=1).max(axis=1) > _FRAME)
    is_blank = np.array([blank_chance(reading) >= SURE for reading in readings], np.bool_)
    walls = _walls(is_blank, printed, spots)
    colours = samples.mean(axis=1).astype(np.float32).reshape(-1, 3)
    is_back = walls.copy()
    for index in np.flatnonzero(is_blank & ~walls & ~is_framed).tolist():
        face_colour = faces.nearest_colour(spots.middles[index])
        least_distance = SAME_COLOUR if sure[index] == BACK else OTHER_COLOUR
        if face_colour is None:
            is_back[index] = sure[index] == BACK
        else:
            is_back[index] = distance_between(colours[index], face_colour) >= least_distance
    back_middles = spots.middles[is_back]
    # By the rails, wood and the backs of standing hands look like tiles that lie face down.
    is_away = is_back & ~spots.are_in(Zone.HAND)
    is_back = is_away if is_away.sum() >= _FEWEST else is_back
    backs = PlacedColours(middles=spots.middles[is_back], lab=colours[is_back])
    return KnownTiles(
        faces=faces,
        backs=backs,
        back_middles=back_middles,
        walls=walls,
        most_spread=_most_spread(samples[is_back]),
        ground=ground,
        ink=np.percentile(samples[printed, :, 0], _INK, axis=1).astype(np.float32),
        paper_to_bare=_paper_to_bare(paper, spots.bare[printed]),
    )


def _paper_to_bare(paper: Floats32, bare: Floats) -> float:
    """Returns the median ratio of the luminances of faces' paper [N, 3] and of the bare table there [N]; else NaN."""
    ratios = (_luminance(paper[:, 0]) / _luminance(bare))[~np.isnan(bare)]
    return float(np.median(ratios)) if len(ratios) >= _FEWEST else float("nan")


def _most_spread(samples: Floats32) -> float:
    """Returns how far a blank tile's colours may deviate from their mean on a table with these backs, [N, K, 3]."""
    usual_spread = float(np.median(samples.std(axis=1).max(axis=1))) if len(samples) >= _FEWEST else 0.0
    return max(EVEN, _AS_EVEN * usual_spread)


def _walls(is_blank: Mask, is_printed: Mask, spots: Spots) -> Mask:
    """Returns which blank tiles belong to walls: those in a row with more of them than a set has hakus.

    Where walls lie, an indicator may interrupt the row; where melds lie, there is no wall.
    """
    blank = is_blank & ~spots.are_in(Zone.MELD)
    row = np.flatnonzero(blank | (is_printed & spots.are_in(Zone.WALL)))
    distances = np.linalg.norm(spots.middles[row, None] - spots.middles[None, row], axis=2)
    group = np.arange(len(row))
    for one, other in np.argwhere(distances < _TOUCHING_LENGTHS * spots.lengths[row, None]):
        group[group == group[other]] = group[one]
    blanks = np.bincount(group, weights=blank[row], minlength=len(group))[group]
    walls = np.zeros(len(is_blank), np.bool_)
    walls[row[blank[row] & (blanks > COPIES)]] = True
    return walls


def blank_chance(reading: Reading) -> float:
    """Returns the probability that a find is a blank tile, and no other thing of a face's colour, such as a stick."""
    return sum(chance for tile, chance in reading.chances.items() if tile in (HAKU, BACK))


def _paper(samples: Floats32) -> Floats32:
    low, high = np.percentile(samples[:, 0], _PAPER)
    return np.asarray(samples[(samples[:, 0] >= low) & (samples[:, 0] <= high)].mean(axis=0), np.float32)


def distance_between(one: Floats32, other: Floats32) -> float:
    """Returns the distance between two colours [3] in CIE Lab, in which lightness counts less than tint."""
    return float(np.linalg.norm((one - other) * _IN_ANY_LIGHT))

"""Identifies blank tiles by the table: by the colours of its faces and backs, by their places, and by the set's count.

Under yellow light, a haku without a frame looks like a pale back, and a dark back like a haku in shadow. Dozens of
other faces and backs lie on the same table under the same light, so a blank tile is compared with the nearest ones.
Where colours decide nothing, the place does: a river has no backs, and a row of blank tiles where walls lie is a wall.
A set has four hakus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import BACK_FOUND, BY_COLOUR, FAINT, GLARE, HAKU_IN_RIVER, LIKELY, POSSIBLE, RIVER_FACE, SURE
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE, Reading, Zone
from vision.reading.reader import HEIGHT, WIDTH

_BLANK: Final = frozenset({HAKU, BACK, NOT_A_TILE})
_EVEN: Final = 3.0
"""A blank tile's colours deviate from their mean by less than this, in CIE Lab; those of a faint print by more."""
_AS_EVEN: Final = 1.5
"""In a noisy picture, a blank tile's colours deviate by up to this many times what those of the table's backs do."""
_IN_ANY_LIGHT: Final = np.array([0.5, 1.0, 1.0], np.float32)
"""Weights of a distance in CIE Lab: far from a lamp, or slanting, a colour is darker but keeps its tint."""
_SAME_COLOUR: Final = 16.0
"""Two colours nearer than this may be the same under one light, if `_CLEAR_SHARE` allows it."""
_CLEAR_SHARE: Final = 0.5
"""A colour is the nearer one of two if its distance is at most this share of the distance of the other."""
_OTHER_COLOUR: Final = 20.0
"""Two colours farther from each other than this are not the same in any light on the table."""
_LIKE_A_TILE: Final = 0.3
"""Something less probable than this to be a blank tile is none, even with the colour of the faces."""
_FEWEST: Final = 3
_NEAREST: Final = 5
_PAPER: Final = (80, 97)
"""Percentiles of lightness between which a printed face shows its background: ink makes the others darker."""
_GLARE_LIGHTNESS: Final = 11.0
"""What is lighter than the paper of the faces around it by this much in CIE Lab mirrors a lamp: its print is not seen.

Of 155 hakus on path-traced tables none was, and of eight faces without a visible print all were."""
_CLIPPED: Final = 98.0
"""The lightness in CIE Lab from which a camera represents no more light: 250 of 255 in each colour."""
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
        """Returns the mean colour of the nearest tiles, [3]; None if there are too few."""
        if len(self.lab) < _FEWEST:
            return None
        nearest = np.argsort(np.linalg.norm(self.middles - middle, axis=1), kind="stable")[:_NEAREST]
        return np.asarray(np.median(self.lab[nearest], axis=0), np.float32)

    def usual_lightness(self) -> float:
        """Returns the lightness of most tiles; black if there are none."""
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
    """The parts of the table that they lie in; None if unknown."""

    def first(self, count: int) -> Spots:
        """Returns the first ones."""
        return Spots(
            middles=self.middles[:count],
            lengths=self.lengths[:count],
            found=self.found[:count],
            zones=self.zones[:count],
        )

    def are_in(self, zone: Zone) -> Mask:
        """Returns which lie in this part of the table."""
        return np.array([spot_zone is zone for spot_zone in self.zones], np.bool_)

    def are_beside(self, others: Floats) -> Mask:
        """Returns which finds touch a tile with one of these middles [M, 2]; none touches itself."""
        away = np.linalg.norm(self.middles[:, None] - others[None], axis=2)
        return np.asarray(((away > 0) & (away < _TOUCHING_LENGTHS * self.lengths[:, None])).any(axis=1), np.bool_)


def samples_of(crops: Image) -> Floats32:
    """Returns the colours in each of the crops [N, 64, 48, 3] of `vision.reading.reader`: [N, K, 3] in CIE Lab."""
    inner = crops[:, HEIGHT // 6 : -HEIGHT // 6 : 2, WIDTH // 6 : -WIDTH // 6 : 2]
    return lab_of(inner.reshape(len(crops), inner.shape[1] * inner.shape[2], 3))


def light_in(samples: Floats32, face_samples: Floats32) -> float:
    """Returns how much light a blank tile sends, as a share of what a face's paper does; both [K, 3] in CIE Lab."""
    light, paper = ((max(float(one), 0.0) + 16.0) / 116.0 for one in (samples[:, 0].mean(), _paper(face_samples)[0]))
    return (light / paper) ** 3


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
    """Where all of them lie, [N, 2]: by the rails too, which do not count for their colours."""
    walls: Mask
    """Which finds are blank tiles of walls by their place, [N]."""
    most_spread: float = _EVEN
    """A blank tile's colours deviate from their mean by at most this."""
    ground: Floats32 | None = None
    """The colour of the bare table, [3]; None if unknown."""

    def may_be_back(self, samples: Floats32, middle: Floats) -> bool:
        """Returns whether a blank find with these colours [K, 3] may be a back by the nearest ones."""
        back = self.backs.nearest_colour(middle)
        return back is None or _distance(samples.mean(axis=0), back) <= _SAME_COLOUR


def known_tiles(
    readings: Sequence[Reading], samples: Floats32, spots: Spots, *, ground: Floats32 | None = None
) -> KnownTiles:
    """Returns the faces and backs among these tiles, and the colours that they show; `ground` is the bare table's."""
    sure = [reading.tile if reading.score >= SURE else NOT_A_TILE for reading in readings]
    printed = ~np.isin(np.array(sure, np.str_), list(_BLANK))
    paper = np.array([_paper(one) for one in samples[printed]], np.float32).reshape(-1, 3)
    faces = PlacedColours(middles=spots.middles[printed], lab=paper)
    is_blank = np.array([_blank_chance(reading) >= SURE for reading in readings], np.bool_)
    walls = _walls(is_blank, printed, spots)
    colours = samples.mean(axis=1).astype(np.float32).reshape(-1, 3)
    is_back = walls.copy()
    for index in np.flatnonzero(is_blank & ~walls).tolist():
        face_colour = faces.nearest_colour(spots.middles[index])
        least_distance = _SAME_COLOUR if sure[index] == BACK else _OTHER_COLOUR
        is_back[index] = (
            sure[index] == BACK if face_colour is None else _distance(colours[index], face_colour) >= least_distance
        )
    back_middles = spots.middles[is_back]
    is_away = is_back & ~spots.are_in(Zone.HAND)  # by the rails, wood and the backs of hands seem to lie face down
    is_back = is_away if is_away.sum() >= _FEWEST else is_back
    backs = PlacedColours(middles=spots.middles[is_back], lab=colours[is_back])
    most_spread = _most_spread(samples[is_back])
    return KnownTiles(
        faces=faces, backs=backs, back_middles=back_middles, walls=walls, most_spread=most_spread, ground=ground
    )


def _most_spread(samples: Floats32) -> float:
    """Returns how far a blank tile's colours may deviate from their mean on a table with these backs, [N, K, 3]."""
    usual_spread = float(np.median(samples.std(axis=1).max(axis=1))) if len(samples) >= _FEWEST else 0.0
    return max(_EVEN, _AS_EVEN * usual_spread)


def _walls(is_blank: Mask, is_printed: Mask, spots: Spots) -> Mask:
    """Returns which blank tiles are walls: in a row of more of them than a set has hakus.

    Where walls lie, an indicator may interrupt the row; where melds lie, there is none.
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


def identify_blanks(
    readings: Sequence[Reading], samples: Floats32, spots: Spots, tiles: KnownTiles, *, glare: float = GLARE
) -> list[Reading]:
    """Returns the readings, with blank tiles identified by the colours of this table, or else by their places.

    `readings` are of the first `spots`, for which `tiles` were determined. What reads as blank since it mirrors a lamp
    scores at most `glare`.
    """
    count = len(readings)
    by_backs = spots.are_beside(tiles.back_middles)
    by_faces = spots.are_beside(tiles.faces.middles)
    by_tiles = by_backs | by_faces
    by_tiles[:count] |= _in_melds(readings, spots.first(count), by_tiles[:count])
    return [
        _Blank(
            reading=reading,
            samples=find_samples,
            paper=tiles.faces.nearest_colour(spots.middles[index]),
            back=tiles.backs.nearest_colour(spots.middles[index]),
            usual_lightness=tiles.faces.usual_lightness(),
            most_spread=tiles.most_spread,
            glare=glare,
            ground=tiles.ground,
            zone=spots.zones[index],
            found=float(spots.found[index]),
            is_of_wall=bool(tiles.walls[index]),
            is_in_wall=bool(tiles.walls[index] or (spots.zones[index] is Zone.WALL and by_backs[index])),
            is_by_tiles=bool(by_tiles[index]),
            is_by_faces=bool(by_faces[index]),
        ).identified()
        for index, (reading, find_samples) in enumerate(zip(readings, samples, strict=False))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Blank:
    """A find that may be a blank tile, and what lies around it."""

    reading: Reading
    samples: Floats32
    paper: Floats32 | None
    back: Floats32 | None
    usual_lightness: float
    """The lightness of most faces' paper on the table."""
    most_spread: float
    glare: float
    ground: Floats32 | None
    zone: Zone | None
    found: float
    is_of_wall: bool
    """Whether it is a blank tile of a wall, in a part of which a lamp may be mirrored."""
    is_in_wall: bool
    is_by_tiles: bool
    is_by_faces: bool

    def identified(self) -> Reading:
        """Returns its reading: a haku or a back if it can be nothing else, and doubtful if it mirrors a lamp."""
        reading = self._by_table()
        if reading.tile not in (HAKU, BACK) or not self._mirrors_lamp(reading.tile):
            return reading
        likeliest = reading if reading.tile == HAKU else self.reading  # a row that mirrors a lamp looks like a wall
        return replace(likeliest, score=min(likeliest.score, self.glare))

    def _mirrors_lamp(self, tile: str) -> bool:
        """Returns whether it mirrors a lamp, which would hide a print; in walls, all that look like backs are some."""
        if self.paper is None or (tile == BACK and self.zone is Zone.WALL):
            return False
        lightness, paper_lightness = float(self.samples[:, 0].mean()), float(self.paper[0])
        return lightness - paper_lightness > _GLARE_LIGHTNESS or is_blown_out(
            lightness, paper_lightness=paper_lightness, usual_lightness=self.usual_lightness
        )

    def _by_table(self) -> Reading:
        colour = self.samples.mean(axis=0)
        to_paper, to_back = (None if other is None else _distance(colour, other) for other in (self.paper, self.back))
        spread = float(self.samples.std(axis=0).max())
        is_even = spread <= self.most_spread
        if not self._may_be_blank(spread) or not (is_even or self.is_of_wall):
            is_no_back = to_paper is not None and to_back is not None and to_back > max(_OTHER_COLOUR, to_paper)
            return face_up(self.reading) if is_no_back else self.reading
        if self._is_ground(colour, to_paper, to_back):
            return Reading(tile=NOT_A_TILE, score=1.0)
        tile = _by_colour(to_paper, to_back)
        if tile is None and is_even:
            tile = self._by_place(to_paper, to_back)
        if tile == BACK:
            back = _identified_as(self.reading, BACK)
            return back if is_even else replace(back, score=min(back.score, GLARE))
        return self._as_haku() if tile == HAKU else self.reading

    def _may_be_blank(self, spread: float) -> bool:
        """Returns whether it may be blank: a doubtful face may, also where only scratches on a haku read as strokes."""
        is_possible = _blank_chance(self.reading) >= POSSIBLE or spread <= _EVEN
        return self.reading.tile in _BLANK or (self.reading.score < SURE and is_possible)

    def _is_ground(self, colour: Floats32, to_paper: float | None, to_back: float | None) -> bool:
        """Returns whether it has the bare table's colour, and neither the faces' nor the backs'."""
        if (
            self.ground is None
            or to_paper is None
            or to_back is None
            or (self.reading.tile == BACK and self.found >= BACK_FOUND)
        ):
            return False
        to_ground = _distance(colour, self.ground)
        return to_back > _SAME_COLOUR and to_ground < min(_SAME_COLOUR, _CLEAR_SHARE * to_paper, _CLEAR_SHARE * to_back)

    def _by_place(self, to_paper: float | None, to_back: float | None) -> str | None:
        """Returns what lies there by the rules, if its colour decides nothing; in a wall indicators lie too."""
        if self.is_in_wall and to_back is not None and to_back <= _OTHER_COLOUR:
            return BACK
        if self.zone is Zone.RIVER and to_paper is not None and to_paper < _SAME_COLOUR:
            return HAKU
        return None

    def _as_haku(self) -> Reading:
        """Returns the reading of something with the colour of the faces: sticks and units may have it too.

        A hand is laid open in one row, so that a haku in it touches a face, unless it is the middle one of three.
        """
        is_in_row = self.is_by_faces if self.zone is Zone.HAND else self.is_by_tiles
        is_tile = is_in_row or self.reading.tile not in _BLANK  # what reads as a print is no stick
        if self.zone in (Zone.RIVER, Zone.MELD, Zone.HAND) and self._is_surely_tile() and is_tile:
            return _identified_as(self.reading, HAKU)
        if _blank_chance(self.reading) < _LIKE_A_TILE:
            return self.reading
        if self.zone in (Zone.RIVER, None) or self.is_by_tiles:
            return _identified_as(self.reading, HAKU)
        return self.reading if self.reading.tile != BACK else _identified_as(self.reading, NOT_A_TILE)

    def _is_surely_tile(self) -> bool:
        """Returns whether a tile lies there: one is found surely, or both models allow it where one is due."""
        is_tile = self.reading.is_face or _blank_chance(self.reading) >= RIVER_FACE
        is_due = self.zone is Zone.RIVER and is_tile
        return self.found >= (HAKU_IN_RIVER if is_due else BACK_FOUND)


def _in_melds(readings: Sequence[Reading], spots: Spots, by_tiles: Mask) -> Mask:
    """Returns which finds touch another possible haku where melds lie, in a row with one that is surely a tile.

    What lies `by_tiles` is one, or what the locator found surely: three hakus may lie beside nothing else.
    """
    may_be_haku = np.array([_blank_chance(reading) >= _LIKE_A_TILE for reading in readings], np.bool_)
    may_be_haku &= (spots.found >= FAINT) & spots.are_in(Zone.MELD)
    row = may_be_haku & (by_tiles | (spots.found >= BACK_FOUND))
    for _ in range(COPIES):
        row |= may_be_haku & spots.are_beside(spots.middles[row])
    return row & spots.are_beside(spots.middles[row])


def is_blown_out(lightness: float, *, paper_lightness: float, usual_lightness: float) -> bool:
    """Returns whether something is as light as a camera can represent, and mirrors a lamp that may hide its print.

    `paper_lightness` is that of the nearest faces' paper, which may itself be nearly as light beside a lamp, and
    `usual_lightness` that of most faces, which tells that there is one.
    """
    return paper_lightness < _CLIPPED <= lightness and lightness - usual_lightness > _GLARE_LIGHTNESS


def face_up(reading: Reading) -> Reading:
    """Returns the reading of a tile that does not lie face down, as in a river: a possible face is not a back.

    In yellow light a haku looks like a pale back.
    """
    chances = {reading.tile: reading.score, **dict(reading.alternatives)}
    back = chances.pop(BACK, 0.0)
    if max((chance for tile, chance in chances.items() if tile != NOT_A_TILE), default=0.0) < RIVER_FACE:
        return reading
    (tile, score), *others = ((tile, min(chance / (1.0 - back), 1.0)) for tile, chance in chances.items())
    return replace(reading, tile=tile, score=score, alternatives=tuple(others))


def _by_colour(to_paper: float | None, to_back: float | None) -> str | None:
    """Returns what has this colour alone, from the distances to the faces' and the backs'; None if nothing or both."""
    if to_paper is None:
        return None
    if to_back is None:
        return BACK if to_paper > _OTHER_COLOUR else None
    if to_paper < min(_SAME_COLOUR, _CLEAR_SHARE * to_back):
        return HAKU
    return BACK if to_back < min(_SAME_COLOUR, _CLEAR_SHARE * to_paper) else None


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
    return float(np.linalg.norm((one - other) * _IN_ANY_LIGHT))

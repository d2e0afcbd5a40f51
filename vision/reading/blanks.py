"""Identifies blank tiles by the colours of the table's faces and backs, by their places, and by the number in a set.

Under yellow light, a haku without a frame looks like a pale back, and a dark back like a haku in shadow. Dozens of
other faces and backs lie on the same table under the same light, so a blank tile is compared with the nearest ones.
Where colours decide nothing, the place does: a river has no backs, and a row of blank tiles where walls lie is a wall.
A set has four hakus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Floats32, Mask
from vision.confidence import (
    BACK_FOUND,
    BY_COLOUR,
    CERTAIN,
    FAINT,
    GLARE,
    HAKU_IN_RIVER,
    LIKELY,
    POSSIBLE,
    RIVER_FACE,
    SURE,
)
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE, Reading, Zone
from vision.reading.known_tiles import (
    BLANK,
    EVEN,
    OTHER_COLOUR,
    SAME_COLOUR,
    KnownTiles,
    Spots,
    blank_chance,
    distance_between,
)

_CLEAR_SHARE: Final = 0.5
"""A colour is clearly nearer to one of two if that distance is at most this share of the other."""
_LIKE_A_TILE: Final = 0.3
"""A find is no blank tile if the probability of one is lower than this, even if it has the colour of the faces."""
_GLARE_LIGHTNESS: Final = 11.0
"""A find lighter by this much in CIE Lab than the paper of the faces around it mirrors a lamp: its print is hidden.

In a river or meld it mirrors none if the bare table was so light there that paper must be, too.

Of 155 hakus on path-traced tables none was so light, and of eight faces without a visible print all were."""
_NEARLY_AS_LIGHT: Final = 6.0
"""In a river or meld, a find mirrors no lamp if it is lighter than the lightest of the nearest faces by at most this.

Early in a hand most of these faces may lie far away, in less light. In walls, backs mirror a lamp beside a face that
does too."""
_LAID_FACE_UP: Final = (Zone.RIVER, Zone.MELD)
_VEILED: Final = 15.0
"""A lamp is mirrored where the ink of faces is lighter than that of most faces by this: a light find may hide a print.

In 60 path-traced pictures with one lamp, the ink was lighter by 20 to 54 beside four of six faces that were surely
misread as hakus."""
_BELOW_DOUBT: Final = 0.9
"""The highest probability of an alternative to a doubted reading, as a share of its score: it stays the likeliest."""
_CLIPPED: Final = 98.0
"""The lightness in CIE Lab at which a camera's range ends: 250 of 255 in each colour."""


def identify_blanks(
    readings: Sequence[Reading], samples: Floats32, spots: Spots, tiles: KnownTiles, *, glare: float = GLARE
) -> list[Reading]:
    """Returns the readings, with blank tiles identified by the colours of this table, or else by their places.

    `readings` belong to the first of the `spots`, from which `tiles` were determined. A tile that reads as blank
    because it mirrors a lamp scores at most `glare`.
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
            lightest_paper=tiles.faces.greatest_lightness_near(spots.middles[index]),
            usual_lightness=tiles.faces.usual_lightness(),
            veil=tiles.veil_at(spots.middles[index]),
            lit_paper=tiles.paper_lightness_on(float(spots.bare[index])),
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
    """A find that may be a blank tile, and its surroundings."""

    reading: Reading
    samples: Floats32
    """Its colours in CIE Lab, [K, 3]."""
    paper: Floats32 | None
    """The colour of the nearest faces' paper, [3]; None if too few faces are known."""
    back: Floats32 | None
    """The colour of the nearest backs, [3]; None if too few backs are known."""
    lightest_paper: float
    """The lightness of the lightest paper among the nearest faces."""
    usual_lightness: float
    """The median lightness of the faces' paper on the table."""
    lit_paper: float
    """How light paper is here by the lightness of the bare table; NaN if unknown."""
    veil: float
    """How much lighter the ink of the nearest faces is than that of most faces."""
    most_spread: float
    glare: float
    ground: Floats32 | None
    zone: Zone | None
    found: float
    """The locator's score."""
    is_of_wall: bool
    """Whether its row can only be a wall; a lamp may be mirrored in a part of it."""
    is_in_wall: bool
    """Whether its row can only be a wall, or it lies beside a back where walls lie."""
    is_by_tiles: bool
    """Whether it touches a back or a face, or lies in a meld."""
    is_by_faces: bool
    """Whether it touches a face."""

    def identified(self) -> Reading:
        """Returns the find's reading: haku or back if it can be nothing else, and doubtful if it mirrors a lamp."""
        reading = self._by_table()
        if reading.tile not in (HAKU, BACK) or not self._mirrors_lamp(reading.tile):
            return reading
        likeliest = reading if reading.tile == HAKU else self.reading  # a row that mirrors a lamp looks like a wall
        return _doubted(likeliest, self.reading, self.glare)

    def _mirrors_lamp(self, tile: str) -> bool:
        """Returns whether the find mirrors a lamp that would hide a print; never if it looks like a back in a wall."""
        if tile == BACK and self.zone is Zone.WALL:
            return False
        lightness = float(self.samples[:, 0].mean())
        if self.paper is None:
            return tile == HAKU and self.reading.tile not in BLANK and lightness >= _CLIPPED
        paper_lightness = float(self.paper[0])
        if is_blown_out(lightness, paper_lightness=paper_lightness, usual_lightness=self.usual_lightness):
            return True
        limit = paper_lightness + _GLARE_LIGHTNESS
        if self.zone in _LAID_FACE_UP:
            if lightness <= self.lit_paper + _GLARE_LIGHTNESS:
                return False
            limit = max(limit, self.lightest_paper + _NEARLY_AS_LIGHT)
        is_veiled = self.veil > _VEILED and lightness - self.usual_lightness > _GLARE_LIGHTNESS
        return lightness > limit or is_veiled

    def _by_table(self) -> Reading:
        """Returns the reading by the table's colours and the find's place, whether or not it mirrors a lamp."""
        colour = self.samples.mean(axis=0)
        to_paper, to_back = (
            None if other is None else distance_between(colour, other) for other in (self.paper, self.back)
        )
        spread = float(self.samples.std(axis=0).max())
        is_even = spread <= self.most_spread
        if not self._may_be_blank(spread) or not (is_even or self.is_of_wall):
            is_no_back = to_paper is not None and to_back is not None and to_back > max(OTHER_COLOUR, to_paper)
            return face_up(self.reading) if is_no_back else self.reading
        if self._is_ground(colour, to_paper, to_back):
            return Reading(tile=NOT_A_TILE, score=1.0)
        if is_even and self._is_lone_indicator(to_paper, to_back):
            return face_up(self.reading) if self.reading.tile == HAKU else _identified_as(self.reading, HAKU)
        tile = _by_colour(to_paper, to_back)
        if tile is None and is_even:
            tile = self._by_place(to_paper, to_back)
        if tile == BACK:
            back = _identified_as(self.reading, BACK)
            return back if is_even else replace(back, score=min(back.score, GLARE))
        return self._as_haku() if tile == HAKU else self.reading

    def _may_be_blank(self, spread: float) -> bool:
        """Returns whether the find reads as blank, or as a face that may be a blank or scratched tile.

        A face is doubtful, or shows no print and is not certain: scratches on a haku read as a 2m with up to 0.94.
        """
        is_doubtful = self.reading.score < SURE and blank_chance(self.reading) >= POSSIBLE
        return self.reading.tile in BLANK or is_doubtful or (self.reading.score < CERTAIN and spread <= EVEN)

    def _is_ground(self, colour: Floats32, to_paper: float | None, to_back: float | None) -> bool:
        """Returns whether the find has the bare table's colour, and neither the faces' nor the backs'."""
        if (
            self.ground is None
            or to_paper is None
            or to_back is None
            or (self.reading.tile == BACK and self.found >= BACK_FOUND)
        ):
            return False
        to_ground = distance_between(colour, self.ground)
        return to_back > SAME_COLOUR and to_ground < min(SAME_COLOUR, _CLEAR_SHARE * to_paper, _CLEAR_SHARE * to_back)

    def _is_lone_indicator(self, to_paper: float | None, to_back: float | None) -> bool:
        """Returns whether the find is a haku among backs of another colour in a wall, before any faces are known."""
        is_no_back = to_paper is None and to_back is not None and to_back > OTHER_COLOUR
        return is_no_back and self.reading.is_face and self.zone is Zone.WALL and self.is_in_wall

    def _by_place(self, to_paper: float | None, to_back: float | None) -> str | None:
        """Returns the blank tile that belongs at such a place if colour decides nothing; None if both may."""
        if self.is_in_wall and to_back is not None and to_back <= OTHER_COLOUR:
            return BACK
        if self.zone is Zone.RIVER and self._is_haku_there(to_paper):
            return HAKU
        return None

    def _is_haku_there(self, to_paper: float | None) -> bool:
        """Returns whether an even find is a haku where no backs lie: also one whose scratches read as a print."""
        if to_paper is None:
            return self.reading.tile not in BLANK
        return to_paper < SAME_COLOUR

    def _as_haku(self) -> Reading:
        """Returns the reading of a find with the colour of the faces, which sticks and centre units may have too.

        A hand is laid open in one row, so a haku in it touches a face, unless it is the middle one of three.
        """
        is_in_row = self.is_by_faces if self.zone is Zone.HAND else self.is_by_tiles
        is_tile = is_in_row or self.reading.tile not in BLANK  # sticks show no print
        if self.zone in (Zone.RIVER, Zone.MELD, Zone.HAND) and self._is_surely_tile() and is_tile:
            return _identified_as(self.reading, HAKU)
        if blank_chance(self.reading) < _LIKE_A_TILE:
            return self.reading
        if self.zone in (Zone.RIVER, None) or self.is_by_tiles:
            return _identified_as(self.reading, HAKU)
        return self.reading if self.reading.tile != BACK else _identified_as(self.reading, NOT_A_TILE)

    def _is_surely_tile(self) -> bool:
        """Returns whether the find is surely a tile: the locator is sure or, in a river, both models allow a tile."""
        is_tile = self.reading.is_face or blank_chance(self.reading) >= RIVER_FACE
        is_due = self.zone is Zone.RIVER and is_tile
        return self.found >= (HAKU_IN_RIVER if is_due else BACK_FOUND)


def _in_melds(readings: Sequence[Reading], spots: Spots, by_tiles: Mask) -> Mask:
    """Returns which finds touch another possible haku where melds lie, in a row with one that is surely a tile.

    A find is surely a tile if it lies `by_tiles`, or if the locator is sure: three hakus may lie beside nothing else.
    """
    may_be_haku = np.array([blank_chance(reading) >= _LIKE_A_TILE for reading in readings], np.bool_)
    may_be_haku &= (spots.found >= FAINT) & spots.are_in(Zone.MELD)
    row = may_be_haku & (by_tiles | (spots.found >= BACK_FOUND))
    for _ in range(COPIES):
        row |= may_be_haku & spots.are_beside(spots.middles[row])
    return row & spots.are_beside(spots.middles[row])


def is_blown_out(lightness: float, *, paper_lightness: float, usual_lightness: float) -> bool:
    """Returns whether a find is as light as a camera can represent, and mirrors a lamp that may hide its print.

    `paper_lightness` is that of the nearest faces' paper, which may itself be nearly as light beside a lamp;
    `usual_lightness` is that of most faces, by which a lamp is noticed.
    """
    return paper_lightness < _CLIPPED <= lightness and lightness - usual_lightness > _GLARE_LIGHTNESS


def face_up(reading: Reading) -> Reading:
    """Returns the reading of a tile that does not lie face down, as in a river: without the back if a face is possible.

    In yellow light a haku looks like a pale back.
    """
    chances = reading.chances
    back = chances.pop(BACK, 0.0)
    if max((chance for tile, chance in chances.items() if tile != NOT_A_TILE), default=0.0) < RIVER_FACE:
        return reading
    (tile, score), *others = ((tile, min(chance / (1.0 - back), 1.0)) for tile, chance in chances.items())
    return replace(reading, tile=tile, score=score, alternatives=tuple(others))


def _doubted(reading: Reading, read: Reading, most: float) -> Reading:
    """Returns the reading with a score of at most `most`, each alternative below it.

    The probability of a back is among them, as the tile was `read` at first: many doubtful looks may exclude a back.
    """
    if reading.score <= most:
        return reading
    chances = dict(reading.alternatives)
    if reading.tile != BACK:
        chances.setdefault(BACK, _back_chance(read))
    others = tuple((tile, min(chance, _BELOW_DOUBT * most)) for tile, chance in chances.items())
    return replace(reading, score=most, alternatives=others)


def _back_chance(reading: Reading) -> float:
    """Returns the probability of a back, or what it is at most if it is not among the alternatives."""
    chances = reading.chances
    return chances.get(BACK, max(0.0, min(1.0 - sum(chances.values()), *chances.values())))


def _by_colour(to_paper: float | None, to_back: float | None) -> str | None:
    """Returns haku or back by the distances to the faces' and the backs' colours; None if both or neither fit."""
    if to_paper is None:
        return None
    if to_back is None:
        return BACK if to_paper > OTHER_COLOUR else None
    if to_paper < min(SAME_COLOUR, _CLEAR_SHARE * to_back):
        return HAKU
    return BACK if to_back < min(SAME_COLOUR, _CLEAR_SHARE * to_paper) else None


def _identified_as(reading: Reading, tile: str) -> Reading:
    """Returns the reading as this tile, with the score of an identification by colour."""
    if reading.tile == tile:
        return replace(reading, score=max(reading.score, BY_COLOUR))
    score = BY_COLOUR if reading.tile != NOT_A_TILE else min(BY_COLOUR, max(reading.score, LIKELY))
    return Reading(tile=tile, score=score, alternatives=((reading.tile, (1 - score) * reading.score),))

"""Searches a photo for tiles in several shapes and sizes.

Faces seen at an angle, or in a distorted picture, are narrower or lower than those that the locator learnt, so the
photo is also searched stretched in width and in height. If few are read, and mostly other things are found, these may
have decided about the size of the tiles: slats, slabs, a reflection. The size is then that of the faces
(`vision.photo.plain.size_of_faces`). If hardly a face is read, the photo may have been squeezed much more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.felt import BACK, HAKU, NOT_A_TILE, Reading
from vision.photo.candidates import FEWEST, is_sure
from vision.photo.found_things import tile_of, tiles_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.print_spread import LONGEST, print_spreads
from vision.photo.plain.size_of_faces import located_by_faces
from vision.photo.tables.table_photo import Locates
from vision.reading.finds import Finds, best_of, joined, quads_not_among
from vision.reading.locator import Located, at_most
from vision.reading.reader import FaceReader

_PULLS: Final = ((1.6, 1.0), (1.0, 1.5))
"""The usual factors of stretching in width and height."""
_WEIGHT_OF_STRETCHED: Final = 0.95
"""The weight of what such a search shows, relative to the photo as it is."""
_PULLS_OF_SQUEEZED: Final = (
    *((pull, 1.0) for pull in (2.6, 4.0, 6.0, 8.0, 10.0, 13.0)),
    *((1.0, pull) for pull in (2.4, 3.8)),
)
"""Further factors if too little is read with these: a panorama may have been squeezed to a square."""
_MANY: Final = 6
"""Other things rarely look like so many sure faces."""
_MOSTLY: Final = 0.6
"""Fewer sure faces are faces of tiles if they are this share of all that is found at their size."""
_CLEARLY: Final = 1.3
"""Faces of another size must cover this many times the area of those read so far."""
_MOST_FOUND: Final = 2000
"""How many finds of any size are looked at: one tile is found about ten times, and noise everywhere."""
_WIDEST_PULLED: Final = 1800
"""Longest side in pixels of a stretched photo: what is found only in it are big tiles."""
_CROWD: Final = 80
"""A photo in which more than this is found is crowded: searching it in every shape takes long."""
_WIDEST_LOOK: Final = 1001
"""Longest side in pixels of a first look at a crowded photo; the locator would enlarge a smaller one."""
_LOOK_READ: Final = 32
"""How much is read in a first look, what has the most print first."""
_EASY: Final = 0.3
"""Weight of a back or a haku relative to another face, since many other things look like them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What one search of a photo found, in the photo's own pixels."""

    located: Located
    tiles: list[ReadTile]

    def sure_faces(self) -> int:
        """Returns the number of faces read with confidence."""
        return sum(map(is_sure, self.tiles))

    def are_tiles(self, *, with_blanks: bool = True) -> bool:
        """Returns whether these are surely tiles: many faces read with confidence, or hardly anything else.

        Blank things count as something else only `with_blanks`.
        """
        faces, blanks = self.sure_faces(), sum(tile.tile in (BACK, HAKU) for tile in self.tiles)
        others = len(self.tiles) - (0 if with_blanks else blanks)
        return faces >= _MANY or (faces >= FEWEST and faces >= _MOSTLY * others)

    def shows_tiles_better_than(self, other: Search) -> bool:
        """Returns whether these are surely tiles, and their faces as many as another search's, and clearly larger.

        Parts of tiles are more faces than the tiles, but hardly cover more.
        """
        is_larger = self.face_area() > _CLEARLY * other.face_area()
        return self.are_tiles(with_blanks=False) and self.sure_faces() >= other.sure_faces() and is_larger

    def face_area(self) -> float:
        """Returns the area in square pixels that its faces cover, weighted by their scores, without blank ones."""
        return self.sure_area(blank=0.0)

    def sure_area(self, *, blank: float = _EASY) -> float:
        """Returns the area in square pixels that its tiles cover, weighted by their scores, and by `blank` if blank."""
        worth = {NOT_A_TILE: 0.0, BACK: blank, HAKU: blank}
        return sum(
            float(abs(cv2.contourArea(np.array(tile.quad, np.float32)))) * (tile.score * worth.get(tile.tile, 1.0)) ** 4
            for tile in self.tiles
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What all searches of a photo found."""

    best: Search
    """The search that shows tiles best."""
    others: list[ReadTile]
    """The tiles found in the other usual shapes."""
    things: Floats32
    """[N, 4, 2], all that the best search found, and what was found in the size of most things."""
    of_any_size: Finds
    """The best finds in the usual shapes, tiles and parts of tiles; one place may be found many times."""


class Searcher:
    """Searches one photo."""

    def __init__(self, image: Image, locator: Locates, reader: FaceReader, unread_score: float) -> None:
        """Takes the photo, in BGR, and the locator's score from which a find that reads as no tile is a tile `?`."""
        self._image, self._locator, self._reader, self._unread_score = image, locator, reader, unread_score

    @cached_property
    def unstretched(self) -> Search:
        """The search of the photo as it is."""
        return self._found_in(self._image)

    def outcome(self, *, may_be_squeezed: bool = True) -> Outcome:
        """Returns the search that shows tiles best, and what else was found.

        Only a photo that `may_be_squeezed` is stretched far.
        """
        stretched = [self._stretched(pull) for pull in _PULLS]
        usual, most = [self.unstretched, *stretched], max(stretched, key=Search.sure_area)
        is_better = _WEIGHT_OF_STRETCHED * most.sure_area() > self.unstretched.sure_area()
        first = most if is_better else self.unstretched
        of_any_size = best_of(joined([search.located.of_any_size for search in usual]), _MOST_FOUND)
        better: list[Search] = []
        if not first.are_tiles():
            better += [search for search in self._by_faces(of_any_size, first) if search.shows_tiles_better_than(first)]
        if may_be_squeezed and first.sure_faces() < FEWEST:
            is_crowded = any(len(search.located.tiles) > _CROWD for search in usual)
            better += [search for search in self._stretched_far(is_crowded) if search.sure_faces() >= _MANY]
        best = max(better, key=Search.sure_faces, default=first)
        return Outcome(
            best=best,
            others=[tile for search in usual if search is not best for tile in search.tiles],
            things=np.concatenate([best.located.tiles, quads_not_among(first.located.tiles, best.located.tiles)]),
            of_any_size=of_any_size,
        )

    def _stretched(self, pull: tuple[float, float]) -> Search:
        """Searches the photo stretched in width and height."""
        return self._found_in(_pulled(self._image, pull, _WIDEST_PULLED))

    def _stretched_far(self, is_crowded: bool) -> Iterator[Search]:
        """Yields searches of the photo stretched as one that was squeezed; a crowded one, where a look shows faces."""
        small = at_most(self._image, LONGEST)
        for pull in _PULLS_OF_SQUEEZED:
            if not is_crowded or self._shows_faces(small, pull):
                yield self._stretched(pull)

    def _shows_faces(self, small: Image, pull: tuple[float, float]) -> bool:
        """Returns whether a few faces are sure among what has the most print in a smaller photo so stretched."""
        quads = self._located_in(_pulled(small, pull, _WIDEST_LOOK)).tiles
        spreads = print_spreads(small, quads * np.float32(small.shape[1] / self._image.shape[1]))
        printed = quads[np.argsort(-spreads, kind="stable")[:_LOOK_READ]]
        readings = self._reader.read(self._image, printed)
        return sum(is_sure(tile_of(*find, 1.0)) for find in zip(printed, readings, strict=True)) >= FEWEST

    def _by_faces(self, of_any_size: Finds, first: Search) -> list[Search]:
        """Returns the search for tiles with the size of most faces, if these show one; the sticks remain."""
        by_faces = located_by_faces(self._image, of_any_size, self._reader, first.located)
        return [] if by_faces is None else [self._read_as(*by_faces)]

    def _found_in(self, pulled: Image) -> Search:
        """Returns, in the photo's own pixels, what is found and read in it so stretched."""
        found = self._located_in(pulled)
        return self._read_as(found, self._reader.read(self._image, found.tiles))

    def _located_in(self, pulled: Image) -> Located:
        """Returns, in the photo's own pixels, what is found in it so stretched."""
        found = self._locator.locate(pulled, tile_px=None)
        if pulled is self._image:
            return found
        sizes = zip(self._image.shape[1::-1], pulled.shape[1::-1], strict=True)
        ratio = np.array([whole / part for whole, part in sizes], np.float32)
        return found.moved(lambda quads: np.asarray(quads * ratio, np.float32))

    def _read_as(self, located: Located, readings: list[Reading]) -> Search:
        no_backs = np.zeros(len(readings), np.bool_)
        return Search(located=located, tiles=tiles_of(located, readings, no_backs, self._unread_score))


def _pulled(image: Image, pull: tuple[float, float], widest: int) -> Image:
    """Returns a picture stretched in width and height; a large one is also shrunk to `widest` pixels."""
    width, height = image.shape[1::-1]
    scale = min(1.0, widest / max(width * pull[0], height * pull[1]))
    fx, fy = (max(side * scale, 1 / length) for side, length in zip(pull, (width, height), strict=True))
    interpolation = cv2.INTER_LINEAR if scale == 1.0 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=fx, fy=fy, interpolation=interpolation), np.uint8)

"""Searches a photo for tiles in several shapes and sizes.

Faces seen at an angle, or in a distorted picture, are narrower or lower than those that the locator learnt, so the
photo is also searched stretched in width and in height. If hardly a face is read, it may have been squeezed much more.
If few are read, and mostly other things are found, these may have decided about the size at which tiles were looked
for: slats, floor tiles, a reflection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.felt import BACK, HAKU, NOT_A_TILE
from vision.photo.candidates import FEWEST, is_sure
from vision.photo.found_things import tiles_of
from vision.photo.photo_things import ReadTile
from vision.photo.tables.table_photo import Locates
from vision.reading.locator import Located
from vision.reading.reader import FaceReader

_PULLS: Final = {(1.0, 1.0): 1.0, (1.6, 1.0): 0.95, (1.0, 1.5): 0.95}
"""The factors of stretching in width and height, each with the weight of its result."""
_PULLS_OF_SQUEEZED: Final = (
    *((pull, 1.0) for pull in (2.6, 4.0, 6.0, 8.0, 10.0, 13.0)),
    *((1.0, pull) for pull in (2.4, 3.8)),
)
"""Further factors if too little is read with these: a panorama may have been squeezed to a square."""
_WIDTHS: Final = (0.02, 0.032, 0.051, 0.082, 0.13)
"""Widths of tiles, as shares of the photo's longer side, that are then tried."""
_MANY: Final = 6
"""Other things rarely look like so many sure faces."""
_MOSTLY: Final = 0.6
"""Fewer sure faces are faces of tiles if they are this share of all that is found at their size."""
_CLEARLY: Final = 1.3
"""Tiles of another size must cover this many times the area of what was read so far."""
_PARTS: Final = 4
"""Of two sizes, the one at which more is covered is that of the tiles, unless it shows this many times fewer faces."""
_WIDEST_PULLED: Final = 1800
"""Longest side in pixels of a stretched photo: what is found only in it are big tiles."""
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

    def are_tiles(self) -> bool:
        """Returns whether these are surely tiles: many faces read with confidence, or hardly anything else."""
        faces = self.sure_faces()
        return faces >= _MANY or (faces >= FEWEST and faces >= _MOSTLY * len(self.tiles))

    def shows_tiles_better_than(self, other: Search) -> bool:
        """Returns whether these are surely tiles, at least as many as another search shows, and cover clearly more.

        Parts of tiles are more faces than the tiles, but hardly cover more.
        """
        is_larger = self.sure_area() > _CLEARLY * other.sure_area()
        return self.are_tiles() and self.sure_faces() >= other.sure_faces() and is_larger

    def sure_area(self) -> float:
        """Returns the area in square pixels that its tiles cover, weighted by their scores."""
        worth = {NOT_A_TILE: 0.0, BACK: _EASY, HAKU: _EASY}
        return sum(
            float(abs(cv2.contourArea(np.array(tile.quad, np.float32)))) * (tile.score * worth.get(tile.tile, 1.0)) ** 4
            for tile in self.tiles
        )


class Searcher:
    """Searches one photo."""

    def __init__(self, image: Image, locator: Locates, reader: FaceReader, unread_score: float) -> None:
        """Takes the photo, in BGR, and the locator's score from which a find that reads as no tile is a tile `?`."""
        self._image, self._locator, self._reader, self._unread_score = image, locator, reader, unread_score

    def best(self) -> tuple[Search, list[ReadTile]]:
        """Returns the search that shows tiles best, and the tiles found in the other usual shapes."""
        usual = [(self._stretched(pull), weight) for pull, weight in _PULLS.items()]
        best, _ = max(usual, key=lambda search: search[1] * search[0].sure_area())
        better: list[Search] = []
        if best.sure_faces() < FEWEST:
            better += [search for search in map(self._stretched, _PULLS_OF_SQUEEZED) if search.sure_faces() >= _MANY]
        if not best.are_tiles():
            sized = [search for search in self._of_sizes(best.located) if search.shows_tiles_better_than(best)]
            most = max(map(Search.sure_faces, sized), default=0)
            whole = [search for search in sized if search.sure_faces() * _PARTS >= most]
            better += sorted(whole, key=Search.sure_area)[-1:]
        best = max(better, key=Search.sure_faces, default=best)
        return best, [tile for search, _ in usual if search is not best for tile in search.tiles]

    def _stretched(self, pull: tuple[float, float]) -> Search:
        """Searches the photo stretched in width and height."""
        return self._found_in(self._image if pull == (1.0, 1.0) else self._pulled(pull), tile_px=None)

    def _of_sizes(self, located: Located) -> list[Search]:
        """Searches the photo for tiles of each width in `_WIDTHS`; its sticks are those `located` already."""
        shrunk = self._pulled((1.0, 1.0))
        searches = (self._found_in(shrunk, tile_px=share * max(shrunk.shape)) for share in _WIDTHS)
        return [replace(search, located=search.located.with_sticks_of(located)) for search in searches]

    def _pulled(self, pull: tuple[float, float]) -> Image:
        """Returns the photo stretched in width and height; a large one is also shrunk."""
        width, height = self._image.shape[1::-1]
        scale = min(1.0, _WIDEST_PULLED / max(width * pull[0], height * pull[1]))
        fx, fy = (max(side * scale, 1 / length) for side, length in zip(pull, (width, height), strict=True))
        interpolation = cv2.INTER_LINEAR if scale == 1.0 else cv2.INTER_AREA
        return np.asarray(cv2.resize(self._image, None, fx=fx, fy=fy, interpolation=interpolation), np.uint8)

    def _found_in(self, pulled: Image, *, tile_px: float | None) -> Search:
        """Returns, in the photo's own pixels, what is found in it so stretched, where tiles are `tile_px` wide."""
        found = self._locator.locate(pulled, tile_px=tile_px)
        if pulled is not self._image:
            sizes = zip(self._image.shape[1::-1], pulled.shape[1::-1], strict=True)
            ratio = np.array([whole / part for whole, part in sizes], np.float32)
            tiles, sticks, candidates = found.tiles * ratio, found.sticks * ratio, found.candidates * ratio
            found = replace(found, tiles=tiles, sticks=sticks, candidates=candidates)
        readings = self._reader.read(self._image, found.tiles)
        no_backs = np.zeros(len(readings), np.bool_)
        return Search(located=found, tiles=tiles_of(found, readings, no_backs, self._unread_score))

"""Adds tiles in a photo that the locator doubted, if their faces are read with confidence.

At an unknown scale, a locator may take the halves of a 4p for two tiles, or score a face too low. The whole face is
then among its candidates, and the reader reads it too. Halves also read as faces (half a 4p is a 2p), so a candidate
must be as big as the tiles beside it, and may replace only smaller or blank ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats32, Mask
from vision.confidence import INDICATIVE
from vision.felt import BACK, HAKU, NOT_A_TILE
from vision.geometry.quads import are_close, areas_of, covers
from vision.photo.photo_things import ReadTile

_BLANK_OR_NONE: Final = frozenset({NOT_A_TILE, BACK, HAKU})
"""What many things that are not tiles are read as."""
SIMPLE: Final = frozenset({"1p", "1z", "2z", "3z", "4z", HAKU, "6z", "7z"})
"""Faces as which rings, beads, panes, letters and single characters are read."""
FEWEST: Final = 3
"""How many sure tiles are needed to know the size of a tile."""
_COMPARED: Final = 4
"""How many of the nearest sure tiles a candidate's size is compared with."""
_MOST_DISTANCE: Final = 2.0
"""How far a candidate's middle may be from a sure tile's, in square roots of the area of the tiles there."""
_LIKE: Final = 1.5
"""Largest factor by which its size may differ from theirs."""
_PART: Final = 0.7
"""A tile below this share of the candidate's area may be a part of it."""


def is_sure(tile: ReadTile) -> bool:
    """Returns whether a face was read with confidence; a blank one never is, since many other things look like it."""
    return tile.tile not in _BLANK_OR_NONE and tile.score > INDICATIVE


def fitting_quads(read: Sequence[ReadTile], quads: Floats32) -> Floats32:
    """Returns the candidates among `quads` [N, 4, 2] that lie beside sure tiles of `read` and are as big as these."""
    sure = [tile for tile in read if is_sure(tile)]
    if len(sure) < FEWEST:
        return quads[:0]
    return quads[TileSizes(sure).are_suitable(quads)]


def with_candidates(read: Sequence[ReadTile], candidates: Sequence[ReadTile], framed: Mask) -> list[ReadTile]:
    """Returns the tiles `read` with suitable `candidates` added, and without the tiles that these replace.

    `framed` [N] says in which candidates a frame is seen: a haku with one is as sure as another face.
    """
    sure = [tile for tile in read if is_sure(tile)]
    if len(sure) < FEWEST:
        return list(read)
    size = TileSizes(sure)
    sure_candidates = [
        tile
        for tile, is_framed in zip(candidates, framed, strict=True)
        if is_sure(tile) or (is_framed and tile.tile == HAKU and tile.score > INDICATIVE)
    ]
    fit = [tile for tile in sure_candidates if size.suits(np.array(tile.quad, np.float32))]
    return _without_replaced([*read, *sorted(fit, key=lambda tile: -tile.score)], len(read), size)


def _without_replaced(tiles: Sequence[ReadTile], read_count: int, size: TileSizes) -> list[ReadTile]:
    """Returns the tiles and candidates that remain: `tiles` holds `read_count` tiles, then candidates, surest first.

    A candidate replaces the tiles that it covers, unless one of them has a face and is large enough to be a tile.
    """
    quads = quads_of(tiles)
    close, areas = are_close(quads), areas_of(quads)
    remains = np.arange(len(tiles)) < read_count
    for index in range(read_count, len(tiles)):
        hidden = [
            int(other) for other in np.flatnonzero(close[index] & remains) if covers(quads, areas, index, int(other))
        ]
        faces = [other for other in hidden if tiles[other].tile not in _BLANK_OR_NONE]
        is_one_tile = len(faces) == 1 and size.suits(np.array(tiles[faces[0]].quad, np.float32))
        if all(areas[other] < _PART * areas[index] for other in faces) and not is_one_tile:
            remains[hidden] = False
            remains[index] = True
    return [tile for tile, is_there in zip(tiles, remains, strict=True) if is_there]


class TileSizes:
    """The size of tiles in different parts of a photo."""

    def __init__(self, sure: Sequence[ReadTile]) -> None:
        """Takes the sure tiles of the photo, at least one."""
        quads = quads_of(sure)
        self._middles, self._areas = quads.mean(axis=1), areas_of(quads)

    def usual_area(self, quad: Floats32) -> float:
        """Returns the area in square pixels of the tiles nearest to a quad [4, 2]."""
        return float(self._usual_areas(self._distances(quad[None]))[0])

    def suits(self, quad: Floats32) -> bool:
        """Returns whether a quad [4, 2] is near sure tiles and about as big as they are."""
        return bool(self.are_suitable(quad[None])[0])

    def are_suitable(self, quads: Floats32) -> Mask:
        """Returns which quads [N, 4, 2] are near sure tiles and about as big as they are, [N]."""
        distances = self._distances(quads)
        usual_areas = self._usual_areas(distances)
        ratios = areas_of(quads) / usual_areas
        is_near = distances.min(axis=1) <= _MOST_DISTANCE * np.sqrt(usual_areas)
        return np.asarray(is_near & (ratios > 1 / _LIKE) & (ratios < _LIKE), np.bool_)

    def _usual_areas(self, distances: Floats32) -> Floats32:
        nearest = np.argsort(distances, axis=1)[:, :_COMPARED]
        return np.asarray(np.median(self._areas[nearest], axis=1), np.float32)

    def _distances(self, quads: Floats32) -> Floats32:
        return np.asarray(np.linalg.norm(quads.mean(axis=1)[:, None] - self._middles, axis=2), np.float32)


def quads_of(tiles: Sequence[ReadTile]) -> Floats32:
    """Returns the quads of tiles, [N, 4, 2]."""
    return np.array([tile.quad for tile in tiles], np.float32).reshape(-1, 4, 2)

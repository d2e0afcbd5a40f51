"""Finds and reads everything in any photo, whatever stands or lies in it.

Faces seen at an angle, or in a distorted picture, are narrower or lower than those that the locator learnt. The photo
is therefore also searched stretched in width and stretched in height, and the result with the most sure readings is
used, since half a face reads as no face. Candidates that the locator doubted there are read too
(`vision.photo.candidates`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.confidence import CANDIDATE
from vision.felt import BACK, HAKU, NOT_A_TILE
from vision.photo.candidates import FEWEST, fitting_quads, is_sure, quads_of, with_candidates
from vision.photo.doubt.doubts import with_doubts
from vision.photo.doubt.photo_scene import are_grouped
from vision.photo.found_things import tile_of, tiles_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.framed_hakus import are_framed
from vision.photo.plain.halves import possible_wholes, with_wholes
from vision.photo.tables.table_photo import Locates
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops

_PULLS: Final = {(1.0, 1.0): 1.0, (1.6, 1.0): 0.95, (1.0, 1.5): 0.95}
"""The factors of stretching in width and height, each with the weight of its result."""
_PULLS_OF_SQUEEZED: Final = (
    *((pull, 1.0) for pull in (2.6, 4.0, 6.0, 8.0, 10.0, 13.0)),
    *((1.0, pull) for pull in (2.4, 3.8)),
)
"""Further factors if too little is read with these: a panorama may have been squeezed to a square."""
_FEWEST_SQUEEZED: Final = 6
"""The fewest sure faces that such a stretched photo must show: other things rarely look like so many faces."""
_WIDEST_PULLED: Final = 1800
"""Longest side in pixels of a stretched photo: what is found only in it are big tiles seen at an angle."""
_HEAP: Final = 3
"""This many backs together are tiles, wherever they lie."""
_EASY: Final = 0.3
"""Weight of a back or a haku relative to another face, since many other things look like them."""


def read_plainly(
    image: Image, locator: Locates, reader: FaceReader, unread_score: float
) -> tuple[Located, list[ReadTile]]:
    """Returns what is found and read in any photo, from the stretched version with the most sure readings.

    A face that is found only in another version is added where it suits.
    """
    attempts = [
        (worth, *_located_and_read(image, locator, reader, pull, unread_score)) for pull, worth in _PULLS.items()
    ]
    best = max(attempts, key=lambda attempt: attempt[0] * _surely_read(attempt[2]))
    _, located, tiles = best
    if sum(map(is_sure, tiles)) < FEWEST:
        further = [_located_and_read(image, locator, reader, pull, unread_score) for pull in _PULLS_OF_SQUEEZED]
        squeezed = max(further, key=lambda attempt: sum(map(is_sure, attempt[1])))
        if sum(map(is_sure, squeezed[1])) >= _FEWEST_SQUEEZED:
            located, tiles = squeezed
    tiles = with_halves_joined(image, tiles, located.candidates, reader)
    candidates = _read_at(image, fitting_quads(tiles, located.candidates), reader)
    candidates += (tile for attempt in attempts if attempt is not best for tile in attempt[2])
    tiles = with_candidates(tiles, candidates, are_framed(crops(image, quads_of(candidates))))
    return located, with_doubts(_without_strays(tiles), located.tiles, image)


def with_halves_joined(
    image: Image, tiles: Sequence[ReadTile], candidates: Floats32, reader: FaceReader
) -> list[ReadTile]:
    """Returns the tiles of a photo, with a 4p wherever its halves were read as 2p; `candidates` may be halves, too."""
    return with_wholes(tiles, _read_at(image, possible_wholes(tiles, candidates), reader))


def _read_at(image: Image, quads: Floats32, reader: FaceReader) -> list[ReadTile]:
    """Returns as tiles what is read at these places of a photo [N, 4, 2], of which the locator was not sure."""
    return [tile_of(quad, reading, CANDIDATE) for quad, reading in zip(quads, reader.read(image, quads), strict=True)]


def _located_and_read(
    image: Image, locator: Locates, reader: FaceReader, pull: tuple[float, float], unread_score: float
) -> tuple[Located, list[ReadTile]]:
    """Returns what is found in the stretched photo, in the photo's own pixels, and its readings."""
    if pull == (1.0, 1.0):
        located = locator.locate(image, tile_px=None)
    else:
        pulled = _pulled(image, pull)
        shrink = np.array([image.shape[1] / pulled.shape[1], image.shape[0] / pulled.shape[0]], np.float32)
        found = locator.locate(pulled, tile_px=None)
        located = replace(
            found, tiles=found.tiles * shrink, sticks=found.sticks * shrink, candidates=found.candidates * shrink
        )
    readings = reader.read(image, located.tiles)
    return located, tiles_of(located, readings, np.zeros(len(readings), np.bool_), unread_score)


def _pulled(image: Image, pull: tuple[float, float]) -> Image:
    """Returns a photo stretched in width and height; a large one is also shrunk."""
    scale = min(1.0, _WIDEST_PULLED / max(image.shape[1] * pull[0], image.shape[0] * pull[1]))
    fx, fy = (max(side * scale, 1 / length) for side, length in zip(pull, image.shape[1::-1], strict=True))
    interpolation = cv2.INTER_LINEAR if scale == 1.0 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=fx, fy=fy, interpolation=interpolation), np.uint8)


def _without_strays(tiles: list[ReadTile]) -> list[ReadTile]:
    """Drops small groups without a sure face, if there is one elsewhere: a box beside the table looks like a back."""
    faces = np.array([is_sure(tile) for tile in tiles], np.bool_)
    if not faces.any():
        return tiles
    is_grouped = are_grouped(tiles)
    kept = (is_grouped.sum(axis=1) >= _HEAP) | (is_grouped & faces).any(axis=1)
    return [tile for tile, is_kept in zip(tiles, kept, strict=True) if is_kept]


def _surely_read(tiles: list[ReadTile]) -> float:
    """Returns the area in square pixels that tiles cover, weighted by their scores."""
    worth = {NOT_A_TILE: 0.0, BACK: _EASY, HAKU: _EASY}
    return sum(
        float(abs(cv2.contourArea(np.array(tile.quad, np.float32)))) * (tile.score * worth.get(tile.tile, 1.0)) ** 4
        for tile in tiles
    )

"""Finds the tiles of a photo among everything that was found there in any size, by the faces that are read.

The locator takes the size of most things for that of the tiles. If few tiles lie on slabs, slats or beside a
reflection, it is not; then the faces show it, since few other things read like sure faces of one size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Image
from vision.confidence import FAINT_IN_PHOTO
from vision.felt import Reading
from vision.geometry.quads import areas_of
from vision.photo.candidates import FEWEST, SIMPLE, TileSizes, is_sure, quads_of
from vision.photo.found_things import tile_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.print_spread import print_spreads
from vision.reading.finds import Finds, best_of, joined, quads_not_among, without_doubles
from vision.reading.locator import Located
from vision.reading.reader import FaceReader

_MOST_READ: Final = 300
"""How many finds with a print are read, those with the most print first; one tile is found about ten times."""
_MOST_BLANK: Final = 100
"""How many finds without one are read, beside the faces."""
_PLAIN: Final = 5.0
"""What has no print deviates by less than this from its mean colour, in CIE Lab."""
_ALIKE: Final = 0.2
"""Faces whose logarithms of size differ by this support each other."""
_LIKE: Final = 1.5
"""The largest factor between the size of a tile and that of most faces, as square roots of areas."""


def located_by_faces(
    image: Image, of_any_size: Finds, reader: FaceReader, located: Located
) -> tuple[Located, list[Reading]] | None:
    """Returns the finds with the size of most sure faces, and their readings.

    None if no size has three different faces, not counting those as which rings and letters are read.

    Args:
        image: the photo, in BGR.
        of_any_size: what was found in it; one place may be found many times.
        reader: reads the faces.
        located: what else was found, whose sticks are kept.
    """
    printed, blank = _by_print(image, of_any_size)
    readings = reader.read(image, printed.quads)
    tiles = [tile_of(*find) for find in zip(printed.quads, readings, printed.scores, strict=True)]
    size = _size_of_most([tile for tile in tiles if is_sure(tile)])
    if size is None:
        return None
    is_like = np.abs(_sizes(printed.quads) - size) < np.log(_LIKE)
    faces = [tile for tile, is_tile in zip(tiles, is_like, strict=True) if is_tile and is_sure(tile)]
    beside = best_of(blank.chosen(TileSizes(faces).are_suitable(blank.quads)), _MOST_BLANK)
    found = joined([printed.chosen(is_like), beside])
    readings = [*(readings[index] for index in np.flatnonzero(is_like)), *reader.read(image, beside.quads)]
    best = _best_of_each_place(found, readings)
    chosen = found.chosen(best)
    others = quads_not_among(found.quads, chosen.quads)
    located = replace(located, tiles=chosen.quads, tile_scores=chosen.scores, candidates=others)
    return located, [readings[index] for index in best]


def _by_print(image: Image, found: Finds) -> tuple[Finds, Finds]:
    """Returns the finds with a print, those with the most first, at most `_MOST_READ`, and the clear ones without."""
    spread = print_spreads(image, found.quads)
    most = np.argsort(-spread, kind="stable")[:_MOST_READ]
    is_blank = (spread <= _PLAIN) & (found.scores > FAINT_IN_PHOTO)
    return found.chosen(most[spread[most] > _PLAIN]), found.chosen(is_blank)


def _sizes(quads: Floats32) -> Floats32:
    """Returns the logarithms of the sizes of quads [N, 4, 2], [N]."""
    return np.asarray(np.log(np.maximum(areas_of(quads), 1e-6)) / 2, np.float32)


def _size_of_most(faces: Sequence[ReadTile]) -> float | None:
    """Returns the size, as a logarithm, that most faces have; None if no size has enough different ones.

    Large faces count more, for parts of tiles are found, too.
    """
    sizes = _sizes(quads_of(faces))
    differences = np.abs(sizes[:, None] - sizes)
    support = np.exp(-((differences / _ALIKE) ** 2) / 2) @ (
        np.array([tile.score for tile in faces]) ** 4 * np.exp(sizes) ** 2.5
    )
    names = np.array([tile.tile for tile in faces])
    are_enough = [len(set(names[near].tolist()) - SIMPLE) >= FEWEST for near in differences < np.log(_LIKE)]
    if not any(are_enough):
        return None
    return float(sizes[int(np.where(are_enough, support, 0.0).argmax())])


def _best_of_each_place(found: Finds, readings: Sequence[Reading]) -> npt.NDArray[np.int64]:
    """Returns the indexes of the best finds that do not overlap: sure faces before others, each by the scores."""
    tiles = [tile_of(*find) for find in zip(found.quads, readings, found.scores, strict=True)]
    worth = [1 + tile.score if is_sure(tile) else 0.0 for tile in tiles]
    ranked = Finds(
        quads=found.quads,
        scores=(np.array(worth) + found.scores / 2).astype(np.float32),
        fit=np.ones(len(tiles), np.float32),
        values=np.arange(len(tiles)),
    )
    return without_doubles(ranked).values

"""Finds the tiles of a photo among everything that was found there in any size, by the faces that are read.

The locator takes the size of most things for that of the tiles. If few tiles lie on slabs, slats or beside a
reflection, it is not; then the faces show it, since few other things read like sure faces of one size.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Image, Mask
from vision.felt import Reading
from vision.geometry.quads import areas_of
from vision.photo.candidates import FEWEST, SIMPLE, is_sure
from vision.photo.found_things import tile_of
from vision.reading.finds import Finds, quads_not_among, without_doubles
from vision.reading.known_tiles import samples_of
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops

_MOST_READ: Final = 300
"""How many finds are read, those with the most print first: a floor has more than a thousand, of all sizes."""
_PLAIN: Final = 5.0
"""What has no print deviates by less than this from its mean colour, in CIE Lab."""
_ALIKE: Final = 0.2
"""Faces whose logarithms of size differ by this support each other."""
_LIKE: Final = 1.5
"""The largest factor between the size of a tile and that of most faces, as square roots of areas."""


def located_by_faces(
    image: Image, of_any_size: Finds, reader: FaceReader, located: Located
) -> tuple[Located, list[Reading]] | None:
    """Returns the finds with the size of most sure faces, and their readings; None if there are few sure faces.

    Args:
        image: the photo, in BGR.
        of_any_size: what was found in it; one place may be found many times.
        reader: reads the faces.
        located: what else was found, whose sticks are kept.
    """
    found = _with_print(image, of_any_size)
    readings = reader.read(image, found.quads)
    are_faces = np.array(
        [is_sure(tile_of(*find)) for find in zip(found.quads, readings, found.scores, strict=True)], np.bool_
    )
    if len({reading.tile for reading, is_face in zip(readings, are_faces, strict=True) if is_face} - SIMPLE) < FEWEST:
        return None
    scores = np.array([reading.score for reading in readings], np.float32)
    sizes = np.asarray(np.log(areas_of(found.quads)) / 2, np.float32)
    is_like = np.abs(sizes - _size_of_most(sizes, are_faces * scores)) < np.log(_LIKE)
    best = _best_of_each_place(found, are_faces * (1 + scores), is_like)
    chosen = found.chosen(best)
    others = quads_not_among(found.quads[is_like], chosen.quads)
    located = replace(located, tiles=chosen.quads, tile_scores=chosen.scores, candidates=others)
    return located, [readings[index] for index in best]


def _with_print(image: Image, found: Finds) -> Finds:
    """Returns the finds with a print, those with the most print first, at most `_MOST_READ`."""
    spread = np.linalg.norm(samples_of(crops(image, found.quads)).std(axis=1), axis=1)
    most = np.argsort(-spread, kind="stable")[:_MOST_READ]
    return found.chosen(most[spread[most] > _PLAIN])


def _size_of_most(sizes: Floats32, trust: Floats32) -> float:
    """Returns the size, of these logarithms [N], that most faces have; large ones count more, for parts are found, too.

    `trust` [N] is the score of a face, 0 for anything else.
    """
    weights = trust**4 * np.exp(sizes) ** 2.5
    support = np.exp(-(((sizes[:, None] - sizes[None]) / _ALIKE) ** 2) / 2) @ weights
    return float(sizes[int(support.argmax())])


def _best_of_each_place(found: Finds, worth: Floats32, among: Mask) -> npt.NDArray[np.int64]:
    """Returns the indexes of the best finds that do not overlap, `among` [N] all: by `worth` [N], then by score."""
    candidates = np.flatnonzero(among)
    ranked = Finds(
        quads=found.quads[candidates],
        scores=(worth + found.scores / 2)[candidates].astype(np.float32),
        fit=np.ones(len(candidates), np.float32),
        values=candidates,
    )
    return without_doubles(ranked).values

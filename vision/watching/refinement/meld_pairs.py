"""Reads both upright tiles beside a meld's turned one where the locator found neither of them exactly.

Prints of sticks side by side can hide the edge between two tiles: of two 7s only one is found, a little off its place,
or something half over the other. The turned tile of their meld shows where both lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import hypot
from typing import Final

import numpy as np

from vision.felt import BACK, Reading
from vision.geometry.plane_geometry import TileSize
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import UNFOUND, TileLooks, is_sure_face
from vision.watching.refinement.neighbours import do_overlap, place_beside
from vision.watching.refinement.parts_of_tiles import lies_as
from vision.watching.refinement.turned_in_meld import turned_offset
from vision.zones.meld_rows import are_one_meld

_OFF: Final = 0.3
"""How far the farther of the two may be found from its place, in tile widths."""
_FAR: Final = 3.0
"""The two lie within this many tile widths of the turned one."""


def with_pairs_completed(looks: TileLooks, known_readings: Mapping[int, Reading], reader: LookReader) -> TileLooks:
    """Returns the looks with both upright tiles beside a turned one by a rail where the nearer was not found exactly.

    The turned one must be sure, and both must surely show faces that make a meld with it. What else was found over
    their places is left out.

    Args:
        looks: what was found.
        known_readings: the readings of some of the finds by earlier looks, by index.
        reader: reads the frame in which it was found.
    """
    finds = looks.detections
    faces = [
        index
        for index, reading in known_readings.items()
        if reading.is_face and reader.zones.is_by_rail(finds[index].x_mm, finds[index].y_mm)
    ]
    dropped, places, scores = set[int](), list[Detection](), list[float]()
    for turned, far in permutations(faces, 2):
        if not is_sure_face(known_readings[turned]) or not dropped.isdisjoint({turned, far}):
            continue
        pair = _pair_beside(finds[turned], finds[far], reader.size)
        others = set() if pair is None else _finds_at(pair, finds) - {far}
        if pair is None or any(lies_as(finds[other], pair[0], reader.size) for other in others):
            continue
        readings = [read.reading for read in reader.read(pair)]
        names = [reading.tile for reading in readings]
        is_meld = all(map(is_sure_face, readings)) and are_one_meld([known_readings[turned].tile, *names])
        if is_meld and all(_may_be(known_readings.get(other), names) for other in {far, *others}):
            dropped |= {far, *others}
            places += pair
            scores += [UNFOUND, float(looks.scores[far])]
    return looks.with_others(places, scores, reader.view, without=dropped) if dropped else looks


def _finds_at(places: Sequence[Detection], finds: Sequence[Detection]) -> set[int]:
    """Returns the indexes of the finds that overlap one of these places."""
    return {index for index, find in enumerate(finds) if any(do_overlap(find, place) for place in places)}


def _may_be(reading: Reading | None, names: Sequence[str]) -> bool:
    """Returns whether what was read before, if anything, is no sure sign of a tile other than these."""
    return reading is None or not (is_sure_face(reading) or reading.tile == BACK) or reading.tile in names


def _pair_beside(turned: Detection, find: Detection, size: TileSize) -> tuple[Detection, Detection] | None:
    """Returns the places of two upright tiles beside a turned one, nearer first, if `find` is about at the farther."""
    is_near = hypot(find.x_mm - turned.x_mm, find.y_mm - turned.y_mm) < _FAR * size.width_mm
    if not is_near or find.lean_to(turned) <= 90 - ASKEW_DEG:
        return None
    ((right, up),) = find.offsets_of([turned])
    direction = 1 if right > 0 else -1
    away_mm, up_mm = turned_offset(find, direction, size)
    off_mm = np.array([right - away_mm - direction * size.width_mm, up - up_mm])
    if np.abs(off_mm).max() > _OFF * size.width_mm:
        return None
    far = place_beside(find, off_mm, size, is_turned=False)
    return place_beside(far, np.array([direction * size.width_mm, 0.0]), size, is_turned=False), far

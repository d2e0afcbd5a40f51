"""Reads both upright tiles beside a meld's turned one where the locator found only one of them, and not exactly.

Prints of sticks side by side can hide the edge between two tiles: one of two 7s is found, a little off its place, and
reads doubtfully. The turned tile of their meld shows where both lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.felt import NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import TileLooks, is_sure_face
from vision.watching.refinement.neighbours import do_overlap, place_beside
from vision.watching.refinement.turned_in_meld import turned_offset
from vision.zones.meld_rows import are_one_meld

_OFF: Final = 0.3
"""How far the farther of the two may be found from its place, in tile widths."""


def with_pairs_completed(looks: TileLooks, known_readings: Mapping[int, Reading], reader: LookReader) -> TileLooks:
    """Returns the looks with both upright tiles beside a sure, turned one, where one of them was found doubtfully.

    They must surely show faces that make a meld with it, and lie by a rail.

    Args:
        looks: what was found.
        known_readings: the readings of some of the finds by earlier looks, by index.
        reader: reads the frame in which it was found.
    """
    sure_faces = {index: reading.tile for index, reading in known_readings.items() if is_sure_face(reading)}
    for turned, face in sure_faces.items():
        for find in known_readings.keys() - sure_faces.keys():
            places = _pair_beside(looks.detections[turned], looks.detections[find], reader.size)
            if places is None or not all(reader.zones.is_by_rail(place.x_mm, place.y_mm) for place in places):
                continue
            others = _finds_at(places, looks.detections) - {find}
            if not all(_is_no_tile(known_readings.get(other)) for other in others):
                continue
            readings = [read.reading for read in reader.read(places)]
            if all(map(is_sure_face, readings)) and are_one_meld([face, *(reading.tile for reading in readings)]):
                scores = [float(looks.scores[find])] * len(places)
                return looks.with_others(places, scores, reader.view, without={find, *others})
    return looks


def _finds_at(places: Sequence[Detection], finds: Sequence[Detection]) -> set[int]:
    """Returns the indexes of the finds that overlap one of these places."""
    return {index for index, find in enumerate(finds) if any(do_overlap(find, place) for place in places)}


def _is_no_tile(reading: Reading | None) -> bool:
    """Returns whether something was read before, and as no tile."""
    return reading is not None and reading.tile == NOT_A_TILE


def _pair_beside(turned: Detection, find: Detection, size: TileSize) -> tuple[Detection, Detection] | None:
    """Returns the places of two upright tiles beside a turned one, nearer first, if `find` is about at the farther."""
    if find.lean_to(turned) <= 90 - ASKEW_DEG:
        return None
    ((right, up),) = find.offsets_of([turned])
    direction = int(np.sign(right))
    away_mm, up_mm = turned_offset(find, direction, size)
    off_mm = np.array([right - away_mm - direction * size.width_mm, up - up_mm])
    if np.abs(off_mm).max() > _OFF * size.width_mm:
        return None
    far = place_beside(find, off_mm, size, is_turned=False)
    return place_beside(far, np.array([direction * size.width_mm, 0.0]), size, is_turned=False), far

"""Distinguishes blank tiles, haku or back, by the other tiles on the table and by their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats32
from vision.confidence import FAINT, SURE
from vision.felt import BACK, NOT_A_TILE, Reading, Zone
from vision.reading.blanks import HAKU, Spots, face_up, identify_blanks, known_tiles, lab_of
from vision.watching.beliefs import Detection, TrackedThing
from vision.watching.evidence import TileEvidence
from vision.watching.looks.top_look import TopLook
from vision.watching.looks.visible_sides import is_side_of
from vision.zones.table_zones import Zones

_SCALE: Final = 0.66
_STEPS: Final = 9
_MOST_LOOKS: Final = 24
"""The number of looks after which a back in a river is believed."""


def with_blanks_identified(
    look: TopLook,
    readings: Sequence[Reading],
    places: Sequence[Detection],
    found: Floats32,
    *,
    believed: Iterable[TrackedThing[TileEvidence]],
    zones: Zones,
) -> list[Reading]:
    """Returns this look's readings of the tiles at `places`, with blank ones compared to all others on the table.

    `found` are the locator's scores of these tiles, [N].
    """
    if not any(reading.tile in (HAKU, BACK, NOT_A_TILE) for reading in readings):
        return list(readings)
    known = [thing for thing in believed if not thing.is_hidden and thing.rival is None]
    around = [*readings, *(thing.evidence.reading() for thing in known)]
    lying = [*places, *(thing.place for thing in known)]
    samples = _samples(look, lying)
    spots = Spots(
        middles=np.array([(spot.x_mm, spot.y_mm) for spot in lying], np.float64).reshape(-1, 2),
        lengths=np.array([2 * spot.half_mm[1] for spot in lying], np.float64),
        found=np.concatenate([found, np.ones(len(known), np.float32)]),
        zones=tuple(zones.rough(spot.x_mm, spot.y_mm)[1] for spot in lying),
    )
    identified = identify_blanks(readings, samples[: len(readings)], spots, known_tiles(around, samples, spots))
    faces = [
        (place, score)
        for place, score, reading in zip(lying, spots.found.tolist(), around, strict=True)
        if reading.is_face
    ]
    is_side = [
        reading.tile in (BACK, HAKU) and _is_side(place, [face for face, found in faces if found > score], look, zones)
        for reading, place, score in zip(identified, places, spots.found.tolist(), strict=False)
    ]
    nothing = Reading(tile=NOT_A_TILE, score=1.0)
    return [nothing if is_none else reading for is_none, reading in zip(is_side, identified, strict=True)]


def counted_readings(
    readings: Sequence[Reading],
    by_colour: Sequence[Reading],
    places: Sequence[Detection],
    found: Floats32,
    zones: Zones,
) -> list[Reading]:
    """Returns the readings that count: none of a faint find, unless its face is sure.

    In a river, where none lies face down, it is a haku by colour or else a face. `found` are the locator's scores of
    these tiles, [N].
    """
    counted = []
    for reading, coloured, place, score in zip(readings, by_colour, places, found.tolist(), strict=True):
        if score < FAINT and (reading.score < SURE or reading.tile == BACK):
            counted.append(Reading(tile=NOT_A_TILE, score=1.0))
        elif zones.rough(place.x_mm, place.y_mm)[1] is Zone.RIVER and coloured.tile != HAKU:
            counted.append(face_up(reading))
        else:
            counted.append(coloured)
    return counted


def lies_impossibly(thing: TrackedThing[TileEvidence], zones: Zones) -> bool:
    """Returns whether a tile is believed to lie face down in a river, where none does, and should be read again.

    If it is read so again and again, it is a back after all: some walls lie near the rivers.
    """
    evidence = thing.evidence
    if thing.id is None or evidence.verdict != BACK or evidence.frames >= _MOST_LOOKS:
        return False
    return zones.rough(thing.place.x_mm, thing.place.y_mm)[1] is Zone.RIVER


def _is_side(place: Detection, surer: Iterable[Detection], look: TopLook, zones: Zones) -> bool:
    """Returns whether a blank find is only the side of one of the faces that were found more surely; no wall is."""
    if zones.rough(place.x_mm, place.y_mm)[1] is Zone.WALL:
        return False
    return any(is_side_of(place, face, look.view.calibration.eye_mm, zones.size) for face in surer)


def _samples(look: TopLook, spots: Sequence[Detection]) -> Floats32:
    return lab_of(look.colours(np.stack([spot.grid(scale=_SCALE, steps=_STEPS) for spot in spots])))

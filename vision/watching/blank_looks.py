"""Distinguishes blank tiles, haku or back, by the other tiles on the table and by their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats32
from vision.felt import BACK, NOT_A_TILE, Reading, Zone
from vision.reading.blanks import HAKU, Spots, face_up, identify_blanks, known_tiles, lab_of
from vision.watching.beliefs import Detection, TrackedThing
from vision.watching.evidence import TileEvidence
from vision.watching.top_look import TopLook
from vision.zones.table_zones import Zones

_SCALE: Final = 0.66
_STEPS: Final = 9


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
    return identify_blanks(readings, samples[: len(readings)], spots, known_tiles(around, samples, spots))


def counted_reading(reading: Reading, by_colour: Reading, zone: Zone) -> Reading:
    """Returns the reading that counts; in a river, where none lies face down, a haku by colour or else a face."""
    if zone is Zone.RIVER and by_colour.tile != HAKU:
        return face_up(reading)
    return by_colour


def _samples(look: TopLook, spots: Sequence[Detection]) -> Floats32:
    return lab_of(look.colours(np.stack([spot.grid(scale=_SCALE, steps=_STEPS) for spot in spots])))

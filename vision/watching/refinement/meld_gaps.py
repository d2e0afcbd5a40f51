"""Reads a meld's tiles that the locator missed, or found askew, where the other tiles of the meld show that they lie.

From aslant, in dim light and in small pictures a called tile or a closed kan's back may not be found at all. Its place
follows from two or three other tiles of the meld. The place is read, and accepted if it shows a sure face that makes a
meld with these, or a back where a closed kan has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from vision.confidence import BACK_SURE
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import UNFOUND, TileLooks, is_sure_face
from vision.watching.refinement.neighbours import (
    PlacedTile,
    do_overlap,
    place_beside,
    place_in_row,
    row_beside,
    tiles_near,
)
from vision.watching.refinement.turned_in_meld import turned_offset, turned_places_beside
from vision.zones.meld_rows import are_one_meld

_OFF: Final = 0.3
"""How far a tile may be found from its place beside another one of its meld, in tile widths."""
_LONGEST: Final = 5.0
"""The greatest distance between two tiles of a meld, or of five upright ones in a row, in tile widths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldGap:
    """A place where another tile of a meld would lie."""

    place: Detection
    others: tuple[PlacedTile, ...]
    """Tiles of that meld."""

    def is_filled_by(self, reading: Reading) -> bool:
        """Returns whether what is read there is surely the missing tile: a back beside a closed kan's other back."""
        faces = [tile.face for tile in self.others]
        if BACK in faces:
            return reading.tile == BACK and reading.score >= BACK_SURE
        return is_sure_face(reading) and are_one_meld([reading.tile, *faces])


def with_melds_completed(looks: TileLooks, known_readings: Mapping[int, Reading], reader: LookReader) -> TileLooks:
    """Returns the looks with further tiles of melds by the rails, which were not found, but are surely read.

    Args:
        looks: what was found.
        known_readings: the readings of some of the finds by earlier looks, by index.
        reader: reads the frame in which it was found.
    """
    zones = reader.zones
    no_tiles = {index for index, reading in known_readings.items() if reading.tile == NOT_A_TILE}
    sure_tiles = [
        PlacedTile(looks.detections[index], reading.tile)
        for index, reading in known_readings.items()
        if _is_sure(reading)
    ]
    tiles = [tile for tile in sure_tiles if zones.is_by_rail(tile.place.x_mm, tile.place.y_mm)]
    occupied = [place for index, place in enumerate(looks.detections) if index not in no_tiles]
    gaps = [gap for gap in meld_gaps(tiles, zones.size) if zones.is_by_rail(gap.place.x_mm, gap.place.y_mm)]
    gaps = [gap for gap in gaps if not any(do_overlap(gap.place, place) for place in occupied)]
    read_gaps = zip(gaps, reader.read([gap.place for gap in gaps]), strict=True)
    filled = [gap_reading for gap, gap_reading in read_gaps if gap.is_filled_by(gap_reading.reading)]
    if not filled:
        return looks
    places: list[Detection] = []
    for found in sorted(filled, key=lambda gap_reading: -gap_reading.reading.score):
        if not any(do_overlap(found.place, other) for other in places):
            places.append(found.place)
    dropped = {index for index in no_tiles if any(do_overlap(looks.detections[index], place) for place in places)}
    return looks.with_others(places, [UNFOUND] * len(places), reader.view, without=dropped)


def meld_gaps(tiles: Sequence[PlacedTile], size: TileSize) -> list[MeldGap]:
    """Returns where a missing tile of a meld may lie, by its other tiles; nowhere beside a whole meld."""
    face_up = [tile for tile in tiles if tile.face != BACK]
    gaps = [
        gap
        for tile in face_up
        for gap in _gaps_beside(tile, tiles_near(tile.place, face_up, _LONGEST * size.width_mm), size)
    ]
    by_pair: dict[frozenset[Detection], list[MeldGap]] = {}
    for gap in gaps:
        by_pair.setdefault(frozenset(tile.place for tile in gap.others), []).append(gap)
    whole = {pair for pair, pair_gaps in by_pair.items() if any(_is_filled(gap, face_up) for gap in pair_gaps)}
    open_gaps = [gap for pair, pair_gaps in by_pair.items() if pair not in whole for gap in pair_gaps]
    return [*open_gaps, *(gap for back in tiles if back.face == BACK for gap in _kan_gaps(back, tiles, size))]


def _is_sure(reading: Reading) -> bool:
    return is_sure_face(reading) or (reading.tile == BACK and reading.score >= BACK_SURE)


def _is_filled(gap: MeldGap, tiles: Sequence[PlacedTile]) -> bool:
    """Returns whether one of the tiles is the missing one."""
    overlapping = [
        tile.face for tile in tiles if gap.place.lean_to(tile.place) < ASKEW_DEG and do_overlap(gap.place, tile.place)
    ]
    return any(are_one_meld([face, *(other.face for other in gap.others)]) for face in overlapping)


def _gaps_beside(upright: PlacedTile, neighbours: Sequence[PlacedTile], size: TileSize) -> Iterator[MeldGap]:
    """Yields where a third tile would make a meld with an upright one and another face near it."""
    across = [tile for tile in neighbours if upright.place.lean_to(tile.place) > 90 - ASKEW_DEG]
    offsets = upright.place.offsets_of([tile.place for tile in across])
    for direction in (1, -1):
        away_mm, step = turned_offset(upright.place, direction, size), np.array([direction * size.width_mm, 0.0])
        for place, other in turned_places_beside(upright.place, away_mm, neighbours, size):
            yield MeldGap(place=place, others=(upright, other))
        for turned_tile, offset in zip(across, offsets - away_mm, strict=True):
            offsets_mm = []
            if np.linalg.norm(offset) < _OFF * size.width_mm:
                offsets_mm = [-step, step * (1 + size.height_mm / size.width_mm)]
            elif np.linalg.norm(offset - step) < _OFF * size.width_mm:
                offsets_mm = [step]
            for away in offsets_mm:
                place = place_beside(upright.place, away, size, is_turned=False)
                yield MeldGap(place=place, others=(upright, turned_tile))


def _kan_gaps(back: PlacedTile, tiles: Sequence[PlacedTile], size: TileSize) -> Iterator[MeldGap]:
    """Yields where a closed kan's other back lies, beyond two like faces beside `back`, unless a tile lies there."""
    neighbours = tiles_near(back.place, tiles, _LONGEST * size.width_mm)
    row = row_beside(back.place, [tile.place for tile in neighbours], size)
    for direction in (1, -1):
        if 3 * direction in row:
            continue  # something lies where the other back would
        nearest, next_ones = ([neighbours[index] for index in row.get(step * direction, ())] for step in (1, 2))
        for near, far in product(nearest, next_ones):
            if BACK not in (near.face, far.face) and are_one_meld([near.face, near.face, far.face]):
                yield MeldGap(place=place_in_row(far.place, direction, size), others=(back, near, far))

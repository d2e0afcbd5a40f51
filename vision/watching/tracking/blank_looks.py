"""Distinguishes blank tiles, haku or back, by the other tiles on the table and by their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32
from vision.confidence import CERTAIN, FAINT, GLARE_IN_A_LOOK, SURE
from vision.felt import BACK, HAKU, NOT_A_TILE, Reading, Zone
from vision.geometry.plane_geometry import TileSize
from vision.reading.blanks import face_up, identify_blanks
from vision.reading.known_tiles import KnownTiles, Spots, known_tiles, lab_of, light_in, without_displays
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.detection import Detection
from vision.watching.looks.top_look import TopLook
from vision.watching.looks.visible_sides import is_side_of, shows_side
from vision.watching.refinement.neighbours import PlacedTile, row_beside, tiles_near
from vision.watching.refinement.turned_in_meld import is_before_turned
from vision.zones.table_zones import Zones

_SCALE: Final = 0.66
"""A tile's colours are sampled within its outline scaled by this."""
_STEPS: Final = 9
"""Samples of a tile's colours in each direction."""
_SIDE_LIGHT: Final = 0.55
"""A tile's side reflects less than this share of its face's light, unless a lamp is low; a tile beside it, more."""
_NEAR_MM: Final = 80.0
"""The greatest distance between two tiles of a meld that touch the same third one."""
_MOST_LOOKS: Final = 24
"""The number of looks after which a back in a river is believed."""


def with_blanks_identified(
    look: TopLook,
    readings: Sequence[Reading],
    places: Sequence[Detection],
    scores: Floats32,
    *,
    believed: Iterable[TrackedThing[TileEvidence]],
    zones: Zones,
) -> list[Reading]:
    """Returns this look's readings of the tiles at `places`, with blank ones compared to all others on the table.

    What shows a display is no tile. `scores` are the locator's, of these tiles, [N].
    """
    if not places:
        return []
    samples = _samples(look, places)
    readings = without_displays(readings, samples)
    if all(reading.is_face and reading.tile != HAKU and reading.score >= CERTAIN for reading in readings):
        return readings
    known_things = [thing for thing in believed if not thing.is_hidden and thing.rival is None]
    all_readings = [*readings, *(thing.evidence.reading() for thing in known_things)]
    all_places = [*places, *(thing.place for thing in known_things)]
    if known_things:
        samples = np.concatenate([samples, _samples(look, [thing.place for thing in known_things])])
    spots = _spots(look, all_places, np.concatenate([scores, np.ones(len(known_things), np.float32)]), zones)
    ground = None if look.felt is None else _lab_of_bytes(look.felt)
    colours = known_tiles(all_readings, samples, spots, ground=ground)
    identified = identify_blanks(readings, samples[: len(readings)], spots, colours, glare=GLARE_IN_A_LOOK)
    faces = [index for index, reading in enumerate(all_readings) if reading.is_face]
    camera_mm = look.view.calibration.camera_mm
    table_look = _TableLook(
        places=all_places, samples=samples, spots=spots, colours=colours, camera_mm=camera_mm, tile=zones.size
    )
    nothing = Reading(tile=NOT_A_TILE, score=1.0)
    placed_faces = [PlacedTile(all_places[index], all_readings[index].tile) for index in faces]
    return [
        nothing
        if table_look.is_side(n, reading.tile, faces) or table_look.is_side_in_meld(n, reading.tile, placed_faces)
        else reading
        for n, reading in enumerate(identified)
    ]


def _spots(look: TopLook, places: Sequence[Detection], scores: Floats32, zones: Zones) -> Spots:
    return Spots(
        middles=np.array([(place.x_mm, place.y_mm) for place in places], np.float64).reshape(-1, 2),
        lengths=np.array([2 * place.half_mm[1] for place in places], np.float64),
        found=scores,
        zones=tuple(zones.side_and_zone(place.x_mm, place.y_mm)[1] for place in places),
        bare=look.bare_lightness(np.stack([place.grid(scale=_SCALE, steps=_STEPS) for place in places])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TableLook:
    """Everything that lies there, as one look sees it."""

    places: Sequence[Detection]
    samples: Floats32
    spots: Spots
    colours: KnownTiles
    camera_mm: Floats
    tile: TileSize

    def is_side(self, index: int, tile: str, faces: Iterable[int]) -> bool:
        """Returns whether a blank find is only the side of a face that was found more surely; never in a wall."""
        if tile not in (BACK, HAKU) or self.spots.zones[index] is Zone.WALL:
            return False
        surer = [face for face in faces if self.spots.found[face] > self.spots.found[index]]
        is_no_back = tile == HAKU or not self.colours.may_be_back(self.samples[index], self.spots.middles[index])
        return any(self._is_side_of(index, face, may_be_darker=is_no_back) for face in surer)

    def is_side_in_meld(self, index: int, tile: str, faces: Sequence[PlacedTile]) -> bool:
        """Returns whether a blank find is the side of a meld's turned tile: only its like, added, lies before that."""
        if tile not in (BACK, HAKU) or self.spots.zones[index] not in (Zone.MELD, Zone.HAND):
            return False
        place = self.places[index]
        neighbours = tiles_near(place, faces, _NEAR_MM)
        return any(
            is_before_turned(place, turned, neighbours, self.tile)
            and shows_side(place, turned, self.camera_mm, self.tile)
            for turned, face in neighbours
            if face != tile
        )

    def _is_side_of(self, index: int, face: int, *, may_be_darker: bool) -> bool:
        is_darker = may_be_darker and light_in(self.samples[index], self.samples[face]) < _SIDE_LIGHT
        return is_side_of(self.places[index], self.places[face], self.camera_mm, self.tile, is_darker=is_darker)


def counted_readings(
    readings: Sequence[Reading],
    by_colour: Sequence[Reading],
    places: Sequence[Detection],
    scores: Floats32,
    zones: Zones,
    *,
    believed: Iterable[TrackedThing[TileEvidence]] = (),
) -> list[Reading]:
    """Returns for each find the reading that is used: mostly that by colour.

    * A find with a score below `FAINT` is no tile, unless its face is sure or it is one of a closed kan's backs.
    * In a river, where no tile lies face down, a find that is neither a haku nor no tile by colour has the reader's
      reading without the back: a back that may be a 5z becomes 5z.

    `readings` are the reader's, `by_colour` the same after `with_blanks_identified`, and `scores` the locator's,
    one for each of `places`.
    """
    counted = []
    other_things = [thing for thing in believed if thing.place not in places]
    all_places = [*places, *(thing.place for thing in other_things)]
    tiles = [*(reading.tile for reading in by_colour), *(thing.evidence.verdict for thing in other_things)]
    for index, (reading, coloured, place, score) in enumerate(
        zip(readings, by_colour, places, scores.tolist(), strict=True)
    ):
        is_faint = score < FAINT and (reading.score < SURE or reading.tile == BACK)
        if is_faint and not _ends_closed_kan(index, all_places, tiles, zones.size):
            counted.append(Reading(tile=NOT_A_TILE, score=1.0))
        elif zones.side_and_zone(place.x_mm, place.y_mm)[1] is Zone.RIVER and coloured.tile not in (HAKU, NOT_A_TILE):
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
    return zones.side_and_zone(thing.place.x_mm, thing.place.y_mm)[1] is Zone.RIVER


def _ends_closed_kan(index: int, places: Sequence[Detection], tiles: Sequence[str], size: TileSize) -> bool:
    """Returns whether a find is one of the two backs of a closed kan, among `places` with these `tiles`.

    It is the first or last of four in a row, such as back, 5p, 0p, back: a red five is like a plain one.
    """
    if tiles[index] != BACK:
        return False
    row = row_beside(places[index], places, size)
    kinds = {step: {tiles[n].replace("0", "5") for n in found} for step, found in row.items()}

    def at(step: int) -> set[str]:
        return kinds.get(step, set())

    return any(
        (at(direction) & at(2 * direction)) - {BACK, NOT_A_TILE} and BACK in at(3 * direction) for direction in (1, -1)
    )


def _samples(look: TopLook, spots: Sequence[Detection]) -> Floats32:
    return lab_of(look.colours(np.stack([spot.grid(scale=_SCALE, steps=_STEPS) for spot in spots])))


def _lab_of_bytes(colour: Floats32) -> Floats32:
    """Returns a colour [3] in CIE Lab that OpenCV wrote in bytes."""
    return np.asarray(colour * (100 / 255, 1, 1) - (0, 128, 128), np.float32)

"""Finds where a tile would lie turned in a meld.

Seen from aslant, a turned tile and its side are together as long as an upright tile, so the locator may find a meld's
turned tile upright. But it lies where only a turned one would beside two upright ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.geometry.plane_geometry import TileSize, turn
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.refinement.neighbours import PlacedTile, place_beside, tiles_near
from vision.zones.meld_rows import are_one_meld

_FOUND_UPRIGHT: Final = 0.13
"""How far a face that is found upright may lie from where it would lie turned, in tile widths: tiles touch."""
_FOUND_ASKEW: Final = 0.35
"""The same for a find that is askew, or no sure face: its middle is less exact."""
_OUTER_HALF: Final = 0.5
"""How far beyond the middle of a turned tile its outer half may be found upright, in tile widths: as an 8p of a 9p."""
_NEXT: Final = 0.2
"""How far the farther upright tile may lie from its place beside the nearer one, in tile widths."""
_BEFORE: Final = (0.6, 1.4)
"""The least and the greatest distance of an added tile from the turned one, in tile widths."""
_ALIGNED: Final = 0.5
"""How far an added tile may lie to the left or right of the turned one, in tile widths."""


def turned_in_meld(
    place: Detection, faces: Sequence[PlacedTile], size: TileSize, *, sure_face: str | None
) -> Iterator[tuple[Detection, tuple[str, str]]]:
    """Yields where, near `place`, a tile would lie turned in a meld with two upright ones, and the faces of these.

    Args:
        place: where a tile was found.
        faces: the places and names of the faces seen on the table.
        size: the tiles' size.
        sure_face: how it reads as it was found, if surely; then it is only doubted where it was not found turned.
    """
    neighbours = tiles_near(place, faces, 6 * size.height_mm)
    for upright, face in neighbours:
        lean = upright.lean_to(place)
        if sure_face is not None and lean > 90 - ASKEW_DEG:
            continue
        ((right, up),) = upright.offsets_of([place])
        away_mm = turned_offset(upright, 1 if right > 0 else -1, size)
        beyond, above = (abs(right) - abs(away_mm[0])) / size.width_mm, (up - away_mm[1]) / size.width_mm
        is_sure_upright = sure_face is not None and lean < ASKEW_DEG
        is_near = hypot(beyond, above) < (_FOUND_UPRIGHT if is_sure_upright else _FOUND_ASKEW)
        is_half = is_sure_upright and not is_near and 0 < beyond < _OUTER_HALF and abs(above) < _FOUND_UPRIGHT
        if not (is_near or is_half):
            continue
        for turned_place, other in turned_places_beside(upright, away_mm, neighbours, size):
            pair = (face, other.face)
            if sure_face is not None and is_half:
                thirds = [sure_face, *_turned_faces_at(other.place, -away_mm[0], neighbours, size)]
                if any(are_one_meld([third, *pair]) for third in thirds):
                    continue  # the two are a meld without this place
            yield turned_place, pair


def _turned_faces_at(upright: Detection, direction: float, faces: Sequence[PlacedTile], size: TileSize) -> list[str]:
    """Returns the faces of tiles that lie turned beside an upright one: right of it if `direction` is above 0."""
    turned = [tile for tile in faces if upright.lean_to(tile.place) > 90 - ASKEW_DEG]
    offsets = upright.offsets_of([tile.place for tile in turned]) - turned_offset(
        upright, int(np.sign(direction)), size
    )
    is_there = np.hypot(*offsets.T) < _FOUND_ASKEW * size.width_mm
    return [tile.face for tile, is_beside in zip(turned, is_there, strict=True) if is_beside]


def turned_places_beside(
    upright: Detection, away_mm: Floats, faces: Sequence[PlacedTile], size: TileSize
) -> Iterator[tuple[Detection, PlacedTile]]:
    """Yields the place of a turned tile beside an upright one, for each face that may be the third of their meld.

    `away_mm` is how far the turned tile lies to the right of the upright one and above it (`turned_offset`).
    """
    parallel = [tile for tile in faces if upright.lean_to(tile.place) < ASKEW_DEG]
    offsets = upright.offsets_of([tile.place for tile in parallel]) * (-np.sign(away_mm[0]), 1.0)
    steps = np.round(offsets[np.abs(offsets[:, 1]) < _NEXT * size.width_mm, 0] / size.width_mm)
    if {1.0, 2.0, 3.0, 4.0} <= set(steps.tolist()):
        return  # five upright tiles in a row are a hand
    for other, offset in zip(parallel, offsets, strict=True):
        ends = (size.width_mm, -size.width_mm - size.height_mm)
        if min(hypot(offset[0] - end, offset[1]) for end in ends) < _NEXT * size.width_mm:
            yield place_beside(upright, away_mm, size, is_turned=True), other


def turned_offset(upright: Detection, direction: int, size: TileSize) -> Floats:
    """Returns how far a turned tile lies right (`direction` 1) or left of an upright one of its meld, and above it."""
    rail_mm = np.copysign((size.height_mm - size.width_mm) / 2, _rail_of(upright))
    return np.array([direction * (size.width_mm + size.height_mm) / 2, rail_mm])


def is_before_turned(place: Detection, turned: Detection, faces: Sequence[PlacedTile], size: TileSize) -> bool:
    """Returns whether a place is next to a meld's turned tile on the side away from the rail: an added tile's place."""
    rail_mm, _ = turn(np.array([[turned.x_mm, turned.y_mm]]), -turned.angle_deg)[0]
    ((right, up),) = turned.offsets_of([place])
    away = -np.sign(rail_mm) * right / size.width_mm
    is_next = _BEFORE[0] < away < _BEFORE[1] and abs(up) < _ALIGNED * size.width_mm
    if not is_next or turned.lean_to(place) > ASKEW_DEG:
        return False
    for upright in (tile.place for tile in faces if tile.place.lean_to(turned) > 90 - ASKEW_DEG):
        (offset,) = upright.offsets_of([turned])
        away_mm = turned_offset(upright, 1 if offset[0] > 0 else -1, size)
        if np.linalg.norm(offset - away_mm) < _FOUND_ASKEW * size.width_mm:
            return True
    return False


def _rail_of(place: Detection) -> float:
    """Returns a number above 0 if the nearest rail is above a tile, as it lies; else below."""
    return float(turn(np.array([[place.x_mm, place.y_mm]]), -place.angle_deg)[0, 1])

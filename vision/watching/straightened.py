"""Reads again, straightened, what the locator may have found askew: tiles on a table lie along its sides, or nearly so.

From far aslant a tile's side is seen as well, and the locator sometimes finds the outline of both together, turned by
20 degrees or more. What reads as no tile or as a doubtful face under an outline that lies askew is cut again about the
same middle, upright and sideways; what lies straight is not, since sideways it may look like another face. By the
rails, where hands stand, nothing is, except for a meld's turned tile: from aslant it and its side are together as long
as an upright tile. It is as far from its neighbours as only a turned one is, and makes a meld with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from vision.arrays import Floats, Image
from vision.confidence import SURE
from vision.felt import BACK, NOT_A_TILE, Reading, Zone
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.geometry.rectify import TopView
from vision.reading.reader import FaceReader
from vision.watching.beliefs import Detection, TrackedThing
from vision.zones.melds import make_meld
from vision.zones.table_zones import Zones

_ASKEW_DEG: Final = 15.0
"""Tiles laid by hand lean less than this."""
_GAP_ERROR: Final = 0.13
"""How far the distance between two neighbours may be off, in tile widths: they touch."""
_ROW_ERROR: Final = 0.35
_TOP_LEFT_ROUND: Final = [2, 3, 1, 0]
"""The corners of a raster of two steps, clockwise from the far left one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Straightened:
    """A find that shows a face once its outline is straightened."""

    place: Detection
    quad: Floats
    """Corners in the frame, [4, 2]."""
    reading: Reading


_ReadsAt = Callable[[Detection, float], Straightened]


def read_straightened(
    reader: FaceReader,
    image: Image,
    view: TopView,
    *,
    zones: Zones,
    finds: Sequence[tuple[Detection, Reading]],
    around: Iterable[tuple[Detection, Reading]] = (),
) -> dict[int, Straightened]:
    """Returns, by their index, those of these finds that are a sure face only once they are straightened.

    Args:
        reader: reads faces.
        image: the raw frame.
        view: the top view that they were found in.
        zones: the parts of the table.
        finds: where they were found, and how they read.
        around: the same of what is believed to lie there.
    """
    size = zones.size

    def read_at(place: Detection, angle_deg: float) -> Straightened:
        straight = replace(place, angle_deg=angle_deg, half_mm=(size.width_mm / 2, size.height_mm / 2))
        quad = view.to_frame(view.from_felt(straight.grid(scale=1.0, steps=2)[_TOP_LEFT_ROUND])).reshape(4, 2)
        (reading,) = reader.read(image, quad[None])
        return Straightened(place=straight, quad=quad, reading=reading)

    faces = [(place, reading.tile) for place, reading in (*finds, *around) if _shows_face(reading)]
    found: dict[int, Straightened] = {}
    for index, (place, reading) in enumerate(finds):
        straight = None
        if _may_be_askew(place, reading) and max(abs(place.x_mm), abs(place.y_mm)) < zones.rail_start:
            straight = _read_askew(place, read_at)
        elif reading.tile != BACK and zones.rough(place.x_mm, place.y_mm)[1] is Zone.MELD:
            straight = _read_turned(place, reading.tile, _beside_if_turned(place, faces, size), read_at)
        if straight is not None:
            found[index] = straight
    return found


def _read_askew(place: Detection, read_at: _ReadsAt) -> Straightened | None:
    """Returns the surest face that is seen about the middle of `place`, upright or sideways; None if none is sure."""
    tried = [read_at(place, angle_deg) for angle_deg in (0.0, 90.0)]
    sure = [one for one in tried if _shows_face(one.reading) and one.reading.score >= SURE]
    return max(sure, key=lambda one: one.reading.score, default=None)


def _read_turned(
    place: Detection, face: str, pairs: Sequence[tuple[str, str]], read_at: _ReadsAt
) -> Straightened | None:
    """Returns a tile as it reads turned, if only so it makes a meld with a pair of neighbours; else None."""
    if not pairs or any(make_meld([face, *pair]) for pair in pairs):
        return None
    straight = read_at(place, wrap(place.angle_deg + 45.0, period=180) + 45.0)
    is_sure = straight.reading.score >= SURE
    return straight if is_sure and any(make_meld([straight.reading.tile, *pair]) for pair in pairs) else None


def keep_lying(things: Iterable[TrackedThing[Any]], is_changed: Iterable[bool]) -> None:
    """Lets believed things lie as they did where nothing has changed, if they are only found to be turned."""
    for thing, has_changed in zip(things, is_changed, strict=True):
        turned = wrap(thing.sighting.angle_deg - thing.place.angle_deg, period=180)
        if thing.id is not None and not has_changed and abs(turned) > _ASKEW_DEG:
            thing.sighting = thing.place


def _beside_if_turned(
    place: Detection, faces: Sequence[tuple[Detection, str]], size: TileSize
) -> list[tuple[str, str]]:
    """Returns the faces of each two upright tiles that would be in a meld with the one at `place` if it were turned."""
    beside: dict[int, str] = {}
    first = (size.width_mm + size.height_mm) / 2
    middles = np.array([(other.x_mm - place.x_mm, other.y_mm - place.y_mm) for other, _ in faces])
    for (other, face), (right, up) in zip(faces, turn(middles, -place.angle_deg) if faces else (), strict=True):
        is_upright = abs(wrap(other.angle_deg - place.angle_deg, period=180)) <= _ASKEW_DEG
        steps = round((abs(right) - first) / size.width_mm) + 1
        error = abs(abs(right) - first - (steps - 1) * size.width_mm)
        is_in_row = abs(up) <= _ROW_ERROR * size.width_mm and error <= steps * _GAP_ERROR * size.width_mm
        if is_upright and is_in_row and steps in (1, 2):
            beside[int(np.copysign(steps, right))] = face
    return [(beside[i], beside[j]) for i, j in pairwise((-2, -1, 1, 2)) if i in beside and j in beside]


def _shows_face(reading: Reading) -> bool:
    return reading.tile not in (BACK, NOT_A_TILE)


def _may_be_askew(place: Detection, reading: Reading) -> bool:
    is_doubtful = reading.tile == NOT_A_TILE or (reading.tile != BACK and reading.score < SURE)
    return is_doubtful and abs(wrap(place.angle_deg, period=90)) > _ASKEW_DEG

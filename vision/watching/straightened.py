"""Reads again, straightened, what the locator may have found askew: tiles on a table lie along its sides, or nearly so.

From far aslant a tile's side is seen as well, and the locator sometimes finds the outline of both together, turned by
20 degrees or more. What reads as no tile or as a doubtful face under an outline that lies askew is cut again about the
same middle, upright and sideways; what lies straight is not, since sideways it may look like another face. By the
rails, where hands stand, nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from vision.arrays import Floats, Image
from vision.confidence import SURE
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import wrap
from vision.geometry.rectify import TopView
from vision.reading.reader import FaceReader
from vision.watching.beliefs import Detection, TrackedThing
from vision.zones.table_zones import Zones

_ASKEW_DEG: Final = 15.0
"""Tiles laid by hand lean less than this."""
_TOP_LEFT_ROUND: Final = [2, 3, 1, 0]
"""The corners of a raster of two steps, clockwise from the far left one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Straightened:
    """A find that shows a face once its outline is straightened."""

    place: Detection
    quad: Floats
    """Corners in the frame, [4, 2]."""
    reading: Reading


def read_straightened(
    reader: FaceReader,
    image: Image,
    view: TopView,
    *,
    zones: Zones,
    finds: Iterable[tuple[Detection, Reading]],
) -> dict[int, Straightened]:
    """Returns, by their index, those of these finds that are a sure face only once they are straightened.

    Args:
        reader: reads faces.
        image: the raw frame.
        view: the top view that they were found in.
        zones: the parts of the table.
        finds: where they were found, and how they read.
    """
    tried = [
        (index, replace(place, angle_deg=angle_deg, half_mm=(zones.size.width_mm / 2, zones.size.height_mm / 2)))
        for index, (place, reading) in enumerate(finds)
        if _may_be_askew(place, reading) and max(abs(place.x_mm), abs(place.y_mm)) < zones.rail_start
        for angle_deg in (0.0, 90.0)
    ]
    found: dict[int, Straightened] = {}
    for index, place in tried:
        quad = view.to_frame(view.from_felt(place.grid(scale=1.0, steps=2)[_TOP_LEFT_ROUND])).reshape(4, 2)
        (reading,) = reader.read(image, quad[None])
        best = found[index].reading.score if index in found else SURE
        if reading.tile not in (BACK, NOT_A_TILE) and reading.score >= best:
            found[index] = Straightened(place=place, quad=quad, reading=reading)
    return found


def keep_lying(things: Iterable[TrackedThing[Any]], is_changed: Iterable[bool]) -> None:
    """Lets believed things lie as they did where nothing has changed, if they are only found to be turned."""
    for thing, has_changed in zip(things, is_changed, strict=True):
        turn = wrap(thing.sighting.angle_deg - thing.place.angle_deg, period=180)
        if thing.id is not None and not has_changed and abs(turn) > _ASKEW_DEG:
            thing.sighting = thing.place


def _may_be_askew(place: Detection, reading: Reading) -> bool:
    is_doubtful = reading.tile == NOT_A_TILE or (reading.tile != BACK and reading.score < SURE)
    return is_doubtful and abs(wrap(place.angle_deg, period=90)) > _ASKEW_DEG

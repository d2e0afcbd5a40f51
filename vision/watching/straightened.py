"""Reads again, straightened, what the locator may have found askew: tiles on a table lie along its sides, or nearly so.

From far aslant a tile's side is seen as well, and the locator sometimes finds the outline of both together, turned by
20 degrees or more. What reads as no tile or as a doubtful face under an outline that lies askew is cut again about the
same middle, upright and sideways; what lies straight is not, since sideways it may look like another face. By the
rails, where hands stand, nothing is, except for a meld's turned tile: from aslant it and its side are together as long
as an upright tile. It lies where only a turned one would beside two upright tiles of its meld, and is read there unless
that place may not be read (`vision.privacy`). Small faces of three rows are sometimes found as two tiles lying across
them: two finds that overlap as no two tiles can are read as the one tile that lies between them, and one that lies
across a believed tile, beside its middle, and is not sure, is read where that tile is believed to lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Final

import numpy as np

from vision.arrays import Floats, Image
from vision.confidence import SURE
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.geometry.rectify import TopView
from vision.privacy.hand_privacy import may_be_read
from vision.reading.reader import FaceReader
from vision.watching.beliefs import Detection, TrackedThing
from vision.zones.melds import make_meld
from vision.zones.table_zones import Zones

_ASKEW_DEG: Final = 15.0
"""Tiles laid by hand lean less than this."""
_FOUND_UPRIGHT: Final = 0.13
"""How far from where it would lie turned a tile that is found upright may be found, in tile widths: they touch …"""
_FOUND_ASKEW: Final = 0.35
"""… and one that is found askew, whose middle is less exact."""
_NEXT: Final = 0.2
"""How far from its place beside the nearer one the other upright tile may lie."""
_PARTS: Final = (0.4, 0.85)
"""Of two finds side by side, so many tile widths apart, at most one is a tile: tiles do not overlap."""
_OFF_MIDDLE: Final = 0.2
"""A part of a tile has its middle at least so many tile widths away from the tile's."""
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
    known: Sequence[Detection | None] = (),
) -> dict[int, Straightened]:
    """Returns, by their index, those of these finds that are a sure face only once they are straightened.

    Args:
        reader: reads faces.
        image: the raw frame.
        view: the top view that they were found in.
        zones: the parts of the table.
        finds: where they were found, and how they read.
        around: the same of what else is believed to lie there.
        known: where each of the finds is believed to lie; None for a new one.
    """
    size = zones.size

    def read_at(place: Detection, angle_deg: float) -> Straightened:
        straight = replace(place, angle_deg=angle_deg, half_mm=(size.width_mm / 2, size.height_mm / 2))
        quad = view.to_frame(view.from_felt(_corners(straight))).reshape(4, 2)
        (reading,) = reader.read(image, quad[None])
        return Straightened(place=straight, quad=quad, reading=reading)

    def may_be_shown(place: Detection) -> bool:
        return bool(may_be_read(_corners(place), eye_mm=view.calibration.eye_mm, zones=zones).all())

    faces = [(place, reading.tile) for place, reading in (*finds, *around) if _shows_face(reading)]
    found = _read_joined(finds, size, read_at)
    for index, (place, reading) in enumerate(finds):
        straight, believed = None, known[index] if known else None
        is_by_rail = max(abs(place.x_mm), abs(place.y_mm)) >= zones.rail_start
        if index in found:
            continue
        is_part = believed is not None and not _is_sure_face(reading) and _lies_across(place, believed, size)
        if believed is not None and is_part and may_be_shown(believed):
            straight = _read_as_believed(believed, read_at)
        elif _may_be_askew(place, reading) and not is_by_rail:
            straight = _read_askew(place, read_at)
        elif reading.tile != BACK and is_by_rail:
            tried = [each for each in _turned_in_meld(place, faces, size) if may_be_shown(each[0])]
            straight = _read_turned(tried, read_at)
        if straight is not None:
            found[index] = straight
    return found


def _read_joined(
    finds: Sequence[tuple[Detection, Reading]], size: TileSize, read_at: _ReadsAt
) -> dict[int, Straightened]:
    """Returns, for each two finds that are parts of one tile, that tile for the first and none for the second."""
    found: dict[int, Straightened] = {}
    middles = np.array([(place.x_mm, place.y_mm) for place, _ in finds]).reshape(-1, 2)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) / size.width_mm
    for row, column in np.argwhere(np.triu((apart > _PARTS[0]) & (apart < _PARTS[1]))).tolist():
        (one, seen), (other, also) = finds[row], finds[column]
        if found.keys() & {row, column} or not _lie_side_by_side(one, other):
            continue
        between = replace(one, x_mm=(one.x_mm + other.x_mm) / 2, y_mm=(one.y_mm + other.y_mm) / 2)
        joined = read_at(between, wrap(one.angle_deg + 90.0, period=180))
        is_surest = joined.reading.score >= max((part.score for part in (seen, also) if _shows_face(part)), default=0.0)
        if _is_sure_face(joined.reading) and is_surest:
            found[row] = joined
            found[column] = replace(joined, place=other, reading=Reading(tile=NOT_A_TILE, score=1.0))
    return found


def _read_as_believed(believed: Detection, read_at: _ReadsAt) -> Straightened | None:
    """Returns the face where a tile is believed to lie, if it is sure; else None."""
    straight = read_at(believed, believed.angle_deg)
    return straight if _is_sure_face(straight.reading) else None


def _lies_across(place: Detection, believed: Detection, size: TileSize) -> bool:
    """Returns whether a find lies across a believed tile, and not about its middle, as one turned in its place does."""
    is_across = abs(wrap(place.angle_deg - believed.angle_deg, period=180)) > 90 - _ASKEW_DEG
    away_mm = hypot(place.x_mm - believed.x_mm, place.y_mm - believed.y_mm)
    return is_across and away_mm > _OFF_MIDDLE * size.width_mm


def _lie_side_by_side(one: Detection, other: Detection) -> bool:
    """Returns whether two finds are turned alike, and the second lies along the short side of the first."""
    ((right, up),) = _offsets([other], one)
    return abs(wrap(other.angle_deg - one.angle_deg, period=180)) < _ASKEW_DEG and abs(right) > 2 * abs(up)


def _read_askew(place: Detection, read_at: _ReadsAt) -> Straightened | None:
    """Returns the surest face that is seen about the middle of `place`, upright or sideways; None if none is sure."""
    tried = [read_at(place, angle_deg) for angle_deg in (0.0, 90.0)]
    sure = [one for one in tried if _is_sure_face(one.reading)]
    return max(sure, key=lambda one: one.reading.score, default=None)


def _read_turned(tried: Iterable[tuple[Detection, tuple[str, str]]], read_at: _ReadsAt) -> Straightened | None:
    """Returns the first sure face at one of these places that makes a meld with the two faces beside it, or None."""
    for place, pair in tried:
        straight = read_at(place, place.angle_deg)
        if _is_sure_face(straight.reading) and make_meld([straight.reading.tile, *pair]):
            return straight
    return None


def keep_lying(things: Iterable[TrackedThing[Any]], is_changed: Iterable[bool]) -> None:
    """Lets believed things lie as they did where nothing has changed, if they are only found to be turned."""
    for thing, has_changed in zip(things, is_changed, strict=True):
        turned = wrap(thing.sighting.angle_deg - thing.place.angle_deg, period=180)
        if thing.id is not None and not has_changed and abs(turned) > _ASKEW_DEG:
            thing.sighting = thing.place


def _turned_in_meld(
    place: Detection, faces: Sequence[tuple[Detection, str]], size: TileSize
) -> Iterator[tuple[Detection, tuple[str, str]]]:
    """Yields where, near `place`, a tile would lie turned in a meld with two upright ones, and the faces of these."""
    next_mm, rail_mm = (size.width_mm + size.height_mm) / 2, (size.height_mm - size.width_mm) / 2
    near = [each for each in faces if hypot(each[0].x_mm - place.x_mm, each[0].y_mm - place.y_mm) < 6 * next_mm]
    for beside, face in near:
        lean = abs(wrap(place.angle_deg - beside.angle_deg, period=180))
        ((right, up),) = _offsets([place], beside)
        turned_mm = np.array([np.copysign(next_mm, right), np.copysign(rail_mm, _rail_of(beside))])
        most = size.width_mm * (_FOUND_UPRIGHT if lean < _ASKEW_DEG else _FOUND_ASKEW)
        if lean > 90 - _ASKEW_DEG or hypot(right - turned_mm[0], up - turned_mm[1]) > most:
            continue
        upright = [one for one in near if abs(wrap(one[0].angle_deg - beside.angle_deg, period=180)) < _ASKEW_DEG]
        offsets = _offsets([other for other, _ in upright], beside) * (-np.sign(right), 1.0)
        steps = np.round(offsets[np.abs(offsets[:, 1]) < _NEXT * size.width_mm, 0] / size.width_mm)
        if {1.0, 2.0, 3.0, 4.0} <= set(steps.tolist()):
            continue  # five upright tiles in a row are a hand
        for (_, other), offset in zip(upright, offsets, strict=True):
            ends = (size.width_mm, -2 * next_mm)
            if min(hypot(offset[0] - end, offset[1]) for end in ends) < _NEXT * size.width_mm:
                yield _lying_turned(beside, turned_mm, size), (face, other)


def _lying_turned(beside: Detection, away_mm: Floats, size: TileSize) -> Detection:
    """Returns the place of a tile that lies across another one, so far to its right and above it as that one lies."""
    (x, y), angle_deg = turn(away_mm[None], beside.angle_deg)[0], wrap(beside.angle_deg + 45.0, period=180) + 45.0
    half_mm = (size.width_mm / 2, size.height_mm / 2)
    return Detection(x_mm=beside.x_mm + float(x), y_mm=beside.y_mm + float(y), angle_deg=angle_deg, half_mm=half_mm)


def _corners(place: Detection) -> Floats:
    """Returns the corners [4, 2] of an outline, clockwise from the far left one."""
    return place.grid(scale=1.0, steps=2)[_TOP_LEFT_ROUND]


def _offsets(places: Sequence[Detection], beside: Detection) -> Floats:
    """Returns how far places [N] are to the right of a tile and above it, as it lies."""
    away = [(one.x_mm - beside.x_mm, one.y_mm - beside.y_mm) for one in places]
    return turn(np.array(away), -beside.angle_deg)


def _rail_of(place: Detection) -> float:
    """Returns a number above 0 if the nearest rail is above a tile, as it lies; else below."""
    return float(turn(np.array([[place.x_mm, place.y_mm]]), -place.angle_deg)[0, 1])


def _shows_face(reading: Reading) -> bool:
    return reading.tile not in (BACK, NOT_A_TILE)


def _is_sure_face(reading: Reading) -> bool:
    return _shows_face(reading) and reading.score >= SURE


def _may_be_askew(place: Detection, reading: Reading) -> bool:
    is_doubtful = reading.tile != BACK and not _is_sure_face(reading)
    return is_doubtful and abs(wrap(place.angle_deg, period=90)) > _ASKEW_DEG

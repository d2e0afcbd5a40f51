"""Reads again, straightened, what the locator may have found askew: tiles on a table lie along its sides, or nearly so.

From far aslant a tile's side is seen as well, and the locator sometimes finds the outline of both together, turned by
20 degrees or more. What reads as no tile or as a doubtful face under an outline that lies askew is cut again about the
same middle, upright and sideways; what lies straight is not, since sideways it may look like another face. A doubtful
face is also read farther from the camera, since its outline may hold a part of its side; and one that lies sideways in
a river as the upright tile that it may be a part of: two rows of a 9p look like an 8p after a riichi. By the
rails, where hands stand, nothing is, except for a meld's turned tile (`turned_in_meld`), unless its place may not be
read (`vision.privacy`). Two finds that are parts of one tile become that tile before anything else is made of them
(`parts_of_tiles`), and one that is not sure, if it seems a part of a believed tile, is read where that tile is believed
to lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import hypot
from typing import Any, Final

from vision.arrays import Floats, Image
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.geometry.rectify import TopView
from vision.privacy.hand_privacy import may_be_read
from vision.reading.reader import FaceReader
from vision.watching.belief.beliefs import TrackedThing
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.looks.parts_of_tiles import is_part_of, joined_parts, lies_as
from vision.watching.looks.tile_looks import TileLooks, is_sure_face
from vision.watching.looks.turned_in_meld import turned_in_meld
from vision.watching.looks.visible_sides import displaced
from vision.zones.melds import make_meld
from vision.zones.table_zones import Zones


@dataclass(frozen=True, slots=True, kw_only=True)
class Straightened:
    """A find that shows a face once its outline is straightened."""

    place: Detection
    quad: Floats
    """Corners in the frame, [4, 2]."""
    reading: Reading


_FARTHER: Final = ((0.1, 0.2), (0.5, 0.7))
"""How far from a find the face may lie, on the way from the camera, as shares of how far its side is seen …"""
_LEAST_SIDE: Final = 0.3
"""… if that is at least so many tile widths."""
_ACROSS: Final = ((0.25, 0.4), (-0.25, -0.4))
"""How many tile widths from a find the tile's middle may lie that it lies across."""

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
        return _read(reader, image, view, zones, straight)

    faces = [(place, reading.tile) for place, reading in (*finds, *around) if reading.is_face]
    found: dict[int, Straightened] = {}
    for index, (place, reading) in enumerate(finds):
        straight, believed = None, known[index] if known else None
        is_by_rail = zones.is_by_rail(place.x_mm, place.y_mm)
        is_part = believed is not None and not is_sure_face(reading) and is_part_of(place, believed, size)
        if believed is not None and is_part:
            straight = _read_as_believed(believed, read_at)
        elif _may_be_askew(place, reading) and not is_by_rail:
            straight = _read_askew(place, read_at)
        elif reading.tile != BACK and is_by_rail:
            is_read = is_sure_face(reading)
            straight = _read_turned(turned_in_meld(place, faces, size, is_read=is_read), read_at)
        if straight is None and reading.is_face and not is_sure_face(reading):
            straight = _read_farther(place, view, size, read_at)
            if straight is None and zones.lies_across_river(place.x_mm, place.y_mm, place.angle_deg):
                straight = _read_across(place, size, read_at)
        if straight is not None:
            found[index] = straight
    return found


def with_parts_joined(
    reader: FaceReader, image: Image, view: TopView, looks: TileLooks, *, zones: Zones, faces: Iterable[Detection]
) -> TileLooks:
    """Returns the looks with each two that are parts of one tile joined.

    That tile is one of the believed `faces`, or is read surely, and as surely as its parts. Where a hand may stand,
    nothing is read.
    """
    believed, joined, parts = list(faces), dict[int, Detection](), set[int]()
    for first, second, between in joined_parts(looks.sightings, zones.size):
        if {first, second} & {*joined, *parts} or not _may_be_read(between, view, zones):
            continue
        pair = [looks.sightings[first], looks.sightings[second]]
        is_believed = any(lies_as(between, face, zones.size) for face in believed)
        if is_believed or _is_read_as_one(between, pair, partial(_read, reader, image, view, zones)):
            joined[first] = between
            parts.add(second)
    return looks.with_joined(joined, parts, view) if joined else looks


def _is_read_as_one(between: Detection, parts: Iterable[Detection], read: Callable[[Detection], Straightened]) -> bool:
    """Returns whether a sure face is read between two parts, as surely as any of theirs."""
    reading = read(between).reading
    others = [part.reading.score for part in map(read, parts) if part.reading.is_face]
    return is_sure_face(reading) and reading.score >= max(others, default=0.0)


def _read(reader: FaceReader, image: Image, view: TopView, zones: Zones, place: Detection) -> Straightened:
    """Returns what is seen at a place: no tile where the camera may see the face of a standing one."""
    quad = view.to_frame(view.from_felt(place.corners())).reshape(4, 2)
    if not _may_be_read(place, view, zones):
        return Straightened(place=place, quad=quad, reading=Reading(tile=NOT_A_TILE, score=1.0))
    (reading,) = reader.read(image, quad[None])
    return Straightened(place=place, quad=quad, reading=reading)


def _may_be_read(place: Detection, view: TopView, zones: Zones) -> bool:
    return bool(may_be_read(place.corners()[None], eye_mm=view.calibration.eye_mm, zones=zones).all())


def _read_as_believed(believed: Detection, read_at: _ReadsAt) -> Straightened | None:
    """Returns the face where a tile is believed to lie, if it is sure; else None."""
    straight = read_at(believed, believed.angle_deg)
    return straight if is_sure_face(straight.reading) else None


def _read_askew(place: Detection, read_at: _ReadsAt) -> Straightened | None:
    """Returns the surest face that is seen about the middle of `place`, upright or sideways; None if none is sure."""
    tried = [read_at(place, angle_deg) for angle_deg in (0.0, 90.0)]
    sure = [one for one in tried if is_sure_face(one.reading)]
    return max(sure, key=lambda one: one.reading.score, default=None)


def _read_farther(place: Detection, view: TopView, size: TileSize, read_at: _ReadsAt) -> Straightened | None:
    """Returns the face of a tile that was found with a part of its side, where it was found; None if none is sure."""
    away_x, away_y = displaced(place, view, size)
    if hypot(away_x, away_y) < _LEAST_SIDE * size.width_mm:
        return None
    tried = [[_moved(place, share * away_x, share * away_y) for share in shares] for shares in _FARTHER]
    straight = _read_alike(tried, read_at)
    return straight and replace(straight, place=place)


def _read_across(place: Detection, size: TileSize, read_at: _ReadsAt) -> Straightened | None:
    """Returns the face of a tile that a find lies across, where it lies; None if none is sure."""
    turned = replace(place, angle_deg=wrap(place.angle_deg + 90.0, period=180))
    ((right, up),) = turn([[size.width_mm, 0.0]], place.angle_deg)
    return _read_alike([[_moved(turned, by * right, by * up) for by in pair] for pair in _ACROSS], read_at)


def _moved(place: Detection, x_mm: float, y_mm: float) -> Detection:
    return replace(place, x_mm=place.x_mm + x_mm, y_mm=place.y_mm + y_mm)


def _read_alike(tried: Iterable[Sequence[Detection]], read_at: _ReadsAt) -> Straightened | None:
    """Returns the first face that is read surely at all of some places, which are nearly the same, or None."""
    for places in tried:
        seen = [read_at(each, each.angle_deg) for each in places]
        if len({one.reading.tile for one in seen}) == 1 and all(is_sure_face(one.reading) for one in seen):
            return seen[0]
    return None


def _read_turned(tried: Iterable[tuple[Detection, tuple[str, str]]], read_at: _ReadsAt) -> Straightened | None:
    """Returns the first sure face at one of these places that makes a meld with the two faces beside it, or None."""
    for place, pair in tried:
        straight = read_at(place, place.angle_deg)
        if is_sure_face(straight.reading) and make_meld([straight.reading.tile, *pair]):
            return straight
    return None


def keep_lying(things: Iterable[TrackedThing[Any]], is_changed: Iterable[bool]) -> None:
    """Lets believed things lie as they did where nothing has changed, if they are only found to be turned."""
    for thing, has_changed in zip(things, is_changed, strict=True):
        if thing.id is not None and not has_changed and thing.place.lean_to(thing.sighting) > ASKEW_DEG:
            thing.sighting = thing.place


def _may_be_askew(place: Detection, reading: Reading) -> bool:
    is_doubtful = reading.tile != BACK and not is_sure_face(reading)
    return is_doubtful and abs(wrap(place.angle_deg, period=90)) > ASKEW_DEG

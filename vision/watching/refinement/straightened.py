"""Reads finds again that the locator may have found askew: tiles on a table lie along its sides, or nearly so.

Takes finds with their readings, and returns a sure face and its place for some of them. The places that are tried:

| find | is read again |
|---|---|
| askew, no tile or a doubtful face | about the same middle, upright and sideways |
| a doubtful face | farther from the camera: its outline may hold a part of the tile's side; but not over a sure face |
| doubtful and sideways in a river | as the upright tile of which it may be a part: two rows of a 9p look like an 8p |
| a part of a believed tile | where that tile is believed to lie |
| another face than the believed one, hardly off it | where that one lies, which is kept if it is read more surely |
| along the rails | as a meld's turned tile, where it may be one (`turned_in_meld`), and not askew |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import hypot
from typing import Final

from vision.felt import BACK, Reading
from vision.geometry.plane_geometry import turn, wrap
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.detection import ASKEW_DEG, Detection
from vision.watching.looks.grown_sides import top_tile_offset
from vision.watching.looks.look_reader import LookReader, PlaceReading
from vision.watching.looks.tile_looks import TileLooks, is_sure_face
from vision.watching.refinement.neighbours import PlacedTile, do_overlap
from vision.watching.refinement.parts_of_tiles import is_part_of, joined_parts, lies_as
from vision.watching.refinement.turned_in_meld import turned_in_meld
from vision.zones.meld_rows import are_one_meld

_FARTHER: Final = ((0.1, 0.2), (0.5, 0.7))
"""How far beyond a find, as seen from the camera, the face may lie, as shares of the visible length of its side."""
_LEAST_SIDE: Final = 0.3
"""The face is looked for only if its side is seen at least this far, in tile widths."""
_ACROSS: Final = ((0.25, 0.4), (-0.25, -0.4))
"""How many tile widths from a find the middle of a tile may lie that the find lies across."""


def read_straightened(
    reader: LookReader,
    finds: Sequence[tuple[Detection, Reading]],
    *,
    others: Iterable[tuple[Detection, Reading]] = (),
    believed_tiles: Sequence[PlacedTile | None] = (),
) -> dict[int, PlaceReading]:
    """Returns, by index, the new readings of those finds that show a sure face only once they are straightened.

    Args:
        reader: reads the frame in which they were found.
        finds: where they were found, and how they read.
        others: the places and readings of the other tiles that are believed to lie there.
        believed_tiles: what each of the finds is believed to be, and where it lies; None for a new one.
    """
    tiles = [*finds, *others]
    faces = [PlacedTile(place, reading.tile) for place, reading in tiles if reading.is_face]
    found: dict[int, PlaceReading] = {}
    for index, (place, reading) in enumerate(finds):
        believed = believed_tiles[index] if believed_tiles else None
        straight = _read_otherwise(place, reading, believed, faces, reader)
        if straight is None and reading.is_face and not is_sure_face(reading):
            straight = _read_farther(place, [sure for sure, read in tiles if is_sure_face(read)], reader)
            if straight is None and reader.zones.lies_across_river(place.x_mm, place.y_mm, place.angle_deg):
                straight = _read_across(place, reader)
        if straight is not None:
            found[index] = straight
    return found


def _read_otherwise(
    place: Detection, reading: Reading, believed: PlacedTile | None, faces: Sequence[PlacedTile], reader: LookReader
) -> PlaceReading | None:
    """Returns the sure face of a find read as believed to lie, about its middle, or turned in a meld; else None."""
    is_by_rail = reader.zones.is_by_rail(place.x_mm, place.y_mm)
    is_read = is_sure_face(reading)
    if believed is not None:
        if not is_read and is_part_of(place, believed.place, reader.size):
            return _read_as_believed(believed.place, reader)
        is_another = reading.is_face and reading.tile != believed.face and lies_as(place, believed.place, reader.size)
        if is_another and (kept := _read_as_before(reading, believed, reader)):
            return kept
    if _may_be_askew(place, reading) and not is_by_rail:
        return _read_askew(place, reader)
    if reading.tile != BACK and is_by_rail:
        sure_face = reading.tile if is_read else None
        return _read_turned(turned_in_meld(place, faces, reader.size, sure_face=sure_face), reader)
    return None


def with_parts_joined(looks: TileLooks, reader: LookReader, *, faces: Iterable[Detection]) -> TileLooks:
    """Returns the looks with every two finds joined that are parts of one tile.

    That tile is one of the believed `faces`, or is read surely, and at least as surely as its parts. Where a hand may
    stand, nothing is joined.
    """
    believed, joined, parts = list(faces), dict[int, Detection](), set[int]()
    for first, second, between in joined_parts(looks.detections, reader.size):
        if {first, second} & {*joined, *parts} or not reader.allows([between]).all():
            continue
        pair = [looks.detections[first], looks.detections[second]]
        is_believed = any(lies_as(between, face, reader.size) for face in believed)
        if is_believed or _is_read_as_one(between, pair, reader):
            joined[first] = between
            parts.add(second)
    return looks.with_joined(joined, parts, reader.view) if joined else looks


def _is_read_as_one(between: Detection, parts: Iterable[Detection], reader: LookReader) -> bool:
    """Returns whether a sure face is read between two parts, as surely as any of theirs."""
    reading = reader.read_at(between).reading
    others = [part.reading.score for part in map(reader.read_at, parts) if part.reading.is_face]
    return is_sure_face(reading) and reading.score >= max(others, default=0.0)


def _read_as(place: Detection, angle_deg: float, reader: LookReader) -> PlaceReading:
    """Returns what a tile about the middle of a place, at this angle, reads as."""
    half_mm = (reader.size.width_mm / 2, reader.size.height_mm / 2)
    return reader.read_at(replace(place, angle_deg=angle_deg, half_mm=half_mm))


def _read_as_believed(believed: Detection, reader: LookReader) -> PlaceReading | None:
    """Returns the face where a tile is believed to lie, if it is sure; else None."""
    straight = _read_as(believed, believed.angle_deg, reader)
    return straight if is_sure_face(straight.reading) else None


def _read_as_before(reading: Reading, believed: PlacedTile, reader: LookReader) -> PlaceReading | None:
    """Returns the believed face, read where it is believed to lie, if it is surer than this reading; else None."""
    before = _read_as_believed(believed.place, reader)
    is_kept = before is not None and before.reading.tile == believed.face and before.reading.score > reading.score
    return before if is_kept else None


def _read_askew(place: Detection, reader: LookReader) -> PlaceReading | None:
    """Returns the surest face that is seen about the middle of `place`, upright or sideways; None if none is sure.

    Seen from far aslant, the outline of a tile with its side may be turned by 20 degrees.
    """
    readings = [_read_as(place, angle_deg, reader) for angle_deg in (0.0, 90.0)]
    sure_readings = [read for read in readings if is_sure_face(read.reading)]
    return max(sure_readings, key=lambda read: read.reading.score, default=None)


def _read_farther(place: Detection, sure_places: Sequence[Detection], reader: LookReader) -> PlaceReading | None:
    """Returns the face of a tile that was found with a part of its side, where it was found; None if none is sure.

    Over one of the sure faces none is read: what was found is that tile's side.
    """
    away_x, away_y = top_tile_offset(place, reader.view, reader.size)
    if hypot(away_x, away_y) < _LEAST_SIDE * reader.size.width_mm:
        return None
    place_groups = [[_shifted_place(place, share * away_x, share * away_y) for share in shares] for shares in _FARTHER]
    free_groups = [
        group for group in place_groups if not any(do_overlap(far, sure) for far in group for sure in sure_places)
    ]
    straight = _read_at_all(free_groups, reader)
    return straight and replace(straight, place=place)


def _read_across(place: Detection, reader: LookReader) -> PlaceReading | None:
    """Returns the face of a tile that a find lies across, where it lies; None if none is sure."""
    turned_place = replace(place, angle_deg=wrap(place.angle_deg + 90.0, period=180))
    ((right, up),) = turn([[reader.size.width_mm, 0.0]], place.angle_deg)
    return _read_at_all(
        [[_shifted_place(turned_place, by * right, by * up) for by in pair] for pair in _ACROSS], reader
    )


def _shifted_place(place: Detection, x_mm: float, y_mm: float) -> Detection:
    return replace(place, x_mm=place.x_mm + x_mm, y_mm=place.y_mm + y_mm)


def _read_at_all(place_groups: Iterable[Sequence[Detection]], reader: LookReader) -> PlaceReading | None:
    """Returns the first face that is read surely at all of some places, which are nearly the same, or None."""
    for places in place_groups:
        readings = [_read_as(place, place.angle_deg, reader) for place in places]
        if len({read.reading.tile for read in readings}) == 1 and all(is_sure_face(read.reading) for read in readings):
            return readings[0]
    return None


def _read_turned(places: Iterable[tuple[Detection, tuple[str, str]]], reader: LookReader) -> PlaceReading | None:
    """Returns the first sure face at one of these places that makes a meld with the two faces beside it, or None."""
    for place, pair in places:
        straight = _read_as(place, place.angle_deg, reader)
        if is_sure_face(straight.reading) and are_one_meld([straight.reading.tile, *pair]):
            return straight
    return None


def keep_lying(things: Iterable[TrackedThing[TileEvidence]], is_changed: Iterable[bool]) -> None:
    """Keeps believed things in their places where nothing has changed, if they are only found at another angle."""
    for thing, has_changed in zip(things, is_changed, strict=True):
        if thing.id is not None and not has_changed and thing.place.lean_to(thing.detection) > ASKEW_DEG:
            thing.detection = thing.place


def _may_be_askew(place: Detection, reading: Reading) -> bool:
    is_doubtful = reading.tile != BACK and not is_sure_face(reading)
    return is_doubtful and abs(wrap(place.angle_deg, period=90)) > ASKEW_DEG

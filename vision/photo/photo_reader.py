"""Reads one photograph completely: finds and names its tiles and sticks.

1. A photo with too little light is brightened (`vision.photo.dim_photo`).
2. A plain photo is read completely, whatever stands or lies in it (`vision.photo.plain.plain_photo`). If a table is
   found in it, what lies on the table is read through its plane, and the rest as in any photo
   (`vision.photo.tables.table_in_photo`). If the table's corners are given, the photo shows a game in play: the felt is
   rectified, only what lies on it is read, and nothing where hands stand (`vision.photo.tables.table_photo`).
3. In a picture without colour, each five may be red or plain (`vision.photo.doubt.colourless`).
4. All readings are checked together (`vision.reading.set_consistency`): a set has four of each kind, and of five copies
   in a photo none is sure (`vision.photo.doubt.surplus`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from vision.arrays import Image, Mask
from vision.confidence import FAINT_IN_PHOTO, UNREAD_TILE
from vision.errors import CalibrationError
from vision.felt import BACK, Reading
from vision.geometry.plane_geometry import as_float64
from vision.geometry.quads import long_sides
from vision.photo.candidates import FEWEST, is_sure
from vision.photo.dim_photo import brightened_photo
from vision.photo.doubt.colourless import with_fives_doubted
from vision.photo.doubt.doubts import with_doubts
from vision.photo.doubt.surplus import with_surplus_doubted
from vision.photo.files.photo_file import check_size
from vision.photo.found_things import sticks_of, tiles_of
from vision.photo.photo_things import Quad, ReadStick, ReadTile, scaled
from vision.photo.plain.plain_photo import read_plainly, with_halves_joined
from vision.photo.reading_order import in_reading_order
from vision.photo.tables.table_in_photo import TableInPhoto, joined_tiles, tables_in
from vision.photo.tables.table_photo import Locates, TableView
from vision.reading.backs import continuing_rows, odd_backs
from vision.reading.blanks import identify_blanks
from vision.reading.brightening import ENOUGH, ENOUGH_IN_PHOTO
from vision.reading.known_tiles import Spots, known_tiles, samples_of, without_displays
from vision.reading.locator import Located, is_long
from vision.reading.reader import FaceReader, crops
from vision.reading.set_consistency import Remark, resolve_readings
from vision.reading.sticks.strips import ReadsSticks


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoReading:
    """Everything read in a photo, top to bottom and left to right if rows can be recognised."""

    tiles: tuple[ReadTile, ...]
    sticks: tuple[ReadStick, ...]
    ms: float
    """Time taken in milliseconds, without loading the models."""
    table: TableInPhoto | None = None
    """The table that was found in a photo without given corners, and whose plane was used."""
    remarks: tuple[Remark, ...] = ()
    """Tiles that contradict the set as a whole, by their index in `tiles`."""
    is_too_long: bool = False
    """Whether too little was read in a very long or very high picture: reading parts of it would show more."""

    def scaled(self, factor: float) -> Self:
        """Returns the same reading in the pixels of a picture that is `factor` times as wide and high."""
        table = self.table
        if table is not None:
            table = replace(table, view=table.view.scaled(factor))
        return replace(
            self,
            tiles=tuple(replace(tile, quad=scaled(tile.quad, factor)) for tile in self.tiles),
            sticks=tuple(replace(stick, quad=scaled(stick.quad, factor)) for stick in self.sticks),
            table=table,
        )

    def to_json(self, image: str) -> dict[str, Any]:
        """Returns the line that `tachiai read --json` prints; `image` is the name of the file as given."""
        return {
            "image": image,
            "tiles": [
                {
                    "number": number,
                    "tile": tile.tile,
                    "quad": _rounded(tile.quad),
                    "score": round(tile.score, 4),
                    "alternatives": [[name, _rounded_down(score)] for name, score in tile.alternatives],
                }
                for number, tile in enumerate(self.tiles, start=1)
            ],
            "sticks": [
                {"value": stick.value, "quad": _rounded(stick.quad), "score": round(stick.score, 4)}
                for stick in self.sticks
            ],
            "table": None
            if self.table is None
            else {
                "corners": _rounded(self.table.view.corners_px),
                "side_mm": round(self.table.view.side_mm, 1),
                "by": self.table.by,
            },
            "ms": round(self.ms, 1),
            "remarks": [
                {
                    "number": remark.index + 1,
                    "outcome": remark.outcome.value,
                    "tile": remark.now,
                    "read_as": remark.before,
                    "chance": round(remark.chance, 4),
                }
                for remark in self.remarks
            ],
        }


def read_photo(
    image: Image,
    *,
    locator: Locates,
    reader: FaceReader,
    view: TableView | None = None,
    unread_score: float = UNREAD_TILE,
    strips: ReadsSticks | None = None,
    from_above: Locates | None = None,
) -> PhotoReading:
    """Locates and reads everything in a BGR picture; with a `view`, only what lies open on that table's felt.

    Args:
        image: the picture.
        locator: finds tiles and sticks; without a `view`, in the photo as it is.
        reader: reads faces.
        view: the table's corners; None for a plain photo.
        unread_score: the locator's score from which a place that reads as no tile is reported as `?`: a flower.
        strips: reads the sticks on a table; None to use the locator's values.
        from_above: finds tiles through a table's plane; without a `view` it makes the table be looked for. None to look
            for no table.

    Raises:
        ImageError: the picture is too small.
        CalibrationError: the corners of the `view` are not those of a table in this picture.
    """
    check_size(image)
    start, table = time.perf_counter(), None
    image = brightened_photo(image, ENOUGH_IN_PHOTO if view is None else ENOUGH)
    if view is not None:
        located, tiles = _read_through_plane(
            image, view, locator, reader=reader, unread_score=unread_score, strips=strips
        )
    else:
        located, tiles = read_plainly(image, locator, reader, unread_score)
        if from_above is not None:
            through_table = _read_through_a_table(
                image, located, tiles, from_above, reader=reader, unread_score=unread_score, strips=strips
            )
            located, tiles, table = through_table or (located, tiles, None)
    ordered, remarks = _checked_together(with_fives_doubted(in_reading_order(tiles), image))
    return PhotoReading(
        tiles=tuple(ordered),
        sticks=tuple(sticks_of(located)),
        ms=(time.perf_counter() - start) * 1000,
        table=table,
        remarks=remarks,
        is_too_long=view is None and is_long(image) and sum(map(is_sure, ordered)) < FEWEST,
    )


def _read_through_a_table(
    image: Image,
    plain_finds: Located,
    tiles: list[ReadTile],
    from_above: Locates,
    *,
    reader: FaceReader,
    unread_score: float,
    strips: ReadsSticks | None,
) -> tuple[Located, list[ReadTile], TableInPhoto] | None:
    """Returns what is read through the plane of the table in a photo, and beside it; None if no table is found.

    If only tiles showed the plane, the ground may be anything: then the sticks are those found in the plain photo.
    """
    for found in tables_in(image, tiles):
        try:
            through, on_felt = _read_through_plane(
                image, found.view, from_above, reader=reader, unread_score=unread_score, strips=strips
            )
        except CalibrationError:  # the corners that the tiles suggest are no square's
            continue
        if (both := joined_tiles(on_felt, tiles)) is None:
            continue
        both = with_halves_joined(image, both, through.candidates[:0], reader)
        if found.view.is_whole:
            return through, both, found
        through = through.with_sticks_of(plain_finds)
        finds = through.tiles[through.tile_scores >= FAINT_IN_PHOTO]
        return through, with_doubts(both, finds, image), found
    return None


def _read_through_plane(
    image: Image,
    view: TableView,
    locator: Locates,
    *,
    reader: FaceReader,
    unread_score: float,
    strips: ReadsSticks | None,
) -> tuple[Located, list[ReadTile]]:
    """Returns what lies open on a table's felt, found and read through its plane."""
    located = view.locate(image, locator, strips)
    first_readings = reader.read(image, located.tiles)
    readings = _with_blanks_identified(image, view, located, first_readings)
    no_backs = view.are_by_hands(image, located.tiles) | _odd_backs(image, located, readings)
    was_back = np.array([reading.tile == BACK for reading in first_readings], np.bool_)
    is_back = np.array([reading.tile == BACK for reading in readings], np.bool_) & ~no_backs
    is_clear = located.tile_scores >= FAINT_IN_PHOTO
    in_rows = continuing_rows(located.tiles, is_back & is_clear, is_back, was_back)
    scores = np.where(in_rows, np.maximum(located.tile_scores, FAINT_IN_PHOTO), located.tile_scores)
    return located, tiles_of(replace(located, tile_scores=scores), readings, no_backs, unread_score)


def _checked_together(tiles: list[ReadTile]) -> tuple[list[ReadTile], tuple[Remark, ...]]:
    """Checks the undoubted tiles together as tiles of one set; hundreds of slats or keys would take minutes."""
    voting = [index for index, tile in enumerate(tiles) if not tile.is_doubted]
    readings = [
        Reading(tile=tiles[index].tile, score=tiles[index].score, alternatives=tiles[index].alternatives)
        for index in voting
    ]
    weighed, remarks = resolve_readings(readings)
    checked = list(tiles)
    for index, reading in zip(voting, weighed, strict=True):
        checked[index] = replace(
            tiles[index], tile=reading.tile, score=reading.score, alternatives=reading.alternatives
        )
    return with_surplus_doubted(checked, [replace(remark, index=voting[remark.index]) for remark in remarks])


def _with_blanks_identified(image: Image, view: TableView, located: Located, readings: list[Reading]) -> list[Reading]:
    """Returns the readings, with blank tiles identified by the other tiles on the table and by their places."""
    samples = samples_of(crops(image, located.tiles))
    readings = without_displays(readings, samples)
    spots = Spots(
        middles=as_float64(located.tiles.mean(axis=1)),
        lengths=as_float64(long_sides(located.tiles)),
        found=located.tile_scores,
        zones=view.zones(image, located.tiles),
        bare=np.full(len(located.tiles), np.nan),
    )
    return identify_blanks(readings, samples, spots, known_tiles(readings, samples, spots))


def _odd_backs(image: Image, located: Located, readings: list[Reading]) -> Mask:
    """Returns which finds were read as backs but do not look like the other backs."""
    is_odd = np.array([reading.tile == BACK for reading in readings], np.bool_)
    is_odd[is_odd] = odd_backs(image, located.tiles[is_odd], located.tile_scores[is_odd])
    return is_odd


def _rounded(quad: Quad) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad]


def _rounded_down(score: float) -> float:
    """Returns a score rounded down to four digits, so that the printed scores of one tile add up to at most 1."""
    return int(score * 10_000) / 10_000

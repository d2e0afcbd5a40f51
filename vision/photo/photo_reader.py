"""Reads one photograph completely: locates and names its tiles and sticks.

A plain photo is read completely, whatever stands or lies in it. Faces seen at an angle, or in a distorted picture, are
narrower or lower than those that the locator learnt. The photo is therefore also searched when stretched in width and
in height, and the result with the most sure readings is used: half a face reads as none. Candidates that the locator
doubted in it are read too (`vision.photo.candidates`).

Finally all readings are checked together (`vision.reading.set_consistency`): a set has four of each kind.

If the table's corners are given, the photo shows a game in play: the felt is rectified first, and nothing is read where
hands stand (`vision.photo.table_photo`). If nobody gave them and the table is found in the photo, what lies on it is
read through its plane, and the rest as in any photo (`vision.photo.table_in_photo`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image, Mask
from vision.confidence import CANDIDATE, FAINT_IN_PHOTO, UNREAD_TILE
from vision.errors import CalibrationError, ImageError
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import as_float64
from vision.geometry.quads import along
from vision.photo.candidates import FEWEST, amended, fitting, is_sure, quads_of
from vision.photo.doubts import with_doubts
from vision.photo.framed_hakus import are_framed
from vision.photo.halves import possible_wholes, with_wholes
from vision.photo.photo_scene import together
from vision.photo.photo_things import Quad, ReadStick, ReadTile
from vision.photo.table_in_photo import TableInPhoto, joined, tables_in
from vision.photo.table_photo import Locates, TableView
from vision.reading.backs import continuing_rows, odd_ones
from vision.reading.blanks import Spots, identify_blanks, known_tiles, samples_of
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops
from vision.reading.set_consistency import Remark, resolve_readings
from vision.reading.strips import ReadsSticks

_LEAST_PX: Final = 4.0
_PULLS: Final = {(1.0, 1.0): 1.0, (1.6, 1.0): 0.95, (1.0, 1.5): 0.95}
"""The stretches in width and height, each with the weight of its result."""
_PULLS_OF_SQUEEZED: Final = (
    *((pull, 1.0) for pull in (2.6, 4.0, 6.0, 8.0, 10.0, 13.0)),
    *((1.0, pull) for pull in (2.4, 3.8)),
)
"""Further ones, where too little is read without them: a panorama may have been squeezed to a square."""
_FEWEST_SQUEEZED: Final = 6
"""The fewest sure faces that such a stretch must show: few things that are no tiles look like so many of them."""
_WIDEST_PULLED: Final = 1800
"""Longest side in pixels of a stretched photo: what it adds are big tiles that are seen aslant."""
_HEAP: Final = 3
"""This many backs together are tiles, wherever they lie."""
_EASY: Final = 0.3
"""Weight of a back or a blank relative to another face, since many other things look like them."""


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


def load_image(path: Path) -> Image:
    """Reads an image file as BGR, rotated by its EXIF orientation.

    Raises:
        ImageError: the file is missing, or OpenCV cannot read it.
    """
    try:
        return decode_image(path.read_bytes(), str(path))
    except OSError as error:
        raise ImageError(f"expected a readable image file, got {error.strerror or error}, at {path}") from error


def decode_image(data: bytes, where: str) -> Image:
    """Decodes an image file's bytes as BGR, rotated by its EXIF orientation; `where` is used in messages.

    Raises:
        ImageError: OpenCV cannot read it.
    """
    packed = np.frombuffer(data, np.uint8)
    picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    if picture is None:
        raise ImageError(
            f"expected a JPEG, PNG or other picture, got {packed.size} bytes of something else, at {where}"
        )
    return np.asarray(picture, np.uint8)


def read_photo(
    image: Image,
    *,
    locator: Locates,
    reader: FaceReader,
    view: TableView | None = None,
    plain: float = UNREAD_TILE,
    strips: ReadsSticks | None = None,
    from_above: Locates | None = None,
) -> PhotoReading:
    """Locates and reads everything in a BGR picture; with a `view`, only what lies open on that table's felt.

    Args:
        image: the picture.
        locator: finds tiles and sticks; without a `view`, in the photo as it is.
        reader: reads faces.
        view: the table's corners; None for a plain photo.
        plain: the locator's score from which a place that reads as no tile is reported as `?`: a flower, a worn face.
        strips: reads the sticks on a table; None to use the locator's values.
        from_above: finds tiles through a table's plane; without a `view` the table is then looked for. None: it is not.
    """
    begun, table = time.perf_counter(), None
    if view is not None:
        located, tiles = _through(image, view, locator, reader=reader, plain=plain, strips=strips)
    else:
        located, tiles = _plainly(image, locator, reader, plain)
        if from_above is not None:
            seen = _through_a_table(image, located, tiles, from_above, reader=reader, plain=plain, strips=strips)
            located, tiles, table = seen or (located, tiles, None)
    ordered, remarks = _weighed(_in_reading_order(tiles))
    return PhotoReading(
        tiles=tuple(ordered),
        sticks=tuple(_sticks(located)),
        ms=(time.perf_counter() - begun) * 1000,
        table=table,
        remarks=remarks,
    )


def _plainly(image: Image, locator: Locates, reader: FaceReader, plain: float) -> tuple[Located, list[ReadTile]]:
    """Returns what is found and read in any photo, from the stretched version with the most sure readings.

    A face that is found only in another version is added where it suits.
    """
    looks = [(worth, *_located_and_read(image, locator, reader, pull, plain)) for pull, worth in _PULLS.items()]
    best = max(looks, key=lambda look: look[0] * _surely_read(look[2]))
    _, located, tiles = best
    if sum(map(is_sure, tiles)) < FEWEST:
        further = [_located_and_read(image, locator, reader, pull, plain) for pull in _PULLS_OF_SQUEEZED]
        squeezed = max(further, key=lambda look: sum(map(is_sure, look[1])))
        if sum(map(is_sure, squeezed[1])) >= _FEWEST_SQUEEZED:
            located, tiles = squeezed
    tiles = with_wholes(tiles, _read_at(image, possible_wholes(tiles, located.candidates), reader))
    offered = _read_at(image, fitting(tiles, located.candidates), reader)
    offered += (tile for look in looks if look is not best for tile in look[2])
    tiles = amended(tiles, offered, are_framed(crops(image, quads_of(offered))))
    return located, with_doubts(_without_strays(tiles), located.tiles, image)


def _read_at(image: Image, quads: Floats32, reader: FaceReader) -> list[ReadTile]:
    """Returns what reads at these places of a photo, [N, 4, 2], of which the locator was not sure."""
    return [_tile(quad, reading, CANDIDATE) for quad, reading in zip(quads, reader.read(image, quads), strict=True)]


def _through_a_table(
    image: Image,
    plainly: Located,
    tiles: list[ReadTile],
    from_above: Locates,
    *,
    reader: FaceReader,
    plain: float,
    strips: ReadsSticks | None,
) -> tuple[Located, list[ReadTile], TableInPhoto] | None:
    """Returns what is read through the plane of the table in a photo, and beside it; None if no table is found.

    The ground around a plane found by tiles alone may be anything: its sticks are those of the plain photo.
    """
    for found in tables_in(image, tiles):
        try:
            through, on_felt = _through(image, found.view, from_above, reader=reader, plain=plain, strips=strips)
        except CalibrationError:  # the corners that the tiles suggest are no square's
            continue
        if (both := joined(on_felt, tiles)) is None:
            continue
        if found.view.is_whole:
            return through, both, found
        through = replace(
            through,
            sticks=plainly.sticks,
            stick_scores=plainly.stick_scores,
            stick_values=plainly.stick_values,
        )
        finds = through.tiles[through.tile_scores >= FAINT_IN_PHOTO]
        return through, with_doubts(both, finds, image), found
    return None


def _through(
    image: Image,
    view: TableView,
    locator: Locates,
    *,
    reader: FaceReader,
    plain: float,
    strips: ReadsSticks | None,
) -> tuple[Located, list[ReadTile]]:
    """Returns what lies open on a table's felt, found and read through its plane."""
    located = view.locate(image, locator, strips)
    looks = reader.read(image, located.tiles)
    readings = _with_blanks_identified(image, view, located, looks)
    no_backs = view.by_hands(image, located.tiles) | _odd_backs(image, located, readings)
    was_back, is_back = (np.array([each.tile == BACK for each in told], np.bool_) for told in (looks, readings))
    is_back &= ~no_backs
    is_clear = located.tile_scores >= FAINT_IN_PHOTO
    in_rows = continuing_rows(located.tiles, is_back & is_clear, is_back, was_back)
    scores = np.where(in_rows, np.maximum(located.tile_scores, FAINT_IN_PHOTO), located.tile_scores)
    return located, _tiles(replace(located, tile_scores=scores), readings, no_backs, plain)


def _weighed(tiles: list[ReadTile]) -> tuple[list[ReadTile], tuple[Remark, ...]]:
    """Checks what may be tiles of one set; slats or keys are none, and hundreds of them would take minutes."""
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
    return checked, tuple(replace(remark, index=voting[remark.index]) for remark in remarks)


def _located_and_read(
    image: Image, locator: Locates, reader: FaceReader, pull: tuple[float, float], plain: float
) -> tuple[Located, list[ReadTile]]:
    """Returns what is found in the stretched photo, in the photo's own pixels, and its readings."""
    if pull == (1.0, 1.0):
        located = locator.locate(image, tile_px=None)
    else:
        pulled = _pulled(image, pull)
        shrink = np.array([image.shape[1] / pulled.shape[1], image.shape[0] / pulled.shape[0]], np.float32)
        found = locator.locate(pulled, tile_px=None)
        located = replace(
            found, tiles=found.tiles * shrink, sticks=found.sticks * shrink, candidates=found.candidates * shrink
        )
    readings = reader.read(image, located.tiles)
    return located, _tiles(located, readings, np.zeros(len(readings), np.bool_), plain)


def _pulled(image: Image, pull: tuple[float, float]) -> Image:
    """Returns a photo stretched in width and height; a large one is also shrunk."""
    scale = min(1.0, _WIDEST_PULLED / max(image.shape[1] * pull[0], image.shape[0] * pull[1]))
    fx, fy = (max(side * scale, 1 / length) for side, length in zip(pull, image.shape[1::-1], strict=True))
    way = cv2.INTER_LINEAR if scale == 1.0 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=fx, fy=fy, interpolation=way), np.uint8)


def _with_blanks_identified(image: Image, view: TableView, located: Located, readings: list[Reading]) -> list[Reading]:
    """Returns the readings, with blank tiles identified by the other tiles on the table and by their places."""
    samples = samples_of(crops(image, located.tiles))
    spots = Spots(
        middles=as_float64(located.tiles.mean(axis=1)),
        lengths=as_float64(along(located.tiles)),
        found=located.tile_scores,
        zones=view.zones(image, located.tiles),
    )
    return identify_blanks(readings, samples, spots, known_tiles(readings, samples, spots))


def _odd_backs(image: Image, located: Located, readings: list[Reading]) -> Mask:
    """Returns which finds were read as backs but look like no other back."""
    odd = np.array([reading.tile == BACK for reading in readings], np.bool_)
    odd[odd] = odd_ones(image, located.tiles[odd], located.tile_scores[odd])
    return odd


def _tiles(located: Located, readings: list[Reading], no_backs: Mask, plain: float) -> list[ReadTile]:
    """Returns the tiles among the finds; `no_backs` marks those known not to be a tile's back."""
    tiles = []
    for quad, found, reading, is_none in zip(located.tiles, located.tile_scores, readings, no_backs, strict=True):
        tile = _tile(quad, reading, float(found))
        is_named = reading.tile != NOT_A_TILE or found >= plain
        if is_named and not (reading.tile == BACK and is_none) and (found >= FAINT_IN_PHOTO or is_sure(tile)):
            tiles.append(tile)
    return tiles


def _without_strays(tiles: list[ReadTile]) -> list[ReadTile]:
    """Drops things apart from the others without a surely read face: a box beside the table looks like a back."""
    faces = np.array([is_sure(tile) for tile in tiles], np.bool_)
    if not faces.any():
        return tiles
    alike = together(tiles)
    kept = (alike.sum(axis=1) >= _HEAP) | (alike & faces).any(axis=1)
    return [tile for tile, is_kept in zip(tiles, kept, strict=True) if is_kept]


def _surely_read(tiles: list[ReadTile]) -> float:
    """Returns how much of the picture is covered by faces, weighted by their scores."""
    worth = {NOT_A_TILE: 0.0, BACK: _EASY, "5z": _EASY}
    return sum(
        float(abs(cv2.contourArea(np.array(tile.quad, np.float32)))) * (tile.score * worth.get(tile.tile, 1.0)) ** 4
        for tile in tiles
    )


def _tile(quad: Floats32, reading: Reading, found: float) -> ReadTile:
    upright = np.roll(quad, 2, axis=0) if reading.turned else quad
    return ReadTile(
        tile=reading.tile,
        quad=_quad(upright),
        score=reading.score,
        alternatives=tuple(reading.alternatives),
        found=found,
    )


def _sticks(located: Located) -> list[ReadStick]:
    return [
        ReadStick(value=value, quad=_quad(quad), score=float(score))
        for quad, score, value in zip(located.sticks, located.stick_scores, located.stick_values, strict=True)
    ]


def _quad(corners: Floats32) -> Quad:
    return tuple((float(x), float(y)) for x, y in corners)


def _rounded(quad: Quad) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad]


def _rounded_down(score: float) -> float:
    """Returns a score rounded down to four digits, so that the printed scores of one tile add up to at most 1."""
    return int(score * 10_000) / 10_000


def _in_reading_order(tiles: list[ReadTile]) -> list[ReadTile]:
    """Returns rows from top to bottom, each from left to right."""
    if not tiles:
        return []
    quads = np.array([tile.quad for tile in tiles], np.float32)
    middles, heights = quads.mean(axis=1), np.ptp(quads[..., 1], axis=1)
    reach = max(float(np.median(heights)) / 2, _LEAST_PX)
    return [tiles[index] for index in reading_order(middles[:, 0], middles[:, 1], reach)]


def reading_order(across: Floats32, down: Floats32, reach: float) -> list[int]:
    """Returns the order of things by rows, from the coordinates of their middles, [N] each.

    A row is a chain of nearest neighbours to the right, each at most `reach` higher or lower, so it may slant and bend.
    """
    row = np.arange(len(across))
    for index in np.argsort(across, kind="stable"):
        beside = np.flatnonzero((across > across[index]) & (np.abs(down - down[index]) < reach))
        if len(beside):
            row[row == row[beside[across[beside].argmin()]]] = row[index]
    depth = {name: float(down[row == name].mean()) for name in row.tolist()}
    return sorted(range(len(across)), key=lambda index: (depth[int(row[index])], float(across[index])))


__all__ = ["PhotoReading", "ReadStick", "ReadTile", "decode_image", "load_image", "read_photo", "reading_order"]

"""Finds the table in a photo without given corners: by markers, by its felt, or by the tiles that lie on it.

The tiles read in the plain photo give the scale, and so the length of the felt's sides: a mat, a tray or a book is too
small to be a table. If too few tiles were read for that, a felt counts as a table if enough is read through its plane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from vision.arrays import Floats, Image
from vision.confidence import MARK_BELOW
from vision.errors import CalibrationError
from vision.felt import NOT_A_TILE
from vision.geometry.calibration import FoundTable, calibrate, find_table
from vision.geometry.felt_finder import find_felt
from vision.geometry.plane_geometry import TileSize, apply, as_points, homography_between
from vision.geometry.quads import are_close, areas_of, covers, is_same
from vision.photo.candidates import is_sure, quads_of
from vision.photo.photo_things import ReadTile
from vision.photo.tables.plane_of_tiles import plane_of
from vision.photo.tables.table_photo import TableView
from vision.reading.locator import at_most

_POSSIBLE_SIDES_MM: Final = (500.0, 1000.0)
"""The possible sides of a table's play surface in millimetres, given tiles of the usual size."""
_LONGER: Final = 1600
"""Longest side in pixels of the picture in which markers and felt are looked for."""
_TOLERANCES: Final = (0.6, 0.4)
"""Further tolerances of a felt's colour, as shares of the usual: in dim light a rail resembles the felt."""
_USUAL_MM: Final = 680.0
_FEWEST: Final = 8
"""The fewest tiles on a felt that give its size, and the fewest sure faces that prove it to be a table."""
_AGREED: Final = 0.6
"""Share of the plain photo's sure faces that must read the same through the table's plane."""
_KEPT_SHARE: Final = 0.95
"""The least number of sure faces in the result, as a share of the plain photo's: halves may be joined to one face."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInPhoto:
    """A table that was found in a photo."""

    view: TableView
    by: Literal["markers", "felt", "tiles"]
    """How it was found; by `tiles`, only the part of its plane around them is known."""


def tables_in(image: Image, tiles: Sequence[ReadTile]) -> Iterator[TableInPhoto]:
    """Yields tables that a photo may show, the best guess first; `tiles` were read in the plain photo."""
    if (whole := _whole_table(image, tiles)) is not None:
        yield whole
    sure = [tile for tile in tiles if tile.tile != NOT_A_TILE and tile.score >= MARK_BELOW]
    if sum(map(is_sure, sure)) >= _FEWEST:
        plane = plane_of(quads_of(sure), size=(image.shape[1], image.shape[0]))
        if plane is not None:
            yield TableInPhoto(
                view=TableView(corners_px=plane.corners_px, side_mm=plane.side_mm, is_whole=False), by="tiles"
            )


def _whole_table(image: Image, tiles: Sequence[ReadTile]) -> TableInPhoto | None:
    small = at_most(image, _LONGER)
    ratio = np.array(image.shape[1::-1]) / np.array(small.shape[1::-1])
    for found in _possible_tables(small):
        places = as_points((found.corners + 0.5) * ratio - 0.5)
        side_mm = _side_mm(places, tiles)
        if side_mm is not None and _POSSIBLE_SIDES_MM[0] <= side_mm <= _POSSIBLE_SIDES_MM[1]:
            corners = tuple((float(x), float(y)) for x, y in places)
            return TableInPhoto(view=TableView(corners_px=corners, side_mm=side_mm), by=found.by)
    return None


def _possible_tables(image: Image) -> Iterator[FoundTable]:
    """Yields the possible tables: by markers or felt, then by a felt whose colour varies less."""
    size = image.shape[1], image.shape[0]
    for tolerance in (None, *_TOLERANCES):
        try:
            found = (
                find_table([image])
                if tolerance is None
                else FoundTable(corners=find_felt(image, tolerance=tolerance), by="felt")
            )
            calibrate(found.corners, size=size, side_mm=_USUAL_MM)
        except CalibrationError:
            continue
        yield found


def _side_mm(corners: Floats, tiles: Sequence[ReadTile]) -> float | None:
    """Returns the length of a felt's side, judged by the tiles on it.

    With too few tiles on it, it is the usual length; None if that is because enough tiles lie elsewhere.
    """
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    flat = apply(homography_between(corners, square), as_points(quads_of(tiles))).reshape(-1, 4, 2)
    flat = flat[((flat > 0) & (flat < 1)).all(axis=(1, 2))]
    if len(flat) < _FEWEST:
        return None if sum(map(is_sure, tiles)) >= _FEWEST else _USUAL_MM
    size = TileSize()
    return float(np.sqrt(size.width_mm * size.height_mm / np.median(areas_of(flat.astype(np.float32)))))


def joined_tiles(through_table: Sequence[ReadTile], plainly: Sequence[ReadTile]) -> list[ReadTile] | None:
    """Returns the tiles read through a table's plane, and those read beside it in the plain photo, such as hands.

    If both show one tile, the plain reading is taken where it alone is sure, since standing tiles are seen worse
    through the plane. None if this is no table: through its plane too little was read, less than in the plain photo, or
    other faces than the plain photo's sure ones.
    """
    if sum(map(is_sure, through_table)) < _FEWEST:
        return None
    quads = quads_of([*through_table, *plainly])
    close, areas = are_close(quads), areas_of(quads)
    count, agreed = len(through_table), list[bool]()
    both = dict(enumerate(through_table))
    for index, tile in enumerate(plainly, start=count):
        covering = [
            other for other in map(int, np.flatnonzero(close[index, :count])) if covers(quads, areas, index, other)
        ]
        if is_sure(tile) and covering:
            agreed.append(any(through_table[other].tile == tile.tile for other in covering))
        is_surer = is_sure(tile) and len(covering) == 1 and not is_sure(through_table[covering[0]])
        if not covering or (is_surer and is_same(quads, areas, index, covering[0])):
            both = {other: kept for other, kept in both.items() if other not in covering} | {index: tile}
    is_less = sum(map(is_sure, both.values())) < _KEPT_SHARE * sum(map(is_sure, plainly))
    return None if is_less or sum(agreed) < _AGREED * len(agreed) else list(both.values())

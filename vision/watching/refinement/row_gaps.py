"""Reads tiles in a row of touching ones where the locator found something across the edge between two of them.

Small prints of sticks side by side can hide the edge between two tiles. What was found there lies off the raster of
the row: it leaves free half a tile on both sides, or reaches over a neighbour. The places on the raster are read
instead, and accepted if each of them shows a sure face; in a loose row none does. At the end of a row the raster is
that of a tile known to lie there: the find overlaps it, and another tile may lie beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.felt import Reading
from vision.geometry.plane_geometry import TileSize, wrap
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import TileLooks, is_sure_face
from vision.watching.refinement.neighbours import PlacedTile, place_in_row, row_offsets
from vision.watching.refinement.parts_of_tiles import OFF_MIDDLE, OVERLAPPING

_STEPS: Final = (2, 3, 4)
"""How far the tiles on both sides of a wrong find are apart, in tile widths."""
_INEXACT: Final = 0.08
"""How far, in tile widths a step, the tiles on both sides may be off the raster: they touch their neighbours."""
_NARROW: Final = 0.2
"""How much narrower than the tiles between them the gap may be, in tile widths: tiles do not overlap."""
_OFF: Final = 0.25
"""A find farther than this from its place on the raster, in tile widths, is off it."""
_IN_ROW: Final = 0.25
"""How far the tiles of a row may lie above or below each other, in tile widths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGap:
    """A part of a row in which tiles were found where none can lie."""

    found: tuple[int, ...]
    """The indexes of the finds in it."""
    places: tuple[Detection, ...]
    """Where tiles would lie that touch each other and those on both sides."""
    beside: tuple[int, ...] = ()
    """The indexes of the finds on both sides, from which the places follow."""
    known_tile: str | None = None
    """What the first of these places must show, if a tile is known to lie there."""

    def is_filled_by(self, readings: Sequence[Reading]) -> bool:
        """Returns whether its places surely show tiles, and the known one where it is."""
        return all(map(is_sure_face, readings)) and self.known_tile in (None, readings[0].tile)


def row_gaps(places: Sequence[Detection], size: TileSize) -> list[RowGap]:
    """Returns where finds lie off the raster of their row, too few or overlapping; no find is in two gaps."""
    gaps: list[RowGap] = []
    for gap in sorted(_gaps_of(places, size), key=lambda gap: len(gap.places)):
        if all({*gap.found}.isdisjoint(other.found) for other in gaps):
            gaps.append(gap)
    return gaps


def row_ends(places: Sequence[Detection], known_tiles: Sequence[PlacedTile], size: TileSize) -> list[RowGap]:
    """Returns where a find overlaps a known tile of its row: the places of that tile and of one beside it.

    Where a second find overlaps one of these two places, it is unclear what lies there, and no end is returned.
    """
    known_places = [place for place, _ in known_tiles]
    right, up, is_parallel = row_offsets(known_places, places, size)
    away, is_in_row = np.abs(right), is_parallel & (np.abs(up) < _IN_ROW)
    ends: list[RowGap] = []
    for known, find in np.argwhere(is_in_row & (away > OVERLAPPING[0]) & (away < OVERLAPPING[1])).tolist():
        place, tile = known_tiles[known]
        side = float(np.sign(right[known, find]))
        from_nearest = np.minimum(away[known], np.abs(right[known] - side))
        is_there = is_in_row[known] & (from_nearest < OFF_MIDDLE)
        is_over = is_in_row[known] & (from_nearest < OVERLAPPING[1]) & ~is_there
        if is_over.sum() == 1:
            found = (find, *np.flatnonzero(is_there).tolist())
            ends.append(RowGap(found=found, places=(place, place_in_row(place, side, size)), known_tile=tile))
    return ends


def with_rows_completed(looks: TileLooks, reader: LookReader, *, known_tiles: Sequence[PlacedTile] = ()) -> TileLooks:
    """Returns the looks with tiles on a row's raster, wherever all show a sure face, instead of the finds off it.

    Args:
        looks: what was found.
        reader: reads the frame in which it was found.
        known_tiles: the tiles that are known to lie there.
    """
    dropped, places, scores = set[int](), list[Detection](), list[float]()
    gaps = row_ends(looks.detections, known_tiles, reader.size) + row_gaps(looks.detections, reader.size)
    for gap in gaps:
        if not dropped.isdisjoint(gap.found + gap.beside) or not reader.allows(gap.places).all():
            continue
        if gap.is_filled_by([read.reading for read in reader.read(gap.places)]):
            dropped |= {*gap.found}
            places += gap.places
            scores += [float(looks.scores[list(gap.found)].min())] * len(gap.places)
    return looks.with_others(places, scores, reader.view, without=dropped) if dropped else looks


def _gaps_of(places: Sequence[Detection], size: TileSize) -> Iterator[RowGap]:
    """Yields the nearest gap to the right of each place, if there is one."""
    right, up, is_parallel = row_offsets(places, places, size)
    is_in_row = is_parallel & (np.abs(up) < _IN_ROW) & (right > _OFF) & (right < _STEPS[-1] + 1)
    wider = right - np.round(right)
    off = np.abs(wider)
    for first in np.flatnonzero((is_in_row & (off > _OFF)).any(axis=1)).tolist():
        row = sorted(np.flatnonzero(is_in_row[first]).tolist(), key=lambda index: float(right[first, index]))
        for last, steps in enumerate(np.round(right[first, row]).astype(int).tolist()):
            between, end = row[:last], row[last]
            is_on_raster = max(-_NARROW, -_INEXACT * steps) < wider[first, end] < _INEXACT * steps
            is_contrary = len(between) != steps - 1 or steps == 2
            if steps in _STEPS and is_on_raster and between and is_contrary and off[first, between].max() > _OFF:
                yield RowGap(
                    found=tuple(between), places=_raster(places[first], places[end], steps), beside=(first, end)
                )
                break


def _raster(first: Detection, last: Detection, steps: int) -> tuple[Detection, ...]:
    """Returns the places between two tiles of a row that lie that many steps apart."""
    turn_deg = wrap(last.angle_deg - first.angle_deg, period=180)
    return tuple(
        replace(
            first,
            x_mm=first.x_mm + share * (last.x_mm - first.x_mm),
            y_mm=first.y_mm + share * (last.y_mm - first.y_mm),
            angle_deg=first.angle_deg + share * turn_deg,
        )
        for share in np.arange(1, steps) / steps
    )

"""Places in a row where the locator found no tile, though one lies there: several of one face may look like one print.

Small and side by side, three 3s show a pattern of sticks that runs on over their edges; the locator then finds none of
them. Beside what it did find in their row, where something new has come to rest, the next place is read; it holds if it
shows a sure face, and then the one after it is read, too. What a tile turned sideways would show as surely holds not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import Final

import numpy as np

from vision.arrays import Floats, Mask
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import UNFOUND, TileLooks, is_sure_face
from vision.watching.refinement.neighbours import do_overlap, place_beside, place_in_row
from vision.watching.refinement.turned_in_meld import turned_offset

_MOST_IN_A_ROW: Final = 6
"""So many tiles side by side may be unfound: two triplets of a shown hand."""

_RowEnd = tuple[Detection, int]
"""A tile, and the side on which its row may go on: 1 to its right, -1 to its left."""


def with_unfound_tiles(
    looks: TileLooks, reader: LookReader, *, believed: Iterable[Detection], are_new: Callable[[Floats], Mask]
) -> TileLooks:
    """Returns the looks with tiles that continue their rows, and were not found.

    Args:
        looks: what was found.
        reader: reads the frame in which it was found.
        believed: where tiles are believed to lie, found or not.
        are_new: returns at which points [N, 2] of the felt, in millimetres, something rests that was not judged yet.
    """
    unfound, taken = list[Detection](), [*looks.detections, *believed]
    ends: list[_RowEnd] = [(place, side) for place in looks.detections for side in (-1, 1)]
    for _ in range(_MOST_IN_A_ROW):
        ends = _continued(ends, [*taken, *unfound], reader, are_new)
        unfound += [place for place, _ in ends]
        if not ends:
            break
    return looks.with_others(unfound, [UNFOUND] * len(unfound), reader.view, without=()) if unfound else looks


def _continued(
    ends: Sequence[_RowEnd], taken: Sequence[Detection], reader: LookReader, are_new: Callable[[Floats], Mask]
) -> list[_RowEnd]:
    """Returns the new ends of the rows that go on by one tile where nothing is taken."""
    upright, turned = list[_RowEnd](), list[Detection]()
    for end, side in compress(ends, are_new(_middles_beside(ends, reader.size.width_mm))):
        place = place_in_row(end, side, reader.size)
        lying = [*taken, *(one for one, _ in upright)]
        if not any(do_overlap(place, one) for one in lying):
            upright.append((place, side))
            turned.append(place_beside(end, turned_offset(end, side, reader.size), reader.size, is_turned=True))
    readings = [seen.reading for seen in reader.read([*(place for place, _ in upright), *turned])]
    return [
        end
        for end, reading, if_turned in zip(upright, readings[: len(turned)], readings[len(turned) :], strict=True)
        if is_sure_face(reading) and not is_sure_face(if_turned)
    ]


def _middles_beside(ends: Sequence[_RowEnd], away_mm: float) -> Floats:
    """Returns the points [N, 2] so far beside the tiles at the ends of rows."""
    rows = [(end.x_mm, end.y_mm, end.angle_deg, side * away_mm) for end, side in ends]
    x, y, angle_deg, right_mm = np.array(rows).reshape(-1, 4).T
    angle = np.radians(angle_deg)
    return np.stack([x + right_mm * np.cos(angle), y + right_mm * np.sin(angle)], axis=1)

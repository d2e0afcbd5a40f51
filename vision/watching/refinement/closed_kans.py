"""Which faint finds are backs of closed kans: where one's other back lies is known from its two faces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.felt import BACK, NOT_A_TILE
from vision.geometry.plane_geometry import TileSize
from vision.watching.detection import ASKEW_DEG, Detection

_OFF: Final = 0.3
"""How far from its place in the row a tile of a closed kan may be found, in tile widths."""


def ends_closed_kan(index: int, places: Sequence[Detection], tiles: Sequence[str], size: TileSize) -> bool:
    """Returns whether a find is one of the two backs of a closed kan, among `places` with these `tiles`.

    It is the first or last of four in a row, such as back, 5p, 0p, back: a red five is like a plain one.
    """
    if tiles[index] != BACK:
        return False
    row = row_beside(places[index], places, size)
    kinds = {step: {tiles[n].replace("0", "5") for n in found} for step, found in row.items()}

    def at(step: int) -> set[str]:
        return kinds.get(step, set())

    return any(
        (at(direction) & at(2 * direction)) - {BACK, NOT_A_TILE} and BACK in at(3 * direction) for direction in (1, -1)
    )


def row_beside(place: Detection, others: Sequence[Detection], size: TileSize) -> dict[int, list[int]]:
    """Returns which of these others touch one another in a row with `place`: their indexes, by their steps from it.

    A step is one tile's width, to the right as `place` lies; to the left, steps are below 0.
    """
    parallel = [index for index, other in enumerate(others) if place.lean_to(other) < ASKEW_DEG]
    offsets = place.offsets_of([others[index] for index in parallel]) / size.width_mm
    steps = np.round(offsets[:, 0])
    off_raster = np.linalg.norm(offsets - np.stack([steps, np.zeros(len(steps))], axis=1), axis=1)
    row: dict[int, list[int]] = {}
    for index, step, is_in_row in zip(parallel, steps.astype(int).tolist(), off_raster < _OFF, strict=True):
        if is_in_row:
            row.setdefault(step, []).append(index)
    return row

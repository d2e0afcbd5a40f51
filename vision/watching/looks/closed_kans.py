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
    """Returns whether a back is an end of a row of back, two like faces and back, among `places` with these `tiles`."""
    if tiles[index] != BACK:
        return False
    own = places[index]
    alike = [n for n, one in enumerate(places) if own.lean_to(one) < ASKEW_DEG]
    steps = own.offsets_of([places[n] for n in alike]) / size.width_mm

    def at(step: int) -> set[str]:
        """The kinds of what lies so many tiles to its right."""
        near = np.linalg.norm(steps - (step, 0), axis=1) < _OFF
        return {tiles[n].replace("0", "5") for n, is_there in zip(alike, near, strict=True) if is_there}

    return any((at(way) & at(2 * way)) - {BACK, NOT_A_TILE} and BACK in at(3 * way) for way in (1, -1))

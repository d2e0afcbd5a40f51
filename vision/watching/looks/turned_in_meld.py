"""Where a tile would lie turned in a meld: aslant, it and its side are together as long as an upright tile.

So the locator may find a meld's turned tile upright. It lies where only a turned one would beside two upright ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.geometry.plane_geometry import TileSize, turn, wrap
from vision.watching.detection import ASKEW_DEG, Detection

_FOUND_UPRIGHT: Final = 0.13
"""How far from where it would lie turned a tile that is found upright may be found, in tile widths: they touch …"""
_FOUND_ASKEW: Final = 0.35
"""… and one that is found askew, or turned but not read, whose middle is less exact."""
_NEXT: Final = 0.2
"""How far from its place beside the nearer one the other upright tile may lie."""


def turned_in_meld(
    place: Detection, faces: Sequence[tuple[Detection, str]], size: TileSize, *, is_read: bool
) -> Iterator[tuple[Detection, tuple[str, str]]]:
    """Yields where, near `place`, a tile would lie turned in a meld with two upright ones, and the faces of these.

    Args:
        place: where a tile was found.
        faces: the places and names of the faces seen on the table.
        size: the tiles' size.
        is_read: whether it is a sure face as it was found; then it is only doubted where it was not found turned.
    """
    next_mm, rail_mm = (size.width_mm + size.height_mm) / 2, (size.height_mm - size.width_mm) / 2
    near = [each for each in faces if hypot(each[0].x_mm - place.x_mm, each[0].y_mm - place.y_mm) < 6 * next_mm]
    for beside, face in near:
        lean = beside.lean_to(place)
        ((right, up),) = beside.offsets_of([place])
        turned_mm = np.array([np.copysign(next_mm, right), np.copysign(rail_mm, _rail_of(beside))])
        most = size.width_mm * (_FOUND_UPRIGHT if lean < ASKEW_DEG else _FOUND_ASKEW)
        if (is_read and lean > 90 - ASKEW_DEG) or hypot(right - turned_mm[0], up - turned_mm[1]) > most:
            continue
        upright = [one for one in near if beside.lean_to(one[0]) < ASKEW_DEG]
        offsets = beside.offsets_of([other for other, _ in upright]) * (-np.sign(right), 1.0)
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


def _rail_of(place: Detection) -> float:
    """Returns a number above 0 if the nearest rail is above a tile, as it lies; else below."""
    return float(turn(np.array([[place.x_mm, place.y_mm]]), -place.angle_deg)[0, 1])

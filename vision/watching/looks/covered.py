"""Whether something covers a part of a tile: a hand, a sleeve, a phone. A third of a 9p hidden, it looks like a 6p.

Along the edges of its face a tile shows its own colour, since hardly a print reaches there. If one edge shows something
else from end to end, in another colour or much darker, and another edge does not, something lies over the tile. So it
does if the locator finds a shorter tile than the others on the table: it has found what is left of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image
from vision.geometry.plane_geometry import as_float64, turn
from vision.watching.detection import Detection
from vision.watching.looks.top_look import TopLook

_ALONG: Final = np.linspace(-0.72, 0.72, 9)
"""Where an edge is looked at, as shares of half its length …"""
_INSET: Final = (0.8, 0.87, 0.94)
"""… and how far from the middle of the tile, as shares of half its size; few prints reach to the last one …"""
_SURE: Final = 2
"""… and so many of them lie on the face also if the tile was found half a millimetre beside its place."""
_FACE: Final = 0.35
"""The lightest points of a face, by their share, show its colour; the rest may be print."""
_OTHER_COLOUR: Final = 16.0
"""Distance in Lab's a and b from which on a point shows something else …"""
_DARKER: Final = 0.6
"""… and share of the lightness below which it does; an edge is covered if all of it does."""
_FREE_SHARE: Final = 0.3
"""An edge is free if at most so much of it shows something else: a set with frames around its faces has none."""
_SHORT: Final = 0.91
"""A find shorter than this share of the others' length is a part of a tile; whole ones are at least 0.96 as long …"""
_FEWEST: Final = 4
"""… as the median of so many, none of a wall, whose tiles are nearer to the camera."""


def covered_in_part(look: TopLook, places: Sequence[Detection], others: Sequence[Detection] = ()) -> list[bool]:
    """Returns for each place of a tile whether something covers a part of its face; `others` are whole faces."""
    if not places:
        return []
    edges = _lab(look.colours(np.array([_edges(place) for place in places])))
    faces = _lab(look.colours(np.array([place.grid(steps=9) for place in places])))
    least = _SHORT * float(np.median([other.half_mm[1] for other in others])) if len(others) >= _FEWEST else 0.0
    return [
        place.half_mm[1] < least or _is_covered(edge.reshape(4, len(_INSET), -1, 3), face)
        for place, edge, face in zip(places, edges, faces, strict=True)
    ]


def _is_covered(edges: Floats32, face: Floats32) -> bool:
    """Takes the colours in Lab along the four edges, [4, insets, K, 3], and over the face, [N, 3]."""
    colour = np.median(face[face[:, 0] >= np.quantile(face[:, 0], 1 - _FACE)], axis=0)
    away = edges - colour
    is_other = (np.hypot(away[..., 1], away[..., 2]) > _OTHER_COLOUR) | (edges[..., 0] < _DARKER * colour[0])
    are_covered = is_other.all(axis=(1, 2))
    return bool(are_covered.any() and is_other[:, :_SURE].mean(axis=(1, 2)).min() <= _FREE_SHARE)


def _edges(place: Detection) -> Floats:
    """Returns points along the four edges of a face, edge by edge, in felt millimetres: [4 * K, 2]."""
    across, along = (np.array([each * inset for inset in _INSET]).repeat(len(_ALONG)) for each in place.half_mm)
    points = np.tile(_ALONG, len(_INSET))
    wide, high = points * place.half_mm[0], points * place.half_mm[1]
    lines = [np.stack(line, axis=1) for line in ((wide, along), (across, high), (wide, -along), (-across, high))]
    return as_float64(turn(np.concatenate(lines), place.angle_deg) + (place.x_mm, place.y_mm))


def _lab(colours: Image) -> Floats32:
    lab = cv2.cvtColor((colours / np.float32(255)).astype(np.float32), cv2.COLOR_BGR2LAB)
    return np.asarray(lab, np.float32)

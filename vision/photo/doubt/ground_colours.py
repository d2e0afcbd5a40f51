"""The ground of each thing in a photo, that is the colour behind its print; all faces of a set have the same.

A thing that reads like a face but has another ground, such as a key or an app beside tiles, is no tile of the set.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.reading.reader import HEIGHT, WIDTH, crops

_EDGES: Final = (0.08, 0.13)
"""How far from its sides a face's colours are taken, as shares of width and height: there is least print."""
_PAPER: Final = (0.5, 0.95)
"""The range of these colours, by lightness, that is the ground; darker ones may be print, lighter ones glare."""
_LIGHTER: Final = 30.0
"""The most by which the lightness (CIE Lab) of the grounds of one set differs within a photo."""
_HUE: Final = 10.0
"""The most by which the chroma (a and b of CIE Lab) of the grounds of one set differs within a photo."""
_TINT: Final = 9.0
"""The most by which a face's ground differs from the nearest faces' in chroma."""
_PAPER_LIGHTER: Final = 14.0
"""The most by which a blank tile differs from the nearest faces' ground in lightness."""
_PAPER_TINT: Final = 5.0
"""The most by which a blank tile differs from the nearest faces' ground in chroma."""
_PRINT: Final = 30.0
"""A tile whose lightness varies by more than this has a print, such as the frame of a haku."""
_RIM: Final = 6
"""Pixels this near to a crop's sides say nothing about its print, since quads are not exact."""
_MIDDLE: Final = np.s_[HEIGHT * 3 // 8 : HEIGHT * 5 // 8, WIDTH * 3 // 8 : WIDTH * 5 // 8]
"""The part of a crop that the widest frame leaves empty."""


def grounds_of(image: Image, quads: Floats32) -> Floats32:
    """Returns the colour of the ground of each quad [N, 4, 2] of a BGR picture: [N, 3] in CIE Lab."""
    if not len(quads):
        return np.zeros((0, 3), np.float32)
    points = np.rint(np.einsum("kc,ncd->nkd", _shares(), quads)).astype(np.intp)
    column, row = (np.clip(points[..., axis], 0, image.shape[1 - axis] - 1) for axis in (0, 1))
    colours = cv2.cvtColor(image[row, column].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    by_lightness = np.take_along_axis(colours, np.argsort(colours[..., :1], axis=1), axis=1)
    low, high = (int(share * colours.shape[1]) for share in _PAPER)
    return np.asarray(by_lightness[:, low:high].mean(axis=1), np.float32)


def are_of_one_set(grounds: Floats32) -> Mask:
    """Returns which pairs of grounds [N, 3] may be of one set, [N, N]."""
    differences = np.abs(grounds[:, None] - grounds[None])
    return np.asarray(
        (differences[..., 0] < _LIGHTER) & (np.hypot(differences[..., 1], differences[..., 2]) < _HUE), np.bool_
    )


def are_one_paper(ground: Floats32, others: Floats32) -> bool:
    """Returns whether a ground [3] may be that of the faces beside it [N, 3], which are in the same light."""
    lighter = float(abs(ground[0] - np.median(others[:, 0])))
    return lighter < _PAPER_LIGHTER and _tint_difference(ground, others) < _PAPER_TINT


def have_one_tint(ground: Floats32, others: Floats32) -> bool:
    """Returns whether a ground [3] may be that of the faces near it [N, 3], whether or not it lies in a shadow."""
    return _tint_difference(ground, others) < _TINT


def _tint_difference(ground: Floats32, others: Floats32) -> float:
    return float(np.hypot(*(ground[1:] - np.median(others[:, 1:], axis=0))))


def are_printed_around(image: Image, quads: Floats32) -> Mask:
    """Returns which quads [N, 4, 2] of a BGR picture show a print around an empty middle, as framed hakus do, [N]."""
    grey = [cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[..., 0] for crop in crops(image, quads)]
    soft = [cv2.GaussianBlur(crop, (0, 0), 1.5) for crop in grey]
    parts = [(crop[_RIM:-_RIM, _RIM:-_RIM], crop[_MIDDLE]) for crop in soft]
    ranges = [[np.ptp(np.percentile(part, (2, 98))) for part in both] for both in parts]
    return np.array([whole > _PRINT > middle for whole, middle in ranges], np.bool_)


def _shares() -> Floats:
    """Returns the weights of a quad's corners that give the sampled places along its sides, [K, 4]."""
    steps = np.linspace(_EDGES[0], 1 - _EDGES[0], 14)
    sides = [np.column_stack([steps, np.full_like(steps, edge)]) for inset in _EDGES for edge in (inset, 1 - inset)]
    x, y = np.concatenate([*sides, *(side[:, ::-1] for side in sides)]).T
    return np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)

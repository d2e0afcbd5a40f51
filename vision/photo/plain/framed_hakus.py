"""Finds the frame of a haku in a photo: many other things are as blank as a haku, but few of them have a frame."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Image, Mask
from vision.reading.known_tiles import lab_of
from vision.reading.reader import HEIGHT, WIDTH

_INK: Final = 18.0
"""The least distance in CIE Lab between the colours of a frame and of the middle."""
_ACROSS: Final = slice(14, WIDTH - 14)
_DOWN: Final = slice(20, HEIGHT - 20)
"""The middle of a crop, in pixels."""
_EDGE: Final = 3
"""Pixels nearer to a crop's border than this may be outside the tile."""
_CLOSED: Final = 0.85
"""On every side, at least this share of the rows or columns that lead out of the middle must cross the frame."""


def are_framed(cut: Image) -> Mask:
    """Returns in which of the crops [N, 64, 48, 3] of `vision.reading.reader` a frame surrounds the middle."""
    lab = lab_of(cut.reshape(len(cut), HEIGHT * WIDTH, 3)).reshape(cut.shape)
    middle = lab[:, _DOWN, _ACROSS].transpose(0, 3, 1, 2)
    paper = np.array([np.median(crop, axis=(1, 2)) for crop in middle], np.float32).reshape(-1, 3)
    ink = np.linalg.norm(lab - paper[:, None, None], axis=3) > _INK
    columns, rows = ink[:, :, _ACROSS], ink[:, _DOWN]
    sides = [
        columns[:, _EDGE : _DOWN.start].any(axis=1),
        columns[:, _DOWN.stop : -_EDGE].any(axis=1),
        rows[:, :, _EDGE : _ACROSS.start].any(axis=2),
        rows[:, :, _ACROSS.stop : -_EDGE].any(axis=2),
    ]
    return np.asarray(np.min([side.mean(axis=1) for side in sides], axis=0) >= _CLOSED, np.bool_)

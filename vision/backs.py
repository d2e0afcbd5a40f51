"""Backs of one table look alike: what looks like none of those surely found is a patch of cloth, or of the unit."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.read import HEIGHT, WIDTH, Image, crops

_SURE: Final = 0.66
"""From this score on nothing was seen found that is no tile; 5 of a hundred backs score less."""
_ALIKE: Final = 20.0
"""How far apart in colour two backs of a table may be: L*a*b* as bytes …"""
_LIGHT: Final = np.array([0.5, 1.0, 1.0])
"""… its light counted half, for shadows fall on tables."""


def odd_ones(image: Image, quads: npt.NDArray[np.float32], scores: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Says which of the backs at `quads` [N, 4, 2] of a BGR picture look like none that the locator is sure of.

    `scores` [N] are the locator's. Where it is sure of none there is nothing to compare with, and none is odd.
    """
    is_sure = scores >= _SURE
    if not is_sure.any():
        return np.zeros(len(scores), np.bool_)
    inner = crops(image, quads)[:, HEIGHT // 5 : -HEIGHT // 5, WIDTH // 5 : -WIDTH // 5]
    colours = np.array([cv2.mean(cv2.cvtColor(one, cv2.COLOR_BGR2LAB))[:3] for one in inner]) * _LIGHT
    away = np.linalg.norm(colours[:, None] - colours[is_sure][None], axis=2).min(axis=1)
    return np.asarray(~is_sure & (away > _ALIKE), np.bool_)

"""Doubts the fives in a picture without colour: there a red five looks like a plain one.

In a grey picture, in a sepia one and in one by light of a single colour, the colour of a pixel follows from its
lightness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.photo_things import ReadTile
from vision.reading.locator import at_most

_OTHER_FIVE: Final = {f"{plain}{suit}": f"{5 - plain}{suit}" for suit in "mps" for plain in (0, 5)}
"""The red five of each plain one, and the plain five of each red one."""
_MOST_OF_BOTH: Final = 0.75
"""The most of both readings' common score that the five as read may keep: usually one five of four is red."""
_LONGEST: Final = 120
"""Longest side in pixels of the picture whose colours are compared: the mean of many pixels has little noise."""
_STEPS: Final = 64
"""The number of steps of lightness in which a photo is compared."""
_NEARLY_ALL: Final = 99
"""The percentage of the pixels of one lightness that must have its usual colour."""
_ONE_COLOUR: Final = 9.0
"""A photo is colourless if the chroma, of 255, of these pixels differs from the usual by less than this. In 319 photos
and 200 rendered tables with colours it never differed by less than 12; in copies made grey, sepia or deep blue and
saved as JPEG, never by more than 7.1.
"""


def with_fives_doubted(tiles: Sequence[ReadTile], image: Image) -> list[ReadTile]:
    """Returns the tiles read in a BGR picture; if it is colourless, each five has both readings, neither sure."""
    if not any(tile.tile in _OTHER_FIVE for tile in tiles) or not _is_colourless(image):
        return list(tiles)
    return [_doubtful_five(tile) if tile.tile in _OTHER_FIVE else tile for tile in tiles]


def _doubtful_five(five: ReadTile) -> ReadTile:
    """Returns a five with its score shared between the red and the plain reading."""
    other = _OTHER_FIVE[five.tile]
    chances = dict(five.alternatives)
    both = five.score + chances.pop(other, 0.0)
    score = min(five.score, _MOST_OF_BOTH * both)
    alternatives = sorted([(other, both - score), *chances.items()], key=lambda pair: -pair[1])
    return replace(five, score=score, alternatives=tuple(alternatives[: max(len(five.alternatives), 1)]))


def _is_colourless(image: Image) -> bool:
    """Whether the colours of a BGR picture say no more than its lightness."""
    small = at_most(image, _LONGEST)
    colours = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2YCrCb), np.float64).reshape(-1, 3)
    step, chroma = colours[:, 0] * _STEPS // 256, colours[:, 1:]
    groups = (chroma[step == value] for value in np.unique(step))
    deviations = [np.linalg.norm(group - np.median(group, axis=0), axis=1) for group in groups]
    return bool(np.percentile(np.concatenate(deviations), _NEARLY_ALL) < _ONE_COLOUR)

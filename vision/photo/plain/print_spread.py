"""Measures how much print shows where something was found in a photo: slabs, slats and bricks have little."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats32, Image
from vision.reading.known_tiles import samples_of
from vision.reading.locator import at_most
from vision.reading.reader import crops

LONGEST: Final = 2000
"""Print is measured in a photo of at most so many pixels: cutting hundreds of places out of a large one takes long."""


def print_spreads(image: Image, quads: Floats32) -> Floats32:
    """Returns how far the colours in each quad [N, 4, 2] of a BGR photo deviate from their mean, in CIE Lab, [N]."""
    small = at_most(image, LONGEST)
    ratio = np.array([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]], np.float32)
    colours = samples_of(crops(small, (quads + 0.5) * ratio - 0.5))
    return np.asarray(np.linalg.norm(colours.std(axis=1), axis=1), np.float32)

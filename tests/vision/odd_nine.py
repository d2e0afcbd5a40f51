"""A set whose nine of characters the shipped reader takes for a six: the two drawings laid over each other."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bgra, Image
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH, TileReader

SHARES = np.arange(0.3, 0.71, 0.025)
"""How much of the six is in it; tried in turn."""
SURE = 0.9
_IVORY = np.array((228, 240, 244))


def nine_with_six(share: float) -> Bgra:
    """The nine with so much of the six in it."""
    nine, six = (own_faces(face).astype(np.float32) for face in ("9m", "6m"))
    return np.asarray(nine * (1 - share) + six * share, np.uint8)


def tile_crop(face: Bgra) -> Image:
    """A crop of an ivory tile with this print."""
    small = cv2.resize(face, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)
    cover = small[..., 3:] / 255
    return np.asarray(_IVORY * (1 - cover) + small[..., :3] * cover, np.uint8)


def misread_nine(reader: TileReader) -> Bgra:
    """The first such nine that is surely read as a six; the reader still holds a nine for possible."""
    for share in SHARES:
        face = nine_with_six(float(share))
        chances: npt.NDArray[np.float32] = reader.outputs(tile_crop(face)[None])[0][0]
        if chances[CLASSES.index("6m")] > SURE:
            return face
    raise AssertionError("expected a nine that is surely read as a six, got none")

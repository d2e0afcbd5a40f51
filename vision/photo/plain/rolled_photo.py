"""Turns a photo taken with a rolled camera straight, so that its tiles' sides run along the picture's axes.

Tiles seen at a low angle are searched for in stretched pictures (`vision.photo.plain.searches`). Stretched aslant, they
would look like no tiles.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image
from vision.confidence import LYING
from vision.geometry.plane_geometry import apply
from vision.geometry.quads import areas_of, common_roll
from vision.photo.candidates import FEWEST, is_sure, quads_of
from vision.photo.found_things import quad_of
from vision.photo.plain.searches import Search

_MOST_FACES: Final = 20
"""More sure faces than this are no hand with its melds: they are seen well enough without turning the photo."""
_FEWEST_CLEAR: Final = 2
"""One clear find shows nothing: without tiles, a card or a socket is one."""
_MOST_CLEAR: Final = 40
"""More clear finds than this, with hardly a sure face among them, are a floor."""
_MOST_PIXELS: Final = 12_000_000
"""A turned photo has no more pixels than this, or than the photo itself if that is larger."""


def roll_of(search: Search) -> float:
    """Returns by how many degrees, -45 to 45, the tiles in a photo are rolled clockwise (`common_roll`).

    The sure faces show it, or else the clear finds. 0 also if there are too few or too many of them.
    """
    faces = [tile for tile in search.tiles if is_sure(tile)]
    if len(faces) >= FEWEST:
        quads, scores, most = quads_of(faces), np.array([tile.score for tile in faces], np.float32), _MOST_FACES
    else:
        is_clear = search.located.tile_scores > LYING
        quads, scores, most = search.located.tiles[is_clear], search.located.tile_scores[is_clear], _MOST_CLEAR
    # Large tiles are near, and their sides are seen exactly.
    is_a_hand = _FEWEST_CLEAR <= len(quads) <= most
    return common_roll(quads, scores**4 * np.sqrt(areas_of(quads))) if is_a_hand else 0.0


class StraightPhoto:
    """A photo turned straight; the corners that this adds have its mean colour."""

    def __init__(self, image: Image, degrees: float) -> None:
        """Takes the photo, in BGR, and by how many degrees its tiles are rolled clockwise."""
        height, width = image.shape[:2]
        turn = np.radians(degrees)
        cosine, sine = float(np.cos(turn)), float(np.sin(turn))
        sides = np.array([width * cosine + height * abs(sine), width * abs(sine) + height * cosine])
        scale = min(1.0, float(np.sqrt(max(_MOST_PIXELS, width * height) / sides.prod())))
        to_straight = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        to_straight[:2] *= scale
        size = np.ceil(sides * scale)
        to_straight[:2, 2] = (size - 1) / 2 - to_straight[:2, :2] @ np.array([(width - 1) / 2, (height - 1) / 2])
        self._to_photo: Floats = np.asarray(np.linalg.inv(to_straight), np.float64)
        warped = cv2.warpAffine(
            image,
            to_straight[:2],
            (int(size[0]), int(size[1])),
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=cv2.mean(image)[:3],
        )
        self.image: Image = np.asarray(warped, np.uint8)

    def in_photo(self, search: Search) -> Search:
        """Returns what was found in the straight photo with its places in the photo itself."""
        quads = self.quads_in_photo(quads_of(search.tiles))
        return Search(
            located=search.located.moved(self.quads_in_photo),
            tiles=[replace(tile, quad=quad_of(quad)) for tile, quad in zip(search.tiles, quads, strict=True)],
        )

    def quads_in_photo(self, quads: Floats32) -> Floats32:
        """Returns quads [N, 4, 2] of the straight photo in pixels of the photo itself."""
        return np.asarray(apply(self._to_photo, quads.reshape(-1, 2)).reshape(-1, 4, 2), np.float32)

"""Turns the locator's finds and the reader's readings of them into the tiles and sticks of a photo."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats32, Mask
from vision.confidence import FAINT_IN_PHOTO
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.photo.candidates import is_sure
from vision.photo.photo_things import Quad, ReadStick, ReadTile
from vision.reading.locator import Located


def tiles_of(located: Located, readings: list[Reading], no_backs: Mask, unread_score: float) -> list[ReadTile]:
    """Returns the tiles among the finds.

    Args:
        located: what the locator found.
        readings: the reading of each found tile.
        no_backs: marks the finds that are known not to be backs of tiles.
        unread_score: the locator's score from which a find that reads as no tile is a tile `?`.
    """
    tiles = []
    for quad, found, reading, is_none in zip(located.tiles, located.tile_scores, readings, no_backs, strict=True):
        tile = tile_of(quad, reading, float(found))
        is_named = reading.tile != NOT_A_TILE or found >= unread_score
        if is_named and not (reading.tile == BACK and is_none) and (found >= FAINT_IN_PHOTO or is_sure(tile)):
            tiles.append(tile)
    return tiles


def tile_of(quad: Floats32, reading: Reading, found: float) -> ReadTile:
    """Returns a find as a tile with its face upright: its quad [4, 2] in pixels, reading, and the locator's score."""
    upright = np.roll(quad, 2, axis=0) if reading.turned else quad
    return ReadTile(
        tile=reading.tile,
        quad=quad_of(upright),
        score=reading.score,
        alternatives=tuple(reading.alternatives),
        found=found,
    )


def sticks_of(located: Located) -> list[ReadStick]:
    """Returns the sticks among the finds."""
    return [
        ReadStick(value=value, quad=quad_of(quad), score=float(score))
        for quad, score, value in zip(located.sticks, located.stick_scores, located.stick_values, strict=True)
    ]


def quad_of(corners: Floats32) -> Quad:
    """Returns corners [4, 2] as a quad of a tile or a stick."""
    return tuple((float(x), float(y)) for x, y in corners)

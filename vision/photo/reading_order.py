"""The order in which people read what lies in a photo: rows from top to bottom, each from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats32
from vision.geometry.quads import areas_of, common_roll
from vision.photo.photo_things import ReadTile

_LEAST_PX: Final = 4.0


def in_reading_order(tiles: Sequence[ReadTile]) -> list[ReadTile]:
    """Returns the tiles by rows from top to bottom, each row from left to right, as if the photo were not rolled."""
    if not tiles:
        return []
    quads = np.array([tile.quad for tile in tiles], np.float32)
    turn = np.radians(common_roll(quads, areas_of(quads)))
    quads = quads @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    middles, heights = quads.mean(axis=1), np.ptp(quads[..., 1], axis=1)
    most_step = max(float(np.median(heights)) / 2, _LEAST_PX)
    return [tiles[index] for index in reading_order(middles[:, 0], middles[:, 1], most_step)]


def reading_order(across: Floats32, down: Floats32, most_step: float) -> list[int]:
    """Returns the order of things by rows, from the coordinates of their middles, [N] each.

    A row is a chain of nearest neighbours to the right, each at most `most_step` higher or lower; it may slant and
    bend.
    """
    row = np.arange(len(across))
    for index in np.argsort(across, kind="stable"):
        to_the_right = np.flatnonzero((across > across[index]) & (np.abs(down - down[index]) < most_step))
        if len(to_the_right):
            row[row == row[to_the_right[across[to_the_right].argmin()]]] = row[index]
    depth = {name: float(down[row == name].mean()) for name in row.tolist()}
    return sorted(range(len(across)), key=lambda index: (depth[int(row[index])], float(across[index])))

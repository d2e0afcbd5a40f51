"""Crops cut from path-traced pictures: faces under physical light, and negatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from models.training.crops.samples import Batch
from models.training.studio.table_crops import slipped
from models.training.traced.pictures import Picture, read_picture
from vision.arrays import Floats, Image
from vision.felt import BACK, CLASSES, HAKU, NOT_A_TILE
from vision.reading.reader import HEIGHT, WIDTH, crops

_CLEAR: Final = 0.75
"""The least visible fraction of a tile that is cut."""
_LEAST_PX: Final = 11.0
"""The width of the smallest face that can be recognised, in pixels."""
_BACKS: Final = 14
"""The most backs cut from one picture, since backs look alike."""
_LOOKS: Final = {HAKU: 6, BACK: 2}
"""How often a face is cut, each time slightly differently; other objects are cut once."""
_NOTHING: Final = 8
"""The most crops without a tile's face that are cut from one picture."""


def crops_of(truths: Sequence[Path], *, seed: int, rounds: int = 1) -> Batch:
    """Returns crops of the pictures with these truths, cut in `rounds` rounds."""
    rng = np.random.default_rng([seed, 0x7C])
    parts = [_cut(read_picture(truth), rng) for _ in range(rounds) for truth in truths]
    cut = [part for part, _ in parts]
    labels = [CLASSES.index(name) for _, names in parts for name in names]
    found = np.concatenate(cut) if cut else np.empty((0, HEIGHT, WIDTH, 3), np.uint8)
    return Batch(crops=found, labels=np.array(labels, np.int64))


def _cut(picture: Picture, rng: np.random.Generator) -> tuple[Image, list[str]]:
    named_quads = list(_object_quads(picture, rng)) + [(quad, NOT_A_TILE) for quad in _empty_quads(picture, rng)]
    if not named_quads:
        return np.empty((0, HEIGHT, WIDTH, 3), np.uint8), []
    quads = np.array([quad for quad, _ in named_quads], np.float32)
    return crops(picture.image, slipped(quads, rng)), [name for _, name in named_quads]


def _object_quads(picture: Picture, rng: np.random.Generator) -> Iterator[tuple[Floats, str]]:
    backs = 0
    for index in rng.permutation(len(picture.tiles)):
        quad, visible, name = picture.tiles[index]
        if visible <= _CLEAR or not _is_inside(quad, picture) or _breadth(quad) < _LEAST_PX:
            continue
        backs += name == BACK
        if name == BACK and backs > _BACKS:
            continue
        for _ in range(_LOOKS.get(name, 1)):
            yield quad, name


def _empty_quads(picture: Picture, rng: np.random.Generator) -> Iterator[Floats]:
    """Yields quads of a tile's size and shape that contain the middle of no object on the table."""
    clear = [quad for quad, visible, _ in picture.tiles if visible > _CLEAR]
    if not clear:
        return
    middles = np.array([quad.mean(axis=0) for quad, *_ in (*picture.tiles, *picture.sticks)])
    height, width = picture.image.shape[:2]
    found = 0
    for _ in range(4 * _NOTHING):
        model = clear[int(rng.integers(len(clear)))]
        middle = rng.uniform(0.03, 0.97, 2) * (width, height)
        if rng.random() < 0.6:
            middle = model.mean(axis=0) + rng.normal(0, 1, 2) * _breadth(model)
        if np.linalg.norm(middles - middle, axis=1).min() > 0.6 * _breadth(model) and found < _NOTHING:
            found += 1
            yield model - model.mean(axis=0) + middle


def _is_inside(quad: Floats, picture: Picture) -> bool:
    return bool((quad > 0).all() and (quad < np.array(picture.image.shape[1::-1])).all())


def _breadth(quad: Floats) -> float:
    return float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])))

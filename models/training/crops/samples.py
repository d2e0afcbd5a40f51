"""Renders any number of labelled crops by seed: sets are imagined or taken from art, then photographed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.training.crops import crop_clutter, crop_scene
from models.training.faces import art_sets, tile_style
from models.training.faces.face_painter import paint
from models.training.faces.font_glyphs import Fonts
from vision.arrays import Image
from vision.felt import BACK, CLASSES, FACES, HAKU, NOT_A_TILE
from vision.reading.reader import HEIGHT, WIDTH

UPRIGHT: Final = (
    *(f"{rank}m" for rank in range(10)), "6p", "7p", "1s", "3s", "7s", "1z", "2z", "3z", "4z", "6z", "7z",
)  # fmt: skip
"""The faces that look different after a half turn."""
PER_SET: Final = 160
"""The number of crops of one imagined set."""
ART_SHARE: Final = 0.25
"""The fraction of sets from art; the rest are imagined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Labelled crops, glyphs upright."""

    crops: Image
    """[N, 64, 48, 3], BGR."""
    labels: npt.NDArray[np.int64]
    """[N], indices in `vision.felt.CLASSES`."""


def make(count: int, *, seed: int, fonts: Fonts, art: tuple[art_sets.ArtSet, ...]) -> Batch:
    """Renders `count` crops; the same seed and material give the same crops."""
    rng = np.random.default_rng(seed)
    crops: Image = np.empty((count, HEIGHT, WIDTH, 3), np.uint8)
    labels = np.empty(count, np.int64)
    supply = _supply(rng, fonts, art)
    for index in range(count):
        crops[index], labels[index] = next(supply)
    return Batch(crops=crops, labels=labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tiles:
    """One printed set of tiles."""

    style: tile_style.Style
    art_set: art_sets.ArtSet | None
    prints: dict[str, Image]
    back: Image
    surroundings: crop_scene.Surroundings


def _tiles(rng: np.random.Generator, fonts: Fonts, art: tuple[art_sets.ArtSet, ...]) -> _Tiles:
    style = tile_style.sample(rng, fonts)
    art_set = art[int(rng.integers(len(art)))] if art and rng.random() < ART_SHARE else None
    prints = {face: _print(face, style, art_set, rng) for face in FACES}
    back = paint(BACK, style, rng)
    surroundings = crop_scene.Surroundings(
        neighbours=[*prints.values(), *[back] * 6, *[prints[HAKU]] * 3],
        base=style.base,
        back=(float(back[5, 5, 0]), float(back[5, 5, 1]), float(back[5, 5, 2])),
    )
    return _Tiles(style=style, art_set=art_set, prints=prints, back=back, surroundings=surroundings)


def _supply(rng: np.random.Generator, fonts: Fonts, art: tuple[art_sets.ArtSet, ...]) -> Iterator[tuple[Image, int]]:
    while True:
        tiles = _tiles(rng, fonts, art)
        for _ in range(PER_SET):
            yield _sample(tiles, fonts, rng)


def _print(face: str, style: tile_style.Style, art_set: art_sets.ArtSet | None, rng: np.random.Generator) -> Image:
    """Returns one face; in a set from art, the blank, and sometimes another face, is still imagined."""
    if art_set is None or (face == HAKU and rng.random() < 0.5):
        return paint(face, style, rng)
    return art_sets.printed(art_set, face, style.base, rng)


def _sample(tiles: _Tiles, fonts: Fonts, rng: np.random.Generator) -> tuple[Image, int]:
    draw = rng.random()
    quad, slip = crop_scene.FACE_QUAD, 0.08
    if draw < 0.1:
        name = NOT_A_TILE
        canvas, quad = crop_clutter.negative(tiles.surroundings, fonts, rng)
        slip = 0.15
    elif draw < 0.14:
        name = NOT_A_TILE
        canvas = crop_scene.lay(_flower(tiles, rng), tiles.surroundings, rng)
    elif draw < 0.18:
        name = BACK
        canvas = crop_scene.lay(tiles.back, tiles.surroundings, rng)
    else:
        name = FACES[int(rng.integers(len(FACES)))]
        canvas = crop_scene.lay(tiles.prints[name], tiles.surroundings, rng)
        if rng.random() < 0.06:
            crop_scene.cover(canvas, rng)
    return crop_scene.photograph(crop_scene.light(canvas, rng), quad, rng, slip=slip), CLASSES.index(name)


def _flower(tiles: _Tiles, rng: np.random.Generator) -> Image:
    if tiles.art_set is not None and tiles.art_set.extras and rng.random() < 0.5:
        return art_sets.flower(tiles.art_set, tiles.style.base, rng)
    return paint("flower", tiles.style, rng)


def load_material(shared: Path) -> tuple[art_sets.ArtSet, ...]:
    """Returns every set of art: those under `shared`, and the project's own."""
    return (*art_sets.find_art(shared), art_sets.own_art())

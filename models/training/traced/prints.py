"""Atlases of the pictures on tiles and sticks: their inks, and the depth of their engraving.

Faces come from the project's own art, from art sets beside the repository, or, for evaluation, from photographs of a
set that is never used for training, with the light removed, so that only ink is left. Training uses imagined sets
instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops import labelled_photos
from models.training.faces import art_sets, tile_style
from models.training.faces.face_painter import paint
from models.training.faces.font_glyphs import Fonts, find_fonts
from vision.arrays import Image
from vision.art import STICK_VALUES, draw_stick
from vision.felt import FACES

Inks = Callable[[str], Image]
"""A function from a tile's text to its ink as BGRA, 192 x 256."""
Sources = dict[str, Callable[[np.random.Generator], Inks]]
"""Functions that return the inks of one set, by name."""

TILE_CELLS: Final = (8, 5)
"""The columns and rows of the atlas of faces, in the order of `vision.felt.FACES`."""
STICK_CELLS: Final = (1, 4)
"""The columns and rows of the atlas of sticks, in the order of `vision.art.STICK_VALUES`."""
PHOTOGRAPHED: Final = "japanese-standing"
"""The photographs that are never used for training."""
_CELL: Final = (192, 256)
_STICK: Final = (744, 72)
_PAPER_SHARE: Final = 0.72
"""The brightness relative to the paper from which a pixel of a photographed face is paper."""
_DARKEST: Final = 0.35
_LOOKS: Final = 8
_WHITE: Final = (255.0, 255.0, 255.0)
_IMAGINED: Final = 6
"""The number of imagined sources for training, as many as art sets, so that half of the tables have unique sets."""
_BROAD: Final = 0.4
"""The width, relative to the tile's, from which a shape at the tile's lower edge is the ground in front of it."""


def sources(shared: Path | None) -> Sources:
    """Returns the sources of faces of evaluation pictures, by name."""
    found = _drawn_sources(shared)
    if shared is None:
        return found
    photos = labelled_photos.find(shared, PHOTOGRAPHED)
    if photos:
        found["photographed"] = lambda rng: _photographed(photos, rng)
    return found


def sources_to_train_on(shared: Path | None) -> Sources:
    """Returns the sources of faces of training pictures: art sets and imagined ones, but no photographs.

    Raises:
        LookupError: the fonts for imagined sets are not installed.
    """
    fonts = find_fonts()
    imagined: Sources = {f"imagined {number}": lambda rng: _imagined(fonts, rng) for number in range(_IMAGINED)}
    return _drawn_sources(shared) | imagined


def _drawn_sources(shared: Path | None) -> Sources:
    drawn = () if shared is None else art_sets.find_art(shared)
    return {"own": _always(_drawn(art_sets.own_art())), **{art.name: _always(_drawn(art)) for art in drawn}}


def _always(inks: Inks) -> Callable[[np.random.Generator], Inks]:
    return lambda _: inks


def tile_atlas(inks: Inks) -> tuple[Image, Image]:
    """Returns the inks of all faces, BGRA, and the heights of their surfaces, 8 bit."""
    return _atlas([inks(face) for face in FACES], TILE_CELLS)


def stick_atlas() -> tuple[Image, Image]:
    """Returns the dots of all sticks, BGRA, and the heights of their surfaces, 8 bit."""
    return _atlas([draw_stick(value, *_STICK) for value in STICK_VALUES], STICK_CELLS)


def _atlas(cells: list[Image], grid: tuple[int, int]) -> tuple[Image, Image]:
    columns, rows = grid
    height, width = cells[0].shape[:2]
    inks = np.zeros((rows * height, columns * width, 4), np.uint8)
    for number, cell in enumerate(cells):
        row, column = divmod(number, columns)
        # A blank rim, since the picture's edge is repeated over the tile's margin.
        room = inks[row * height + 2 : (row + 1) * height - 2, column * width + 2 : (column + 1) * width - 2]
        room[:] = cell[2:-2, 2:-2]
    height_left = 255 - cv2.GaussianBlur(inks[..., 3], (0, 0), 1.5)
    return inks, np.asarray(height_left, np.uint8)


def _drawn(art: art_sets.ArtSet) -> Inks:
    def ink(face: str) -> Image:
        source = art.faces.get(face)
        if source is None:
            return _reddened(ink("5" + face[1]))
        inked = source.copy()
        inked[..., 3] = np.minimum(source[..., 3], _not_white(source))
        return inked

    return ink


def _imagined(fonts: Fonts, rng: np.random.Generator) -> Inks:
    """Returns the inks of one imagined set on white paper."""
    style = replace(tile_style.sample(rng, fonts), base=_WHITE)
    pages = {face: paint(face, style, rng) for face in FACES}
    return lambda face: np.dstack([pages[face], _not_white(pages[face])])


def _not_white(page: Image) -> Image:
    """Returns the amount of ink; the paper is white, and nearly white pixels have no ink."""
    bare = np.clip((page[..., :3].min(axis=2).astype(np.int32) - 200) * 8, 0, 255)
    return np.asarray(255 - bare, np.uint8)


def _photographed(photos: tuple[labelled_photos.Photo, ...], rng: np.random.Generator) -> Inks:
    """Returns one look at each face: of a few random ones, that whose tile fills its box best."""
    places: dict[str, list[tuple[labelled_photos.Photo, npt.NDArray[np.float32]]]] = {}
    for photo in photos:
        for name, quad in zip(photo.labels, labelled_photos.below_the_top(photo.quads), strict=True):
            places.setdefault(name, []).append((photo, quad))
    few = {name: [found[i] for i in rng.permutation(len(found))[:_LOOKS]] for name, found in sorted(places.items())}

    def ink(face: str) -> Image:
        if face not in few:
            return _reddened(ink("5" + face[1]))
        inks = [ink_of_photo(photo.image(), quad) for photo, quad in few[face]]
        return min(inks, key=_at_the_rim)

    return ink


def _at_the_rim(ink: Image) -> float:
    """Returns the amount of ink in the blank margin of a face: ground beside the tile, or a cut-off glyph."""
    share = ink[..., 3].astype(np.float32)
    margin = np.ones(share.shape, np.bool_)
    margin[12:-26, 20:-20] = False
    return float(share[margin].sum())


def ink_of_photo(picture: Image, quad: npt.NDArray[np.float32]) -> Image:
    """Returns the ink of a photographed face, BGRA, 192 x 256, without paper and light."""
    width, height = _CELL
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    cut = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, corners), _CELL, flags=cv2.INTER_CUBIC)
    lit = cut.astype(np.float32)
    paper = np.percentile(lit.reshape(-1, 3), 80, axis=0)
    reflectance = np.clip(lit / np.maximum(paper, 1.0), 0, 1)
    grey = reflectance.min(axis=2)
    share = np.clip((_PAPER_SHARE - grey) / (_PAPER_SHARE - _DARKEST), 0, 1) * _within(height, width)
    colour = np.clip(reflectance * 255, 0, 255)
    return np.dstack([colour, _without_ground(share * 255)]).astype(np.uint8)


def _without_ground(share: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Returns the ink without the ground in front of the tile."""
    height, width = share.shape
    _, parts, boxes, _ = cv2.connectedComponentsWithStats((share > 24).astype(np.uint8))
    ink = share.copy()
    for number, (_, top, across, down, _) in enumerate(boxes[1:], start=1):
        if top + down > 0.94 * height and across > _BROAD * width and down < 0.25 * height:
            ink[cv2.dilate((parts == number).astype(np.uint8), np.ones((9, 9))) > 0] = 0
    return ink


def _within(height: int, width: int) -> npt.NDArray[np.float32]:
    """Returns 1 inside a face and 0 along its rim, where photographs show edges and neighbours."""
    inside = np.zeros((height, width), np.float32)
    inside[height // 14 : -height // 14, width // 10 : -width // 10] = 1
    return np.asarray(cv2.GaussianBlur(inside, (0, 0), 4), np.float32)


def _reddened(ink: Image) -> Image:
    red = ink.copy()
    red[..., :3] = (30, 20, 190)
    return red

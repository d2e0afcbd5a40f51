"""A photo is searched in several shapes; where hundreds of slabs are found, it is looked at in few pixels first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from vision.arrays import Floats32, Image
from vision.confidence import UNREAD_TILE
from vision.felt import BACK, Reading
from vision.photo.plain.searches import Outcome, Searcher
from vision.reading.locator import Located

_SIZE = (1600, 900)
"""Width and height of the photo."""
_PRINTED = 20
"""The lightness that separates the two tones of a print."""


def _quads(count: int, *, left: float = 0.0, top: float = 0.0, width: float = 30.0) -> Floats32:
    """Returns rows of 50 quads, 30 x 40 pixels each or narrower, [N, 4, 2]."""
    places = np.array([(left + 1.05 * width * (n % 50), top + 42 * (n // 50)) for n in range(count)], np.float32)
    places = places.reshape(-1, 2)
    corners = np.array([(0, 0), (width, 0), (width, 40), (0, 40)], np.float32)
    return places[:, None] + corners


def _photo(printed: Floats32) -> Image:
    """Returns a grey photo with stripes in these quads."""
    image: Image = np.full((_SIZE[1], _SIZE[0], 3), 128, np.uint8)
    for left, top, right, bottom in np.concatenate([printed.min(axis=1), printed.max(axis=1)], axis=1).astype(int):
        for row in range(top, bottom, 8):
            image[row : row + 4, left:right] += _PRINTED
    return image


class _Locator:
    """Finds slabs in a picture stretched by at most 1.6, and a row of tiles where it is stretched by `least`."""

    def __init__(self, slabs: Floats32, row: Floats32, *, least: float) -> None:
        self._slabs, self._row, self._least = slabs, row, least
        self.shapes: list[tuple[int, ...]] = []

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        assert tile_px is None
        self.shapes.append(image.shape)
        ratio = np.array([image.shape[1] / _SIZE[0], image.shape[0] / _SIZE[1]], np.float32)
        pull = float(ratio[0] / ratio[1])
        parts = [self._slabs] if pull < 1.7 else []
        quads = np.concatenate([*parts, self._row if pull > self._least else self._row[:0]])
        none = np.zeros(0, np.float32)
        return Located(
            tiles=np.asarray(quads * ratio, np.float32),
            tile_scores=np.full(len(quads), 0.6, np.float32),
            sticks=np.zeros((0, 4, 2), np.float32),
            stick_scores=none,
            stick_values=(),
        )


class _Reader:
    """Reads stripes as sure faces, anything else as a doubtful back; counts what it reads."""

    def __init__(self) -> None:
        self.count = 0

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        self.count += len(corners)
        return [self._reading(image, quad) for quad in corners]

    def _reading(self, image: Image, quad: Floats32) -> Reading:
        (left, top), (right, bottom) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
        if np.ptp(image[top:bottom, left:right]) >= _PRINTED:
            return Reading(tile=f"{1 + left // 10 % 9}m", score=0.99)
        return Reading(tile=BACK, score=0.5)


def _searched(slabs: Floats32, row: Floats32, *, least: float = 0.0) -> tuple[Outcome, _Reader, _Locator]:
    locator, reader = _Locator(slabs, row, least=least), _Reader()
    return Searcher(_photo(row), locator, reader, UNREAD_TILE).outcome(), reader, locator


def test_of_hundreds_of_slabs_few_are_read_in_the_photo_stretched_far() -> None:
    slabs = _quads(600)
    outcome, reader, locator = _searched(slabs, slabs[:0])
    assert len(locator.shapes) == 11
    assert all(max(shape) <= 1001 for shape in locator.shapes[3:])
    assert reader.count <= 3 * 600 + 8 * 32
    assert len(outcome.things) == len(outcome.best.tiles) == 600


def test_a_hand_among_hundreds_of_slabs_is_read_whole() -> None:
    outcome, *_ = _searched(_quads(600), _quads(14, top=700))
    assert outcome.best.sure_faces() == 14


@pytest.mark.parametrize("slab_count", [0, 100])
def test_a_squeezed_row_is_found_beside_slabs(slab_count: int) -> None:
    outcome, *_ = _searched(_quads(slab_count), _quads(9, top=700, width=10), least=7.0)
    assert outcome.best.sure_faces() == 9


def test_a_look_reads_what_has_the_most_print_wherever_it_is_found_among_slabs() -> None:
    class Locator(_Locator):
        def locate(self, image: Image, *, tile_px: float | None) -> Located:
            located = super().locate(image, tile_px=tile_px)
            if len(located.tiles) and image.shape[1] > 7 * image.shape[0]:
                slabs = _quads(40) * np.array([image.shape[1] / _SIZE[0], image.shape[0] / _SIZE[1]], np.float32)
                tiles = np.concatenate([slabs, located.tiles]).astype(np.float32)
                located = replace(located, tiles=tiles, tile_scores=np.full(len(tiles), 0.6, np.float32))
            return located

    row = _quads(9, top=700, width=10)
    photo = np.repeat(np.repeat(_photo(row), 2, axis=0), 2, axis=1)
    locator = Locator(_quads(100), row, least=7.0)
    outcome = Searcher(photo, locator, _Reader(), UNREAD_TILE).outcome()
    assert outcome.best.sure_faces() == 9

"""Where a tile may lie unseen: between the tiles of a row, and at its ends."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats32
from vision.photo.doubt.row_places import are_own_places, places_in_rows


def quad(place: float, *, y: float = 0.0, width: float = 30.0, height: float = 40.0) -> Floats32:
    """Returns an upright tile at this place of a row of tiles 30 pixels wide."""
    x = 30.0 * place
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], np.float32)


@pytest.mark.parametrize(
    ("row", "places"),
    [([0, 1], [-1, 2]), ([0, 2], [1]), ([0, 3], [1, 2]), ([0, 4], []), ([0], []), ([], []), ([0, 1, 3], [-1, 2])],
)
def test_a_place_lies_between_two_tiles_of_a_row_or_beside_neighbours(row: list[int], places: list[int]) -> None:
    found = places_in_rows(np.array([quad(place) for place in row], np.float32).reshape(-1, 4, 2))
    free = sorted({round(float(place.mean(axis=0)[0] / 30 - 0.5)) for place in found} - set(row))
    assert free == places


@pytest.mark.parametrize(
    "other", [quad(1, y=10), quad(1, width=40, height=54), quad(1.5)], ids=["before the row", "nearer", "far"]
)
def test_tiles_that_form_no_row_have_no_places(other: Floats32) -> None:
    assert not len(places_in_rows(np.stack([quad(0), other])))


def test_a_tile_upside_down_belongs_to_the_row() -> None:
    upside_down = np.roll(quad(2), 2, axis=0)
    places = places_in_rows(np.stack([quad(0), upside_down]))
    assert {tuple(place.mean(axis=0)) for place in places} == {tuple(quad(1).mean(axis=0))}


def test_a_tile_lies_at_its_own_place_if_their_middles_are_near() -> None:
    quads = np.stack([quad(1), quad(1.2), quad(1.5), quad(4)])
    assert are_own_places(quads, np.stack([quad(1), quad(6)])).tolist() == [True, True, False, False]
    assert not are_own_places(quads, quads[:0]).any()

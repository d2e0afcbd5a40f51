"""Finds that are only parts of tiles."""

from __future__ import annotations

import pytest

from tests.vision.tile_rows import row_of_places
from vision.geometry.plane_geometry import TileSize
from vision.watching.refinement.parts_of_tiles import finds_between


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
@pytest.mark.parametrize(
    ("found", "between"),
    [
        ([0, 0.5, 1], [1]),
        ([0, 1, 1.5, 2, 3], [2]),
        ([0, 1, 2], []),
        ([0, 0.5, 2], []),
        ([0, 0.73, 1.27, 2.07], []),
    ],
    ids=["halves of two", "halves of two in a row", "a row", "one that is pushed", "one found as two"],
)
def test_a_find_between_two_tiles_that_leave_it_no_room_is_halves_of_both(
    found: list[float], between: list[int], side_deg: float
) -> None:
    places = row_of_places(found, TileSize(), side_deg=side_deg)
    assert [*finds_between(places, TileSize())] == between

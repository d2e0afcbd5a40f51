"""Where tiles lie to one another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.tile_rows import rights_of, row_of_places
from vision.cameras.synthetic.appearance import Appearance
from vision.watching.refinement.neighbours import do_overlap, place_in_row, row_beside

SIZE = Appearance().tile_size


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
def test_a_row_is_told_by_steps_from_one_of_its_tiles(side_deg: float) -> None:
    places = row_of_places([0, 1.1, 2, -1, 3.4, 1], SIZE, side_deg=side_deg)
    places[-1] = replace(places[-1], angle_deg=places[-1].angle_deg + 90.0)
    assert row_beside(places[0], places, SIZE) == {0: [0], 1: [1], 2: [2], -1: [3]}


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
def test_the_next_place_in_a_row_is_a_tile_s_width_away(side_deg: float) -> None:
    (tile,) = row_of_places([0], SIZE, side_deg=side_deg)
    assert rights_of([place_in_row(tile, steps, SIZE) for steps in (-1, 2)], SIZE, side_deg) == [-1, 2]


@pytest.mark.parametrize(("right", "is_over"), [(0.6, True), (0.8, False), (1.0, False)])
def test_tiles_overlap_if_their_middles_are_nearer_than_those_of_touching_ones(right: float, is_over: bool) -> None:
    one, other = row_of_places([0, right], SIZE)
    assert do_overlap(one, other) is is_over

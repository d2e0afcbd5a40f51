"""Blank tiles told by the colours of the table."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Image
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.reading.blanks import HAKU, identify_blanks, known_colours, samples_of

YELLOW_PAPER, ORANGE_BACK, BLUE_BACK = (110, 190, 205), (20, 110, 200), (120, 70, 30)
"""Under a warm lamp: blue, green, red."""
INK = (40, 50, 60)


def tile(colour: tuple[int, int, int], *, is_printed: bool = False) -> Image:
    crop = np.full((64, 48, 3), colour, np.uint8)
    if is_printed:
        crop[20:44, 18:30] = INK
    return crop


def told(blank: Image, reading: Reading, *, back: tuple[int, int, int] = ORANGE_BACK, backs: int = 4) -> Reading:
    """The reading of a blank tile beside six printed faces and some backs."""
    cut = np.stack([*[tile(YELLOW_PAPER, is_printed=True)] * 6, *[tile(back)] * backs, blank])
    around = [*[Reading(tile="3p", score=0.99)] * 6, *[Reading(tile=BACK, score=0.97)] * backs, reading]
    middles = np.array([(30.0 * n, 0.0) for n in range(len(cut))])
    samples = samples_of(cut)
    *others, last = identify_blanks(around, samples, middles, *known_colours(samples, middles, around))
    assert [one.tile for one in others] == [one.tile for one in around[:-1]]
    return last


@pytest.mark.parametrize("score", [0.5, 0.7, 0.99])
def test_what_has_the_faces_colour_is_a_haku_however_surely_it_read_as_a_back(score: float) -> None:
    reading = told(tile((112, 193, 208)), Reading(tile=BACK, score=score))
    assert reading.tile == HAKU
    assert reading.score > 0.9


@pytest.mark.parametrize("back", [ORANGE_BACK, BLUE_BACK])
def test_what_has_the_backs_colour_is_a_back_however_surely_it_read_as_a_haku(back: tuple[int, int, int]) -> None:
    assert told(tile(back), Reading(tile=HAKU, score=0.97), back=back).tile == BACK


def test_what_is_of_another_colour_stays_as_it_was_read() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert told(tile((60, 160, 60)), reading) == reading


def test_where_backs_are_as_white_as_the_faces_colour_tells_nothing() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert told(tile(YELLOW_PAPER), reading, back=YELLOW_PAPER) == reading


def test_where_too_few_backs_lie_there_colour_tells_nothing() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert told(tile(YELLOW_PAPER), reading, backs=2) == reading


def test_a_printed_face_is_never_told_by_its_colour() -> None:
    for reading in (Reading(tile="4s", score=0.55), Reading(tile=BACK, score=0.6)):
        assert told(tile(YELLOW_PAPER, is_printed=True), reading) == reading


def test_what_is_no_tile_becomes_none_by_having_the_faces_colour() -> None:
    reading = Reading(tile=NOT_A_TILE, score=0.9, alternatives=((HAKU, 0.05),))
    assert told(tile(YELLOW_PAPER), reading) == reading
    doubted = Reading(tile=NOT_A_TILE, score=0.5, alternatives=((HAKU, 0.4),))
    assert told(tile(YELLOW_PAPER), doubted).tile == HAKU


def test_of_no_tiles_nothing_is_told() -> None:
    samples = samples_of(np.zeros((0, 64, 48, 3), np.uint8))
    faces, backs = known_colours(samples, np.zeros((0, 2)), [])
    assert identify_blanks([], samples, np.zeros((0, 2)), faces, backs) == []

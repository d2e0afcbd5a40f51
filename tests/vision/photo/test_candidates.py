"""What the locator doubted and the reader is sure of: taken in where it belongs, left out where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Mask
from vision.photo import candidates
from vision.photo.photo_things import ReadTile


def lying(x: float, tile: str = "1m", score: float = 0.95, *, y: float = 0.0, height: float = 27.0) -> ReadTile:
    return ReadTile(tile=tile, score=score, quad=((x, y), (x + 20, y), (x + 20, y + height), (x, y + height)))


def amended(read: list[ReadTile], offered: list[ReadTile], *, are_framed: bool = False) -> list[ReadTile]:
    framed: Mask = np.full(len(offered), are_framed, np.bool_)
    return candidates.with_candidates(read, offered, framed)


ROW = [lying(22.0 * place) for place in range(4)]
"""Four tiles beside each other; the next place is at 88."""


def test_a_face_that_scored_low_is_taken_in_beside_its_like() -> None:
    assert amended(ROW, [lying(88, "6p")]) == [*ROW, lying(88, "6p")]


def test_a_whole_face_takes_the_place_of_its_halves() -> None:
    halves = [lying(88, "2p", 0.99, height=13), lying(88, "2p", 0.99, y=14, height=13)]
    assert amended([*ROW, *halves], [lying(88, "4p", 0.9)]) == [*ROW, lying(88, "4p", 0.9)]


def test_a_face_takes_the_place_of_a_back_that_was_told_there() -> None:
    assert amended([*ROW, lying(90, "back")], [lying(88, "4p")]) == [*ROW, lying(88, "4p")]


@pytest.mark.parametrize(
    "candidate",
    [
        lying(88, "4p", 0.7),
        lying(88, "5z", 0.99),
        lying(88, "?", 0.99),
        lying(88, "2p", 0.99, height=13),
        lying(88, "2p", 0.99, height=50),
        lying(300, "4p", 0.99),
        lying(68, "4p", 0.99),
        lying(66, "4p", 0.99, height=39),
    ],
    ids=["not surely read", "a plain face", "no face", "a half", "too big", "far away", "over a tile", "around a tile"],
)
def test_what_does_not_belong_is_left_out(candidate: ReadTile) -> None:
    assert amended(ROW, [candidate]) == ROW


def test_a_haku_is_taken_in_if_its_frame_is_seen_and_nothing_else_that_is_framed() -> None:
    framed = [lying(88, "5z", 0.99), lying(110, "back", 0.99), lying(132, "5z", 0.7)]
    assert amended(ROW, framed, are_framed=True) == [*ROW, framed[0]]


def test_of_candidates_for_one_place_the_surest_is_taken() -> None:
    assert amended(ROW, [lying(90, "3p", 0.85), lying(88, "4p", 0.95)]) == [*ROW, lying(88, "4p", 0.95)]


def test_two_tiles_alone_do_not_tell_how_big_a_tile_is() -> None:
    assert amended(ROW[:2], [lying(44)]) == ROW[:2]

"""What is read in a drawn photograph counts as right, as sure, or as false where no face is."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.judge.drawn_photos import Shot, false_readings, right_readings
from vision.photo.photo_things import ReadTile

FACE = np.array([[[10, 10], [30, 10], [30, 37], [10, 37]]], np.float32)
SHOT = Shot(
    kind="keys",
    image=np.zeros((100, 100, 3), np.uint8),
    faces=FACE,
    names=("3p",),
    bodies=np.concatenate([FACE, FACE + 4], axis=1),
)


def _read(tile: str, shift: float, score: float = 0.95) -> ReadTile:
    return ReadTile(tile=tile, quad=tuple((float(x), float(y)) for x, y in FACE[0] + shift), score=score)


@pytest.mark.parametrize(
    ("tile", "is_false"),
    [
        (_read("3p", 1), False),
        (_read("4p", 1), False),
        (_read("3p", 50), True),
        (_read("3p", 50, 0.8), False),
        (_read("back", 8), False),
        (_read("back", 50), True),
    ],
    ids=["right", "another face", "beside it", "a doubt", "a side", "a back beside it"],
)
def test_what_is_read_surely_where_nothing_lies_is_false(tile: ReadTile, is_false: bool) -> None:
    assert bool(false_readings(SHOT, [tile])) is is_false


@pytest.mark.parametrize(
    ("tile", "is_right", "is_sure"),
    [(_read("3p", 1), True, True), (_read("3p", 1, 0.8), True, False), (_read("4p", 1), False, False)],
    ids=["sure", "doubtful", "another face"],
)
def test_a_true_face_is_counted_as_right_and_as_sure(tile: ReadTile, is_right: bool, is_sure: bool) -> None:
    assert [mask.tolist() for mask in right_readings(SHOT, [tile])] == [[is_right], [is_sure]]

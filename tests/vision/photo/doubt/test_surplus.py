"""Of more copies of a face than a set has, none is sure: one of them is misread, and nobody knows which."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from vision.confidence import DOUBTED, MARK_BELOW
from vision.felt import Outcome
from vision.photo.doubt.surplus import with_surplus_doubted
from vision.photo.photo_things import ReadTile
from vision.reading.set_consistency import Remark

QUAD = ((0.0, 0.0), (20.0, 0.0), (20.0, 27.0), (0.0, 27.0))


def _tiles(faces: Sequence[str], score: float = 0.99) -> list[ReadTile]:
    return [ReadTile(tile=face, quad=QUAD, score=score) for face in faces]


@pytest.mark.parametrize(
    ("faces", "doubted"),
    [
        (["6p"] * 4 + ["7z"], []),
        (["6p"] * 5 + ["7z"], [0, 1, 2, 3, 4]),
        (["7z", "5p", "5p", "0p", "5p"], []),
        (["7z", "5p", "5p", "0p", "5p", "5p"], [1, 2, 3, 4, 5]),
        (["back"] * 9 + ["?"] * 9, []),
    ],
)
def test_every_copy_is_doubted_with_a_remark(faces: list[str], doubted: list[int]) -> None:
    tiles, remarks = with_surplus_doubted(_tiles(faces), ())
    assert [tile.tile for tile in tiles] == faces
    assert [index for index, tile in enumerate(tiles) if tile.score < MARK_BELOW] == doubted
    assert [(remark.index, remark.now, remark.chance, remark.outcome) for remark in remarks] == [
        (index, faces[index], DOUBTED, Outcome.SURPLUS) for index in doubted
    ]


def test_a_doubtful_fifth_copy_says_nothing_against_four_sure_ones() -> None:
    tiles = _tiles(["6p"] * 4) + _tiles(["6p"], 0.6)
    assert with_surplus_doubted(tiles, ()) == (tiles, ())


def test_what_the_whole_set_says_of_others_stays() -> None:
    upheld = Remark(index=5, before="7z", now="7z", chance=0.97, outcome=Outcome.UPHELD)
    corrected = Remark(index=0, before="9m", now="6m", chance=0.97, outcome=Outcome.CORRECTED)
    tiles, remarks = with_surplus_doubted(_tiles(["6m"] * 5 + ["7z"]), [corrected, upheld])
    assert (remarks[0].before, remarks[0].now, remarks[0].outcome) == ("9m", "6m", Outcome.SURPLUS)
    assert remarks[5] == upheld
    assert tiles[5].score == 0.99

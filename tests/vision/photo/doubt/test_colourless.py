"""In a picture without colour nobody can tell a red five from a plain one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.art.face_sheet import picture
from vision.confidence import MARK_BELOW
from vision.photo.doubt.colourless import with_fives_doubted
from vision.photo.photo_things import ReadTile

QUAD = ((0.0, 0.0), (20.0, 0.0), (20.0, 27.0), (0.0, 27.0))
COLOURED = picture([["5m", "0p", "1m", "5s"], ["1p", "6z", "7z", "9s"]])


def _tinted(dark: Sequence[int], light: Sequence[int]) -> Image:
    """The tiles as a JPEG in shades between two colours."""
    share = cv2.cvtColor(COLOURED, cv2.COLOR_BGR2GRAY)[..., None] / 255
    shades = np.rint((1 - share) * np.array(dark) + share * np.array(light)).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", shades, [cv2.IMWRITE_JPEG_QUALITY, 75])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


WITHOUT = {
    "grey": _tinted((0, 0, 0), (255, 255, 255)),
    "sepia": _tinted((0, 0, 0), (150, 215, 255)),
    "faded": _tinted((80, 30, 20), (210, 240, 250)),
    "blue": _tinted((0, 0, 0), (255, 100, 50)),
}
FIVE = ReadTile(tile="5p", quad=QUAD, score=0.98, alternatives=(("0p", 0.01), ("6p", 0.005)))
RED = ReadTile(tile="0s", quad=QUAD, score=0.6, alternatives=(("6s", 0.2), ("5s", 0.1)))
OTHERS = [ReadTile(tile=face, quad=QUAD, score=0.99) for face in ("6p", "5z", "back", "?")]


@pytest.mark.parametrize("kind", WITHOUT)
def test_a_five_without_colour_is_told_with_both_readings(kind: str) -> None:
    five, red, *others = with_fives_doubted([FIVE, RED, *OTHERS], WITHOUT[kind])
    assert others == OTHERS
    assert (five.tile, red.tile) == ("5p", "0s")
    assert five.score < MARK_BELOW
    assert [name for name, _ in five.alternatives] == ["0p", "6p"]
    assert dict(five.alternatives) == pytest.approx({"0p": 0.2475, "6p": 0.005})
    assert red.score == pytest.approx(0.525)
    assert [name for name, _ in red.alternatives] == ["6s", "5s"]
    assert dict(red.alternatives) == pytest.approx({"6s": 0.2, "5s": 0.175})


def test_a_five_in_colours_stays() -> None:
    tiles = [FIVE, RED, *OTHERS]
    assert with_fives_doubted(tiles, COLOURED) == tiles

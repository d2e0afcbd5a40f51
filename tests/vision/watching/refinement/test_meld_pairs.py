"""Two upright tiles of a meld of which the locator found one, a little off, where small prints hide their edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.watching.refinement.laid_melds import SIZE, TABLE, ZONES, lies_as, looks_at, row, view_of
from vision.arrays import Image
from vision.felt import NOT_A_TILE, Reading
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.refinement.meld_pairs import with_pairs_completed
from vision.watching.refinement.neighbours import PlacedTile

SURE, DOUBTFUL, NOTHING = (
    Reading(tile="7s", score=0.97),
    Reading(tile="7s", score=0.85),
    Reading(tile=NOT_A_TILE, score=0.9),
)


class _PairReader:
    """Reads these readings at two places, first the nearer one."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = readings

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        assert len(np.asarray(quads)) == len(self._readings)
        return list(self._readings)


def _moved(place: Detection, right_mm: float) -> Detection:
    return replace(place, x_mm=place.x_mm + right_mm)


def completed(
    readings: tuple[Reading, Reading], *, off_mm: float = 3.0, beside: Reading | None = NOTHING, out: float = 330.0
) -> tuple[list[Detection], list[PlacedTile]]:
    """Returns what lies there, and the meld: the farther tile is found `off_mm` off, something half over the nearer."""
    meld = row("7s~", "7s", "7s", out=out)
    found = [meld[0], PlacedTile(_moved(meld[2].place, off_mm), "7s"), PlacedTile(_moved(meld[1].place, -8.0), "7s")]
    known = {0: SURE, 1: DOUBTFUL} | ({} if beside is None else {2: beside})
    view = view_of(TABLE)
    reader = LookReader(_PairReader(*readings), np.zeros((400, 400, 3), np.uint8), view, zones=ZONES)
    return with_pairs_completed(looks_at(found, view), known, reader).detections, meld


@pytest.mark.parametrize("off_mm", [-4.0, 0.0, 3.0])
def test_both_tiles_are_read_where_they_lie_beside_the_turned_one(off_mm: float) -> None:
    now, meld = completed((SURE, SURE), off_mm=off_mm)
    assert len(now) == len(meld)
    assert all(any(lies_as(place, tile.place) for place in now) for tile in meld)


@pytest.mark.parametrize(
    ("readings", "beside", "off_mm", "out"),
    [
        ((SURE, DOUBTFUL), NOTHING, 3.0, 330.0),
        ((SURE, Reading(tile="8s", score=0.97)), NOTHING, 3.0, 330.0),
        ((SURE, SURE), DOUBTFUL, 3.0, 330.0),
        ((SURE, SURE), None, 3.0, 330.0),
        ((SURE, SURE), NOTHING, SIZE.width_mm / 2, 330.0),
        ((SURE, SURE), NOTHING, 3.0, 110.0),
    ],
    ids=["not sure", "no meld", "another tile", "not read yet", "too far off", "in a river"],
)
def test_else_what_was_found_remains(
    readings: tuple[Reading, Reading], beside: Reading | None, off_mm: float, out: float
) -> None:
    now, meld = completed(readings, off_mm=off_mm, beside=beside, out=out)
    assert now[0] == meld[0].place
    assert not any(lies_as(place, tile.place) for place in now for tile in meld[1:])

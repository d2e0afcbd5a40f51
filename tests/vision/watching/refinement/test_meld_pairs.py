"""Two upright tiles of a meld of which the locator found one, a little off, where small prints hide their edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.watching.refinement.laid_melds import SIZE, TABLE, ZONES, lies_as, looks_at, row, view_of
from vision.arrays import Image
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.refinement.meld_pairs import with_pairs_completed
from vision.watching.refinement.neighbours import PlacedTile

SURE, DOUBTFUL, NOTHING, OTHER = (
    Reading(tile="7s", score=0.97),
    Reading(tile="7s", score=0.85),
    Reading(tile=NOT_A_TILE, score=0.9),
    Reading(tile="5p", score=0.97),
)
MELDS = [("7s~", "7s", "7s"), ("7s", "7s", "7s~")]


class _PairReader:
    """Reads these readings at two places, first the nearer one."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = readings

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        assert len(np.asarray(quads)) == len(self._readings)
        return list(self._readings)


def completed(
    readings: tuple[Reading, Reading],
    *,
    off_mm: float = 3.0,
    known: Mapping[int, Reading] | None = None,
    out: float = 330.0,
    tiles: tuple[str, ...] = MELDS[0],
    turned_deg: float = 0.0,
) -> tuple[list[Detection], list[PlacedTile]]:
    """Returns what lies there, and the meld: the farther tile is found `off_mm` off, something half over the nearer."""
    meld = row(*tiles, out=out, turned_deg=turned_deg)
    turned, near, far = meld if tiles[0].endswith("~") else meld[::-1]
    beyond = np.subtract((far.place.x_mm, far.place.y_mm), (near.place.x_mm, near.place.y_mm)) / SIZE.width_mm

    def moved(place: Detection, away_mm: float) -> Detection:
        x, y = beyond * away_mm
        return replace(place, x_mm=place.x_mm + float(x), y_mm=place.y_mm + float(y))

    found = [turned, PlacedTile(moved(far.place, off_mm), "7s"), PlacedTile(moved(near.place, -8.0), "7s")]
    view = view_of(TABLE)
    reader = LookReader(_PairReader(*readings), np.zeros((400, 400, 3), np.uint8), view, zones=ZONES)
    readings_before = {0: SURE, 1: DOUBTFUL, 2: NOTHING} if known is None else known
    return with_pairs_completed(looks_at(found, view), readings_before, reader).detections, meld


@pytest.mark.parametrize("turned_deg", [0.0, 90.0, 182.0])
@pytest.mark.parametrize("tiles", MELDS)
@pytest.mark.parametrize("off_mm", [-4.0, 0.0, 3.0])
def test_both_tiles_are_read_where_they_lie_beside_the_turned_one(
    off_mm: float, tiles: tuple[str, ...], turned_deg: float
) -> None:
    now, meld = completed((SURE, SURE), off_mm=off_mm, tiles=tiles, turned_deg=turned_deg)
    assert len(now) == len(meld)
    assert all(any(lies_as(place, tile.place) for place in now) for tile in meld)


@pytest.mark.parametrize(
    "known",
    [{0: SURE, 1: SURE, 2: SURE}, {0: SURE, 1: SURE}, {0: SURE, 1: SURE, 2: DOUBTFUL}],
    ids=["both believed", "not read", "doubtful"],
)
def test_what_is_found_off_its_place_look_after_look_is_put_there_each_time(known: Mapping[int, Reading]) -> None:
    now, meld = completed((SURE, SURE), known=known)
    assert len(now) == len(meld)
    assert all(any(lies_as(place, tile.place) for place in now) for tile in meld)


@pytest.mark.parametrize(
    ("readings", "known", "off_mm", "out"),
    [
        ((SURE, DOUBTFUL), None, 3.0, 330.0),
        ((SURE, Reading(tile="8s", score=0.97)), None, 3.0, 330.0),
        ((SURE, SURE), {0: SURE, 1: DOUBTFUL, 2: OTHER}, 3.0, 330.0),
        ((SURE, SURE), {0: SURE, 1: DOUBTFUL, 2: Reading(tile=BACK, score=0.9)}, 3.0, 330.0),
        ((SURE, SURE), {0: DOUBTFUL, 1: DOUBTFUL, 2: NOTHING}, 3.0, 330.0),
        ((SURE, SURE), None, SIZE.width_mm / 2, 330.0),
        ((SURE, SURE), None, 3.0, 110.0),
    ],
    ids=["not sure", "no meld", "another tile", "a back", "no sure turned tile", "too far off", "in a river"],
)
def test_else_what_was_found_remains(
    readings: tuple[Reading, Reading], known: Mapping[int, Reading] | None, off_mm: float, out: float
) -> None:
    now, meld = completed(readings, off_mm=off_mm, known=known, out=out)
    assert now[0] == meld[0].place
    assert not any(lies_as(place, tile.place) for place in now for tile in meld[1:])


def test_a_whole_meld_is_not_read_again() -> None:
    whole, view = row(*MELDS[0]), view_of(TABLE)
    looks = looks_at(whole, view)
    reader = LookReader(_PairReader(), np.zeros((400, 400, 3), np.uint8), view, zones=ZONES)
    assert with_pairs_completed(looks, dict.fromkeys(range(3), SURE), reader) is looks

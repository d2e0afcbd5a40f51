"""Tiles of melds that the locator did not find, read where the others tell that they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.watching.refinement.laid_melds import SIZE, TABLE, ZONES, lies_as, looks_at, row, view_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.rectify import TopView
from vision.geometry.sides import nearest_side
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.refinement.meld_gaps import meld_gaps, with_melds_completed
from vision.watching.refinement.neighbours import PlacedTile

PON = ("6z", "6z~", "6z")
CLOSED_KAN = (BACK, "1p", "1p", BACK)


@pytest.mark.parametrize("turned_deg", [0.0, 90.0, 182.0])
@pytest.mark.parametrize(
    ("meld", "missing"),
    [
        *[(PON, n) for n in range(3)],
        *[(("9p~", "7p", "8p"), n) for n in range(3)],
        *[(("3s", "3s", "3s", "3s~"), n) for n in (2, 3)],
        (("0s", "5s~", "5s", "5s"), 1),
        *[(CLOSED_KAN, n) for n in (0, 3)],
    ],
)
def test_a_melds_missing_tile_lies_where_the_others_leave_room(
    meld: tuple[str, ...], missing: int, turned_deg: float
) -> None:
    found = row(*meld, turned_deg=turned_deg)
    place, _ = found.pop(missing)
    assert any(lies_as(gap.place, place) for gap in meld_gaps(found, SIZE))


class _OneTileReader:
    """Reads a tile where one lies, and nothing anywhere else."""

    def __init__(self, view: TopView, place: Detection, reading: Reading) -> None:
        self._view, self._place, self._reading = view, place, reading

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        tile_middle = self._view.to_frame(self._view.from_felt(self._place.corners())).reshape(4, 2).mean(axis=0)
        middles = np.asarray(quads).reshape(-1, 4, 2).mean(axis=1)
        nothing = Reading(tile=NOT_A_TILE, score=1.0)
        return [self._reading if np.hypot(*(middle - tile_middle)) < 2 else nothing for middle in middles]


def completed(
    found: list[PlacedTile],
    place: Detection,
    reading: Reading,
    earlier: Mapping[int, Reading | None] | None = None,
    *,
    table: Appearance = TABLE,
) -> list[Detection]:
    """Returns where tiles lie once melds are completed, with a tile at `place` that reads so.

    Earlier looks read what was found surely, but for those of `earlier`.
    """
    view, sure = view_of(table), {index: Reading(tile=tile, score=0.97) for index, (_, tile) in enumerate(found)}
    readings = {index: reading for index, reading in {**sure, **(earlier or {})}.items() if reading is not None}
    image = np.zeros((table.height_px, table.width_px, 3), np.uint8)
    looks, reader = looks_at(found, view), _OneTileReader(view, place, reading)
    whole = with_melds_completed(looks, readings, LookReader(reader, image, view, zones=ZONES))
    assert len(whole.quads) == len(whole.scores) == len(whole.detections)
    return whole.detections


@pytest.mark.parametrize(
    ("meld", "missing", "reading", "is_completed"),
    [
        (PON, 1, Reading(tile="6z", score=0.97), True),
        (PON, 1, Reading(tile="6z", score=0.8), False),
        (PON, 1, Reading(tile="7z", score=0.97), False),
        (PON, 0, Reading(tile="6z", score=0.97), True),
        (CLOSED_KAN, 3, Reading(tile=BACK, score=0.7), True),
        (CLOSED_KAN, 0, Reading(tile="1p", score=0.97), False),
        (CLOSED_KAN, 0, Reading(tile=BACK, score=0.4), False),
    ],
    ids=["a face", "not sure", "another face", "an upright one", "a back", "a face beyond a kan", "no sure back"],
)
def test_a_missing_tile_is_told_if_it_is_surely_read(
    meld: tuple[str, ...], missing: int, reading: Reading, is_completed: bool
) -> None:
    found = row(*meld)
    place, _ = found.pop(missing)
    now = completed(found, place, reading)
    assert len(now) == len(found) + is_completed
    assert not is_completed or lies_as(now[-1], place)


@pytest.mark.parametrize(
    "tiles",
    [
        pytest.param(PON, id="a pon"),
        pytest.param(("9p~", "7p", "8p"), id="a chi"),
        pytest.param(CLOSED_KAN, id="a closed kan"),
        pytest.param(("1m", "2m", "3m", "7p", "7p"), id="an open hand"),
        pytest.param(("7p", "7p~", "7p", "3s~", "1s", "2s"), id="two melds that touch"),
    ],
)
def test_beside_what_is_whole_nothing_is_read(tiles: tuple[str, ...]) -> None:
    class ReadsNothing:
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            raise AssertionError

    found, view = row(*tiles), view_of(TABLE)
    sure = {index: Reading(tile=tile, score=0.97) for index, (_, tile) in enumerate(found)}
    looks = looks_at(found, view)
    image = np.zeros((400, 400, 3), np.uint8)
    assert with_melds_completed(looks, sure, LookReader(ReadsNothing(), image, view, zones=ZONES)) is looks


def test_what_was_found_askew_and_reads_as_nothing_gives_way() -> None:
    found = row(*PON)
    place, tile = found[1]
    found[1] = PlacedTile(replace(place, y_mm=place.y_mm + 4, angle_deg=2.0), tile)
    now = completed(found, place, Reading(tile="6z", score=0.97), {1: Reading(tile=NOT_A_TILE, score=0.9)})
    assert len(now) == 3
    assert lies_as(now[-1], place)


@pytest.mark.parametrize("earlier", [Reading(tile="1s", score=0.97), Reading(tile="6z", score=0.5), None])
def test_a_place_where_another_tile_lies_or_that_was_not_yet_read_is_left_alone(earlier: Reading | None) -> None:
    found = row(*PON)
    now = completed(found, found[1][0], Reading(tile="6z", score=0.97), {1: earlier})
    assert now == [place for place, _ in found]


def test_away_from_the_rails_no_meld_is_completed() -> None:
    """There lie rivers, where a sideways tile is a riichi."""
    found = row(*PON, out=110.0)
    place, _ = found.pop(1)
    assert len(completed(found, place, Reading(tile="6z", score=0.97))) == 2


@pytest.mark.parametrize(("lean", "is_read"), [(0.0, True), (45.0, False)])
def test_nothing_is_read_where_the_camera_sees_faces_of_a_standing_hand(lean: float, is_read: bool) -> None:
    table = TABLE if lean == 0 else seen_from(TABLE, lean=lean, bearing=0.0)
    side = nearest_side(*map(float, view_of(table).calibration.camera_mm[:2]))
    found = row(*PON, start=0.0, turned_deg=90.0 * side)
    place, _ = found.pop(1)
    now = completed(found, place, Reading(tile="6z", score=0.97), table=table)
    assert len(now) == (3 if is_read else 2)

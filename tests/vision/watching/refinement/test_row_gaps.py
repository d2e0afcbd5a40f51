"""Tiles of a row where one was found that lies across the edge between two."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.tile_rows import looks_at, rights_of, row_of_places
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import NOT_A_TILE, Reading
from vision.geometry.rectify import TopView
from vision.geometry.sides import nearest_side
from vision.watching.looks.look_reader import LookReader
from vision.watching.refinement.neighbours import PlacedTile
from vision.watching.refinement.row_gaps import row_ends, row_gaps, with_rows_completed
from vision.zones.table_zones import Zones

TABLE = Appearance(width_px=400, height_px=400)
SIZE = TABLE.tile_size
ZONES = Zones(side_mm=TABLE.felt_mm, size=SIZE)


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
@pytest.mark.parametrize(
    ("found", "missing"),
    [
        ([0, 1, 2.5, 4, 5], [2, 3]),
        ([0, 1, 2.45, 3.5, 5, 6], [2, 3, 4]),
        ([0, 1, 1.65, 2.9, 4], [1.95]),
        ([0, 1, 1.67, 2.27, 2.92, 4], [1.96]),
        ([0, 1, 2, 3, 4], []),
        ([0, 1, 3, 4], []),
        ([0, 1, 2.5, 4.4, 5.4], []),
        ([0, 1, 2.5], []),
        ([0, 1.58, 2.69, 3.69], []),
    ],
    ids=[
        "two as one",
        "three as two",
        "one over its neighbour",
        "one as two",
        "whole",
        "one taken",
        "loose",
        "the last",
        "the first over two, in a row too narrow for two more",
    ],
)
def test_a_row_with_a_find_where_no_tile_can_lie_has_places_for_all(
    found: list[float], missing: list[float], side_deg: float
) -> None:
    places = row_of_places(found, SIZE, side_deg=side_deg)
    assert [rights_of(list(gap.places), SIZE, side_deg) for gap in row_gaps(places, SIZE)] == (
        [missing] if missing else []
    )


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
@pytest.mark.parametrize(
    ("found", "missing"),
    [
        ([0, 1, 2.6], [2, 3]),
        ([0, 1, 2, 2.6], [2, 3]),
        ([0, 1, 1.4], [1, 2]),
        ([0.5], [0, 1]),
        ([0, 1, 2, 3], []),
        ([0, 1, 2.2], []),
        ([0, 1, 2.9], []),
        ([2.6, 3.5], []),
        ([2.6, 3.1], [2, 3]),
    ],
    ids=[
        "for the last and a new one",
        "over the last, which is found too",
        "over a last but one",
        "over the first two",
        "one more",
        "the last was pushed",
        "one more, loosely laid",
        "another over the place beside",
        "a new one is found too",
    ],
)
def test_a_find_over_the_last_tile_of_a_row_is_that_tile_and_the_next(
    found: list[float], missing: list[float], side_deg: float
) -> None:
    known_tiles = [PlacedTile(place, "9s") for place in row_of_places([0, 1, 2], SIZE, side_deg=side_deg)]
    ends = row_ends(row_of_places(found, SIZE, side_deg=side_deg), known_tiles, SIZE)
    assert missing in [rights_of(list(end.places), SIZE, side_deg) for end in ends] if missing else not ends


class _FixedReader:
    def __init__(self, *readings: Reading) -> None:
        self._readings = readings

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return list(self._readings[: len(np.asarray(quads))])


@pytest.mark.parametrize(
    ("second", "lean", "is_completed"),
    [
        (Reading(tile="4s", score=0.97), 0.0, True),
        (Reading(tile="4s", score=0.8), 0.0, False),
        (Reading(tile=NOT_A_TILE, score=1.0), 0.0, False),
        (Reading(tile="4s", score=0.97), 45.0, False),
    ],
    ids=["two faces", "one not sure", "one face", "where the camera would see a standing hand"],
)
def test_places_hold_if_all_show_a_sure_face_and_may_be_read(second: Reading, lean: float, is_completed: bool) -> None:
    table = TABLE if lean == 0 else seen_from(TABLE, lean=lean, bearing=0.0)
    size = table.width_px, table.height_px
    view = TopView(calibration_of(table), height_mm=SIZE.depth_mm)
    camera_x, camera_y = view.calibration.camera_mm[:2]
    side_deg = 90.0 * nearest_side(float(camera_x), float(camera_y))
    looks = looks_at(row_of_places([0, 1, 2.5, 4, 5], SIZE, side_deg=side_deg, y_mm=-320.0), view)
    reader, image = _FixedReader(Reading(tile="3s", score=0.99), second), np.zeros((size[1], size[0], 3), np.uint8)
    completed = with_rows_completed(looks, LookReader(reader, image, view, zones=ZONES))
    assert rights_of(completed.detections, SIZE, side_deg) == (
        [0, 1, 2, 3, 4, 5] if is_completed else [0, 1, 2.5, 4, 5]
    )
    assert len(completed.quads) == len(completed.scores) == len(completed.detections)


@pytest.mark.parametrize(
    ("known_tile", "is_completed"), [("3s", True), ("9s", False)], ids=["as known", "another face where one is known"]
)
def test_the_known_tile_at_the_end_of_a_row_must_show_its_face(known_tile: str, is_completed: bool) -> None:
    view = TopView(calibration_of(TABLE), height_mm=SIZE.depth_mm)
    looks = looks_at(row_of_places([0, 1.6], SIZE, side_deg=0.0), view)
    reader = _FixedReader(Reading(tile="3s", score=0.99), Reading(tile="4s", score=0.97))
    image = np.zeros((TABLE.height_px, TABLE.width_px, 3), np.uint8)
    completed = with_rows_completed(
        looks,
        LookReader(reader, image, view, zones=ZONES),
        known_tiles=[PlacedTile(place, known_tile) for place in row_of_places([1], SIZE, side_deg=0.0)],
    )
    assert rights_of(completed.detections, SIZE) == ([0, 1, 2] if is_completed else [0, 1.6])


def test_a_find_that_is_two_known_tiles_bounds_no_gap() -> None:
    """A find across two equal tiles at the end of a river made another one of them in front of it."""
    view = TopView(calibration_of(TABLE), height_mm=SIZE.depth_mm)
    looks = looks_at(row_of_places([0, 1, 2.4, 4], SIZE, side_deg=0.0), view)
    reader = _FixedReader(*[Reading(tile="3s", score=0.99)] * 2)
    completed = with_rows_completed(
        looks,
        LookReader(reader, np.zeros((TABLE.height_px, TABLE.width_px, 3), np.uint8), view, zones=ZONES),
        known_tiles=[PlacedTile(place, "3s") for place in row_of_places([3.5, 4.5], SIZE, side_deg=0.0)],
    )
    assert rights_of(completed.detections, SIZE) == [0, 1, 2.4, 3.5, 4.5]

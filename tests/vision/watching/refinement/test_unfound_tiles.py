"""Tiles that continue a row, and were not found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from tests.benchmarks.watching import faces_of
from tests.places import SHARED
from tests.vision.beside_table import seen_from
from tests.vision.tile_rows import looks_at, rights_of, row_of_places
from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats, Image, Mask
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Scene, SceneTile
from vision.felt import NOT_A_TILE, Reading
from vision.geometry.rectify import TopView
from vision.geometry.sides import nearest_side
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.watching.detection import Detection
from vision.watching.looks.look_reader import LookReader
from vision.watching.refinement.unfound_tiles import with_unfound_tiles
from vision.zones.table_zones import Zones

TABLE = Appearance(width_px=800, height_px=800)
SIZE = TABLE.tile_size
ZONES = Zones(side_mm=TABLE.felt_mm, size=SIZE)
ART = SHARED / "art" / "fluffystuff"


class _TilesAt:
    """Reads a sure face where one of these tiles lies, and no tile elsewhere."""

    def __init__(self, view: TopView, tiles: list[Detection]) -> None:
        self._middles_px = view.to_frame(view.from_felt([(tile.x_mm, tile.y_mm) for tile in tiles]))
        self._near_px = 0.15 * SIZE.width_mm * view.px_per_mm

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        middles = np.asarray(quads, np.float64).reshape(-1, 4, 2).mean(axis=1)
        away = np.linalg.norm(middles[:, None] - self._middles_px[None], axis=2).min(axis=1)
        return [Reading(tile="3s" if is_there else NOT_A_TILE, score=0.99) for is_there in away < self._near_px]


def _completed(
    found: list[float],
    lying: list[float],
    *,
    side_deg: float = 0.0,
    y_mm: float = -110.0,
    table: Appearance = TABLE,
    believed: Sequence[float] = (),
    are_new: Callable[[Floats], Mask] = lambda points: np.ones(len(points), np.bool_),
) -> list[float]:
    """Where tiles are seen, in tile widths along their row."""
    view = TopView(calibration_of(table), height_mm=SIZE.depth_mm)
    looks = looks_at(row_of_places(found, SIZE, side_deg=side_deg, y_mm=y_mm), view)
    image = np.zeros((table.height_px, table.width_px, 3), np.uint8)
    reader = LookReader(
        _TilesAt(view, row_of_places(lying, SIZE, side_deg=side_deg, y_mm=y_mm)), image, view, zones=ZONES
    )
    completed = with_unfound_tiles(
        looks, reader, believed=row_of_places(believed, SIZE, side_deg=side_deg, y_mm=y_mm), are_new=are_new
    )
    assert len(completed.quads) == len(completed.scores) == len(completed.detections)
    return rights_of(completed.detections, SIZE, side_deg)


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 178.0])
@pytest.mark.parametrize(
    ("found", "lying", "seen"),
    [
        ([0], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([3], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([0, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        ([0, 2], [0, 2], [0, 2]),
        ([0], [0, 2], [0]),
        ([0, 1.4], [0, 1], [0, 1.4]),
    ],
    ids=["to the right", "to the left", "between two", "none between two", "none beside it", "another find over it"],
)
def test_a_row_is_continued_from_what_was_found(
    found: list[float], lying: list[float], seen: list[float], side_deg: float
) -> None:
    assert _completed(found, lying, side_deg=side_deg) == seen


def test_only_places_where_something_new_rests_are_read() -> None:
    assert _completed([0], [-1, 0, 1], are_new=lambda points: points[:, 0] > 0) == [0, 1]


def test_where_a_tile_is_believed_to_lie_no_other_one_is_new() -> None:
    assert _completed([0], [0, 1, 2], believed=(0, 1.4)) == [0]


def test_nothing_is_read_where_the_camera_would_see_a_standing_hand() -> None:
    leaning = seen_from(TABLE, lean=45.0, bearing=0.0)
    camera_x, camera_y = TopView(calibration_of(leaning), height_mm=SIZE.depth_mm).calibration.camera_mm[:2]
    side_deg = 90.0 * nearest_side(float(camera_x), float(camera_y))
    assert _completed([0], [0, 1, 2], side_deg=side_deg, y_mm=-320.0, table=leaning) == [0]


@pytest.mark.skipif(
    not ART.is_dir(), reason="NO TILE ART: expected shared/art/fluffystuff beside the checkout, got none"
)
@pytest.mark.parametrize("face", ["3s", "6s"])
def test_three_of_a_face_whose_prints_run_into_each_other_are_seen(face: str) -> None:
    table = Appearance.random(1, width_px=800, height_px=800)
    size = table.tile_size
    rights = [(number - 1.5) * size.width_mm for number in range(4)]
    row = tuple(
        SceneTile(face=text, x_mm=x, y_mm=-110.0) for text, x in zip(("5m", face, face, face), rights, strict=True)
    )
    image = Renderer(table, faces=faces_of("fluffystuff")).render(Scene(tiles=row))
    view = TopView(calibration_of(table), height_mm=size.depth_mm)
    found = Locator().locate(view.picture(image), tile_px=size.width_mm * view.px_per_mm)
    reader = LookReader(TileReader(), image, view, zones=Zones(side_mm=table.felt_mm, size=size))
    looks = reader.located_tiles(found)
    assert len(looks.detections) < 4, "expected a row that the locator alone does not find"
    completed = with_unfound_tiles(looks, reader, believed=(), are_new=lambda points: np.ones(len(points), np.bool_))
    assert sorted(place.x_mm for place in completed.detections) == pytest.approx(rights, abs=3.0)

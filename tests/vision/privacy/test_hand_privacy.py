from __future__ import annotations

import numpy as np
import pytest

from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import tile_solid
from vision.cameras.synthetic.layout import Layout
from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.sides import side_coordinates
from vision.privacy.hand_privacy import lean_of, may_be_read
from vision.zones.table_zones import Zones

SIZE = TileSize()
ZONES = Zones(side_mm=720.0, size=SIZE)
OVERHEAD = np.array([0.0, 0.0, 1000.0])
BEHIND = np.array([0.0, -900.0, 700.0])
"""Behind side 0, looking down at 45 degrees or so."""


def quad(x: float, y: float, *, width: float = 20.0, height: float = 26.5, angle: float = 0.0) -> Floats:
    corners = np.array([[-width, height], [width, height], [width, -height], [-width, -height]]) / 2
    return turn(corners, angle) + (x, y)


def allowed(*quads: Floats, camera_mm: Floats = OVERHEAD) -> list[bool]:
    return [bool(one) for one in may_be_read(np.array(quads), camera_mm=camera_mm, zones=ZONES)]


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(("width", "height"), [(16, 20), (13, 26.5), (26, 26.5)], ids=["its top", "narrow", "too wide"])
def test_what_has_not_the_measures_of_a_lying_face_is_not_read_by_the_rail(
    width: float, height: float, side: int
) -> None:
    x, y = turn([[-60.0, -322.0]], 90 * side)[0]
    for angle in (0, 90):
        assert allowed(quad(float(x), float(y), width=width, height=height, angle=angle + 90 * side)) == [False]


def test_tiles_that_lie_open_by_the_rail_are_read() -> None:
    assert allowed(quad(-60, -298), quad(330, -340, angle=90), quad(20, 300, angle=182)) == [True] * 3


def test_measures_may_be_off_by_a_tenth() -> None:
    assert allowed(quad(-60, -298, width=18, height=24), quad(-60, -298, width=22.4, height=29)) == [True] * 2


def test_rivers_and_walls_are_read_whatever_their_measures() -> None:
    assert allowed(quad(-40, -84, width=16, height=20), quad(0, -210, width=22, height=29)) == [True] * 2


def test_behind_a_player_nothing_is_read_where_his_hand_stands() -> None:
    hand, melds, melds_of_left, across = quad(-60, -322), quad(300, -340), quad(-300, -340, angle=90), quad(0, 322)
    assert allowed(hand, melds, melds_of_left, across, camera_mm=BEHIND) == [False, True, True, True]


def test_no_quads_give_no_answers() -> None:
    assert may_be_read(np.empty((0, 4, 2)), camera_mm=OVERHEAD, zones=ZONES).shape == (0,)


@pytest.mark.parametrize("seed", range(12))
def test_neither_top_nor_face_of_a_drawn_standing_tile_is_read(seed: int) -> None:
    appearance = Appearance.random(seed)
    size = appearance.tile_size
    calibration = calibration_of(appearance)
    zones = Zones(side_mm=appearance.felt_mm, size=size)
    lens = lens_of(appearance)
    for side in range(4):
        for tile in Layout(appearance=appearance, seed=seed).standing_hand(side, 13):
            solid = tile_solid(tile, appearance)
            top = lens.project_flat(solid.footprint, solid.high_mm)
            bottom = lens.project_flat(solid.footprint, 0.0)
            outward = [side_coordinates(float(x), float(y), side)[1] for x, y in solid.footprint]
            i, j = sorted(np.argsort(outward)[-2:])
            face = np.stack([top[i], top[j], bottom[j], bottom[i]])
            turns_its_face_here = side_coordinates(appearance.camera_x_mm, appearance.camera_y_mm, side)[1] > max(
                outward
            )
            for pixels in (top, face) if turns_its_face_here else (top,):
                on_plane = calibration.to_felt(pixels, height_mm=size.depth_mm)
                if np.linalg.norm(on_plane[1] - on_plane[0]) > np.linalg.norm(on_plane[2] - on_plane[1]):
                    on_plane = np.roll(on_plane, 1, axis=0)
                assert not may_be_read([on_plane], camera_mm=calibration.camera_mm, zones=zones)[0]


def test_a_quads_lean_is_where_its_glyph_points() -> None:
    for angle in (-170.0, -90, 0, 33, 90):
        assert lean_of(quad(5, 5, angle=angle)) == pytest.approx(angle)

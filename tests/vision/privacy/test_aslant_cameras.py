"""From beside the table a camera sees the faces of its neighbours' standing hands: none may be read, shown or kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.privacy.hidden_hands import tiles_by_rails, with_noise_on_hands
from tests.vision.scenes_to_see import busy_table
from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import tile_solid
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Pose, SceneTile
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize, turn
from vision.privacy.hand_privacy import may_be_read
from vision.privacy.redaction import HandRedaction
from vision.zones.table_zones import Zones

LEANS = [25.0, pytest.param(30.0, marks=pytest.mark.long), 35.0, pytest.param(42.0, marks=pytest.mark.long), 50.0]
LEGIBLE = 0.3
"""Share of its height at which a standing face appears on the plane of the tiles, from which on it must be safe."""


def bearings(lean: float) -> Iterable[tuple[int, float]]:
    """Beside every side and corner, a little off in another way for each angle."""
    return enumerate(45.0 * place + lean % 11 - 5 for place in range(8))


def face_quad(tile: SceneTile, appearance: Appearance) -> Floats:
    """The picture's corners of a standing tile's face, from its glyph's top left; counter-clockwise if turned away."""
    solid = tile_solid(tile, appearance)
    left, right = solid.footprint[3], solid.footprint[2]
    top = lens_of(appearance).project_flat(np.stack([left, right]), solid.high_mm)
    return np.concatenate([top, lens_of(appearance).project_flat(np.stack([right, left]), tile.z_mm)])


def is_facing_camera(quad: Floats) -> bool:
    return cv2.contourArea(quad.astype(np.float32), True) > 0


def camera(seed: int, lean: float, bearing: float) -> Appearance:
    table = Appearance.random(seed, width_px=1280, height_px=720)
    return seen_from(replace(table, distortion=(0.0, 0.0)), lean=lean, bearing=bearing)


def height_shown(tile: SceneTile, appearance: Appearance, calibration: Calibration, size: TileSize) -> float:
    """The height of a standing face on the plane of the tiles' faces, as a share of a tile's; 0 if turned away."""
    quad = face_quad(tile, appearance)
    if not is_facing_camera(quad):
        return 0.0
    top_left, _, _, bottom_left = calibration.to_felt(quad, height_mm=size.depth_mm)
    across = turn([top_left - bottom_left], -tile.angle_deg)[0]
    return abs(float(across[1])) / size.height_mm


def quads_on(tile: SceneTile, appearance: Appearance, calibration: Calibration, size: TileSize) -> Floats:
    """Quads with the measures of a lying tile, centred all over a standing tile's face, along and across."""
    top_left, top_right, bottom_right, bottom_left = calibration.to_felt(
        face_quad(tile, appearance), height_mm=size.depth_mm
    )
    half = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * (size.width_mm, size.height_mm)
    return np.array(
        [
            turn(half, tile.angle_deg + angle)
            + (1 - down) * ((1 - right) * top_left + right * top_right)
            + down * ((1 - right) * bottom_left + right * bottom_right)
            for angle in (0, 90)
            for right in (0.1, 0.5, 0.9)
            for down in (0.1, 0.5, 0.9)
        ]
    )


@pytest.mark.parametrize("lean", LEANS[2:])
def test_whatever_is_found_on_a_standing_face_is_not_read(lean: float) -> None:
    """However the locator errs: quads with the measures of a lying tile, all over the face."""
    faces = 0
    for number, bearing in bearings(lean):
        appearance = camera(int(lean) + number, lean, bearing)
        calibration, size = calibration_of(appearance), appearance.tile_size
        zones = Zones(side_mm=appearance.felt_mm, size=size)
        layout = Layout(appearance=appearance, seed=number)
        hands = [tile for side in range(4) for tile in layout.standing_hand(side, 14, has_drawn=True)]
        legible = [tile for tile in hands if height_shown(tile, appearance, calibration, size) > LEGIBLE]
        faces += len(legible)
        for tile in legible:
            quads = quads_on(tile, appearance, calibration, size)
            read = may_be_read(quads, camera_mm=calibration.camera_mm, zones=zones)
            assert not read.any(), (bearing, quads[read][0].mean(axis=0))
    assert faces > 14, "no camera saw a face"


@pytest.mark.parametrize("lean", LEANS)
def test_nothing_of_a_standing_hand_is_left_in_any_picture(lean: float) -> None:
    for number, bearing in bearings(lean):
        appearance = replace(camera(number, lean, bearing), width_px=640, height_px=360)
        scene, redaction = busy_table(appearance), HandRedaction(calibration_of(appearance), appearance.tile_size)
        hands = tuple(tile for tile in scene.tiles if tile.pose is Pose.STANDING)
        picture = np.full((360, 640, 3), 120, np.uint8)
        one, other = (
            redaction.applied_to(with_noise_on_hands(picture, hands, appearance, seed), tiles_by_rails(scene))
            for seed in (1, 2)
        )
        assert np.array_equal(one, other), (bearing, np.argwhere((one != other).any(axis=2))[:3])
        assert one.any()

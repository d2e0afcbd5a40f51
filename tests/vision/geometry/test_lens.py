"""A lens that bends the picture: corrected where it is known, tiles lie where they are and are found."""

from __future__ import annotations

import numpy as np
import pytest

from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.script_recording import lens_of_appearance
from table.config import CameraConfig
from tests.vision.scenes_to_see import busy_table
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Pose, SceneTile
from vision.felt import Felt
from vision.frames import Frame
from vision.geometry.calibration import Calibration

pytestmark = pytest.mark.pictures

BARREL = Appearance(distortion=(-0.22, 0.05))
PINCUSHION = Appearance(distortion=(0.12, 0.0), camera_y_mm=-160.0)
LOOKS = pytest.mark.parametrize("look", [BARREL, PINCUSHION], ids=["barrel", "pincushion"])


def calibrated(appearance: Appearance, *, with_lens: bool = True) -> Calibration:
    lens = lens_of_appearance(appearance) if with_lens else None
    return calibration_of(appearance, lens)


def off_mm(appearance: Appearance, calibration: Calibration) -> float:
    """How far from its place a tile of the rivers is thought to lie, at most."""
    raster = np.stack(np.meshgrid(np.linspace(-150, 150, 7), np.linspace(-150, 150, 7)), axis=-1).reshape(-1, 2)
    pixels = lens_of(appearance).project_flat(raster, appearance.tile_depth_mm)
    found = calibration.to_felt(pixels, height_mm=appearance.tile_depth_mm)
    return float(np.linalg.norm(found - raster, axis=1).max())


@LOOKS
def test_a_known_lens_puts_things_where_they_are(look: Appearance) -> None:
    assert off_mm(look, calibrated(look)) < 0.2
    assert off_mm(look, calibrated(look, with_lens=False)) > 5


@LOOKS
def test_corners_found_before_the_lens_was_known_stay_where_they_are(look: Appearance) -> None:
    with_lens = calibrated(look, with_lens=False).with_lens(lens_of_appearance(look))
    assert off_mm(look, with_lens) < 0.2
    assert np.allclose(with_lens.to_pixels([[-360.0, 360.0]], height_mm=0.0), corners_px(look)[0], atol=0.01)


def test_a_configured_lens_is_that_of_the_camera() -> None:
    k1, k2 = BARREL.distortion
    lens = CameraConfig(focal=BARREL.focal_px / BARREL.width_px, k1=k1, k2=k2).lens((1600, 1600))
    assert off_mm(BARREL, calibrated(BARREL, with_lens=False).with_lens(lens)) < 0.2
    assert CameraConfig().lens((1600, 1600)) is None


@LOOKS
def test_tiles_under_a_bending_lens_are_found_and_read(look: Appearance) -> None:
    tile = look.tile_size
    scene = busy_table(look)
    image = Renderer(look).render(scene)
    watcher = make_watcher(calibrated(look), tile)
    for k in range(12):
        watcher.watch(Frame(k=k, t_ns=k * 100_000_000, image=image))
    assert [each for each in scene.tiles if _is_open(each) and not _is_among(each, watcher.felt)] == []


def _is_open(tile: SceneTile) -> bool:
    return tile.pose is Pose.FACE_UP and tile.z_mm == 0 and tile.face != "back"


def _is_among(tile: SceneTile, felt: Felt) -> bool:
    return any(
        each.reading.tile == tile.face and np.hypot(each.x_mm - tile.x_mm, each.y_mm - tile.y_mm) < 3
        for each in felt.tiles
    )

"""Standing hands whose pixels are noise."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from tests.fakes.watchers import lying_tile
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import tile_solid
from vision.cameras.synthetic.scene import Pose, Scene, SceneTile
from vision.felt import LyingTile, Zone

BEHIND = Appearance(camera_y_mm=-430.0, camera_height_mm=900.0, covered_mm=1000.0)
"""A camera that leans over a player's shoulder: it could see the faces of that hand."""


def tiles_by_rails(scene: Scene) -> list[LyingTile]:
    """The tiles that lie by the rails, as the watcher would believe them."""
    return [
        lying_tile(
            number, tile.face, x_mm=tile.x_mm, y_mm=tile.y_mm, angle_deg=tile.angle_deg, zone=Zone.MELD, score=1.0
        )
        for number, tile in enumerate(scene.tiles)
        if tile.pose is not Pose.STANDING and tile.z_mm == 0 and max(abs(tile.x_mm), abs(tile.y_mm)) > 260
    ]


def outline_px(tile: SceneTile, appearance: Appearance) -> npt.NDArray[np.int32]:
    """The outline, in the picture, of all that could be seen of a tile: its face, top, back and sides."""
    solid = tile_solid(tile, appearance)
    corners = [lens_of(appearance).project_flat(solid.footprint, z) for z in (solid.low_mm, solid.high_mm)]
    return np.asarray(cv2.convexHull(np.rint(np.concatenate(corners)).astype(np.int32)), np.int32)


def with_noise_on_hands(picture: Image, tiles: Iterable[SceneTile], appearance: Appearance, seed: int) -> Image:
    """The picture with noise all over what could be seen of the standing tiles: faces, tops, backs."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, picture.shape, dtype=np.uint8)
    hands = np.zeros(picture.shape[:2], np.uint8)
    for tile in tiles:
        if tile.pose is Pose.STANDING:
            cv2.fillConvexPoly(hands, outline_px(tile, appearance), 255)
    assert (hands > 0).mean() > 0.005
    return np.where(hands[..., None] > 0, noise, picture)

"""Where a scene's objects are in its picture: the truth for training and tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.arm_shape import limbs_of
from vision.cameras.synthetic.drawing.optics import Lens, lens_of
from vision.cameras.synthetic.drawing.pieces import SHIFT, painting_order
from vision.cameras.synthetic.drawing.solids import Solid, stick_solid, tile_solid
from vision.cameras.synthetic.scene import Arm, Pose, Scene, SceneStick, SceneTile
from vision.geometry.plane_geometry import square

_COARSE = 2
"""Scale at which hiding is computed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenTile:
    """A lying tile that is at least partly visible."""

    tile: SceneTile
    quad: Floats
    """(4, 2) pixels of the upper face, clockwise from the glyph's top left (face down: from any corner)."""
    visible: float
    """Share of the quad that is inside the picture and not hidden, 0-1."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenStick:
    """A point stick that is at least partly visible."""

    stick: SceneStick
    quad: Floats
    """(4, 2) pixels of the upper face, clockwise."""
    visible: float
    """Share of the quad that is inside the picture and not hidden, 0-1."""


def corners_px(appearance: Appearance) -> Floats:
    """Returns the play surface's corners on the felt's plane: far left, far right, near right, near left."""
    return lens_of(appearance).project_flat(square(appearance.felt_mm), 0.0)


def seen_tiles(scene: Scene, appearance: Appearance) -> tuple[SeenTile, ...]:
    """Returns every lying tile that is at least partly visible, in the scene's order; never a standing one."""
    found = _seen(scene, appearance)[: len(scene.tiles)]
    return tuple(
        SeenTile(tile=tile, quad=quad, visible=visible)
        for tile, (quad, visible) in zip(scene.tiles, found, strict=True)
        if visible > 0 and tile.pose is not Pose.STANDING
    )


def seen_sticks(scene: Scene, appearance: Appearance) -> tuple[SeenStick, ...]:
    """Returns every stick that is at least partly visible, in the scene's order."""
    found = _seen(scene, appearance)[len(scene.tiles) :]
    return tuple(
        SeenStick(stick=stick, quad=quad, visible=visible)
        for stick, (quad, visible) in zip(scene.sticks, found, strict=True)
        if visible > 0
    )


def _seen(scene: Scene, appearance: Appearance) -> list[tuple[Floats, float]]:
    lens = lens_of(appearance)
    solids = [tile_solid(tile, appearance) for tile in scene.tiles] + [
        stick_solid(stick, appearance) for stick in scene.sticks
    ]
    quads = [lens.project_flat(solid.footprint, solid.high_mm) for solid in solids]
    owner = _owners(solids, quads, scene.arms, appearance, lens)
    counts = np.bincount(owner.ravel(), minlength=len(solids) + 1)
    return [(quad, _share(quad, int(counts[number]))) for number, quad in enumerate(quads, start=1)]


def _owners(
    solids: Sequence[Solid], quads: Sequence[Floats], arms: Sequence[Arm], appearance: Appearance, lens: Lens
) -> NDArray[np.int32]:
    """Returns for each coarse pixel the number of the top that it shows, counted from 1; 0 for none."""
    owner = np.zeros((appearance.height_px // _COARSE, appearance.width_px // _COARSE), np.int32)
    for number in sorted(range(len(solids)), key=lambda n: painting_order(solids[n], lens)):
        solid = solids[number]
        plan = solid.footprint
        block = np.concatenate([lens.project_flat(plan, solid.low_mm), quads[number]])
        cv2.fillConvexPoly(owner, cv2.convexHull(_fixed(block)), 0, cv2.LINE_8, SHIFT)
        cv2.fillConvexPoly(owner, _fixed(quads[number]), number + 1, cv2.LINE_8, SHIFT)
    for arm in arms:
        for limb in limbs_of(arm, appearance):
            cv2.fillPoly(owner, [_fixed(limb.outline(lens))], 0, cv2.LINE_8, SHIFT)
    return owner


def _fixed(pixels: Floats) -> NDArray[np.int32]:
    corners: NDArray[np.int32] = np.rint(pixels / _COARSE * 2**SHIFT).astype(np.int32)
    return corners.reshape(-1, 1, 2)


def _share(quad: Floats, count: int) -> float:
    area = abs(float(cv2.contourArea(quad.astype(np.float32)))) / _COARSE**2
    # Counting whole pixels, including the outline, slightly overestimates the area.
    return min(1.0, count / max(area, 1.0))

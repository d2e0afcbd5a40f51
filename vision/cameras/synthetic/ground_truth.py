"""Where a scene's objects are in its picture: the truth for training and tests."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.art.sticks import BREADTH, LENGTH, dots_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.arm_shape import limbs_of
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.pieces import SHIFT, painting_order
from vision.cameras.synthetic.drawing.solids import stick_solid, tile_solid
from vision.cameras.synthetic.scene import Pose, Scene, SceneStick, SceneTile
from vision.geometry.plane_geometry import apply, homography_between, square

_COARSE = 2
"""Scale at which hiding is computed."""
_DOT_STEP = 5.0
"""The distance of the points at which a stick's dots are checked, in units of the stick's drawing."""


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
    print_visible: float
    """The share of its dots' area that is inside the picture and not hidden, 0-1."""


def corners_px(appearance: Appearance) -> Floats:
    """Returns the play surface's corners on the felt's plane: far left, far right, near right, near left."""
    return lens_of(appearance).project_flat(square(appearance.felt_mm), 0.0)


def seen_tiles(scene: Scene, appearance: Appearance) -> tuple[SeenTile, ...]:
    """Returns every lying tile that is at least partly visible, in the scene's order; never a standing one."""
    quads, shares, _ = _visible_tops(scene, appearance)
    return tuple(
        SeenTile(tile=tile, quad=quad, visible=visible)
        for tile, quad, visible in zip(scene.tiles, quads, shares, strict=False)
        if visible > 0 and tile.pose is not Pose.STANDING
    )


def seen_sticks(scene: Scene, appearance: Appearance) -> tuple[SeenStick, ...]:
    """Returns every stick that is at least partly visible, in the scene's order."""
    quads, shares, above = _visible_tops(scene, appearance)
    sticks = []
    for number, stick in enumerate(scene.sticks, start=len(scene.tiles)):
        if shares[number] > 0:
            dots = _dots_shown(stick.value, quads[number], above(number), appearance)
            sticks.append(SeenStick(stick=stick, quad=quads[number], visible=shares[number], print_visible=dots))
    return tuple(sticks)


def _visible_tops(
    scene: Scene, appearance: Appearance
) -> tuple[list[Floats], list[float], Callable[[int], Iterator[Floats]]]:
    """Returns the quads of the tops of all tiles, then of all sticks, their visible shares, and what hides each."""
    lens = lens_of(appearance)
    solids = [tile_solid(tile, appearance) for tile in scene.tiles] + [
        stick_solid(stick, appearance) for stick in scene.sticks
    ]
    quads = [lens.project_flat(solid.footprint, solid.high_mm) for solid in solids]
    blocks = [
        np.concatenate([lens.project_flat(solid.footprint, solid.low_mm), quad])
        for solid, quad in zip(solids, quads, strict=True)
    ]
    order = sorted(range(len(solids)), key=lambda n: painting_order(solids[n], lens))
    limbs = [limb.outline(lens) for arm in scene.arms for limb in limbs_of(arm, appearance)]

    def above(number: int) -> Iterator[Floats]:
        for later in order[order.index(number) + 1 :]:
            yield cv2.convexHull(blocks[later].astype(np.float32)).reshape(-1, 2).astype(np.float64)
        yield from limbs

    return quads, _shares(order, blocks, quads, limbs, appearance), above


def _shares(
    order: Sequence[int],
    blocks: Sequence[Floats],
    quads: Sequence[Floats],
    limbs: Sequence[Floats],
    appearance: Appearance,
) -> list[float]:
    """Returns the visible share of each top."""
    owner = np.zeros((appearance.height_px // _COARSE, appearance.width_px // _COARSE), np.int32)
    for number in order:
        cv2.fillConvexPoly(owner, cv2.convexHull(_fixed(blocks[number])), 0, cv2.LINE_8, SHIFT)
        cv2.fillConvexPoly(owner, _fixed(quads[number]), number + 1, cv2.LINE_8, SHIFT)
    for limb in limbs:
        cv2.fillPoly(owner, [_fixed(limb)], 0, cv2.LINE_8, SHIFT)
    counts = np.bincount(owner.ravel(), minlength=len(quads) + 1)
    return [_visible_share(quad, int(counts[number])) for number, quad in enumerate(quads, start=1)]


def _dots_shown(value: int, quad: Floats, above: Iterator[Floats], appearance: Appearance) -> float:
    """Returns the share of the area of a stick's dots that is inside the picture and not below these outlines."""
    outline_units = np.array([[0, 0], [LENGTH, 0], [LENGTH, BREADTH], [0, BREADTH]], np.float64)
    dots = apply(homography_between(outline_units, quad), _dot_points(value)).astype(np.float32)
    is_shown = np.asarray(
        ((dots >= -0.5) & (dots < (appearance.width_px - 0.5, appearance.height_px - 0.5))).all(axis=1)
    )
    for outline in above:
        is_apart = (outline.max(axis=0) < dots.min(axis=0)) | (outline.min(axis=0) > dots.max(axis=0))
        if not is_apart.any():
            hull = outline.astype(np.float32)
            hidden = [cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=False) >= 0 for x, y in dots]
            is_shown = is_shown & ~np.array(hidden)
    return float(is_shown.mean())


@cache
def _dot_points(value: int) -> Floats:
    """Returns points spread evenly over the dots of a stick, in units of its drawing."""
    x, y = np.meshgrid(np.arange(0.0, LENGTH, _DOT_STEP), np.arange(0.0, BREADTH, _DOT_STEP))
    points: Floats = np.stack([x.ravel(), y.ravel()], axis=1)
    within = [np.hypot(points[:, 0] - dot.x, points[:, 1] - dot.y) < dot.radius for dot in dots_of(value)]
    return points[np.any(within, axis=0)]


def _fixed(pixels: Floats) -> NDArray[np.int32]:
    corners: NDArray[np.int32] = np.rint(pixels / _COARSE * 2**SHIFT).astype(np.int32)
    return corners.reshape(-1, 1, 2)


def _visible_share(quad: Floats, count: int) -> float:
    area = abs(float(cv2.contourArea(quad.astype(np.float32)))) / _COARSE**2
    # Counting whole pixels, including the outline, slightly overestimates the area.
    return min(1.0, count / max(area, 1.0))

"""Whole tables for the locator, drawn by the project's synthetic camera and cut into training pictures.

The demo reads such frames, and their truth is exact. Appearances with seeds below `HELD_OUT` are for training, the
others for evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops.imagined_sets import Sets
from models.training.studio.random_deals import MANY_STRAYS, STRAYS, random_table
from models.training.studio.scenes.scene_renderer import MAY, MUST, STICK, TILE, Scene, Truth
from models.training.traced.pictures import read_picture, training_truths
from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.cameras.synthetic.ground_truth import corners_px, seen_sticks, seen_tiles
from vision.geometry.plane_geometry import apply, homography_between
from vision.geometry.rectify import PX_PER_MM

HELD_OUT: Final = 1_000_000
"""The first seed of the appearances that are never used for training."""
_CUTS: Final = 12
"""The number of training pictures from one frame."""
_TRACED: Final = 0.5
"""The fraction of frames that are path-traced, if there are any."""
_MARGIN_MM: Final = 40.0
"""How far beyond the felt a top view extends."""


class KnownFrame:
    """A picture of a table with its visible objects, and the plane of the faces."""

    def __init__(
        self,
        image: npt.NDArray[np.uint8],
        *,
        corners: Floats,
        side_mm: float,
        tile_mm: float,
        tiles: Sequence[tuple[Floats, float]],
        sticks: Sequence[tuple[Floats, float, int]],
    ) -> None:
        """Takes the picture, the play surface's corners in pixels, far left first, and the visible objects.

        A tile is `tile_mm` wide. Each object has its quad in pixels and its visible fraction, a stick also its value.
        """
        self.image, self.corners, self.side_mm, self.tile_mm = image, corners, side_mm, tile_mm
        self.tiles, self.sticks = list(tiles), list(sticks)

    @property
    def px_per_mm(self) -> float:
        """The scale of the picture, averaged over the table's sides."""
        sides = np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1)
        return float(sides.mean()) / self.side_mm

    def cut(self, move: Floats, size: int) -> Scene:
        """Returns the frame transformed by a homography of its pixels, as a square picture with its truth."""
        image = cv2.warpPerspective(self.image, move, (size, size), borderMode=cv2.BORDER_CONSTANT)
        objects = [_object_in_cut(apply(move, quad), visible, TILE, 0, size) for quad, visible in self.tiles]
        objects += [
            _object_in_cut(_long(apply(move, quad)), visible, STICK, value, size)
            for quad, visible, value in self.sticks
        ]
        known = [one for one in objects if one is not None]
        if not known:
            none = np.zeros(0, np.uint8)
            truth = Truth(quads=np.zeros((0, 4, 2), np.float32), kinds=none, values=none.astype(np.int32), duty=none)
            return Scene(image=np.asarray(image, np.uint8), truth=truth)
        quads, kinds, values, duties = zip(*known, strict=True)
        truth = Truth(
            quads=np.stack(quads).astype(np.float32),
            kinds=np.array(kinds, np.uint8),
            values=np.array(values, np.int32),
            duty=np.array(duties, np.uint8),
        )
        return Scene(image=np.asarray(image, np.uint8), truth=truth)

    def top_view(self, px_per_mm: float) -> Floats:
        """Returns the homography that shows the felt from straight above, on the plane of its corners."""
        edge = self.side_mm * px_per_mm
        start = _MARGIN_MM * px_per_mm
        square = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]]) + start
        return homography_between(self.corners, square)


class Frame(KnownFrame):
    """One frame rendered by the project's synthetic camera."""

    def __init__(self, seed: int, *, sets: Sets | None = None, aslant: bool = False, strays: int = STRAYS) -> None:
        """Draws a table with the project's own faces, or one of `sets`; `aslant` places the camera far to the side."""
        rng = np.random.default_rng([seed, 0x7AB1E])
        side = int(rng.choice([1024, 1296, 1600]))
        self.appearance = Appearance.random(seed, width_px=side, height_px=side)
        if aslant:
            self.appearance = _aslant(rng, self.appearance)
        table = self.scene = random_table(rng, self.appearance, strays=strays)
        faces = own_faces if sets is None else sets(rng, self.appearance)
        super().__init__(
            np.asarray(Renderer(self.appearance, faces=faces).render(table), np.uint8),
            corners=np.asarray(corners_px(self.appearance), np.float64),
            side_mm=self.appearance.felt_mm,
            tile_mm=self.appearance.tile_width_mm,
            tiles=[(seen.quad, seen.visible) for seen in seen_tiles(table, self.appearance)],
            sticks=[(seen.quad, seen.visible, seen.stick.value) for seen in seen_sticks(table, self.appearance)],
        )

    @property
    def px_per_mm(self) -> float:
        """The scale for which the camera was placed."""
        return self.appearance.px_per_mm


def traced_frame(truth: Path) -> KnownFrame:
    """Returns a path-traced picture, from its truth."""
    picture = read_picture(truth)
    return KnownFrame(
        picture.image,
        corners=picture.corners,
        side_mm=picture.side_mm,
        tile_mm=picture.tile_width_mm,
        tiles=[(quad, visible) for quad, visible, _ in picture.tiles],
        sticks=picture.sticks,
    )


class Tables:
    """An endless source of training pictures from frames of always new tables."""

    def __init__(self, *, seed: int, sets: Sets, from_above: bool = False, traced: Path | None = None) -> None:
        """Cuts at any scale and angle, or with `from_above` as the watcher sees a table: upright, at its only scale.

        If the folder `traced` has path-traced pictures, they alternate with drawn frames.
        """
        self._traced = traced
        self._rng = np.random.default_rng([seed, 0x7AB])
        self._sets = sets
        self._from_above = from_above
        self._ready: list[Scene] = []

    def scene(self, size: int) -> Scene:
        """Returns the next picture."""
        if not self._ready:
            frame = self._frame()
            self._ready = [self._cut(frame, size) for _ in range(_CUTS)]
        return self._ready.pop()

    def _frame(self) -> KnownFrame:
        if self._traced is not None and self._rng.random() < _TRACED:
            # Searched for each time, since pictures may be added during the training.
            truths = training_truths(self._traced)
            if truths:
                return traced_frame(truths[self._rng.integers(len(truths))])
        aslant = bool(self._rng.random() < (0.1 if self._from_above else 0.3))
        return Frame(int(self._rng.integers(HELD_OUT)), sets=self._sets, aslant=aslant, strays=MANY_STRAYS)

    def _cut(self, frame: KnownFrame, size: int) -> Scene:
        if self._from_above:
            return self._cut_from_above(frame, size)
        rng = self._rng
        is_too_big = rng.random() < 0.12
        width = float(rng.uniform(60, 120)) if is_too_big else float(np.exp(rng.uniform(np.log(15), np.log(35))))
        scale = width / frame.tile_mm
        rectified = frame.top_view(scale) if rng.random() < 0.7 else _scaled(scale / frame.px_per_mm)
        centre = apply(rectified, self._spot(frame))[0] + rng.normal(0, size / 6, 2)
        angle = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else 0.0
        scene = frame.cut(_centred(centre, angle, size) @ rectified, size)
        pixels = scene.image.astype(np.float32) + rng.standard_normal(scene.image.shape, dtype=np.float32) * 1.5
        truth = scene.truth.chosen(np.zeros(len(scene.truth.duty), np.bool_)) if is_too_big else scene.truth
        return Scene(image=np.clip(pixels, 0, 255).astype(np.uint8), truth=truth)

    def _cut_from_above(self, frame: KnownFrame, size: int) -> Scene:
        rng = self._rng
        rectified = frame.top_view(PX_PER_MM * float(rng.uniform(0.95, 1.08)))
        centre = apply(rectified, self._spot(frame))[0] + rng.normal(0, size / 5, 2)
        scene = frame.cut(_centred(centre, float(rng.normal(0, 0.02)), size) @ rectified, size)
        pixels = scene.image.astype(np.float32) + rng.standard_normal(scene.image.shape, dtype=np.float32)
        return Scene(image=np.clip(pixels, 0, 255).astype(np.uint8), truth=scene.truth)

    def _spot(self, frame: KnownFrame) -> Floats:
        """Returns a place for a cut, in the frame's pixels: mostly a tile, sometimes a stick or anywhere."""
        quads = [quad for quad, *_ in (frame.sticks if self._rng.random() < 0.35 else frame.tiles)]
        if not quads or self._rng.random() < 0.15:
            share = self._rng.dirichlet(np.ones(4))
            return np.asarray(share @ frame.corners, np.float64)
        return np.asarray(np.mean(quads[self._rng.integers(len(quads))], axis=0), np.float64)


def _aslant(rng: np.random.Generator, appearance: Appearance) -> Appearance:
    """Returns the same table with the camera 25 to 48 degrees aslant, on any side."""
    offset = appearance.camera_height_mm * float(np.tan(np.radians(rng.uniform(25, 48))))
    direction = rng.uniform(0, 2 * np.pi)
    return replace(
        appearance,
        camera_x_mm=offset * float(np.cos(direction)),
        camera_y_mm=offset * float(np.sin(direction)),
        covered_mm=appearance.felt_mm * float(rng.uniform(1.15, 1.35)),
    )


def _scaled(factor: float) -> Floats:
    return np.diag([factor, factor, 1.0])


def _centred(centre: Floats, angle: float, size: int) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    matrix[:2, 2] = size / 2 - matrix[:2, :2] @ centre
    return matrix


def _long(quad: Floats) -> Floats:
    """Returns a quad that starts with a short side."""
    first, second = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return quad if first <= second else np.roll(quad, 1, axis=0)


def _object_in_cut(
    quad: Floats, visible: float, kind: int, value: int, size: int
) -> tuple[npt.NDArray[np.float32], int, int, int] | None:
    middle = quad.mean(axis=0)
    if visible < 0.2 or (middle < -30).any() or (middle > size + 30).any():
        return None
    inside = bool((middle > 2).all() and (middle < size - 2).all())
    clipped = np.clip(quad, 0, size).astype(np.float32)
    share = cv2.contourArea(clipped) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    duty = MUST if visible > 0.62 and inside and share > 0.62 else MAY
    return quad.astype(np.float32), kind, value, duty

"""Solids as the camera sees them: polygons to fill, a warped top over them, and their shadow; and how to paint them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Floats32, Image
from vision.cameras.synthetic.appearance import Appearance, Colour, in_light
from vision.cameras.synthetic.drawing.lighting import LEAST_GLARE, Light
from vision.cameras.synthetic.drawing.optics import Lens
from vision.cameras.synthetic.drawing.solids import Slab, Solid
from vision.cameras.synthetic.drawing.textures import Tops

SHIFT = 4
"""Fractional bits of drawn coordinates."""
Corners = NDArray[np.int32]
"""(n, 1, 2) pixels with `SHIFT` fractional bits."""
Rectangle = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, right and bottom not included."""

_CONTACT_MM = 1.2
"""How far the dark line around an object on the felt reaches."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Piece:
    """One solid, ready to be painted."""

    order: tuple[float, float]
    """Pieces are painted in rising order: lower first, and farther from below the camera first."""
    bounds: Rectangle
    """Everything that it can change, including its shadow."""
    shadow: Corners
    contact: Corners | None
    """The line around it where it touches the felt; None if it lies on something else."""
    walls: tuple[tuple[Corners, Colour], ...]
    top: Floats32
    """(h, w, 4) premultiplied."""
    top_at: tuple[int, int]
    """Column and row of the top's first pixel."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Studio:
    """Turns solids into pieces, with the camera, light and textures of one appearance."""

    appearance: Appearance
    lens: Lens
    light: Light
    tops: Tops

    def piece(self, solid: Solid) -> Piece:
        """Returns how the camera sees one solid."""
        shadow = self._shadow(solid)
        contact = self._contact(solid)
        walls = self._walls(solid)
        top, top_at = self._top(solid)
        outlines = [shadow, *(corners for corners, _ in walls)]
        return Piece(
            order=painting_order(solid, self.lens),
            bounds=self._bounds(outlines, top, top_at),
            shadow=shadow,
            contact=contact,
            walls=walls,
            top=top,
            top_at=top_at,
        )

    def _shadow(self, solid: Solid) -> Corners:
        corners = np.concatenate(
            [solid.footprint + self.light.shift(solid.low_mm), solid.footprint + self.light.shift(solid.high_mm)]
        )
        return _hull(self.lens.project_flat(corners, 0.0))

    def _contact(self, solid: Solid) -> Corners | None:
        if solid.low_mm > 0:
            return None
        outward = solid.footprint - solid.centre
        wider = solid.footprint + _CONTACT_MM * np.sign(outward)
        return _hull(self.lens.project_flat(wider, 0.0))

    def _walls(self, solid: Solid) -> tuple[tuple[Corners, Colour], ...]:
        fills: list[tuple[Corners, Colour]] = []
        for slab in sorted(solid.slabs, key=self._slab_order):
            fills.extend(self._slab(slab))
        return tuple(fills)

    def _slab_order(self, slab: Slab) -> tuple[float, float]:
        middle = slab.footprint.mean(axis=0) - self.lens.position[:2]
        return slab.low_mm, -float(np.hypot(*middle))

    def _slab(self, slab: Slab) -> list[tuple[Corners, Colour]]:
        plan = _chamfered(slab.footprint, self.appearance.edge_mm / 2)
        low = self.lens.project_flat(plan, slab.low_mm)
        high = self.lens.project_flat(plan, slab.high_mm)
        fills = [(_hull(np.concatenate([low, high])), in_light(slab.colour, 0.8))]
        along = np.roll(plan, -1, axis=0) - plan
        outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        is_seen = np.sum(outward * (self.lens.position[:2] - plan), axis=1) > 0
        for i in np.flatnonzero(is_seen):
            j = (i + 1) % len(plan)
            corners = _fixed(np.stack([low[i], low[j], high[j], high[i]]))
            fills.append((corners, in_light(slab.colour, self.light.wall_brightness(outward[i]))))
        return fills

    def _top(self, solid: Solid) -> tuple[Floats32, tuple[int, int]]:
        """Warps the top's texture into a box around its quad; the box may extend beyond the picture."""
        quad = self.lens.project_flat(solid.footprint, solid.high_mm)
        left, top = (int(v) for v in np.floor(quad.min(axis=0)) - 1)
        right, bottom = (int(v) for v in np.ceil(quad.max(axis=0)) + 2)
        texture = self.tops.texture(solid.top)
        height, width = texture.shape[:2]
        edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(edges, (quad - (left, top)).astype(np.float32))
        warped = cv2.warpPerspective(texture, matrix, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
        return self._mirror_lamp(warped.astype(np.float32), left, top), (left, top)

    def _mirror_lamp(self, warped: Floats32, left: int, top: int) -> Floats32:
        height, width = self.light.glare.shape
        middle_x = min(max(left + warped.shape[1] // 2, 0), width - 1)
        middle_y = min(max(top + warped.shape[0] // 2, 0), height - 1)
        if self.light.glare[middle_y, middle_x] < LEAST_GLARE:
            return warped
        rows = np.clip(np.arange(top, top + warped.shape[0]), 0, height - 1)
        columns = np.clip(np.arange(left, left + warped.shape[1]), 0, width - 1)
        share = self.light.glare[rows[:, None], columns[None, :], None]
        warped[..., :3] += (warped[..., 3:] - warped[..., :3]) * share
        return warped

    def _bounds(self, outlines: list[Corners], top: Floats32, top_at: tuple[int, int]) -> Rectangle:
        corners = np.concatenate(outlines).reshape(-1, 2) / 2**SHIFT
        blur = self.reach_px
        left, up = np.floor(corners.min(axis=0)).astype(int) - blur
        right, down = np.ceil(corners.max(axis=0)).astype(int) + blur + 1
        return (
            min(int(left), top_at[0]),
            min(int(up), top_at[1]),
            max(int(right), top_at[0] + top.shape[1]),
            max(int(down), top_at[1] + top.shape[0]),
        )

    @property
    def reach_px(self) -> int:
        """How far in pixels blurs spread a change."""
        return int(np.ceil(4 * self.shadow_sigma_px + 4 * self.appearance.blur_px)) + 2

    @property
    def shadow_sigma_px(self) -> float:
        """The standard deviation in pixels of the blur of shadows."""
        return max(0.3, self.appearance.shadow_blur_mm * self.appearance.px_per_mm / 2)


def paint_piece(canvas: Image, piece: Piece, left: int, top: int) -> None:
    """Paints a piece onto a canvas whose first pixel is the picture's (left, top)."""
    offset = np.array([left, top], np.int32) << SHIFT
    for corners, colour in piece.walls:
        cv2.fillConvexPoly(canvas, corners - offset, colour, cv2.LINE_AA, SHIFT)
    lay_over(canvas, piece.top, piece.top_at[0] - left, piece.top_at[1] - top)


def lay_over(canvas: Image, patch: Floats32, left: int, top: int) -> None:
    """Lays a premultiplied (h, w, 4) patch onto the canvas, clipped to it."""
    first_row, first_column = max(0, -top), max(0, -left)
    last_row = min(patch.shape[0], canvas.shape[0] - top)
    last_column = min(patch.shape[1], canvas.shape[1] - left)
    if first_row >= last_row or first_column >= last_column:
        return
    part = patch[first_row:last_row, first_column:last_column]
    room = canvas[top + first_row : top + last_row, left + first_column : left + last_column]
    room[:] = np.minimum(part[..., :3] + room * (1 - part[..., 3:] / 255), 255).astype(np.uint8)


def painting_order(solid: Solid, lens: Lens) -> tuple[float, float]:
    """Returns a sort key by which a solid comes after those that it may hide.

    A block can be hidden only by one that reaches higher than its underside, or by one nearer to the point below the
    camera.
    """
    return solid.low_mm, -float(np.hypot(*(solid.centre - lens.position[:2])))


def _fixed(pixels: Floats) -> Corners:
    corners: Corners = np.rint(pixels * 2**SHIFT).astype(np.int32).reshape(-1, 1, 2)
    return corners


def _hull(pixels: Floats) -> Corners:
    return np.asarray(cv2.convexHull(_fixed(pixels)), np.int32).reshape(-1, 1, 2)


def _chamfered(plan: Floats, cut_mm: float) -> Floats:
    """Cuts off the corners of a rectangle, keeping its sense of rotation."""
    before, after = np.roll(plan, 1, axis=0) - plan, np.roll(plan, -1, axis=0) - plan
    back = plan + before / np.linalg.norm(before, axis=1, keepdims=True) * cut_mm
    on = plan + after / np.linalg.norm(after, axis=1, keepdims=True) * cut_mm
    cut: Floats = np.stack([back, on], axis=1).reshape(-1, 2)
    return cut

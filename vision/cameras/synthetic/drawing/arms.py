"""An arm over the table: sleeve, forearm and fingers, with its shadow and the tile it carries."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Floats32, Image, Mask
from vision.cameras.synthetic.appearance import Colour
from vision.cameras.synthetic.drawing.arm_shape import FINGERS_MM, FIRST_FINGER, Limb, limbs_of
from vision.cameras.synthetic.drawing.pieces import SHIFT, Piece, Studio, paint_piece
from vision.cameras.synthetic.drawing.solids import tile_solid
from vision.cameras.synthetic.scene import Arm, SceneTile

_BANDS = ((1.0, 0.78), (0.86, 0.9), (0.66, 1.0), (0.36, 1.06))
"""A limb looks round: widths and brightness of the strokes drawn over each other."""

_BAND_PX = 32
_Part = tuple[slice, slice]
"""Rows and columns."""


class ArmPainter:
    """Paints the arms of one appearance; each side's person has their own skin and sleeves."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        rng = np.random.default_rng([studio.appearance.seed, 0xA3])
        self._weave = cv2.GaussianBlur(rng.normal(1.0, 0.06, (256, 256)).astype(np.float32), (0, 0), 1.0)

    def paint(self, picture: Image, arm: Arm) -> None:
        """Paints one arm with its shadow into the picture."""
        limbs = limbs_of(arm, self._studio.appearance)
        outlines = [limb.outline(self._studio.lens) for limb in limbs]
        shadow = [self._shadow_outline(limb) for limb in limbs]
        bounds = _bounds([*outlines, *shadow], margin=round(8 * self._studio.appearance.px_per_mm), like=picture)
        if bounds is None:
            return
        left, top, right, bottom = bounds
        room = picture[top:bottom, left:right]
        self._darken(room, shadow, left, top)
        self._paint_limbs(room, limbs, arm, left, top)

    def _shadow_outline(self, limb: Limb) -> Floats:
        """Returns the outline of a limb's shadow, which is shorter than on bare felt, since it falls on tiles."""
        shift = self._studio.light.shift(limb.height_mm * 0.7)
        fallen = replace(limb, track=limb.track + np.append(shift, 0.0), height_mm=0.0)
        return fallen.outline(self._studio.lens)

    def _darken(self, room: Image, shadow: list[Floats], left: int, top: int) -> None:
        dark = np.zeros(room.shape[:2], np.uint8)
        for outline in shadow:
            cv2.fillPoly(
                dark, [_fixed(outline, left, top)], round(200 * self._studio.appearance.shadow), cv2.LINE_AA, SHIFT
            )
        soft = np.asarray(cv2.blur(dark, (self._shadow_blur_px(), self._shadow_blur_px())), np.uint8)
        for part in _touched_parts(soft):
            light = 1 - soft[part].astype(np.float32)[..., None] / 255
            room[part] = (room[part] * light).astype(np.uint8)

    def _limb_blur_px(self) -> int:
        return max(3, round(2.5 * self._studio.appearance.px_per_mm))

    def _shadow_blur_px(self) -> int:
        return max(3, round(9 * self._studio.appearance.px_per_mm))

    def _paint_limbs(self, room: Image, limbs: list[Limb], arm: Arm, left: int, top: int) -> None:
        layer = np.zeros_like(room)
        cover = np.zeros(room.shape[:2], np.uint8)
        offset = np.array([left, top], np.int32) << SHIFT
        for number, limb in enumerate(limbs):
            if number == FIRST_FINGER and arm.holds is not None:
                piece = self._carried_piece(arm, arm.holds)
                paint_piece(layer, piece, left, top)
                for corners, _ in piece.walls:
                    cv2.fillConvexPoly(cover, corners - offset, 255, cv2.LINE_AA, SHIFT)
            for width, brightness in _BANDS:
                narrower = replace(limb, track=limb.track * np.array([1.0, 1.0, width]))
                corners = _fixed(narrower.outline(self._studio.lens), left, top)
                cv2.fillPoly(layer, [corners], _lit(limb.colour, brightness), cv2.LINE_AA, SHIFT)
                cv2.fillPoly(cover, [corners], 255, cv2.LINE_AA, SHIFT)
        # Nearer to the lens than the tiles, an arm is a little out of focus; blurring also rounds the strokes.
        soft = (self._limb_blur_px(), self._limb_blur_px())
        layer, cover = np.asarray(cv2.blur(layer, soft), np.uint8), np.asarray(cv2.blur(cover, soft), np.uint8)
        for part in _touched_parts(cover, layer):
            lit = layer[part] * self._cloth(part) * self._gain(part, left, top)
            share = cover[part].astype(np.float32)[..., None] / 255
            room[part] = np.clip(room[part] * (1 - share) + lit, 0, 255).astype(np.uint8)

    def _cloth(self, part: _Part) -> Floats32:
        rows, columns = (np.arange(along.start, along.stop) % len(self._weave) for along in part)
        return np.asarray(self._weave.take(rows, axis=0).take(columns, axis=1)[..., None], np.float32)

    def _gain(self, part: _Part, left: int, top: int) -> Floats32:
        rows, columns = part
        return self._studio.light.gain(left + columns.start, top + rows.start, left + columns.stop, top + rows.stop)

    def _carried_piece(self, arm: Arm, carried: SceneTile) -> Piece:
        """Returns the carried tile, lifted to the fingers."""
        tile = replace(carried, x_mm=arm.x_mm, y_mm=arm.y_mm, z_mm=FINGERS_MM - 20)
        return self._studio.piece(tile_solid(tile, self._studio.appearance))


def _touched_parts(*layers: Image) -> Iterator[_Part]:
    """Yields, band by band, the parts outside which these layers (h, w, …) are 0: an arm fills little of its box."""
    height = len(layers[0])
    for low in range(0, height, _BAND_PX):
        rows = slice(low, min(low + _BAND_PX, height))
        columns = np.flatnonzero(np.logical_or.reduce([_is_touched(layer[rows]) for layer in layers]))
        if len(columns):
            yield rows, slice(int(columns[0]), int(columns[-1]) + 1)


def _is_touched(band: Image) -> Mask:
    """Returns which columns of a band of a layer are not 0 everywhere."""
    maxima = cv2.reduce(band.reshape(len(band), -1), 0, cv2.REDUCE_MAX)
    return np.asarray(maxima.reshape(band.shape[1], -1).any(axis=1), np.bool_)


def _fixed(pixels: Floats, left: int, top: int) -> NDArray[np.int32]:
    corners: NDArray[np.int32] = np.rint((pixels - np.array([left, top])) * 2**SHIFT).astype(np.int32)
    return corners.reshape(-1, 1, 2)


def _bounds(outlines: list[Floats], *, margin: int, like: Image) -> tuple[int, int, int, int] | None:
    corners = np.concatenate(outlines)
    left, top = (max(0, int(v) - margin) for v in corners.min(axis=0))
    right = min(like.shape[1], int(corners[:, 0].max()) + margin)
    bottom = min(like.shape[0], int(corners[:, 1].max()) + margin)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _lit(colour: Colour, brightness: float) -> Colour:
    blue, green, red = (min(255, round(channel * brightness)) for channel in colour)
    return blue, green, red

"""Textures of the tops of tiles and sticks."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np

from vision.arrays import Bgra
from vision.art import draw_face, draw_stick
from vision.cameras.synthetic.appearance import Appearance, Colour
from vision.cameras.synthetic.drawing.solids import TopKey

FaceSource = Callable[[str], Bgra]
"""Returns the printed picture for a tile's text: (h, w, 4) of any size, transparent where the body shows."""

_FINER = 3
"""Scale at which tops are painted, before they are averaged down."""


@cache
def own_faces(face: str) -> Bgra:
    """Returns the project's own drawing of a face; do not write to it."""
    drawn = draw_face(face, 180, 240)
    drawn.flags.writeable = False
    return drawn


class Tops:
    """The textures of one appearance, made when first needed."""

    def __init__(self, appearance: Appearance, faces: FaceSource) -> None:
        self._appearance = appearance
        self._faces = faces
        self._textures: dict[TopKey, Bgra] = {}

    def texture(self, key: TopKey) -> Bgra:
        """Returns (h, w, 4) pixels at about the picture's scale, premultiplied; transparent at the rounded corners."""
        if key not in self._textures:
            self._textures[key] = self._make(key)
        return self._textures[key]

    def _make(self, key: TopKey) -> Bgra:
        kind, name = key
        appearance = self._appearance
        if kind == "stick":
            return self._stick(int(name))
        if kind == "standing":
            return self._standing()
        body = appearance.back if kind == "back" else appearance.body
        fine = _plate(
            self._pixels(appearance.tile_width_mm), self._pixels(appearance.tile_height_mm), body, self._edge()
        )
        if kind == "face":
            _print(fine, self._faces(name), self._pixels(appearance.ink_inset_mm))
        return _shrunk(fine)

    def _standing(self) -> Bgra:
        appearance = self._appearance
        height = self._pixels(appearance.tile_depth_mm)
        fine = _plate(self._pixels(appearance.tile_width_mm), height, appearance.body, self._edge())
        coloured = _plate(self._pixels(appearance.tile_width_mm), height, appearance.back, self._edge())
        seam = round(height * appearance.back_share)
        fine[:seam] = coloured[:seam]
        return _shrunk(fine)

    def _stick(self, value: int) -> Bgra:
        appearance = self._appearance
        length, breadth = self._pixels(appearance.stick_length_mm), self._pixels(appearance.stick_breadth_mm)
        fine = _plate(length, breadth, appearance.stick_colour(value), breadth // 3)
        _print(fine, draw_stick(value, length, breadth), 0)
        return _shrunk(fine)

    def _pixels(self, mm: float) -> int:
        return round(mm * self._appearance.px_per_mm * _FINER)

    def _edge(self) -> int:
        return max(2, self._pixels(self._appearance.edge_mm))


def _plate(width: int, height: int, colour: Colour, edge: int) -> Bgra:
    """Returns a blank top with rounded corners, darker toward the rounded edge."""
    mask = np.zeros((height + 2, width + 2), np.uint8)
    corners = ((edge + 1, edge + 1), (width - edge, edge + 1), (edge + 1, height - edge), (width - edge, height - edge))
    for corner in corners:
        cv2.circle(mask, corner, edge, 255, -1)
    mask[edge + 1 : height - edge + 1, 1:-1] = 255
    mask[1:-1, edge + 1 : width - edge + 1] = 255
    inside = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[1:-1, 1:-1]
    shade = 0.85 + 0.15 * np.sqrt(np.clip(inside / edge, 0, 1))
    plate = np.empty((height, width, 4), np.uint8)
    plate[..., :3] = np.rint(np.array(colour) * shade[..., None])
    plate[..., 3] = mask[1:-1, 1:-1]
    return plate


def _print(plate: Bgra, ink: Bgra, inset: int) -> None:
    """Paints ink onto a plate, `inset` pixels inside its outline."""
    room = plate[inset : plate.shape[0] - inset, inset : plate.shape[1] - inset, :3]
    premultiplied = ink.astype(np.float32)
    premultiplied[..., :3] *= premultiplied[..., 3:] / 255
    smaller = room.shape[0] < ink.shape[0]
    fitted = cv2.resize(
        premultiplied,
        (room.shape[1], room.shape[0]),
        interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC,
    )
    blend = np.clip(fitted[..., :3] + room * (1 - fitted[..., 3:] / 255), 0, 255)
    room[:] = np.rint(blend).astype(np.uint8)


def _shrunk(fine: Bgra) -> Bgra:
    """Averages down and premultiplies colours by opacity."""
    fine[..., :3][fine[..., 3] == 0] = 0
    size = (max(4, round(fine.shape[1] / _FINER)), max(4, round(fine.shape[0] / _FINER)))
    small = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)

"""Renders scenes: a picture of what lies still, repainted only where it changed, with arms and noise on top."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.arms import ArmPainter
from vision.cameras.synthetic.drawing.backdrop import empty_table
from vision.cameras.synthetic.drawing.lighting import light_of
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.pieces import SHIFT, Piece, Rectangle, Studio, paint_piece
from vision.cameras.synthetic.drawing.sensor import Sensor
from vision.cameras.synthetic.drawing.solids import stick_solid, tile_solid
from vision.cameras.synthetic.drawing.textures import FaceSource, Tops, own_faces
from vision.cameras.synthetic.scene import Scene, SceneStick, SceneTile

Thing = SceneTile | SceneStick
_BAND_PX = 128


class Renderer:
    """Draws scenes of one appearance; the same appearance and scene give the same picture.

    Rendering is fastest when successive scenes differ little.
    """

    def __init__(self, appearance: Appearance, *, faces: FaceSource = own_faces) -> None:
        lens = lens_of(appearance)
        light = light_of(appearance, lens)
        self._appearance = appearance
        self._studio = Studio(appearance=appearance, lens=lens, light=light, tops=Tops(appearance, faces))
        self._arms = ArmPainter(self._studio)
        self._sensor = Sensor(appearance)
        self._bare_table = empty_table(appearance, lens)
        self._pieces: dict[Thing, Piece] = {}
        self._still = np.empty_like(self._bare_table)
        self._paint((0, 0, appearance.width_px, appearance.height_px))

    def render(self, scene: Scene, *, k: int = 0) -> Image:
        """Returns the picture of a scene as frame `k`, which affects only the noise: (h, w, 3) BGR."""
        self._update_still((*scene.tiles, *scene.sticks))
        picture = self._still.copy()
        for arm in scene.arms:
            self._arms.paint(picture, arm)
        return self._sensor.expose(picture, k)

    def _update_still(self, things: Iterable[Thing]) -> None:
        """Brings the picture of what lies still up to date."""
        present = dict.fromkeys(things)
        gone = [self._pieces.pop(thing) for thing in tuple(self._pieces) if thing not in present]
        new = {thing: self._piece(thing) for thing in present if thing not in self._pieces}
        self._pieces.update(new)
        changed = [piece.bounds for piece in (*gone, *new.values())]
        for region in _merged(changed):
            self._paint(region)

    def _piece(self, thing: Thing) -> Piece:
        if isinstance(thing, SceneTile):
            return self._studio.piece(tile_solid(thing, self._appearance))
        return self._studio.piece(stick_solid(thing, self._appearance))

    def _paint(self, region: Rectangle) -> None:
        """Repaints a region, band by band: all at once would take 150 MB."""
        left, top, right, bottom = region
        for low in range(top, bottom, _BAND_PX):
            self._paint_band((left, low, right, min(low + _BAND_PX, bottom)))

    def _paint_band(self, region: Rectangle) -> None:
        """Repaints a part, computed with a margin around it, so that blurs match their surroundings."""
        inner = _clipped(region, 0, self._appearance)
        outer = _clipped(region, self._studio.reach_px, self._appearance)
        if inner[0] >= inner[2] or inner[1] >= inner[3]:
            return
        left, top, right, bottom = outer
        pieces = sorted((p for p in self._pieces.values() if _touch(p.bounds, outer)), key=lambda p: p.order)
        canvas = self._table_with_shadows(pieces, outer)
        for piece in pieces:
            paint_piece(canvas, piece, left, top)
        lit = np.clip(canvas * self._studio.light.gain(left, top, right, bottom), 0, 255).astype(np.uint8)
        if self._appearance.blur_px > 0:
            lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), self._appearance.blur_px), np.uint8)
        self._still[inner[1] : inner[3], inner[0] : inner[2]] = lit[
            inner[1] - top : inner[3] - top, inner[0] - left : inner[2] - left
        ]

    def _table_with_shadows(self, pieces: list[Piece], region: Rectangle) -> Image:
        """Returns the bare table with the shadows of the pieces."""
        left, top, right, bottom = region
        dark = np.zeros((bottom - top, right - left), np.uint8)
        offset = np.array([left, top], np.int32) << SHIFT
        strength = round(255 * self._appearance.shadow)
        for piece in pieces:
            cv2.fillConvexPoly(dark, piece.shadow - offset, strength, cv2.LINE_AA, SHIFT)
        for piece in pieces:
            if piece.contact is not None:
                cv2.fillConvexPoly(dark, piece.contact - offset, (strength + 255) // 2, cv2.LINE_AA, SHIFT)
        soft = cv2.GaussianBlur(dark, (0, 0), self._studio.shadow_sigma_px)
        light = 1 - soft.astype(np.float32)[..., None] / 255
        return (self._bare_table[top:bottom, left:right] * light).astype(np.uint8)


def _clipped(region: Rectangle, margin: int, appearance: Appearance) -> Rectangle:
    left, top, right, bottom = region
    return (
        max(0, left - margin),
        max(0, top - margin),
        min(appearance.width_px, right + margin),
        min(appearance.height_px, bottom + margin),
    )


def _touch(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _merged(regions: Iterable[Rectangle]) -> list[Rectangle]:
    """Joins regions that overlap, so that nothing is painted twice."""
    joined: list[Rectangle] = []
    for region in regions:
        current = region
        for other in [r for r in joined if _touch(r, region)]:
            joined.remove(other)
            current = (
                min(current[0], other[0]),
                min(current[1], other[1]),
                max(current[2], other[2]),
                max(current[3], other[3]),
            )
        joined.append(current)
    return joined

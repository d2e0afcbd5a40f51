"""Tables pasted together from flat pictures, which look like the drawn tables of other programs.

They lack the light and lens of the synthetic camera: plain or outlined tops on an even or mottled ground, perhaps with
a strip of side and a shadow. A network trained on the tables of a single renderer learns that renderer.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.studio.random_deals import STRAYS, random_table
from models.training.studio.scenes.scene_renderer import MAY, MUST, STICK, TILE, Scene, Truth
from vision.arrays import Floats, Image
from vision.art import draw_stick
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import FaceSource
from vision.cameras.synthetic.scene import Pose, SceneStick, SceneTile
from vision.felt import BACK

Quad = npt.NDArray[np.float32]
Picture = npt.NDArray[np.float32]
Paint = npt.NDArray[np.floating]

_SHIFT: Final = 4
_MUST_SHARE: Final = 0.62
"""The visible fraction from which an object must be found."""
_SKINS: Final = ((120, 150, 200), (90, 120, 180), (60, 80, 120), (140, 170, 215))


def pasted(
    rng: np.random.Generator,
    appearance: Appearance,
    faces: FaceSource,
    *,
    px_per_mm: float,
    size: int,
    strays: int = STRAYS,
) -> tuple[Scene, tuple[str, ...]]:
    """Returns a part of a random table of `size` x `size` pixels, at this scale, in `appearance`'s sizes and colours.

    Returns the picture with its truth, and the name of each object: tile text, `back`, or an empty text for a stick.
    """
    table = random_table(rng, appearance, strays=strays)
    tile = table.tiles[rng.integers(len(table.tiles))]
    centre = np.array([tile.x_mm, -tile.y_mm]) * px_per_mm + rng.normal(0, size / 5, 2)
    sheet = _Sheet(rng, appearance, faces, scale=px_per_mm, origin=size / 2 - centre, size=size)
    if appearance.unit_mm:
        sheet.unit()
    for one in sorted(table.tiles, key=lambda one: one.z_mm):
        sheet.tile(one)
    for stick in table.sticks:
        sheet.stick(stick)
    for _ in table.arms:
        sheet.arm()
    return sheet.finished()


class _Sheet:
    """A picture being drawn, with the object that each pixel shows."""

    def __init__(
        self,
        rng: np.random.Generator,
        appearance: Appearance,
        faces: FaceSource,
        *,
        scale: float,
        origin: Floats,
        size: int,
    ) -> None:
        self._rng, self._appearance, self._faces = rng, appearance, faces
        self._scale, self._origin, self._size = scale, origin, size
        self._picture = _ground(rng, appearance, size)
        self._owner = np.zeros((size, size), np.int32)
        self._objects: list[tuple[Quad, int, int, str]] = []
        self._line = int(rng.choice([0, 0, 1, 2]))
        self._ink = np.full(3, rng.uniform(0, 130))
        self._side = (rng.normal(0, 2.2, 2) if rng.random() < 0.5 else np.zeros(2)).astype(np.float32)
        """The offset of a tile's underside from its top, in pixels."""
        self._shadow_offset = rng.normal(0, 2.5, 2).astype(np.float32)
        self._shade = float(rng.uniform(0.2, 0.7)) if rng.random() < 0.5 else 0.0
        self._top = np.array(appearance.back if rng.random() < 0.5 else appearance.body, float)
        """The colour of the tops of standing tiles."""

    def unit(self) -> None:
        """Draws a centre unit with lit or printed signs toward its sides, which are not to be found."""
        rng, edge = self._rng, self._appearance.unit_mm * self._scale
        page = np.full((256, 256, 4), 255, np.uint8)
        page[..., :3] = rng.uniform(5, 90) if rng.random() < 0.7 else rng.uniform(150, 240)
        ink = tuple(rng.uniform(0, 255, 3).tolist())
        for _ in range(4):
            text = str(rng.choice(["25000", "30000", "0", "E1", "88", "E", "S", "W", "N", "TSUMO", "----"]))
            font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
            at, scale = (int(rng.uniform(10, 90)), int(rng.uniform(225, 250))), float(rng.uniform(0.8, 2.4))
            cv2.putText(page, text, at, font, scale, (*ink, 255), int(rng.integers(1, 6)), cv2.LINE_AA)
            page = np.ascontiguousarray(np.rot90(page))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge / 2 + self._origin
        if self._is_near(corners.astype(np.float32)):
            self._print(corners.astype(np.float32), page)

    def tile(self, tile: SceneTile) -> None:
        """Draws a tile; a standing one is drawn as its top, which is not to be found."""
        appearance = self._appearance
        is_lying = tile.pose is not Pose.STANDING
        quad = self._quad(
            tile, appearance.tile_width_mm, appearance.tile_height_mm if is_lying else appearance.tile_depth_mm
        )
        if not self._is_near(quad):
            return
        back = np.array(appearance.back, float)
        self._below(quad, back * 0.8)
        is_up = tile.pose is Pose.FACE_UP
        self._fill(quad, np.array(appearance.body, float) if is_up else back if is_lying else self._top)
        if is_up:
            self._print(quad, self._faces(tile.face))
        self._outline(quad)
        if is_lying:
            self._objects.append((quad, TILE, 0, tile.face if is_up else BACK))
        self._claim(quad, len(self._objects) if is_lying else 0)

    def stick(self, stick: SceneStick) -> None:
        """Draws a point stick."""
        appearance = self._appearance
        quad = self._quad(stick, appearance.stick_length_mm, appearance.stick_breadth_mm)
        if not self._is_near(quad):
            return
        self._below(quad, np.array(appearance.body, float) * 0.7)
        self._fill(quad, np.array(appearance.stick_colour(stick.value), float))
        self._print(quad, draw_stick(stick.value, 372, 36))
        self._outline(quad)
        self._objects.append((np.roll(quad, 1, axis=0), STICK, stick.value, ""))
        self._claim(quad, len(self._objects))

    def arm(self) -> None:
        """Draws a shape like a hand in a sleeve over the picture."""
        rng, size = self._rng, self._size
        end = rng.uniform(0, size, 2)
        start = end + rng.normal(0, size, 2)
        wrist = end + (start - end) * 0.35
        wide = max(int(rng.uniform(25, 70) * self._scale), 6)
        skin = np.array(_SKINS[rng.integers(len(_SKINS))]) * rng.uniform(0.7, 1.1)
        for a, b, width, colour in ((start, wrist, wide, rng.uniform(10, 220, 3)), (wrist, end, wide * 2 // 3, skin)):
            mask = np.zeros((size, size), np.uint8)
            cv2.line(mask, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 255, width, cv2.LINE_AA)
            _blend(self._picture, mask, colour)
            self._owner[mask > 127] = 0

    def finished(self) -> tuple[Scene, tuple[str, ...]]:
        """Returns the picture with its truth, and the name of each object."""
        counts = np.bincount(self._owner.ravel(), minlength=len(self._objects) + 1)[1:]
        shares = [
            count / max(cv2.contourArea(thing[0]), 1.0) for count, thing in zip(counts, self._objects, strict=True)
        ]
        visible = [(share, thing) for share, thing in zip(shares, self._objects, strict=True) if share > 0.2]
        truth = Truth(
            quads=np.array([quad for _, (quad, *_) in visible], np.float32).reshape(-1, 4, 2),
            kinds=np.array([kind for _, (_, kind, _, _) in visible], np.uint8),
            values=np.array([value for _, (_, _, value, _) in visible], np.int32),
            duty=np.array([MUST if share > _MUST_SHARE else MAY for share, _ in visible], np.uint8),
        )
        picture = developed(self._rng, self._picture)
        return Scene(image=picture, truth=truth), tuple(name for _, (*_, name) in visible)

    def _quad(self, thing: SceneTile | SceneStick, width_mm: float, height_mm: float) -> Quad:
        """Returns the corners in pixels, clockwise from the glyph's top left."""
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width_mm / 2, height_mm / 2)
        angle = -np.radians(thing.angle_deg)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return np.asarray((corners @ turn.T + (thing.x_mm, -thing.y_mm)) * self._scale + self._origin, np.float32)

    def _is_near(self, quad: Quad) -> bool:
        return bool((quad.max(axis=0) > 0).all() and (quad.min(axis=0) < self._size).all())

    def _below(self, quad: Quad, colour: Paint) -> None:
        """Draws a shadow and a strip of side, if this picture has them."""
        if self._shade:
            self._fill(quad + self._shadow_offset, np.zeros(3), strength=self._shade)
        if self._side.any():
            hull = cv2.convexHull(np.concatenate([quad, quad + self._side]))
            self._fill(np.asarray(hull, np.float32).reshape(-1, 2), colour)

    def _fill(self, corners: Quad, colour: Paint, *, strength: float = 1.0) -> None:
        spot, start = self._spot(corners)
        mask = np.zeros(self._picture[spot].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, _fixed(corners - start), 255, cv2.LINE_AA, _SHIFT)
        _blend(self._picture[spot], mask, colour, strength=strength)

    def _outline(self, quad: Quad) -> None:
        if self._line:
            spot, start = self._spot(quad)
            mask = np.zeros(self._picture[spot].shape[:2], np.uint8)
            cv2.polylines(mask, [_fixed(quad - start)], True, 255, self._line, cv2.LINE_AA, _SHIFT)
            _blend(self._picture[spot], mask, self._ink, strength=0.8)

    def _print(self, quad: Quad, ink: Image) -> None:
        """Draws a picture with opacity onto a quad, after averaging it down, so that it is not merely sampled."""
        spot, start = self._spot(quad)
        patch = self._picture[spot]
        width, height = (2 * max(int(np.linalg.norm(quad[end] - quad[0])), 2) for end in (1, 3))
        small = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
        corners = np.array([[0, 0], [width, 0], [width, height]], np.float32) - 0.5
        move = cv2.getAffineTransform(corners, (quad - start)[:3])
        printed = np.asarray(
            cv2.warpAffine(small, move, (patch.shape[1], patch.shape[0]), flags=cv2.INTER_LINEAR), np.uint8
        )
        _blend(patch, printed[..., 3], printed[..., :3])

    def _claim(self, quad: Quad, number: int) -> None:
        cv2.fillConvexPoly(self._owner, _fixed(quad), number, cv2.LINE_8, _SHIFT)

    def _spot(self, corners: Quad) -> tuple[tuple[slice, slice], npt.NDArray[np.float32]]:
        """Returns the part of the picture that contains these corners, and the corners relative to it."""
        low = np.clip(np.floor(corners.min(axis=0)) - 2, 0, self._size - 1).astype(int)
        high = np.clip(np.ceil(corners.max(axis=0)) + 3, low + 1, self._size).astype(int)
        return (slice(low[1], high[1]), slice(low[0], high[0])), low.astype(np.float32)


def _blend(picture: Picture, mask: Image, colour: Paint | Image, *, strength: float = 1.0) -> None:
    share = mask[..., None].astype(np.float32) * (strength / 255)
    picture += (np.asarray(colour, np.float32) - picture) * share


def _fixed(points: Quad) -> npt.NDArray[np.int32]:
    return np.rint(points * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)


def _ground(rng: np.random.Generator, appearance: Appearance, size: int) -> Picture:
    """Returns a cloth: even, shaded from side to side, or mottled."""
    ground = np.tile(np.array(appearance.felt, np.float32) * rng.uniform(0.7, 1.6), (size, size, 1))
    if rng.random() < 0.6:
        along = np.linspace(-1, 1, size, dtype=np.float32)
        ground *= 1 + along[:, None, None] * rng.normal(0, 0.15) + along[None, :, None] * rng.normal(0, 0.15)
    if rng.random() < 0.6:
        cells = int(rng.choice([8, 32, 128, size]))
        mottle = rng.normal(0, rng.uniform(2, 9), (cells, cells)).astype(np.float32)
        ground += cv2.resize(mottle, (size, size))[..., None]
    return np.asarray(np.clip(ground, 0, 255), np.float32)


def developed(rng: np.random.Generator, picture: Picture) -> Image:
    """Returns the picture with blur, light, noise and compression, or with none of them."""
    out: Paint = picture * rng.uniform(0.6, 1.15) * rng.uniform(0.94, 1.06, 3).astype(np.float32)
    if rng.random() < 0.6:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1)), np.float32)
    if rng.random() < 0.7:
        out = out + rng.normal(0, rng.uniform(0.5, 7), out.shape)
    done = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, coded = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        done = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return done

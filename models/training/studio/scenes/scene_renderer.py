"""Draws scenes for the locator: a picture, and the quad of every visible tile and stick.

Each call draws one square picture. Boxes are drawn from far to near; a second canvas of ids shows the visible fraction
of each surface, and so which objects must be found, may be found, or must not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.faces.tile_skins import Skin, TileSet, load_art, make_set
from models.training.studio.scenes.scene_ground import Picture, backdrop, limbs, photograph
from models.training.studio.scenes.scene_layouts import Ground, fill
from models.training.studio.scenes.scene_solids import NORMALS, SURFACES, Box, Camera, oblique, overhead
from vision.arrays import Floats, Image

TILE: Final = 1
STICK: Final = 2
MUST: Final = 1
MAY: Final = 0
PLACE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The objects in a picture: N quads with their properties."""

    quads: npt.NDArray[np.float32]
    """[N, 4, 2] pixels, clockwise, with a short first side; for a face, from its glyph's top left."""
    kinds: npt.NDArray[np.uint8]
    """`TILE` or `STICK`."""
    values: npt.NDArray[np.int32]
    """Points of a stick; 0 if unknown or not a stick."""
    duty: npt.NDArray[np.uint8]
    """`MUST`: must be found; `MAY`: may be found (too hidden, slanted, small or large); `PLACE`: must be found, but
    only the quad's middle is known."""

    def chosen(self, index: npt.NDArray[np.bool_]) -> Truth:
        """Returns the selected objects."""
        return Truth(quads=self.quads[index], kinds=self.kinds[index], values=self.values[index], duty=self.duty[index])


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A drawn picture and its truth."""

    image: Image
    truth: Truth


class Studio:
    """Draws scenes with one seeded generator, and keeps a stock of tile sets, which it renews."""

    def __init__(self, *, seed: int, art: Path | None, stock: int = 24) -> None:
        self._rng = np.random.default_rng(seed)
        self._art = load_art(art)
        self._sets = [make_set(self._rng, self._art) for _ in range(stock)]

    def scene(self, size: int, *, from_above: float | None = None) -> Scene:
        """Returns a picture of `size` x `size` pixels: a photo, or a rectified table with tiles `from_above` wide."""
        rng = self._rng
        if rng.random() < 0.05:
            self._sets[rng.integers(len(self._sets))] = make_set(rng, self._art)
        first, second = rng.choice(len(self._sets), 2, replace=False)
        width = _tile_pixels(rng) if from_above is None else from_above
        flat = from_above is not None or rng.random() < 0.42
        sets: list[TileSet] = [self._sets[first], self._sets[second]]
        scale = width / 20.5
        ground = Ground(rng, sets, extent=size / scale * (0.62 if flat else 0.9))
        boxes = fill(ground, is_photo=not flat)
        camera = _camera(rng, scale, size, flat=flat, depth=ground.tile[2])
        return draw(rng, boxes, camera, size=size, finger=width * 0.85)


def _tile_pixels(rng: np.random.Generator) -> float:
    """Returns a tile's width: mostly in the locator's band, sometimes far outside it, where nothing must be found."""
    draw = rng.random()
    if draw < 0.03:
        return float(rng.uniform(5, 8))
    if draw < 0.08:
        return float(rng.uniform(70, 180))
    return float(np.exp(rng.uniform(np.log(15), np.log(36))))


def _camera(rng: np.random.Generator, scale: float, size: int, *, flat: bool, depth: float) -> Camera:
    if flat:
        eye = np.array([*rng.uniform(-380, 380, 2), rng.uniform(600, 1500)])
        if rng.random() < 0.3:
            eye[:2] *= rng.uniform(1.0, 3.2)
        return overhead(scale=scale, size=size, eye=eye, level=depth)
    tilt = np.radians(rng.uniform(0, 62) if rng.random() < 0.75 else rng.uniform(55, 75))
    bearing = rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.normal(0, 0.35)
    squeeze = float(np.exp(rng.normal(-0.08, 0.28))) if rng.random() < 0.65 else 1.0
    distance = float(rng.uniform(260, 1000))
    roll = float(rng.normal(0, 0.12))
    return oblique(
        scale=scale,
        size=size,
        distance=distance,
        tilt=float(tilt),
        roll=roll,
        bearing=float(bearing),
        squeeze=squeeze,
    )


def draw(rng: np.random.Generator, boxes: list[Box], camera: Camera, *, size: int, finger: float) -> Scene:
    """Returns the boxes as the camera sees them, with shadows, limbs and the defects of a photograph."""
    picture = backdrop(rng, size)
    ids = np.zeros((size, size), np.int32)
    light = np.array([*rng.normal(0, 0.5, 2), 1.0])
    light /= np.linalg.norm(light)
    visible_boxes = [box for box in boxes if np.dot(camera.eye - box.centre, camera.eye - box.centre) > 60**2]
    visible_boxes.sort(key=lambda box: -float(np.linalg.norm(camera.eye - box.centre)))
    _shadows(rng, picture, visible_boxes, camera, light)
    ambient = rng.uniform(0.45, 0.85)
    for index, box in enumerate(visible_boxes):
        _draw_box(picture, ids, box, camera, light=light, ambient=ambient, number=index + 1)
    if rng.random() < 0.16:
        limbs(rng, picture, ids, width=finger)
    return Scene(image=photograph(rng, picture), truth=_truth(visible_boxes, camera, ids))


def _shadows(rng: np.random.Generator, picture: Picture, boxes: list[Box], camera: Camera, light: Floats) -> None:
    size = picture.shape[0]
    dark = np.zeros((size, size), np.float32)
    length = rng.uniform(0.1, 1.0)
    for box in boxes:
        corners = box.corners()
        thrown = corners - light / light[2] * corners[:, 2:] * length
        thrown[:, 2] = 0.0
        grounded = corners * np.array([1, 1, 0])
        outline = camera.pixels(np.vstack([thrown, grounded]))
        if not _is_outside(outline, size):
            cv2.fillConvexPoly(dark, np.asarray(cv2.convexHull(_points(outline)), np.int32), 1.0)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), float(rng.uniform(0.8, 5))), np.float32)
    picture *= 1 - dark[..., None] * rng.uniform(0.1, 0.65)


def _is_outside(pixels: Floats, size: int) -> bool:
    beyond = (pixels.max(axis=0) < 0).any() or (pixels.min(axis=0) > size).any()
    return bool(beyond or np.abs(pixels).max() > 20 * size)


def _points(pixels: Floats) -> npt.NDArray[np.int32]:
    return np.rint(pixels).astype(np.int32).reshape(-1, 1, 2)


def _fill(picture: Picture, corners: Floats, colour: npt.NDArray[Any]) -> None:
    points = np.rint(corners * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.fillConvexPoly(picture, points, tuple(float(v) for v in colour), cv2.LINE_AA, 4)


def _draw_box(
    picture: Picture,
    ids: npt.NDArray[np.int32],
    box: Box,
    camera: Camera,
    *,
    light: Floats,
    ambient: float,
    number: int,
) -> None:
    corners = box.corners()
    pixels = camera.pixels(corners)
    size = picture.shape[0]
    if _is_outside(pixels, size):
        return
    for surface in (2, 3, 4, 5, 1, 0):
        index = list(SURFACES[surface])
        normal = box.axes @ NORMALS[surface]
        if float(normal @ (camera.eye - corners[index[0]])) <= 0:
            continue
        shade = ambient + (1.05 - ambient) * max(float(normal @ light), 0.0)
        if surface > 1:
            _draw_side(picture, ids, pixels, box, surface=surface, shade=shade)
            continue
        skin = box.face if surface == 0 else box.back
        if skin is None:
            _fill(picture, pixels[index], box.body * shade)
        else:
            _paste(picture, pixels[index], skin, shade)
        cv2.fillConvexPoly(ids, _points(pixels[index]), number if surface == 0 else -number - 8)


def _draw_side(
    picture: Picture, ids: npt.NDArray[np.int32], pixels: Floats, box: Box, *, surface: int, shade: float
) -> None:
    if "flat" in box.tags:
        return
    index = list(SURFACES[surface])
    _fill(picture, pixels[index], box.body * shade)
    if box.seam > 0:
        # Each corner of the face half (0-3) is above its corner of the back half (4-7).
        band = [pixels[i] if i >= 4 else pixels[i + 4] + (pixels[i] - pixels[i + 4]) * box.seam for i in index]
        _fill(picture, np.array(band), box.cover * shade)
    cv2.fillConvexPoly(ids, _points(pixels[index]), -1)


def _paste(picture: Picture, quad: Floats, skin: Skin, shade: float) -> None:
    size = picture.shape[0]
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 2
    low, high = np.maximum(low, 0), np.minimum(high, size)
    if (high <= low).any():
        return
    texture = skin.at(float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]) * 0.75)))
    height, width = texture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32))
    patch = cv2.warpPerspective(texture, move, (int(high[0] - low[0]), int(high[1] - low[1]))).astype(np.float32)
    alpha = patch[..., 3:] / 255.0
    region = picture[low[1] : high[1], low[0] : high[0]]
    region += (patch[..., :3] * shade - region) * alpha


def _truth(boxes: list[Box], camera: Camera, ids: npt.NDArray[np.int32]) -> Truth:
    size = ids.shape[0]
    numbers, counts = np.unique(ids, return_counts=True)
    pixel_counts = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
    found: list[tuple[npt.NDArray[np.float32], int, int, int]] = []
    for index, box in enumerate(boxes):
        number = index + 1
        for surface, key in ((0, number), (1, -number - 8)):
            if box.kind == "clutter" or key not in pixel_counts:
                continue
            quad = camera.pixels(box.corners()[list(SURFACES[surface])])
            duty = _duty(box, surface, quad, camera, pixels=pixel_counts[key], size=size)
            if duty is not None:
                kind = TILE if box.kind == "tile" else STICK
                found.append((quad.astype(np.float32), kind, box.value, duty))
    if not found:
        none = np.zeros(0, np.uint8)
        return Truth(quads=np.zeros((0, 4, 2), np.float32), kinds=none, values=none.astype(np.int32), duty=none)
    quads, kinds, values, duties = zip(*found, strict=True)
    return Truth(
        quads=np.stack(quads),
        kinds=np.array(kinds, np.uint8),
        values=np.array(values, np.int32),
        duty=np.array(duties, np.uint8),
    )


def _duty(box: Box, surface: int, quad: Floats, camera: Camera, *, pixels: int, size: int) -> int | None:
    """Returns whether a surface must or may be found; None if it must not."""
    area = float(cv2.contourArea(quad.astype(np.float32)))
    visible = pixels / max(area, 1.0)
    ray = camera.eye - box.centre
    facing = float(box.axes[:, 2] @ ray / np.linalg.norm(ray)) * (1 if surface == 0 else -1)
    if box.kind == "stick":
        across = area / max(float(np.linalg.norm(quad[2] - quad[1])), 1.0)
        if visible < 0.25 or across > 26 or across < 2.5:
            return None
        return MUST if visible > 0.6 and facing > 0.45 and across > 4.5 else MAY
    across = (area / 1.35) ** 0.5
    if visible < 0.25 or facing < 0.22 or across > 75 or across < 8:
        return None
    if surface == 1 and "standing" in box.tags:
        return MAY
    centre = quad.mean(axis=0)
    inside = bool((centre > 0).all() and (centre < size).all())
    clear = visible > 0.62 and facing > 0.42 and 13 < across < 52 and inside
    return MUST if clear else MAY

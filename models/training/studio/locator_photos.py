"""Labelled photographs for the locator, with boxes along the picture's axes instead of quads.

"Chinese Mahjong Detection" v4, universe.roboflow.com/riichimahjongdetection, CC BY 4.0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.crops.labelled_photos import corrected
from models.training.studio.scenes.scene_renderer import MAY, MUST, PLACE, TILE, Scene, Truth
from vision.arrays import Floats, Image
from vision.geometry.plane_geometry import apply
from vision.reading.locator import Locator

Boxes = npt.NDArray[np.float32]

_FITS: Final = 0.72
"""The least overlap of a quad's hull with a box at which the quad is that tile's."""
_SURE: Final = 0.75
"""A detection outside all boxes with at least this score is neither right nor wrong, since backs are not labelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A photograph and its boxes."""

    path: Path
    names: tuple[str, ...]
    """mpsz, `flower` or `?`."""
    boxes: Boxes
    """[N, 4]: left, top, right, bottom in pixels."""

    def image(self) -> Image:
        """The picture, BGR."""
        return np.asarray(cv2.imread(str(self.path), cv2.IMREAD_COLOR), np.uint8)

    @property
    def is_held_out(self) -> bool:
        """Whether it is for evaluation, not for training."""
        return int(self.path.stem) % 10 < 3


def labelled(folder: Path) -> list[Labelled]:
    """Returns all photographs of a set, ordered by name."""
    photos = []
    for path in sorted((folder / "images").glob("*.jpg")):
        labels = json.loads((folder / "labels" / f"{path.stem}.json").read_text(encoding="utf-8"))
        height, width = np.asarray(cv2.imread(str(path))).shape[:2]
        centres = np.array([label["box"] for label in labels], np.float32).reshape(-1, 4)
        corners = np.hstack([centres[:, :2] - centres[:, 2:] / 2, centres[:, :2] + centres[:, 2:] / 2])
        boxes = (corners * np.array([width, height, width, height])).astype(np.float32)
        names = corrected(folder.name, path.stem, [label["tile"] for label in labels])
        photos.append(Labelled(path=path, names=tuple(names), boxes=boxes))
    return photos


def held_out(photos: list[Labelled]) -> list[Labelled]:
    """Returns the photographs for evaluation."""
    return [photo for photo in photos if photo.is_held_out]


def for_training(photos: list[Labelled]) -> list[Labelled]:
    """Returns the photographs for training."""
    return [photo for photo in photos if not photo.is_held_out]


class Photos:
    """An endless source of training pictures cut from labelled photographs.

    Boxes show the places of tiles, but not their quads. If the hull of an earlier locator's quad fits the box, that
    quad is used, stretched onto the box; otherwise only the middle is a target.
    """

    def __init__(self, photos: list[Labelled], *, teacher: Locator, seed: int) -> None:
        self._rng = np.random.default_rng([seed, 0xF070])
        self._taught = [(photo.image(), _taught(photo, teacher)) for photo in photos if len(photo.boxes)]

    def scene(self, size: int) -> Scene:
        """Returns the next picture."""
        rng = self._rng
        image, truth = self._taught[rng.integers(len(self._taught))]
        must = truth.duty != MAY
        across = float(np.median(np.sqrt(_areas(truth.quads[must]) / 1.35)))
        width, fits = _tile_width(rng)
        scale = width / across
        centre = truth.quads[must][rng.integers(must.sum())].mean(axis=0) + rng.normal(0, size / 5 / scale, 2)
        move = _turn_about(scale, float(rng.integers(4)) * np.pi / 2 + float(rng.normal(0, 0.12)), centre, size)
        if scale < 0.7:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 / scale), np.uint8)
        cut = cv2.warpAffine(image, move[:2], (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        quads = apply(move, truth.quads.reshape(-1, 2)).reshape(-1, 4, 2).astype(np.float32)
        middles = quads.mean(axis=1)
        is_kept = ((middles > -10) & (middles < size + 10)).all(axis=1) & fits
        inside = ((middles > 4) & (middles < size - 4)).all(axis=1)
        duty = np.where(inside, truth.duty, MAY).astype(np.uint8)
        moved_truth = Truth(
            quads=quads[is_kept], kinds=truth.kinds[is_kept], values=truth.values[is_kept], duty=duty[is_kept]
        )
        return Scene(image=_tinted(rng, cut), truth=moved_truth)


def _tile_width(rng: np.random.Generator) -> tuple[float, bool]:
    """Returns a tile's width, and whether tiles must be found at it, since the search also tries other scales."""
    draw = rng.random()
    if draw < 0.25:
        return float(np.exp(rng.uniform(np.log(60), np.log(160)))), False
    if draw < 0.3:
        return float(rng.uniform(4, 7)), False
    return float(np.exp(rng.uniform(np.log(15), np.log(35)))), True


def _tinted(rng: np.random.Generator, picture: npt.NDArray[np.generic]) -> Image:
    pixels = np.asarray(picture, np.float32) * rng.uniform(0.75, 1.15) * rng.uniform(0.9, 1.1, 3)
    return np.clip(pixels + rng.standard_normal(pixels.shape) * rng.uniform(0, 4), 0, 255).astype(np.uint8)


def _turn_about(scale: float, angle: float, centre: Boxes, size: int) -> Floats:
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    move = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    move[:2, 2] = size / 2 - move[:2, :2] @ np.asarray(centre, np.float64)
    return move


def _areas(quads: Boxes) -> Boxes:
    return np.array([abs(cv2.contourArea(quad)) for quad in quads], np.float32)


def _taught(photo: Labelled, teacher: Locator) -> Truth:
    located = teacher.locate(photo.image(), tile_px=None)
    hulls = np.hstack([located.tiles.min(axis=1), located.tiles.max(axis=1)]).reshape(-1, 4)
    quads, duty = [], []
    used: set[int] = set()
    for box in photo.boxes:
        overlap = overlaps(hulls, box)
        best = int(overlap.argmax()) if len(overlap) else -1
        if best >= 0 and overlap[best] >= _FITS:
            quads.append(_stretched(located.tiles[best], hulls[best], box))
            duty.append(MUST)
        else:
            quads.append(box[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2))
            duty.append(PLACE)
        used |= set(np.flatnonzero(overlap > 0.2).tolist())
    for index, score in enumerate(located.tile_scores):
        if index not in used and score > _SURE:
            quads.append(located.tiles[index])
            duty.append(MAY)
    count = len(quads)
    return Truth(
        quads=np.array(quads, np.float32).reshape(-1, 4, 2),
        kinds=np.full(count, TILE, np.uint8),
        values=np.zeros(count, np.int32),
        duty=np.array(duty, np.uint8),
    )


def _stretched(quad: Boxes, hull: Boxes, box: Boxes) -> Boxes:
    return np.asarray((quad - hull[:2]) / (hull[2:] - hull[:2]) * (box[2:] - box[:2]) + box[:2], np.float32)


def overlaps(hulls: Boxes, box: Boxes) -> Boxes:
    """Returns the intersection over union of boxes [N, 4] with one box."""
    low, high = np.maximum(hulls[:, :2], box[:2]), np.minimum(hulls[:, 2:], box[2:])
    shared_area = np.prod(np.maximum(high - low, 0), axis=1)
    union = np.prod(hulls[:, 2:] - hulls[:, :2], axis=1) + np.prod(box[2:] - box[:2]) - shared_area
    return np.asarray(shared_area / np.maximum(union, 1e-6), np.float32)

"""Labelled photographs of tiles: crops for training and evaluation.

The labels are boxes along the picture's axes, while tiles lie at any angle. A box is used as a quad, upright or rotated
by a quarter turn; the caller must find out which. The box of a tile at another angle contains no usable crop:
`is_straight` finds photographs without such tiles, from the boxes alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.felt import CLASSES, NOT_A_TILE
from vision.reading.reader import crops as cut_out

HELD_OUT: Final = 3
"""Photographs of a training set whose number has a last digit below this are kept for evaluation."""
_CORRECTIONS: Final = Path(__file__).with_name("corrections.json")
_TOP: Final = 0.15
"""The fraction of a standing tile's box that shows the tile's top, on average over the photographs."""
_OVERLAP: Final = 0.08
_SPREAD: Final = 0.2
_STRETCH: Final = (0.42, 2.4)
"""The limits of width by height of a face seen from the front, even in a squeezed picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """One photograph with its labels."""

    path: Path
    labels: tuple[str, ...]
    """Classes of `vision.felt`; flowers are `?`."""
    quads: Floats32
    """[N, 4, 2], pixels: each box, clockwise from its top left."""

    @property
    def is_held_out(self) -> bool:
        """Whether this photo is never used for training, neither of the reader nor of the locator."""
        return int(self.path.stem) % 10 < HELD_OUT

    @property
    def is_straight(self) -> bool:
        """Whether the tiles lie along the picture's axes: the boxes have one shape and hardly overlap."""
        sizes = self.quads[:, 2] - self.quads[:, 0]
        shapes = sizes[:, 0] / sizes[:, 1]
        is_even = bool(np.std(np.log(shapes)) < _SPREAD)
        is_faced = _STRETCH[0] < float(np.median(shapes)) < _STRETCH[1]
        return is_even and is_faced and _overlap(self.quads) < _OVERLAP

    def image(self) -> Image:
        """The picture, BGR."""
        picture = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if picture is None:
            raise ValueError(f"expected a picture, got none that can be read, at {self.path}")
        return np.asarray(picture, dtype=np.uint8)


def _overlap(quads: Floats32) -> float:
    """Returns the mean fraction of a box that the neighbour with the largest overlap covers."""
    low, high = quads[:, 0], quads[:, 2]
    inner = np.clip(np.minimum(high[:, None], high) - np.maximum(low[:, None], low), 0, None).prod(axis=2)
    np.fill_diagonal(inner, 0)
    return float((inner.max(axis=1) / (high - low).prod(axis=1)).mean()) if len(quads) > 1 else 0.0


def find(shared: Path, name: str) -> tuple[Photo, ...]:
    """Reads the labels of one set of photographs under `shared`/photos; none if it is absent."""
    folder = shared / "photos" / name
    return tuple(photo for path in sorted(folder.glob("labels/*.json")) if (photo := _read(folder, path)) is not None)


@cache
def _corrections() -> dict[str, dict[str, dict[str, str]]]:
    """Returns the corrections of wrong labels, found by eye: set, photograph, index of the box, and the right label."""
    content: dict[str, dict[str, dict[str, str]]] = json.loads(_CORRECTIONS.read_text(encoding="utf-8"))
    return content


def corrected(name: str, number: str, labels: list[str]) -> list[str]:
    """Returns the labels of one photograph of a set, in the order of its boxes, with wrong ones corrected."""
    wrong = _corrections().get(name, {}).get(number, {})
    return [wrong.get(str(index), tile) for index, tile in enumerate(labels)]


def _read(folder: Path, labels: Path) -> Photo | None:
    path = folder / "images" / f"{labels.stem}.jpg"
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    boxes: list[dict[str, Any]] = json.loads(labels.read_text(encoding="utf-8"))
    if picture is None or not boxes:
        return None
    corrected_labels = corrected(folder.name, labels.stem, [box["tile"] for box in boxes])
    names = tuple(name if name in CLASSES else NOT_A_TILE for name in corrected_labels)
    scale = np.array([picture.shape[1], picture.shape[0]], np.float32)
    centre = np.array([box["box"][:2] for box in boxes], np.float32)
    half = np.array([box["box"][2:] for box in boxes], np.float32) / 2
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    return Photo(path=path, labels=names, quads=((centre[:, None] + half[:, None] * signs) * scale).astype(np.float32))


def quarter_turned(quads: Floats32) -> Floats32:
    """Returns the quads starting at their next corner, for crops rotated by a quarter turn."""
    return np.roll(quads, -1, axis=1)


def below_the_top(quads: Floats32) -> Floats32:
    """Returns the boxes without their upper part, which shows the top of a standing tile, not its face."""
    faces = quads.copy()
    faces[:, :2, 1] += _TOP * (quads[:, 3, 1] - quads[:, 0, 1])[:, None]
    return faces


def jittered(image: Image, quad: Floats32, count: int, rng: np.random.Generator, *, slip: float = 0.08) -> Image:
    """Returns `count` crops of one quad with varied corners, sharpness and compression; [count, 64, 48, 3]."""
    sides = np.array([np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])], np.float32)
    across, down = (quad[1] - quad[0]) / sides[0], (quad[3] - quad[0]) / sides[1]
    slips = rng.uniform(-slip, slip, (count, 4, 2)).astype(np.float32) * sides * rng.choice([0.3, 1.0], (count, 1, 1))
    slipped = quad + slips[..., :1] * across + slips[..., 1:] * down
    cut = cut_out(image, slipped.astype(np.float32))
    for index in range(count):
        cut[index] = _degraded(cut[index], rng)
    return cut


def _degraded(cut: Image, rng: np.random.Generator) -> Image:
    out = cut
    if rng.random() < 0.6:
        width = int(rng.integers(18, 48))
        small = cv2.resize(out, (width, width * 4 // 3), interpolation=cv2.INTER_AREA)
        out = np.asarray(
            cv2.resize(small, (out.shape[1], out.shape[0]), interpolation=cv2.INTER_LINEAR), dtype=np.uint8
        )
    lit = out.astype(np.float32)
    grey = lit.mean(axis=2, keepdims=True)
    lit = (grey + (lit - grey) * float(rng.uniform(0.5, 1.2))) * float(rng.uniform(0.6, 1.15))
    lit += rng.standard_normal(lit.shape, np.float32) * np.float32(rng.uniform(0.5, 7))
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)

"""Labelled photographs for the locator: boxes along the picture's axes, no quads.

"Chinese Mahjong Detection" v4, universe.roboflow.com/riichimahjongdetection, CC BY 4.0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.training.locate_faces import Image

Boxes = npt.NDArray[np.float32]


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
        """Whether it is for measuring and not for training."""
        return int(self.path.stem) % 10 < 3


def labelled(folder: Path) -> list[Labelled]:
    """Reads all photographs of a set, by name."""
    photos = []
    for path in sorted((folder / "images").glob("*.jpg")):
        labels = json.loads((folder / "labels" / f"{path.stem}.json").read_text(encoding="utf-8"))
        height, width = np.asarray(cv2.imread(str(path))).shape[:2]
        centres = np.array([label["box"] for label in labels], np.float32).reshape(-1, 4)
        corners = np.hstack([centres[:, :2] - centres[:, 2:] / 2, centres[:, :2] + centres[:, 2:] / 2])
        boxes = (corners * np.array([width, height, width, height])).astype(np.float32)
        photos.append(Labelled(path=path, names=tuple(label["tile"] for label in labels), boxes=boxes))
    return photos


def held_out(photos: list[Labelled]) -> list[Labelled]:
    """Those for measuring."""
    return [photo for photo in photos if photo.is_held_out]


def for_training(photos: list[Labelled]) -> list[Labelled]:
    """The others."""
    return [photo for photo in photos if not photo.is_held_out]

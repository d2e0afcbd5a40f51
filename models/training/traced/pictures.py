"""Path-traced pictures on disk with their truth, for training."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from models.training.traced.shots import JUDGE_SEED
from vision.arrays import Floats, Image

DOTS: Final = 0.4
"""If less than this fraction of its dots is visible, a stick teaches no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of a table, with its objects."""

    image: Image
    """BGR."""
    corners: Floats
    """The play surface's corners, far left first, in pixels."""
    side_mm: float
    tile_width_mm: float
    tiles: tuple[tuple[Floats, float, str], ...]
    """For each tile its quad in pixels, its visible fraction, and its face."""
    sticks: tuple[tuple[Floats, float, int], ...]
    """For each stick its quad in pixels, its visible fraction, and its value, 0 for one with hidden dots."""


def training_truths(folder: Path) -> list[Path]:
    """Returns the truths of the training pictures in a folder.

    Raises:
        ValueError: the folder contains pictures for evaluation.
    """
    truths = sorted(folder.glob("*.json"))
    evaluation_truth = next((path for path in truths if path.stem.startswith(f"{JUDGE_SEED}-")), None)
    if evaluation_truth is not None:
        raise ValueError(f"expected pictures to train on, got one for judging, at {evaluation_truth}")
    return truths


def read_picture(truth: Path) -> Picture:
    """Returns the picture that belongs to a truth's file, with its objects.

    Raises:
        ValueError: the picture cannot be read.
    """
    data: dict[str, Any] = json.loads(truth.read_text(encoding="utf-8"))
    image = cv2.imread(str(truth.with_name(data["picture"])))
    if image is None:
        raise ValueError(f"expected a picture, got none that can be read, beside {truth}")
    return Picture(
        image=np.asarray(image, np.uint8),
        corners=np.array(data["corners_px"], np.float64),
        side_mm=float(data["side_mm"]),
        tile_width_mm=float(data["tile_mm"][0]),
        tiles=tuple((np.array(one["quad"], np.float64), one["visible"], one["tile"]) for one in data["tiles"]),
        sticks=tuple(
            (np.array(one["quad"], np.float64), one["visible"], one["value"] if one["print_visible"] >= DOTS else 0)
            for one in data["sticks"]
        ),
    )

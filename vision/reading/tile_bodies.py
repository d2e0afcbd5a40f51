"""The parts of a view that lying tiles cover: each from its face down to its foot."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats32
from vision.geometry.rectify import TopView


def bodies(tiles: Floats32, view: TopView) -> list[Floats32]:
    """Returns the outlines of lying tiles [N, 4, 2], from the face down to the felt, in pixels of the view."""
    calibration = view.calibration
    felt = view.to_felt(tiles)
    feet = view.from_felt(
        calibration.to_felt(calibration.to_pixels(felt, height_mm=0.0), height_mm=view.height_mm)
    ).reshape(-1, 4, 2)
    both = np.concatenate([tiles, feet], axis=1).astype(np.float32)
    return [np.asarray(cv2.convexHull(corners)[:, 0], np.float32) for corners in both]

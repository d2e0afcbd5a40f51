"""Where a drawn table lies in its picture, as a person would mark its corners who never errs."""

from __future__ import annotations

from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.ground_truth import corners_px
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.plane_geometry import Lens


def calibration_of(appearance: Appearance, lens: Lens | None = None) -> Calibration:
    """The calibration by the true corners; without its `lens`, a camera is taken for one that bends nothing."""
    size = appearance.width_px, appearance.height_px
    return calibrate(corners_px(appearance), size=size, side_mm=appearance.felt_mm, lens=lens)

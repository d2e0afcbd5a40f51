"""The pinhole camera that looks down on the felt."""

from dataclasses import dataclass
from math import radians

import numpy as np

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lens:
    """Maps points above the felt to pixels."""

    matrix: Floats
    """(3, 4) projection from felt millimetres, before distortion."""
    intrinsics: Floats
    """(3, 3) camera matrix."""
    distortion: Floats
    """(2,) radial coefficients k1, k2."""
    position: Floats
    """(3,) the camera's position in millimetres."""

    def project(self, points: Floats) -> Floats:
        """Maps (..., 3) millimetres to (..., 2) pixels; pixel centres are whole numbers."""
        homogeneous = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        straight: Floats = homogeneous[..., :2] / homogeneous[..., 2:]
        if not self.distortion.any():
            return straight
        middle, focal = self.intrinsics[:2, 2], self.intrinsics[0, 0]
        offset = straight - middle
        square = np.sum((offset / focal) ** 2, axis=-1, keepdims=True)
        bent: Floats = middle + offset * (1 + self.distortion[0] * square + self.distortion[1] * square**2)
        return bent

    def project_flat(self, points: Floats, z_mm: float) -> Floats:
        """Maps (..., 2) millimetres at one height to (..., 2) pixels."""
        height = np.full((*points.shape[:-1], 1), z_mm)
        return self.project(np.concatenate([points, height], axis=-1))


def lens_of(appearance: Appearance) -> Lens:
    """Returns the camera that an appearance describes."""
    position = np.array([appearance.camera_x_mm, appearance.camera_y_mm, appearance.camera_height_mm])
    forward = np.array([appearance.aim_x_mm, appearance.aim_y_mm, 0.0]) - position
    forward /= np.linalg.norm(forward)
    turn = radians(appearance.turn_deg)
    # Turning the camera counter-clockwise about its axis turns the picture clockwise.
    up = np.array([-np.sin(turn), np.cos(turn), 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    intrinsics = np.array(
        [
            [appearance.focal_px, 0.0, (appearance.width_px - 1) / 2],
            [0.0, appearance.focal_px, (appearance.height_px - 1) / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    matrix = intrinsics @ np.column_stack([rotation, -rotation @ position])
    distortion = np.array(appearance.distortion)
    return Lens(matrix=matrix, intrinsics=intrinsics, distortion=distortion, position=position)

"""Points, angles and the pinhole camera: conversions between millimetres above the felt and pixels.

World coordinates are felt coordinates with the height above the felt, in millimetres, as a third one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.errors import CalibrationError

USUAL_FOCAL: Final = 0.8
"""Focal length over the longer side of the picture: a view of 66 degrees across, as with the usual Pi camera."""
FOCAL_SPREAD: Final = 0.35
"""The standard deviation of focal lengths from the usual one, as logarithms."""
_CORNER_NOISE_PX: Final = 1.5
_FOCAL_STEPS: Final = np.exp(np.linspace(np.log(0.35), np.log(4.0), 120))


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSize:
    """The size of a tile in millimetres."""

    width_mm: float = 20.0
    height_mm: float = 26.5
    """The long side of the face."""
    depth_mm: float = 16.0
    """Height of a lying tile's face above the felt."""

    def __post_init__(self) -> None:
        if not 0 < self.width_mm < self.height_mm < np.inf or not 0 < self.depth_mm < np.inf:
            raise CalibrationError(
                f"expected a tile's 0 < width < height and a depth above 0 in mm, got {self.width_mm} x "
                f"{self.height_mm} x {self.depth_mm}"
            )

    @property
    def diagonal_mm(self) -> float:
        """The face's diagonal."""
        return float(np.hypot(self.width_mm, self.height_mm))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lens:
    """The distortion of a camera's lens, as OpenCV describes it."""

    matrix: Floats
    """Camera matrix [3, 3] in pixels."""
    distortion: Floats
    """4, 5, 8, 12 or 14 coefficients."""

    def __post_init__(self) -> None:
        if self.matrix.shape != (3, 3) or self.distortion.size not in {4, 5, 8, 12, 14}:
            raise ValueError(
                f"expected a 3 x 3 matrix and 4, 5, 8, 12 or 14 coefficients, "
                f"got {self.matrix.shape} and {self.distortion.size}"
            )

    def straighten(self, pixels: npt.ArrayLike) -> Floats:
        """Maps pixels [N, 2] of a raw picture to where a lens without distortion would show them."""
        points = as_points(pixels).reshape(-1, 1, 2)
        if not len(points):
            return as_points(points)
        return as_points(cv2.undistortPoints(points, self.matrix, self.distortion, P=self.matrix))

    def bend(self, pixels: npt.ArrayLike) -> Floats:
        """Reverses `straighten`."""
        points = as_points(pixels)
        if not len(points):
            return points
        rays = apply(as_float64(np.linalg.inv(self.matrix)), points)
        rays_3d = np.hstack([rays, np.ones((len(rays), 1))])
        bent, _ = cv2.projectPoints(rays_3d, np.zeros(3), np.zeros(3), self.matrix, self.distortion)
        return as_points(bent)


def as_float64(values: npt.ArrayLike) -> Floats:
    """Returns an array of any shape as float64."""
    return np.asarray(values, dtype=np.float64)


def as_points(values: npt.ArrayLike) -> Floats:
    """Returns pairs as float64 of shape [N, 2]."""
    return np.asarray(values, dtype=np.float64).reshape(-1, 2)


def square(edge_mm: float) -> Floats:
    """Returns the corners of a centred square: far left, far right, near right, near left."""
    half = edge_mm / 2
    return np.array([[-half, half], [half, half], [half, -half], [-half, -half]])


def apply(homography: Floats, points: npt.ArrayLike) -> Floats:
    """Maps points [N, 2] by a homography [3, 3]."""
    x, y = as_points(points).T
    across, down, depth = (row[0] * x + row[1] * y + row[2] for row in homography)
    return np.stack([across / depth, down / depth], axis=1)


def homography_between(source: npt.ArrayLike, target: npt.ArrayLike) -> Floats:
    """Returns the homography [3, 3] that maps four points to four others.

    Raises:
        CalibrationError: three of them are collinear, or the outline crosses itself.
    """
    first, second = as_points(source), as_points(target)
    for points in (first, second):
        if len(points) != 4 or not cv2.isContourConvex(points.astype(np.float32).reshape(-1, 1, 2)):
            raise CalibrationError(f"expected the four corners of a convex shape, got {points.tolist()}")
    return np.asarray(
        cv2.getPerspectiveTransform(first.astype(np.float32), second.astype(np.float32)), dtype=np.float64
    )


def turn(points: npt.ArrayLike, degrees: float) -> Floats:
    """Rotates points [N, 2] counter-clockwise about the origin."""
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return as_float64(as_points(points) @ np.array([[cosine, sine], [-sine, cosine]]))


def wrap(degrees: float, *, period: float = 360.0) -> float:
    """Returns an angle shifted by whole periods into [-period / 2, period / 2)."""
    return float((degrees + period / 2) % period - period / 2)


def projection(plane: Floats, *, matrix: Floats | None, size: tuple[int, int], side_mm: float) -> Floats:
    """Returns the camera [3, 4] that projects world millimetres to pixels, computed from its view of the felt.

    `plane` maps felt millimetres to undistorted pixels of a picture of `size` (width, height), measured on a square
    with sides of `side_mm`. Without a camera matrix, the pixels are assumed to be square and the optical axis to be in
    the picture's middle. The focal length is then the one that explains the plane well and is near the usual value,
    since from straight above every focal length explains the plane.
    """
    if matrix is not None:
        return as_float64(matrix @ _pose(plane, matrix, side_mm)[0])
    longer = max(size)
    costs, cameras = [], []
    for ratio in _FOCAL_STEPS:
        guess = np.array([[ratio * longer, 0, size[0] / 2], [0, ratio * longer, size[1] / 2], [0, 0, 1.0]])
        pose, misfit = _pose(plane, guess, side_mm)
        rarity = np.log(ratio / USUAL_FOCAL) / FOCAL_SPREAD
        costs.append(float(misfit**2 + rarity**2))
        cameras.append(guess @ pose)
    return _with_plane(cameras[int(np.argmin(costs))], plane)


def at_height(camera: Floats, height_mm: float) -> Floats:
    """Returns the homography [3, 3] from felt millimetres to pixels for points `height_mm` above the felt."""
    return np.column_stack([camera[:, 0], camera[:, 1], camera[:, 3] + height_mm * camera[:, 2]])


def camera_position(camera: Floats) -> Floats:
    """Returns the position of the camera [3, 4] in world millimetres, shape [3]."""
    return np.asarray(-np.linalg.solve(camera[:, :3], camera[:, 3]), dtype=np.float64)


def _pose(plane: Floats, matrix: Floats, side_mm: float) -> tuple[Floats, float]:
    """Returns the pose [3, 4] closest to a plane's homography, and the misfit in units of the corners' noise."""
    columns = np.linalg.inv(matrix) @ plane
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    if columns[2, 2] < 0:
        columns = -columns
    rough = np.column_stack([columns[:, 0], columns[:, 1], np.cross(columns[:, 0], columns[:, 1])])
    left, _, right = np.linalg.svd(rough)
    rotation = left @ np.diag([1.0, 1.0, float(np.linalg.det(left @ right))]) @ right
    pose = np.column_stack([rotation, columns[:, 2]])
    square = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * side_mm
    pixels = apply(at_height(matrix @ pose, 0.0), square)
    misfit = float(np.sqrt(np.mean(np.sum((pixels - apply(plane, square)) ** 2, axis=1))))
    return pose, misfit / _CORNER_NOISE_PX


def _with_plane(camera: Floats, plane: Floats) -> Floats:
    """Returns the camera with exactly the measured view of the felt, so that its estimate moves nothing there."""
    estimate = at_height(camera, 0.0)
    scale = float(np.sum(estimate * plane) / np.sum(plane * plane))
    return np.column_stack([plane[:, 0] * scale, plane[:, 1] * scale, camera[:, 2], plane[:, 2] * scale])

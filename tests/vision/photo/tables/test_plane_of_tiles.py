"""The plane of a table is found from the tiles that lie on it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats, Floats32
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import TileSize, apply, at_height
from vision.photo.tables.plane_of_tiles import plane_of

SIZE = (1280, 960)
TILE = TileSize()


def _camera(tilt: float, focal: float) -> Floats:
    """Returns a camera [3, 4] a metre from the felt's middle, `tilt` degrees from straight above."""
    c, s = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    aim = np.array([[1, 0, 0], [0, -c, -s], [0, s, -c]])
    screen = np.array([[focal * SIZE[0], 0, SIZE[0] / 2], [0, focal * SIZE[0], SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(screen @ np.column_stack([aim, [0, 0, 1000.0]]))


def _felt(rows: int, columns: int, turn: float = 0.3) -> Floats:
    """Returns faces [N, 4, 2] in felt millimetres: rows of a river, all turned a little about the middle."""
    corners = np.array([[-10.0, 13.25], [10, 13.25], [10, -13.25], [-10, -13.25]])
    middles = np.array([[(c - columns / 2) * 40.0, (r - rows / 2) * 60.0] for r in range(rows) for c in range(columns)])
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray((corners + middles[:, None]) @ np.array([[c, s], [-s, c]]))


def _projected(camera: Floats, felt: Floats) -> Floats32:
    noise = np.random.default_rng(3).normal(0, 0.5, (len(felt), 4, 2))
    return (apply(at_height(camera, TILE.depth_mm), felt.reshape(-1, 2)).reshape(-1, 4, 2) + noise).astype(np.float32)


@pytest.mark.parametrize(("tilt", "focal"), [(30, 0.8), (50, 0.8), (45, 1.1), (10, 0.7)])
def test_through_the_plane_of_the_tiles_they_measure_as_they_are(tilt: float, focal: float) -> None:
    felt = _felt(5, 6)
    plane = plane_of(_projected(_camera(tilt, focal), felt), size=SIZE)
    assert plane is not None
    assert plane.is_on.all()
    through = calibrate(plane.corners_px, size=SIZE, side_mm=plane.side_mm)
    measured = through.to_felt(_projected(_camera(tilt, focal), felt).reshape(-1, 2), height_mm=TILE.depth_mm)
    tiles = measured.reshape(-1, 4, 2)
    assert (np.abs(tiles) < plane.side_mm / 2).all()
    width = np.linalg.norm(tiles[:, 1] - tiles[:, 0], axis=1)
    length = np.linalg.norm(tiles[:, 3] - tiles[:, 0], axis=1)
    np.testing.assert_allclose(np.median(width), TILE.width_mm, rtol=0.06)
    np.testing.assert_allclose(np.median(length), TILE.height_mm, rtol=0.06)
    assert max(width.std() / width.mean(), length.std() / length.mean()) < 0.06


def test_a_hand_that_stands_before_the_camera_does_not_count() -> None:
    on_felt = _projected(_camera(45, 0.8), _felt(5, 6))
    standing = np.array(
        [[[300 + 40 * i, 800], [338 + 40 * i, 800], [338 + 40 * i, 870], [300 + 40 * i, 870]] for i in range(13)]
    )
    plane = plane_of(np.concatenate([standing, on_felt]).astype(np.float32), size=SIZE)
    assert plane is not None
    assert plane.is_on[13:].mean() > 0.9
    assert not plane.is_on[:13].any()


@pytest.mark.parametrize(("rows", "columns"), [(1, 14), (2, 5)], ids=["one row", "too few"])
def test_one_row_or_a_few_tiles_show_no_plane(rows: int, columns: int) -> None:
    assert plane_of(_projected(_camera(45, 0.8), _felt(rows, columns)), size=SIZE) is None


def test_quads_of_all_sizes_and_shapes_show_no_plane() -> None:
    rng = np.random.default_rng(5)
    corners = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    quads = rng.uniform(100, 900, (40, 1, 2)) + corners * rng.uniform(8, 60, (40, 1, 2))
    assert plane_of(quads.astype(np.float32), size=SIZE) is None

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px, seen_tiles
from vision.cameras.synthetic.layout import Discard, Layout
from vision.cameras.synthetic.scene import Scene, SceneTile
from vision.errors import CalibrationError
from vision.geometry.calibration import Calibration, calibrate, find_corners, find_table
from vision.geometry.plane_geometry import Lens, TileSize, turn, wrap
from vision.geometry.rectify import TopView

SIDE = 720.0
SIZE = (1600, 1600)
PLACES = np.array([[0.0, 0], [0, -300], [300, 0], [140, 140], [-340, 340]])


def camera(*, height: float, tilt_deg: float, focal: float = 1400.0, x: float = 0.0) -> tuple[Floats, Floats]:
    """A camera matrix, and the camera [3, 4] that looks at the table's middle from `height` away."""
    matrix = np.array([[focal, 0, 800], [0, focal, 800], [0, 0, 1]])
    tilt = np.radians(tilt_deg)
    rotation = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    pose = np.column_stack([rotation @ np.diag([1.0, -1, -1]), np.array([x, 0, height])])
    return matrix, matrix @ pose


def projected(camera_matrix: Floats, points: Floats, height_mm: float) -> Floats:
    homogeneous = np.column_stack([points, np.full(len(points), height_mm), np.ones(len(points))]) @ camera_matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], dtype=np.float64)


def square(side: float = SIDE) -> Floats:
    return np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * side / 2


@pytest.mark.parametrize("tilt_deg", [0.0, 4, 12, 25])
@pytest.mark.parametrize("height", [700.0, 1000, 1400])
def test_things_of_a_known_height_are_where_they_are(tilt_deg: float, height: float) -> None:
    _, truth = camera(height=height, tilt_deg=tilt_deg, focal=1.3 * height)
    found = calibrate(projected(truth, square(), 0.0), size=SIZE, side_mm=SIDE)
    tops = projected(truth, PLACES, 16.0)
    off = np.linalg.norm(found.to_felt(tops, height_mm=16.0) - PLACES, axis=1)
    uncorrected = np.linalg.norm(found.to_felt(tops, height_mm=0.0) - PLACES, axis=1)
    assert off.max() < 4.0
    assert off.max() < uncorrected.max()
    assert np.abs(found.to_felt(projected(truth, PLACES, 0.0), height_mm=0.0) - PLACES).max() < 0.01


@pytest.mark.parametrize("coefficient", range(12))
@pytest.mark.parametrize("much", [10.0, -9.0, 100.0, -100.0, 1000.0, -1000.0])
def test_a_lens_that_no_camera_has_is_refused_or_shows_the_whole_table(coefficient: int, much: float) -> None:
    matrix, truth = camera(height=1000, tilt_deg=0)
    lens = Lens(matrix=matrix, distortion=np.eye(14)[coefficient] * much)
    try:
        found = calibrate(projected(truth, square(), 0.0), size=SIZE, side_mm=SIDE, lens=lens)
    except CalibrationError:
        return
    assert np.abs(found.to_pixels(np.random.default_rng(1).uniform(-360, 360, (50, 2)), height_mm=0.0)).max() < 1e5


def test_with_a_known_lens_things_are_exactly_where_they_are() -> None:
    matrix, truth = camera(height=1000, tilt_deg=10)
    lens = Lens(matrix=matrix, distortion=np.array([-0.12, 0.03, 0.001, -0.001, 0.0]))
    corners = lens.bend(projected(truth, square(), 0.0))
    found = calibrate(corners, size=SIZE, side_mm=SIDE, lens=lens)
    tops = lens.bend(projected(truth, PLACES, 16.0))
    assert np.abs(found.to_felt(tops, height_mm=16.0) - PLACES).max() < 0.1
    assert np.abs(found.to_pixels(PLACES, height_mm=16.0) - tops).max() < 0.1


@pytest.mark.parametrize("seed", range(8))
def test_tiles_of_a_drawn_table_are_within_a_third_of_their_width(seed: int) -> None:
    appearance = Appearance.random(seed)
    found = calibration_of(appearance)
    tiles = [SceneTile(face="1m", x_mm=x, y_mm=y) for x, y in ((0, -150), (150, 0), (0, 280), (-280, -100))]
    seen = seen_tiles(Scene(tiles=tuple(tiles)), appearance)
    assert len(seen) == len(tiles)
    for tile in seen:
        place = found.to_felt(tile.quad, height_mm=appearance.tile_depth_mm).mean(axis=0)
        assert np.linalg.norm(place - (tile.tile.x_mm, tile.tile.y_mm)) < appearance.tile_width_mm / 3


@pytest.mark.parametrize(
    "corners",
    [
        [[100, 100], [900, 100], [900, 900]],
        [[100, 100], [900, 100], [100, 900], [900, 900]],
        [[900, 100], [100, 100], [100, 900], [900, 900]],
        [[100, 100], [101, 100], [101, 101], [100, 101]],
        [[100, 100], [200, 200], [300, 300], [100, 300]],
        [[100, 100], [float("nan"), 100], [900, 900], [100, 900]],
        [[-2001, 100], [900, 100], [900, 900], [100, 900]],
        [[100, 100], [900, 100], [900, 3001], [100, 900]],
        [[-1e300, -1e300], [1e300, -1e300], [1e300, 1e300], [-1e300, 1e300]],
    ],
    ids=["three", "crossed", "mirrored", "tiny", "on a line", "no number", "far left", "far below", "huge"],
)
def test_corners_that_are_no_table_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(CalibrationError, match="corners"):
        calibrate(corners, size=(1000, 1000), side_mm=SIDE)


def test_a_table_may_be_partly_outside_of_the_picture() -> None:
    corners = [[-2000, -500], [3000, -500], [3000, 3000], [-2000, 3000]]
    assert np.allclose(calibrate(corners, size=(1000, 1000), side_mm=SIDE).corners_px, corners)


def marked_table(
    truth: Floats, *, markers: tuple[int, ...] = (0, 1, 2, 3), noise_seed: int = 0, on: Image | None = None
) -> Image:
    """A picture of a table whose corners carry 36 mm markers, their inner corners on the play surface's."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    image = np.full((SIZE[1], SIZE[0], 3), (60, 110, 40), dtype=np.uint8) if on is None else on.copy()
    for marker in markers:
        paper = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(dictionary, marker, 120), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255
        )
        inner = square()[marker]
        outward = np.sign(inner) * 36.0
        low, high = np.minimum(inner, inner + outward), np.maximum(inner, inner + outward)
        on_felt = np.array([[low[0], high[1]], high, [high[0], low[1]], low])
        drawn = cv2.getPerspectiveTransform(
            np.array([[20, 20], [140, 20], [140, 140], [20, 140]], dtype=np.float32) - np.float32(0.5),
            projected(truth, on_felt, 0.0).astype(np.float32),
        )
        warped = cv2.warpPerspective(paper, drawn, SIZE, borderValue=0)
        mask = cv2.warpPerspective(np.full_like(paper, 255), drawn, SIZE) > 127
        image[mask] = warped[mask][:, None]
    noise = np.random.default_rng(noise_seed).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_a_table_is_found_by_its_markers() -> None:
    _, truth = camera(height=1100, tilt_deg=8)
    corners = find_corners([marked_table(truth, noise_seed=seed) for seed in range(3)])
    assert np.abs(corners - projected(truth, square(), 0.0)).max() < 1.5


def test_markers_hidden_in_one_picture_are_taken_from_another() -> None:
    _, truth = camera(height=1100, tilt_deg=0)
    pictures = [marked_table(truth, markers=(0, 1, 2)), marked_table(truth, markers=(1, 3))]
    assert np.abs(find_corners(pictures) - projected(truth, square(), 0.0)).max() < 1.5


def test_where_only_some_markers_are_seen_the_felt_is_taken_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    _, truth = camera(height=1400, tilt_deg=0)
    rail = np.full((SIZE[1], SIZE[0], 3), (35, 50, 80), dtype=np.uint8)
    cv2.fillConvexPoly(rail, projected(truth, square(), 0.0).round().astype(np.int32), (60, 110, 40))
    found = find_table([marked_table(truth, markers=(0, 3), on=rail)])
    assert (found.by, found.missing) == ("felt", ("far right", "near right"))
    assert np.linalg.norm(found.corners - projected(truth, square(), 0.0), axis=1).max() < 6.0
    assert "got none at the far right and at the near right: the table is found by its felt" in caplog.text
    bare = find_table([rail])
    assert (bare.by, bare.missing) == ("felt", ())  # of markers that nobody laid there none is missing


def test_missing_markers_are_named_where_there_is_no_felt_either() -> None:
    patches = np.random.default_rng(1).integers(0, 255, (16, 16, 3)).repeat(100, axis=0).repeat(100, axis=1)
    _, truth = camera(height=1100, tilt_deg=0)
    with pytest.raises(CalibrationError, match=r"got none at the far right and at the near right: .* Nor is the felt"):
        find_corners([marked_table(truth, markers=(0, 3), on=patches.astype(np.uint8))])


def test_without_pictures_nothing_is_found() -> None:
    with pytest.raises(CalibrationError, match="expected pictures of the table, got none"):
        find_corners([])


@pytest.mark.parametrize("seed", [0, 1, 3, 6])
def test_a_table_without_markers_is_found_by_its_felt(seed: int) -> None:
    appearance = Appearance.random(seed) if seed else Appearance.default()
    layout = Layout(appearance=appearance, seed=seed)
    tiles = layout.river(0, [Discard(face="1m")] * 9) + layout.river(2, [Discard(face="5z")] * 4)
    for side in range(4):
        tiles += layout.standing_hand(side, 13)
    image = Renderer(appearance).render(Scene(tiles=tiles))
    truth = calibration_of(appearance)
    off = truth.to_felt(find_corners([image]), height_mm=0.0) - truth.to_felt(corners_px(appearance), height_mm=0.0)
    assert np.linalg.norm(off, axis=1).max() < 8.0


def test_a_picture_of_no_table_is_refused() -> None:
    stripes = np.zeros((300, 400, 3), dtype=np.uint8)
    stripes[::2] = np.random.default_rng(1).integers(0, 255, (150, 400, 3))
    with pytest.raises(CalibrationError, match="felt"):
        find_corners([stripes])


def calibrated(tilt_deg: float = 10) -> tuple[Calibration, Floats]:
    _, truth = camera(height=1100, tilt_deg=tilt_deg)
    return calibrate(projected(truth, square(), 0.0), size=SIZE, side_mm=SIDE), truth


def test_the_top_view_shows_felt_points_where_it_says() -> None:
    calibration, _ = calibrated()
    view = TopView(calibration, height_mm=16.0)
    image = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
    place = np.array([[120.0, -85.0]])
    cv2.circle(
        image, tuple(int(v) for v in np.rint(calibration.to_pixels(place, height_mm=16.0))[0]), 6, (255,) * 3, -1
    )
    picture = view.picture(image)[..., 0]
    found = np.argwhere(picture > 127).mean(axis=0)[::-1]
    assert np.abs(found - view.from_felt(place)[0]).max() < 1.0
    assert np.abs(view.to_felt(view.from_felt(place)) - place).max() < 1e-9
    assert view.side_px % 32 == 0
    assert view.side_px >= (SIDE + 80) * view.px_per_mm


def test_x_runs_right_and_y_up_in_the_picture() -> None:
    calibration, _ = calibrated(0)
    middle, right, up = calibration.to_pixels([[0, 0], [100, 0], [0, 100]], height_mm=0.0)
    assert right[0] > middle[0] + 50
    assert up[1] < middle[1] - 50


def test_angles_turn_counter_clockwise_and_wrap() -> None:
    assert np.allclose(turn([[1.0, 0.0]], 90), [[0.0, 1.0]])
    assert wrap(270) == -90
    assert wrap(100, period=180) == -80


def test_a_tile_has_a_short_and_a_long_side() -> None:
    with pytest.raises(ValueError, match="width < height"):
        TileSize(width_mm=27, height_mm=26)

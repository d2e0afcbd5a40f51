from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawn import SIZE, calibration, shifted
from vision.arrays import Image
from vision.watching.motion.motion_gate import CELL_MM, MotionGate

STEP_NS = 100_000_000


class Watch:
    """Shows a gate a grey table with squares on it."""

    def __init__(self, *, noise: float = 2.0) -> None:
        self.gate = MotionGate(calibration(), height_mm=16.0)
        self.rng = np.random.default_rng(3)
        self.noise = noise
        self.calibration = calibration()
        self.shift = (0.0, 0.0)
        """Pixels by which the camera is off."""
        self.rims: list[tuple[float, float]] = []
        """Middles of squares that are a little lighter than the table in their rim alone."""
        self.k = 0

    def see(self, *squares: tuple[float, float], light: float = 1.0, frames: int = 1) -> None:
        for _ in range(frames):
            self.gate.see(self._picture(squares, light), self.k * STEP_NS)
            self.k += 1

    def rest_s(self, x: float, y: float) -> float:
        row, column = self.gate.cells_of(np.array([[x, y]]))[0]
        return float(self.gate.rest_ns()[row, column]) / 1e9

    def has_changed(self, x: float, y: float) -> bool:
        row, column = self.gate.cells_of(np.array([[x, y]]))[0]
        return bool(self.gate.changed_cells()[row, column])

    def _picture(self, squares: tuple[tuple[float, float], ...], light: float) -> Image:
        image = np.full((SIZE, SIZE, 3), 90.0)
        for x, y in squares:
            column, row = np.rint(self.calibration.to_pixels([[x, y]], height_mm=16.0)[0]).astype(int)
            image[row - 12 : row + 12, column - 12 : column + 12] = 200.0
        for x, y in self.rims:
            column, row = np.rint(self.calibration.to_pixels([[x, y]], height_mm=16.0)[0]).astype(int)
            image[row - 12 : row + 12, column - 12 : column + 12] = 120.0
            image[row - 8 : row + 8, column - 8 : column + 8] = 90.0
        if any(self.shift):
            image = shifted(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7)), *self.shift)
        noisy = image * light + self.rng.normal(0, self.noise, (SIZE, SIZE, 1))
        return np.clip(noisy, 0, 255).astype(np.uint8)


def test_rest_counts_from_the_last_movement() -> None:
    watch = Watch()
    watch.see(frames=5)
    assert watch.rest_s(100, 50) == pytest.approx(0.4)
    watch.see((100, 50), frames=3)
    assert watch.rest_s(100, 50) == pytest.approx(0.2)
    assert watch.rest_s(-100, 50) == pytest.approx(0.7)


def test_a_slow_push_is_a_movement() -> None:
    watch = Watch()
    for step in range(30):
        watch.see((100 + step, 50))
    assert watch.rest_s(120, 50) < 0.3


def test_what_was_judged_has_not_changed_until_it_does() -> None:
    watch = Watch()
    watch.see(frames=2)
    assert watch.has_changed(0, 0)
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    watch.see(frames=3)
    assert not watch.gate.changed_cells().any()
    watch.see((0, 0))
    assert watch.has_changed(0, 0)
    assert not watch.has_changed(60, 0)


def test_a_tile_turned_over_has_changed_if_only_its_rim_looks_different() -> None:
    """An orange back is often as light as the print of a face."""
    watch = Watch()
    watch.see(frames=2)
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    rim = watch.gate.middles_mm()[60, 70] + CELL_MM / 2  # so that it covers whole cells
    watch.rims = [(float(rim[0]), float(rim[1]))]
    watch.see(frames=3)
    rows, columns = np.nonzero(watch.gate.changed_cells())
    assert len(rows) >= 12
    assert set(rows) <= set(range(56, 65))
    assert set(columns) <= set(range(66, 75))


def test_noise_is_no_movement() -> None:
    watch = Watch(noise=9.0)
    watch.see(frames=25)
    assert float((watch.gate.rest_ns() > 5 * STEP_NS).mean()) > 0.99


def test_a_trembling_camera_moves_nothing_and_a_tile_is_seen_all_the_same() -> None:
    watch = Watch()
    tiles = [(x, y) for x in range(-200, 201, 50) for y in (-200, -150, 150, 200)]

    def tremble(*squares: tuple[float, float], frames: int) -> None:
        for _ in range(frames):
            watch.shift = (watch.rng.normal(0, 0.3), watch.rng.normal(0, 0.3))
            watch.see(*squares)

    tremble(*tiles, frames=40)
    assert float((watch.gate.rest_ns() > 5 * STEP_NS).mean()) > 0.99
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    tremble(*tiles, (0, 0), frames=10)
    assert watch.has_changed(0, 0)
    assert not watch.has_changed(100, 100)


def test_cells_and_their_middles_agree() -> None:
    gate = MotionGate(calibration(), height_mm=16.0)
    middles = gate.middles_mm()
    assert middles.shape == (gate.cells, gate.cells, 2)
    assert gate.cells_of(middles[[3, 40], [17, 90]]).tolist() == [[3, 17], [40, 90]]
    assert np.linalg.norm(middles[0, 1] - middles[0, 0]) == pytest.approx(CELL_MM)


@pytest.mark.parametrize("noise", [0.0, 9.0, 25.0, 60.0])
def test_the_threshold_follows_the_median_change_from_frame_to_frame(noise: float) -> None:
    watch = Watch(noise=noise)
    greys = []
    for _ in range(2):
        watch.see()
        size = (watch.gate.cells, watch.gate.cells)
        greys.append(cv2.resize(watch.gate.picture, size, interpolation=cv2.INTER_AREA).astype(np.float64))
    spread = 1.48 * float(np.median(np.abs(greys[1] - greys[0])))
    assert watch.gate.threshold == pytest.approx(max(7.0, 6.0 * spread))


def test_a_flickering_lamp_hides_no_tile() -> None:
    watch = Watch()
    for k in range(20):
        watch.see((100, 50), light=1 + 0.08 * (-1) ** k)
    assert float((watch.gate.rest_ns() > 5 * STEP_NS).mean()) > 0.99
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    for k in range(6):
        watch.see((100, 50), (0, 0), light=1 + 0.08 * (-1) ** k)
    assert watch.has_changed(0, 0)
    assert not watch.has_changed(100, 50)


def test_a_lamp_switched_off_or_a_camera_that_adapts_moves_nothing() -> None:
    watch = Watch()
    watch.see((100, 50), frames=5)
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    for light in (0.95, 0.9, 0.6, 0.6, 1.1, 1.0):
        watch.see((100, 50), light=light)
        assert not watch.gate.changed_cells().any()
    assert watch.rest_s(100, 50) == pytest.approx(1.0)


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_an_arm_across_the_table_is_no_other_light(share: float) -> None:
    watch = Watch()
    watch.see((100, 50), frames=5)
    watch.gate.judge(np.ones((watch.gate.cells, watch.gate.cells), dtype=np.bool_))
    covered = watch._picture(((100, 50),), 1.0)
    covered[: round(SIZE * share)] = 20
    watch.gate.see(covered, watch.k * STEP_NS)
    rest = watch.gate.rest_ns() > 0
    assert rest[-watch.gate.cells // 4 :].all()
    assert not rest[: watch.gate.cells // 6].any()

"""Whether the table still lies where its calibration says is told by how it looks from above."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.drawn import shifted
from tests.vision.privacy.moved_camera import APPEARANCE, CALIBRATION, MOVES, frame_image
from vision.arrays import Floats, Grey, Image
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Scene
from vision.geometry.calibration import calibrate
from vision.watching.motion.motion_gate import MotionGate
from vision.watching.place.shift import ShiftDetector
from vision.watching.place.table_in_sight import TableInSight

pytestmark = pytest.mark.pictures


def view(image: Image) -> Grey:
    gate = MotionGate(CALIBRATION, height_mm=APPEARANCE.tile_depth_mm)
    gate.see(image, 0)
    return gate.picture


def knowing(image: Image) -> TableInSight:
    sight = TableInSight(MotionGate(CALIBRATION, height_mm=APPEARANCE.tile_depth_mm).table_px)
    assert sight.follow(view(image), 0)
    return sight


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_a_moved_camera_is_told_by_its_first_frame(move: Floats) -> None:
    assert not knowing(frame_image(None, 0)).follow(view(frame_image(move, 1)), 200_000_000)


@pytest.mark.parametrize("shown_px", [760, 600])
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_the_border_of_a_picture_that_shows_a_part_of_the_table_is_nothing_to_hold_on_to(
    move: Floats, shown_px: int
) -> None:
    part = calibrate(CALIBRATION.corners_px, size=(APPEARANCE.width_px, shown_px), side_mm=CALIBRATION.side_mm)

    def gate_picture(move: Floats | None, k: int) -> Grey:
        gate = MotionGate(part, height_mm=APPEARANCE.tile_depth_mm)
        gate.see(np.ascontiguousarray(frame_image(move, k)[:shown_px]), 0)
        return gate.picture

    sight = TableInSight(MotionGate(part, height_mm=APPEARANCE.tile_depth_mm).table_px)
    assert sight.follow(gate_picture(None, 0), 0)
    assert sight.follow(gate_picture(None, 1), 200_000_000)
    assert not sight.follow(gate_picture(move, 2), 400_000_000)


def test_a_push_is_measured_by_the_table_alone_where_the_picture_shows_a_part_of_it() -> None:
    part = calibrate(CALIBRATION.corners_px, size=(APPEARANCE.width_px, 600), side_mm=CALIBRATION.side_mm)
    calm = ShiftDetector()
    pictures = []
    for shift in (0.0, 3.0):
        gate = MotionGate(part, height_mm=APPEARANCE.tile_depth_mm)
        move = np.array([[1.0, 0.0, shift], [0.0, 1.0, shift], [0.0, 0.0, 1.0]])
        gate.see(np.ascontiguousarray(frame_image(move, 1)[:600]), 0)
        pictures.append(gate.picture)
    calm.remember(pictures[0])
    plane = calm.motion_to(pictures[1])
    assert plane is not None
    found, _ = MotionGate(part, height_mm=APPEARANCE.tile_depth_mm).after_push(plane)
    assert np.abs(found.corners_px - part.corners_px - 3.0).max() < 1.0


@pytest.mark.parametrize("light", [0.4, 0.7, 1.2])
def test_other_light_is_no_move(light: float) -> None:
    lit = np.clip(frame_image(None, 1) * light, 0, 255).astype(np.uint8)
    assert knowing(frame_image(None, 0)).follow(view(lit), 200_000_000)


def test_arms_over_half_the_table_are_no_move() -> None:
    covered = frame_image(None, 1)
    covered[:, :480] = (110, 150, 205)
    assert knowing(frame_image(None, 0)).follow(view(covered), 200_000_000)


def test_a_table_that_is_cleared_at_once_still_lies_in_its_place() -> None:
    cleared = Renderer(APPEARANCE).render(Scene())
    assert knowing(frame_image(None, 0)).follow(view(cleared), 200_000_000)
    assert knowing(cleared).follow(view(frame_image(None, 1)), 200_000_000)


def test_what_is_laid_later_is_learnt() -> None:
    cleared = Renderer(APPEARANCE).render(Scene())
    sight = knowing(cleared)
    assert sight.follow(view(frame_image(None, 1)), 3_000_000_000)
    assert np.array_equal(sight.picture, view(frame_image(None, 1)))


def test_a_picture_with_nothing_to_hold_on_to_counts_until_it_shows_something_else() -> None:
    even, other = (np.full((400, 400), level, dtype=np.uint8) for level in (90, 90))
    sight = TableInSight(360.0)
    assert sight.follow(even, 0)
    assert sight.follow(other, 200_000_000)
    other[:, 100:300] = 200
    assert not sight.follow(other, 400_000_000)


def blurred(image: Image, blur_mm: float, *, grown: float = 1.0, noise: float = APPEARANCE.noise) -> Image:
    """The picture of a lens out of focus, by a standard deviation on the felt; a lens may change its scale, too."""
    height, width = image.shape[:2]
    scaled = cv2.warpAffine(image, cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, grown), (width, height))
    soft = cv2.GaussianBlur(scaled, (0, 0), blur_mm * APPEARANCE.px_per_mm)
    return np.clip(soft + np.random.default_rng(2).normal(0, noise, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    "change",
    [
        lambda image: blurred(image, 2.5),
        lambda image: blurred(image, 6.0),
        lambda image: blurred(image, 10.0),
        lambda image: blurred(image, 5.0, grown=1.01),
        lambda image: blurred(image // 2, 3.0, noise=7.0),
        lambda image: blurred(image // 2, 3.0) + 90,
    ],
    ids=["autofocus hunts", "far out", "farther out", "scale breathes", "dim", "steam"],
)
def test_a_picture_out_of_focus_shows_the_table_in_its_place_and_is_told_as_blurred(
    change: Callable[[Image], Image],
) -> None:
    sight, blurred_view = knowing(frame_image(None, 0)), view(change(frame_image(None, 1)))
    for k in range(1, 20):  # however long it lasts, it is not learnt
        assert sight.follow(blurred_view, k * 1_000_000_000)
        assert sight.is_blurred
    assert sight.follow(view(frame_image(None, 2)), 20_000_000_000)
    assert not sight.is_blurred


@pytest.mark.parametrize(
    "change",
    [
        lambda image: blurred(image, 0.8),
        lambda image: blurred(image, 0.1, noise=14.0),
        lambda image: image // 3,
        lambda image: shifted(image, 1.5, -1.0),
        lambda image: shifted(image, 3.0, 2.0),
        lambda image: np.concatenate([image[:, :480] // 9 + 90, image[:, 480:]], axis=1),
    ],
    ids=["a little softer", "noise", "dim", "trembling", "pushed", "arms over half of it"],
)
def test_a_picture_in_which_tiles_can_be_read_is_not_blurred(change: Callable[[Image], Image]) -> None:
    sight = knowing(frame_image(None, 0))
    sight.follow(view(change(frame_image(None, 1))), 200_000_000)
    assert not sight.is_blurred


def test_a_camera_that_was_always_soft_is_not_blurred() -> None:
    soft = [blurred(frame_image(None, k), 1.5) for k in range(3)]
    sight = knowing(soft[0])
    for k in (1, 2):
        assert sight.follow(view(soft[k]), k * 3_000_000_000)
        assert not sight.is_blurred


def test_an_empty_felt_is_not_blurred() -> None:
    felt = np.full_like(frame_image(None, 0), (62, 96, 24))
    sight = knowing(blurred(felt, 0.1))
    sight.follow(view(blurred(felt, 6.0)), 200_000_000)
    assert not sight.is_blurred

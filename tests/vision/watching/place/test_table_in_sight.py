"""Whether the table still lies where its calibration says is told by how it looks from above."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.privacy.moved_camera import CALIBRATION, LOOK, MOVES, frame_image
from vision.arrays import Floats, Grey, Image
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.scene import Scene
from vision.geometry.calibration import calibrate
from vision.watching.motion.motion_gate import MotionGate
from vision.watching.place.shift import ShiftDetector
from vision.watching.place.table_in_sight import TableInSight

pytestmark = pytest.mark.pictures


def view(image: Image) -> Grey:
    gate = MotionGate(CALIBRATION, height_mm=LOOK.tile_depth_mm)
    gate.see(image, 0)
    return gate.picture


def knowing(image: Image) -> TableInSight:
    sight = TableInSight(MotionGate(CALIBRATION, height_mm=LOOK.tile_depth_mm).table_px)
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
    part = calibrate(CALIBRATION.corners_px, size=(LOOK.width_px, shown_px), side_mm=CALIBRATION.side_mm)

    def seen(move: Floats | None, k: int) -> Grey:
        gate = MotionGate(part, height_mm=LOOK.tile_depth_mm)
        gate.see(np.ascontiguousarray(frame_image(move, k)[:shown_px]), 0)
        return gate.picture

    sight = TableInSight(MotionGate(part, height_mm=LOOK.tile_depth_mm).table_px)
    assert sight.follow(seen(None, 0), 0)
    assert sight.follow(seen(None, 1), 200_000_000)
    assert not sight.follow(seen(move, 2), 400_000_000)


def test_a_push_is_measured_by_the_table_alone_where_the_picture_shows_a_part_of_it() -> None:
    part = calibrate(CALIBRATION.corners_px, size=(LOOK.width_px, 600), side_mm=CALIBRATION.side_mm)
    calm = ShiftDetector()
    pictures = []
    for shift in (0.0, 3.0):
        gate = MotionGate(part, height_mm=LOOK.tile_depth_mm)
        move = np.array([[1.0, 0.0, shift], [0.0, 1.0, shift], [0.0, 0.0, 1.0]])
        gate.see(np.ascontiguousarray(frame_image(move, 1)[:600]), 0)
        pictures.append(gate.picture)
    calm.remember(pictures[0])
    plane = calm.moved(pictures[1])
    assert plane is not None
    found, _ = MotionGate(part, height_mm=LOOK.tile_depth_mm).pushed(plane)
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
    cleared = Renderer(LOOK).render(Scene())
    assert knowing(frame_image(None, 0)).follow(view(cleared), 200_000_000)
    assert knowing(cleared).follow(view(frame_image(None, 1)), 200_000_000)


def test_what_is_laid_later_is_learnt() -> None:
    cleared = Renderer(LOOK).render(Scene())
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

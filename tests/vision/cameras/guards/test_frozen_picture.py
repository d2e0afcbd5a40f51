"""A live camera that repeats its picture is noticed; quiet, dark and new pictures are not taken for that."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vision.cameras.guards.frozen_picture import FrozenPicture
from vision.cameras.guards.hang_guard import PatientCamera
from vision.errors import CameraError
from vision.frames import Camera, Frame

SECOND_NS = 1_000_000_000
TABLE = np.kron(np.random.default_rng(5).integers(0, 12, (40, 40, 1)), np.full((4, 4, 3), 20)).astype(np.uint8)
OTHER = TABLE[::-1]
DARK = np.full_like(TABLE, 3)


class Pictures(Camera):
    """A camera that gives these pictures, one a second."""

    def __init__(self, *pictures: np.ndarray, begins: int = 0) -> None:
        self.pictures, self.begins = pictures, begins

    def frames(self) -> Iterator[Frame]:
        for k, image in enumerate(self.pictures):
            yield Frame(k=k, t_ns=(self.begins + k) * SECOND_NS, image=image)

    def close(self) -> None:
        pass


def frames_before_end(camera: Camera, frozen: FrozenPicture | None = None) -> int:
    """How many frames come before the camera is given up."""
    count = 0
    with PatientCamera(lambda: camera, frozen=frozen or FrozenPicture(10)) as patient:
        try:
            for _ in patient.frames():
                count += 1
        except CameraError as error:
            return count if error.says == "frozen" else -1
    raise AssertionError(f"expected the camera to be given up, got {count} frames")


def test_a_camera_that_repeats_its_picture_is_given_up() -> None:
    assert frames_before_end(Pictures(*[TABLE] * 30)) == 10
    assert frames_before_end(Pictures(TABLE, *[OTHER] * 30)) == 11


def test_the_noise_of_a_sensor_is_enough_for_a_quiet_table() -> None:
    noise = np.random.default_rng(6)
    quiet = [TABLE + noise.integers(0, 2, TABLE.shape, np.uint8) for _ in range(30)]
    with pytest.raises(AssertionError, match="got 30 frames"):
        frames_before_end(Pictures(*quiet))


def test_a_dark_or_covered_lens_is_no_frozen_camera() -> None:
    with pytest.raises(AssertionError, match="got 30 frames"):
        frames_before_end(Pictures(*[DARK] * 30))


def test_a_camera_opened_again_is_still_frozen_until_a_new_picture_comes() -> None:
    frozen = _frozen()
    assert frames_before_end(Pictures(*[TABLE] * 5, begins=20), frozen) == 0
    assert frames_before_end(Pictures(OTHER, *[TABLE] * 30, begins=30), frozen) == 11


def test_a_clock_that_begins_again_is_no_long_time() -> None:
    assert frames_before_end(Pictures(*[TABLE] * 30), _frozen(begins=1000)) == 10


def _frozen(begins: int = 0) -> FrozenPicture:
    """What knows that a camera is frozen."""
    frozen = FrozenPicture(10)
    frames_before_end(Pictures(*[TABLE] * 30, begins=begins), frozen)
    return frozen

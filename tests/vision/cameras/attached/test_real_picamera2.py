"""The Pi's camera through the real picamera2, above a played libcamera."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import islice

import numpy as np
import pytest

from tests.fakes.played_libcamera import Manager, played_manager
from tests.fakes.waiting import PATIENCE_S, wait_for
from vision.cameras.attached.picamera import PiCamera, PiSettings
from vision.cameras.guards.hang_guard import PatientCamera
from vision.errors import CameraError

pytestmark = [
    pytest.mark.skipif(find_spec("picamera2") is None, reason="picamera2 is absent: pip install --no-deps picamera2"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture
def manager() -> Iterator[Manager]:
    with played_manager() as played:
        yield played
        played.sensor.on.set()


def open_camera(patience_s: float = PATIENCE_S, closing_s: float = PATIENCE_S) -> PatientCamera:
    camera = partial(PiCamera, PiSettings(side_px=640), patience_s=PATIENCE_S)
    return PatientCamera(camera, patience_s=patience_s, closing_s=closing_s)


def test_frames_come_and_the_camera_is_let_go(manager: Manager) -> None:
    for _ in range(2):
        with open_camera() as camera:
            frames = list(islice(camera.frames(), 5))
        assert [frame.image.shape for frame in frames] == [(640, 640, 3)] * 5
        assert not camera.hangs
        assert not manager.sensor.is_held


def test_a_cable_that_is_pulled_ends_the_frames_and_the_camera_can_be_opened_again(manager: Manager) -> None:
    with open_camera() as camera:
        frames = camera.frames()
        next(frames)
        assert isinstance(camera.device, PiCamera)
        camera.device._patience_s = 0.3  # only now, since a slow machine's frames may take as long
        manager.sensor.has_cable = False
        assert len(list(frames)) < 3
    assert not camera.hangs
    assert not manager.sensor.is_held
    manager.sensor.has_cable = True
    with open_camera() as camera:
        next(camera.frames())


def test_one_autofocus_finds_where_it_is_sharp_and_the_lens_is_locked_there(manager: Manager) -> None:
    found: list[float | None] = []
    with open_camera() as camera:
        frames = camera.frames()
        next(frames)
        assert isinstance(camera.device, PiCamera)
        assert camera.device.has_autofocus
        camera.device.ask_for_focus(found.append)
        wait_for(lambda: bool(found) or next(frames) is None)
        wait_for(lambda: next(frames) is not None and manager.sensor.set["AfMode"] == 0)
    assert found == [pytest.approx(1.25)]
    assert manager.sensor.set["LensPosition"] == pytest.approx(1.25)


def pipes() -> set[str]:
    """The ends of pipes that are open: picamera2 opens one to wake itself."""
    gc.collect()
    found = set[str]()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found.add(f"{number} {os.readlink(f'/proc/self/fd/{number}')}")
    return {each for each in found if " pipe:" in each}


def pipes_after_ten_tries(reason: str) -> set[str]:
    """Those that ten tries left open."""
    before = pipes()
    for _ in range(10):
        with pytest.raises(CameraError, match=f"expected a Pi camera with number 0, got{reason}"), open_camera():
            pass
    return pipes() - before


def test_a_camera_that_is_never_found_costs_no_descriptor(manager: Manager) -> None:
    manager.cameras = []
    assert pipes_after_ten_tries(" none: .*rpicam-hello --list-cameras") == set()


def test_a_camera_that_another_program_has_costs_no_descriptor(manager: Manager) -> None:
    manager.sensor.is_held = True
    assert pipes_after_ten_tries(": .*resource busy") == set()


@pytest.mark.parametrize("call", ["acquire", "start", "stop", "release"])
def test_a_driver_that_hangs_in_any_call_is_given_up_until_it_comes_back(call: str, manager: Manager) -> None:
    manager.sensor.hangs = {call}
    if call in ("acquire", "start"):
        camera = open_camera(patience_s=1.0)
        with pytest.raises(CameraError, match="a camera that opens within 1 s, got one that hangs"), camera:
            pass
    else:
        with open_camera(closing_s=1.0) as camera:
            next(camera.frames())
    assert camera.hangs
    manager.sensor.on.set()
    wait_for(lambda: not camera.hangs and not manager.sensor.is_held)


@pytest.mark.parametrize(("may_measure", "exposures_us"), [(True, {10_000, 30_000}), (False, {10_000})])
def test_light_that_changed_for_good_is_measured_again_between_hands_alone(
    may_measure: bool, exposures_us: set[int], manager: Manager
) -> None:
    sensor, level = manager.sensor, [160]
    sensor.picture = lambda: np.full((640, 640, 3), level[0], np.uint8)
    sensor.pace = 2000
    locked_us = set()
    with PiCamera(PiSettings(side_px=640), may_measure=lambda: may_measure, patience_s=PATIENCE_S) as camera:
        for k, _ in enumerate(islice(camera.frames(), 120)):
            assert camera.locked is not None
            locked_us.add(camera.locked.exposure_us)
            if k == 5:
                sensor.light, level[0] = 0.5, 80
        assert sensor.set["AeEnable"] is False
    assert locked_us == exposures_us, "whole multiples of what lamps flicker with"


def test_by_day_exposures_are_shorter_than_the_lamps_flicker(manager: Manager) -> None:
    manager.sensor.light = 10.0
    with PiCamera(PiSettings(side_px=640), patience_s=PATIENCE_S) as camera:
        next(camera.frames())
        next(camera.frames())
        assert manager.sensor.set["ExposureTime"] == 2600

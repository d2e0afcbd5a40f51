from __future__ import annotations

from itertools import islice

import pytest

from tests.fakes.hanging_camera import STEPS, Device, HastyCamera
from tests.fakes.waiting import wait_for
from vision.cameras.guards.hang_guard import PatientCamera
from vision.errors import CameraError
from vision.frames import Camera


def test_a_patient_camera_is_a_camera_and_gives_the_others_frames_until_they_end() -> None:
    device = Device(frames=3)
    with PatientCamera(lambda: device) as camera:
        assert isinstance(camera, Camera)
        assert camera.device is device
        assert [frame.k for frame in camera.frames()] == [0, 1, 2]
    assert device.is_closed
    assert not camera.hangs


def test_no_frame_is_taken_before_it_is_asked_for() -> None:
    device = Device()
    with PatientCamera(lambda: device) as camera:
        frames = camera.frames()
        assert [frame.k for frame in islice(frames, 2)] == [0, 1]
        device.frame_count = 2
        assert next(frames).k == 2
    assert device.is_closed


@pytest.mark.parametrize("step", STEPS)
def test_a_camera_that_hangs_is_given_up_and_lets_itself_go_when_it_comes_back(step: str) -> None:
    made: list[Device] = []
    camera = HastyCamera(lambda: Device(step, cameras=made), devices=made)

    def use() -> None:
        with camera:
            list(islice(camera.frames(), 3))

    if step == "closing":
        use()
    else:
        does = "opens" if step == "opening" else "gives a frame"
        with pytest.raises(CameraError, match=f"expected a camera that {does} within 0.1 s, got one that hangs"):
            use()
    assert camera.hangs
    (device,) = made
    device.on.set()
    wait_for(lambda: not camera.hangs)
    assert device.is_closed


def test_what_goes_wrong_in_the_device_is_told_as_it_is() -> None:
    def broken() -> Device:
        raise CameraError("unplugged")

    with pytest.raises(CameraError, match="unplugged"), PatientCamera(broken):
        pass

    class Torn(Device):
        def step(self, name: str) -> None:
            if name == "a later frame":
                raise ZeroDivisionError("a fault")

    device = Torn()
    with pytest.raises(ZeroDivisionError, match="a fault"), PatientCamera(lambda: device) as camera:
        list(camera.frames())
    assert device.is_closed


def test_closing_twice_or_without_having_been_opened_does_nothing() -> None:
    camera = PatientCamera(Device)
    camera.close()
    camera.close()
    assert not camera.hangs

"""A USB camera with what OpenCV and the kernel do for it played."""

from __future__ import annotations

import errno
import fcntl
import struct
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras.attached.focus import FocusCamera
from vision.cameras.attached.light_watch import FOR_GOOD_NS
from vision.cameras.attached.usb_camera import SETTLE_FRAMES, UsbCamera, UsbSettings
from vision.cameras.attached.v4l2_controls import AUTOFOCUS, FOCUS, MAINS, V4l2Controls

MANUAL, AUTOMATIC = 1, 3
TILES = np.kron(np.random.default_rng(3).integers(0, 2, (45, 80)), np.ones((16, 16))).astype(np.uint8) * 200


class Kernel:
    """Answers the requests of videodev2.h for one device, as the kernel does."""

    def __init__(self, **ranges: tuple[int, int, int]) -> None:
        names = {"focus": FOCUS, "autofocus": AUTOFOCUS, "mains": MAINS}
        self.ranges = {names[name]: values for name, values in ranges.items()}
        self.at = dict.fromkeys(self.ranges, 0)
        self.is_gone = False
        self.disabled: set[int] = set()

    def ioctl(self, descriptor: int, request: int, memory: bytearray) -> int:
        if self.is_gone:
            raise OSError(errno.ENODEV, "No such device")
        (control,) = struct.unpack_from("I", memory)
        if control not in self.ranges:
            raise OSError(errno.EINVAL, "Invalid argument")
        least, most, step = self.ranges[control]
        if request == 0xC0445624:  # VIDIOC_QUERYCTRL
            assert len(memory) == 68
            flags = 1 if control in self.disabled else 0
            struct.pack_into("II32siiiiI", memory, 0, control, 1, b"Focus", least, most, step, least, flags)
        elif request == 0xC008561B:  # VIDIOC_G_CTRL
            struct.pack_into("Ii", memory, 0, control, self.at[control])
        else:
            assert request == 0xC008561C  # VIDIOC_S_CTRL
            value = struct.unpack("Ii", memory)[1]
            if not least <= value <= most:
                raise OSError(errno.ERANGE, "Numerical result out of range")
            self.at[control] = value
        return 0


class Capture:
    """As `cv2.VideoCapture`: a picture that is sharp where the lens stands right."""

    def __init__(self, kernel: Kernel, *, sharp_at: int | None = None) -> None:
        self.kernel, self.sharp_at = kernel, sharp_at
        self.settings: list[tuple[int, float]] = []
        self.light = 120
        self.exposure, self.gain = 83.0, 20.0
        """What it measures by itself."""
        self.is_open, self.reads, self.frames = True, 0, 100_000

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.is_open

    def set(self, name: int, value: float) -> bool:
        self.settings.append((name, value))
        return True

    def last(self, name: int) -> float:
        return next(value for setting, value in reversed(self.settings) if setting == name)

    def get(self, name: int) -> float:
        return {cv2.CAP_PROP_EXPOSURE: self.exposure, cv2.CAP_PROP_GAIN: self.gain}.get(name, 10.0)

    def read(self) -> tuple[bool, Any]:
        self.reads += 1
        if self.reads > self.frames:
            return False, None
        image: Any = TILES if self.sharp_at is not None else np.full((720, 1280), self.light, np.uint8)
        if self.sharp_at is not None and (away := abs(self.kernel.at[FOCUS] - self.sharp_at)):
            image = cv2.GaussianBlur(image, (0, 0), 0.5 + away / 20)
        return True, cv2.merge([image] * 3)

    def release(self) -> None:
        self.is_open = False


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    driver = Kernel(focus=(0, 250, 5), autofocus=(0, 1, 1), mains=(0, 2, 1))
    monkeypatch.setattr(fcntl, "ioctl", driver.ioctl)
    return driver


@pytest.fixture
def device(tmp_path: Path) -> str:
    path = tmp_path / "video2"
    path.touch()
    return str(path)


def open_camera(device: str, capture: Capture, *, may_measure: bool = False, **settings: Any) -> UsbCamera:
    return UsbCamera(device, UsbSettings(**settings), may_measure=lambda: may_measure, open_camera=lambda _: capture)


def test_it_gives_the_square_in_the_middle_and_is_released(kernel: Kernel, device: str) -> None:
    capture = Capture(kernel)
    with open_camera(device, capture, fps=10) as camera:
        frame = next(iter(camera.frames()))
    assert frame.image.shape == (720, 720, 3)
    assert capture.last(cv2.CAP_PROP_FPS) == 10
    assert not capture.is_open


def test_exposure_gain_and_mains_are_those_of_the_configuration(kernel: Kernel, device: str) -> None:
    capture = Capture(kernel)
    with open_camera(device, capture, exposure_us=8300, gain=35.0, mains_hz=60) as camera:
        next(iter(camera.frames()))
    assert (capture.last(cv2.CAP_PROP_EXPOSURE), capture.last(cv2.CAP_PROP_GAIN)) == (83, 35)
    assert (cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC) not in capture.settings
    assert capture.last(cv2.CAP_PROP_AUTO_EXPOSURE) == MANUAL
    assert kernel.at[MAINS] == 2


def test_what_is_not_configured_is_measured_once_by_the_camera_and_locked(kernel: Kernel, device: str) -> None:
    capture = Capture(kernel)
    capture.exposure, capture.gain = 157.0, 64.0
    with open_camera(device, capture) as camera:
        next(iter(camera.frames()))
    assert capture.reads == SETTLE_FRAMES + 1
    assert capture.settings.index((cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)) < capture.settings.index(
        (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL)
    )
    assert [capture.last(name) for name in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)] == [157, 64]
    assert (capture.last(cv2.CAP_PROP_AUTO_WB), capture.last(cv2.CAP_PROP_AUTO_EXPOSURE)) == (0, MANUAL)
    assert (kernel.at[AUTOFOCUS], kernel.at[MAINS]) == (0, 1)


@pytest.mark.parametrize(("may_measure", "times"), [(True, 2), (False, 1)], ids=["between hands", "in a hand"])
def test_light_that_changed_for_good_is_measured_again_between_hands_alone(
    may_measure: bool, times: int, kernel: Kernel, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = Capture(kernel)
    camera = open_camera(device, capture, may_measure=may_measure)
    monkeypatch.setattr(camera._camera, "_now_ns", lambda: capture.reads * 1_000_000_000)
    frames = camera.frames()
    list(islice(frames, 3))
    capture.light = 60
    list(islice(frames, FOR_GOOD_NS // 1_000_000_000 + 5))
    assert capture.settings.count((cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)) == times
    camera.close()


@pytest.mark.parametrize("sharp_at", [0, 35, 130, 250])
def test_one_autofocus_finds_where_it_is_sharp_and_the_lens_is_locked_there(
    sharp_at: int, kernel: Kernel, device: str
) -> None:
    capture = Capture(kernel, sharp_at=sharp_at)
    answers: list[float | None] = []
    with open_camera(device, capture) as camera:
        assert isinstance(camera, FocusCamera)
        assert camera.has_autofocus
        frames = camera.frames()
        next(frames)
        camera.ask_for_focus(answers.append)
        before = capture.reads
        next(frames)
        assert capture.reads - before < 60, "no longer than a camera is waited for"
        (found,) = answers
        assert found is not None
        assert abs(found - sharp_at) <= 10
        next(frames)
        assert kernel.at[FOCUS] == found
    with open_camera(device, Capture(kernel), focus=int(found)):
        assert kernel.at[FOCUS] == found


@pytest.mark.parametrize("focus", [40, -1], ids=["configured", "left unchanged"])
def test_a_focus_that_is_nowhere_sharper_leaves_the_lens_where_it_was(focus: int, kernel: Kernel, device: str) -> None:
    answers: list[float | None] = []
    kernel.at[FOCUS] = 40
    with open_camera(device, Capture(kernel), focus=focus) as camera:
        frames = camera.frames()
        next(frames)
        camera.ask_for_focus(answers.append)
        next(frames)
    assert answers == [None]
    assert kernel.at[FOCUS] == 40


def test_a_lens_that_does_not_move_has_no_autofocus(kernel: Kernel, device: str) -> None:
    with open_camera(device, Capture(kernel)) as camera:
        kernel.disabled = {FOCUS}
        assert not camera.has_autofocus
        del kernel.ranges[FOCUS]
        assert not camera.has_autofocus


def test_a_camera_that_is_unplugged_while_it_looks_for_its_focus_answers_and_ends(kernel: Kernel, device: str) -> None:
    capture = Capture(kernel, sharp_at=100)
    answers: list[float | None] = []
    with open_camera(device, capture) as camera:
        frames = camera.frames()
        next(frames)
        kernel.is_gone, capture.frames = True, capture.reads
        camera.ask_for_focus(answers.append)
        assert list(frames) == []
    assert answers == [None]


def test_the_kernel_is_asked_as_its_own_header_says(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        V4l2Controls(device).set(FOCUS, 1)
    assert V4l2Controls(device).range_of(FOCUS) is None
    with pytest.raises(FileNotFoundError):
        V4l2Controls("/dev/none").get(FOCUS)
    driver = Kernel(focus=(0, 250, 5))
    monkeypatch.setattr(fcntl, "ioctl", driver.ioctl)
    controls = V4l2Controls(device)
    assert controls.range_of(FOCUS) == range(0, 251, 5)
    controls.set(FOCUS, 55)
    assert controls.get(FOCUS) == 55

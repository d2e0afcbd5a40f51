from __future__ import annotations

import atexit
import os
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.fakes.picamera2 import Picamera2, Request
from vision.cameras.attached.picamera import (
    MANUAL_FOCUS,
    SETTLE_FRAMES,
    PiCamera,
    PiSettings,
    square_of,
    without_flicker,
)
from vision.errors import CameraError
from vision.frames import Camera
from vision.geometry.calibration_file import LockedSettings, StoredCalibration, load, save


def open_camera(fake: Picamera2, **settings: Any) -> PiCamera:
    return PiCamera(PiSettings(**settings), open_camera=lambda number: fake, patience_s=0.05)


def test_a_pi_camera_is_a_camera() -> None:
    assert isinstance(open_camera(Picamera2()), Camera)


def test_the_whole_height_of_the_sensor_is_cropped_to_a_square_in_its_middle() -> None:
    fake = Picamera2()
    open_camera(fake, side_px=1600, fps=10.0)
    assert fake.config["controls"]["ScalerCrop"] == (1008, 0, 2592, 2592)
    assert fake.config["controls"]["FrameDurationLimits"] == (100_000, 100_000)
    assert fake.config["main"] == {"size": (1600, 1600), "format": "RGB888"}
    assert fake.config["sensor"] == {"output_size": (4608, 2592)}


@pytest.mark.parametrize(("configured_px", "side_px"), [(1600, 1600), (1650, 1600), (4608, 2560), (640, 640)])
def test_sides_are_what_both_generations_give_without_padding(configured_px: int, side_px: int) -> None:
    fake = Picamera2()
    open_camera(fake, side_px=configured_px)
    assert fake.config["main"]["size"] == (side_px, side_px)


def test_one_autofocus_is_locked_where_it_found_the_table_sharp() -> None:
    fake, answers = Picamera2(), list[float | None]()
    camera = open_camera(fake, focus=0.8)
    frames = camera.frames()
    next(frames)
    camera.ask_for_focus(answers.append)
    next(frames)
    next(frames)
    assert answers == [1.25]
    assert {name: fake.set[-1][name] for name in ("AfMode", "LensPosition")} == {
        "AfMode": MANUAL_FOCUS,
        "LensPosition": 1.25,
    }
    assert camera.locked is not None
    assert camera.locked.focus == 1.25
    before = len(fake.set)
    next(frames)
    assert len(fake.set) == before, "it never focuses by itself"


def test_an_autofocus_that_finds_nothing_leaves_the_focus_as_it_was() -> None:
    fake, answers = Picamera2(), list[float | None]()
    fake.sharp_at = None
    camera = open_camera(fake, focus=0.8)
    frames = camera.frames()
    next(frames)
    camera.ask_for_focus(answers.append)
    next(frames)
    next(frames)
    assert answers == [None]
    assert (fake.set[-1]["AfMode"], fake.set[-1]["LensPosition"]) == (MANUAL_FOCUS, 0.8)


def test_a_camera_that_ends_tells_that_no_focus_was_found() -> None:
    fake, answers = Picamera2(ends_after=SETTLE_FRAMES + 2), list[float | None]()
    camera = open_camera(fake)
    frames = camera.frames()
    next(frames)
    camera.ask_for_focus(answers.append)
    assert list(frames) == []
    assert answers == [None]


def test_a_lens_that_does_not_move_has_no_autofocus() -> None:
    assert open_camera(Picamera2()).has_autofocus
    assert not open_camera(Picamera2(has_lens=False)).has_autofocus


def test_the_focus_stands_by_distance_where_the_lens_moves() -> None:
    fake, fixed = Picamera2(), Picamera2(has_lens=False)
    open_camera(fake, focus=0.8)
    assert (fake.config["controls"]["AfMode"], fake.config["controls"]["LensPosition"]) == (MANUAL_FOCUS, 0.8)
    open_camera(fixed)
    assert "LensPosition" not in fixed.config["controls"]


def test_frames_come_in_order_with_the_sensors_own_times() -> None:
    frames = list(islice(open_camera(Picamera2()).frames(), 3))
    assert [frame.k for frame in frames] == [0, 1, 2]
    assert [frame.t_ns for frame in frames] == [5_000_000_000 + (SETTLE_FRAMES + n) * 100_000_000 for n in range(3)]
    assert frames[0].image.shape == (1600, 1600, 3)


def test_exposure_and_white_balance_are_measured_once_and_kept() -> None:
    fake = Picamera2()
    camera = open_camera(fake)
    list(islice(camera.frames(), 50))
    assert camera.locked == LockedSettings(focus=1.0, exposure_us=10_000, gain=2.6, colour_gains=(2.1, 1.7))
    (locked,) = fake.set
    assert locked == {
        "AeEnable": False,
        "ExposureTime": 10_000,
        "AnalogueGain": 2.6,
        "AwbEnable": False,
        "ColourGains": (2.1, 1.7),
    }


BEFORE = LockedSettings(focus=1.0, exposure_us=20_000, gain=1.25, colour_gains=(2.0, 1.8))


def test_a_camera_opened_again_in_the_same_light_goes_on_as_it_was_set(tmp_path: Path) -> None:
    stored = StoredCalibration(
        corners_px=((0.0, 0.0),) * 4, size=(9, 9), side_mm=720.0, when="", by="hand", camera=BEFORE
    )
    save(stored, tmp_path / "calibration.json")
    assert load(tmp_path / "calibration.json") == stored
    fake = Picamera2()
    camera = PiCamera(PiSettings(), before=stored.camera, open_camera=lambda number: fake, patience_s=0.05)
    next(camera.frames())
    assert camera.locked == BEFORE
    assert (fake.set[0]["ExposureTime"], fake.set[0]["ColourGains"]) == (20_000, (2.0, 1.8))


@pytest.mark.parametrize(
    ("before", "settings"),
    [
        (replace(BEFORE, gain=2.0), {}),
        (replace(BEFORE, gain=1.0), {}),
        (BEFORE, {"exposure_us": 10_000}),
        (BEFORE, {"gain": 2.6}),
        (BEFORE, {"focus": 0.8}),
    ],
    ids=["darker now", "brighter now", "another exposure asked for", "another gain asked for", "another focus"],
)
def test_in_other_light_or_told_otherwise_it_is_measured_anew(before: LockedSettings, settings: dict[str, Any]) -> None:
    fake = Picamera2()
    camera = PiCamera(PiSettings(**settings), before=before, open_camera=lambda number: fake, patience_s=0.05)
    next(camera.frames())
    assert camera.locked is not None
    assert camera.locked.colour_gains == (2.1, 1.7)


def test_another_focus_than_the_table_was_found_with_is_told(caplog: pytest.LogCaptureFixture) -> None:
    camera = PiCamera(PiSettings(focus=0.8), before=BEFORE, open_camera=lambda number: Picamera2(), patience_s=0.05)
    next(camera.frames())
    assert "expected the focus 1 of the calibration, got 0.8: find the table again" in caplog.text


def test_exposure_and_gain_of_the_configuration_are_taken_as_they_are() -> None:
    fake = Picamera2()
    camera = open_camera(fake, exposure_us=7000, gain=3.0)
    next(camera.frames())
    assert camera.locked is not None
    assert (camera.locked.exposure_us, camera.locked.gain) == (7000, 3.0)


@pytest.mark.parametrize(
    ("measured", "mains", "exposure"), [(13_000, 50, 10_000), (16_000, 50, 20_000), (300, 50, 10_000), (9000, 60, 8333)]
)
def test_exposures_are_whole_multiples_of_the_lamps_flicker(measured: int, mains: int, exposure: int) -> None:
    assert without_flicker(measured, mains) == exposure


def test_by_day_frames_are_exposed_for_shorter_than_the_lamps_flicker() -> None:
    fake = Picamera2()
    fake.measured = {"ExposureTime": 1500, "AnalogueGain": 1.0}
    camera = open_camera(fake)
    next(camera.frames())
    assert camera.locked is not None
    assert (camera.locked.exposure_us, camera.locked.gain) == (1500, 1.0)


def test_light_that_has_changed_for_good_is_measured_again_between_hands() -> None:
    fake, may = Picamera2(), [False]
    camera = PiCamera(PiSettings(), open_camera=lambda number: fake, may_measure=lambda: may[0], patience_s=0.05)
    fake.frame_ns = 20_000_000_000
    frames = camera.frames()
    fake.brightness = 100
    next(frames)
    fake.brightness = 60
    fake.measured = {"ExposureTime": 20_000, "AnalogueGain": 3.0}
    for _ in range(5):
        next(frames)
    assert camera.locked is not None
    assert camera.locked.exposure_us == 10_000, "a hand is being played"
    may[0] = True
    for _ in range(2):
        next(frames)
    assert (camera.locked.exposure_us, camera.locked.gain) == (20_000, 3.0)
    assert [each["AeEnable"] for each in fake.set] == [False, True, False]


def test_a_shadow_is_no_other_light() -> None:
    fake = Picamera2()
    camera = PiCamera(PiSettings(), open_camera=lambda number: fake, may_measure=lambda: True, patience_s=0.05)
    fake.frame_ns = 20_000_000_000
    frames = camera.frames()
    for brightness in (100, 60, 60, 100, 60, 60, 100):
        fake.brightness = brightness
        next(frames)
    assert [each["AeEnable"] for each in fake.set] == [False]


def test_every_frame_goes_back_also_when_it_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Picamera2()
    camera = open_camera(fake)
    list(islice(camera.frames(), 100))
    assert fake.free == Picamera2.BUFFERS

    def broken(self: Request, name: str) -> np.ndarray[Any, Any]:
        raise RuntimeError("no such buffer")

    monkeypatch.setattr(Request, "make_array", broken)
    with pytest.raises(RuntimeError):
        next(camera.frames())
    assert fake.free == Picamera2.BUFFERS


def test_a_camera_that_falls_silent_ends_its_frames() -> None:
    camera = open_camera(Picamera2(ends_after=SETTLE_FRAMES + 4))
    assert len(list(camera.frames())) == 4


def test_closing_twice_stops_once() -> None:
    fake = Picamera2()
    with open_camera(fake) as camera:
        camera.close()
    assert fake.calls == ["start", "close"]
    assert list(camera.frames()) == []


def test_a_camera_whose_capture_nobody_answers_is_let_go_without_waiting_behind_it() -> None:
    fake = Picamera2(ends_after=SETTLE_FRAMES + 4)
    with open_camera(fake) as camera:
        assert len(list(camera.frames())) == 4
    assert fake.calls == ["start", "close"]


def test_an_older_picamera2_that_cannot_flush_is_closed_all_the_same() -> None:
    class Older(Picamera2):
        cancel_all_and_flush = None  # type: ignore[assignment]

    fake = Older()
    open_camera(fake).close()
    assert fake.calls == ["start", "close"]


def test_a_machine_without_picamera2_or_camera_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="expected a Pi camera with number 0, got: import of picamera2 halted"):
        PiCamera(PiSettings())


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (IndexError("list index out of range"), "list index out of range"),
        (OSError(12, "Cannot allocate memory"), "Cannot allocate memory"),
    ],
)
def test_a_camera_that_cannot_be_opened_says_why(error: Exception, text: str) -> None:
    def none(number: int) -> Picamera2:
        raise RuntimeError("Failed.") from error

    with pytest.raises(CameraError, match=f"number 1, got: Failed. {text}$"):
        PiCamera(PiSettings(number=1), open_camera=none)


class Unfound:
    """In the list of cameras, and cannot be had: opens its pipe before it looks, and nobody closes the writing end."""

    def __init__(self, number: int) -> None:
        self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.notifymeread = os.fdopen(self.notifyme_r, "rb")
        self.is_open = False
        self.look_for(number)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": 0}]

    def look_for(self, number: int) -> None:
        raise RuntimeError(f"No camera number {number} found")


class Half(Unfound):
    """Opens the camera, and fails while it asks for its modes."""

    released = 0

    def look_for(self, number: int) -> None:
        self.is_open = True
        self.camera = SimpleNamespace(release=self.release)
        super().look_for(number)

    def release(self) -> None:
        Half.released += 1


@pytest.mark.parametrize("kind", [Unfound, Half])
def test_a_camera_that_is_never_found_costs_no_descriptor(kind: type[Unfound], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=kind))
    Half.released = 0
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(CameraError, match="No camera number 0 found"):
            PiCamera(PiSettings())
    assert not set(os.listdir("/proc/self/fd")) - before
    assert Half.released == (5 if kind is Half else 0)


@pytest.mark.parametrize(
    ("models", "number", "words", "says"),
    [
        ([], 0, ("ribbon cable", "contacts", "rpicam-hello --list-cameras"), "cable"),
        (["imx708"], 1, ("got only imx708", "begin with 0"), "number"),
    ],
)
def test_a_camera_that_is_not_there_is_told_in_words_and_never_opened(
    models: list[str], number: int, words: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Never(Picamera2):
        @staticmethod
        def global_camera_info() -> list[dict[str, Any]]:
            return [{"Model": model} for model in models]

        def __init__(self, number: int) -> None:
            raise AssertionError("opened")

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Never))
    with pytest.raises(CameraError) as refused:
        PiCamera(PiSettings(number=number))
    assert all(word in str(refused.value) for word in words)
    assert refused.value.says == says


def test_nobody_waits_for_a_camera_when_python_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    class Registering(Picamera2):
        def __init__(self, number: int) -> None:
            super().__init__(number)
            atexit.register(self.close)

    at_exit: list[object] = []
    monkeypatch.setattr(atexit, "register", at_exit.append)
    monkeypatch.setattr(atexit, "unregister", at_exit.remove)
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Registering))
    with PiCamera(PiSettings()):
        assert at_exit == []


def test_a_camera_that_does_not_start_is_let_go() -> None:
    fake = Picamera2()
    fake.camera_controls.pop("ScalerCrop")
    with pytest.raises(CameraError, match="to start, got: Control ScalerCrop is not advertised"):
        open_camera(fake)
    assert fake.calls == ["close"]


def test_a_square_is_cut_from_the_middle_whatever_the_shape() -> None:
    assert square_of(4056, 3040) == (508, 0, 3040, 3040)
    assert square_of(1000, 2000) == (0, 500, 1000, 1000)


def test_a_camera_that_gives_its_last_frame_again_and_again_ends_its_frames() -> None:
    fake = Picamera2()
    with open_camera(fake) as camera:
        frames = camera.frames()
        next(frames)
        fake.frame_ns = 0
        assert len(list(islice(frames, 50))) == 1, "the last one, and none of its repetitions"

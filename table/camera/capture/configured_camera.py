"""The camera that the configuration names: opened, given up while it hangs, focused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final

from table.camera.simulation.simulated_camera import DrawnTable
from table.config import CameraConfig
from table.runtime.table_errors import PressError
from vision.cameras.attached.focus import FocusCamera
from vision.cameras.attached.locked_camera import LockedCamera
from vision.cameras.attached.picamera import PiCamera, PiSettings
from vision.cameras.attached.usb_camera import UsbCamera, UsbSettings
from vision.cameras.guards.frozen_picture import DEVICE_S, STREAM_S, FrozenPicture
from vision.cameras.guards.hang_guard import PatientCamera
from vision.cameras.network.stream_camera import StreamCamera
from vision.cameras.recording_camera import RecordingCamera
from vision.cameras.video_camera import VideoCamera
from vision.errors import CameraError
from vision.frames import Camera
from vision.geometry.calibration_file import LockedSettings, StoredCalibration
from vision.recording.recording import Recording

FOCUS_S: Final = 15.0
"""Time limit of an autofocus run."""
MOST_HANGING: Final = 3
"""Limit of abandoned cameras that still hang: each holds a thread, and perhaps the device."""


class ConfiguredCamera:
    """The camera of one table, which is opened anew whenever it was lost."""

    def __init__(self, config: CameraConfig, *, is_between_hands: Callable[[], bool]) -> None:
        """Takes the configuration without opening the camera.

        `is_between_hands` returns whether it may adapt to changed light now.
        """
        self._config, self._is_between_hands = config, is_between_hands
        self._frozen_picture = _frozen_picture(config)
        self._camera: Camera | None = None
        self._devices: list[PatientCamera] = []
        """The camera opened last, and the abandoned ones that still hang."""

    def open(self, place: StoredCalibration | None) -> Camera:
        """Returns the camera, with the settings with which the table was found.

        Raises:
            CameraError: too many abandoned attempts still hang.
            RecordingError: the recording cannot be read.
        """
        self._devices = [device for device in self._devices if device.hangs]
        if len(self._devices) >= MOST_HANGING:
            raise CameraError(
                f"expected the camera to be released, but {MOST_HANGING} attempts hang: restart the table", says="hangs"
            )
        self._camera = open_camera(
            self._config, place, is_between_hands=self._is_between_hands, frozen=self._frozen_picture
        )
        if isinstance(self._camera, PatientCamera):
            self._devices.append(self._camera)
        return self._camera

    @property
    def hangs(self) -> bool:
        """Whether the camera opened last, or an abandoned one, still hangs."""
        return any(device.hangs for device in self._devices)

    @property
    def locked(self) -> LockedSettings | None:
        """The settings of the open camera, if it reports them."""
        return locked_of(self._camera)

    def asked_size(self) -> tuple[int, int] | None:
        """Returns the size of the pictures that the open camera was asked for, if it reports it."""
        camera = _locked_camera(self._camera)
        return None if camera is None else camera.asked_size

    @property
    def has_autofocus(self) -> bool:
        """Whether the open camera can focus by itself."""
        camera = _focus_camera(self._camera)
        return camera is not None and camera.has_autofocus

    def focus_once(self) -> tuple[str, float]:
        """Focuses the camera once, and keeps this focus when it is reopened.

        Returns the configuration's key of that kind of camera's focus, and its value.

        Raises:
            PressError: it has no autofocus, finds nothing sharp, or does not answer in time.
        """
        camera = _focus_camera(self._camera)
        if camera is None or not camera.has_autofocus:
            raise PressError("expected a camera with autofocus, got none", says="no_autofocus")
        answers: SimpleQueue[float | None] = SimpleQueue()
        camera.ask_for_focus(answers.put)
        try:
            found = answers.get(timeout=FOCUS_S)
        except Empty:
            raise PressError("expected pictures from the camera, got none", says="no_camera") from None
        if found is None:
            raise PressError("expected something in the picture to focus on, got nothing", says="not_focused")
        if self._config.source == "usb":
            self._config = replace(self._config, usb_focus=round(found))
            return "usb_focus", round(found)
        self._config = replace(self._config, focus=found)
        return "focus", round(found, 2)


def locked_of(camera: Camera | None) -> LockedSettings | None:
    """Returns a camera's settings, if it reports them."""
    locked = _locked_camera(camera)
    return None if locked is None else locked.locked


def _device_of(camera: Camera | None) -> Camera | None:
    return camera.device if isinstance(camera, PatientCamera) else camera


def _focus_camera(camera: Camera | None) -> FocusCamera | None:
    device: object = _device_of(camera)
    return device if isinstance(device, FocusCamera) else None


def _locked_camera(camera: Camera | None) -> LockedCamera | None:
    device: object = _device_of(camera)
    return device if isinstance(device, LockedCamera) else None


def open_camera(
    config: CameraConfig,
    place: StoredCalibration | None = None,
    *,
    is_between_hands: Callable[[], bool] = lambda: False,
    frozen: FrozenPicture | None = None,
    in_real_time: bool = True,
    is_guarded: bool = True,
) -> Camera:
    """Returns the configured camera; entering it opens it.

    Args:
        config: what is known of the camera.
        place: the calibration whose settings it takes over; None to measure them.
        is_between_hands: returns whether it may adapt to changed light now.
        frozen: remembers the repeated picture of a USB camera or stream that is reopened.
        in_real_time: whether videos and recordings deliver their frames as slowly as they were filmed.
        is_guarded: whether a USB camera or stream that hangs is given up; if not, it is opened at once.

    Raises:
        CameraError: none is configured, or it delivers no pictures.
        RecordingError: the recording cannot be read.
    """
    match config.source:
        case "picamera":
            before = None if place is None else place.camera
            return PatientCamera(partial(PiCamera, _pi_settings(config), before=before, may_measure=is_between_hands))
        case "usb":
            device = config.address or config.device
            usb = partial(UsbCamera, device, _usb_settings(config), may_measure=is_between_hands)
            return PatientCamera(usb, frozen=frozen or _frozen_picture(config)) if is_guarded else usb()
        case "stream":
            stream = partial(StreamCamera, config.address)
            return PatientCamera(stream, frozen=frozen or _frozen_picture(config)) if is_guarded else stream()
        case "video":
            return VideoCamera(config.file, real_time=in_real_time)
        case "recording":
            return RecordingCamera(Recording.open(config.file), real_time=in_real_time)
        case "drawn":
            return DrawnTable().camera()
        case _:
            raise CameraError("expected a camera in the configuration, got none")


def _frozen_picture(config: CameraConfig) -> FrozenPicture:
    return FrozenPicture(STREAM_S if config.source == "stream" else DEVICE_S)


def _usb_settings(config: CameraConfig) -> UsbSettings:
    return UsbSettings(
        fps=config.fps,
        exposure_us=config.exposure_us,
        gain=config.gain,
        mains_hz=config.mains_hz,
        focus=config.usb_focus,
    )


def _pi_settings(config: CameraConfig) -> PiSettings:
    return PiSettings(
        number=config.device,
        side_px=config.side_px,
        fps=config.fps,
        focus=config.focus,
        exposure_us=config.exposure_us,
        gain=config.gain,
        mains_hz=config.mains_hz,
    )

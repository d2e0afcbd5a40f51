"""From the configuration to eyes: which camera, where the table lies in its picture, and what looks at it."""

from __future__ import annotations

import logging
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from table import app
from table.clock import Clock
from table.config import CameraConfig, Config
from table.eyes import Eyes, Inbox
from table.feed import Watching
from table.scenes import evening
from table.scenes.show import settings_of, show
from vision.calibration import calibrate, find_corners
from vision.calibration_file import Kept, load, save
from vision.cameras.picamera import PiCamera, PiSettings
from vision.cameras.recorded import RecordedCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.video import VideoCamera
from vision.errors import CalibrationError, CameraError
from vision.frames import Camera
from vision.recording import Recording

CALIBRATION: Final = "calibration.json"
FRAMES_FOR_CORNERS: Final = 10
_log = logging.getLogger(__name__)


def eyes_of(config: Config, inbox: Inbox, clock: Clock) -> Eyes:
    """Returns eyes for the configured camera; nothing is opened yet."""
    tilesets = [Path(config.tiles.tileset)] if config.tiles.tileset else []

    def watcher(camera: Camera) -> Watching:
        if config.camera.source == "drawn":
            return _drawn_watcher()
        kept = kept_calibration(config) or calibrated(camera, config, clock)
        return app.watcher(kept.calibration, config.tiles.size, tilesets=tilesets)

    return Eyes(partial(camera_of, config.camera), watcher, inbox, lost_after_s=config.camera.lost_after_s)


def _drawn() -> Camera:
    """The demo's evening before the drawn camera, in real time."""
    begun = monotonic()
    return show(evening()).camera(pace=lambda t_ns: sleep(max(0.0, begun + t_ns / 1e9 - monotonic())))


def _drawn_watcher() -> Watching:
    shown = show(evening())
    settings = settings_of(shown)
    size = (shown.look.width_px, shown.look.height_px)
    calibration = calibrate(settings.table.corners_px or (), size=size, side_mm=settings.table.side_mm)
    return app.watcher(calibration, settings.tiles)


def camera_of(config: CameraConfig) -> Camera:
    """Opens the configured camera.

    Raises:
        CameraError: there is none, or it gives no pictures.
        RecordingError: the recording cannot be read.
    """
    match config.source:
        case "picamera":
            return PiCamera(
                PiSettings(
                    number=config.device,
                    side_px=config.side_px,
                    fps=config.fps,
                    focus=config.focus,
                    exposure_us=config.exposure_us,
                    gain=config.gain,
                    mains_hz=config.mains_hz,
                )
            )
        case "usb":
            return UsbCamera(config.device, fps=config.fps)
        case "video":
            return VideoCamera(config.file)
        case "recording":
            return RecordedCamera(Recording.open(config.file), real_time=True)
        case "drawn":
            return _drawn()
        case _:
            raise CameraError("expected a camera in the configuration, got none")


def calibrated(camera: Camera, config: Config, clock: Clock) -> Kept:
    """Finds the table in a camera's first pictures, by markers or felt, and keeps it.

    Raises:
        CalibrationError: it is not found, or cannot be kept.
    """
    images = [frame.image for frame in islice(camera.frames(), FRAMES_FOR_CORNERS)]
    if not images:
        raise CalibrationError("expected pictures of the table, got none")
    corners = find_corners(images)
    height, width = images[0].shape[:2]
    kept = Kept(
        corners_px=tuple((float(x), float(y)) for x, y in corners),
        size=(width, height),
        side_mm=config.table.side_mm,
        when=clock.wall(),
        by="picture",
    )
    calibrate(kept.corners_px, size=kept.size, side_mm=kept.side_mm)
    save(kept, config.folder / CALIBRATION)
    return kept


def kept_calibration(config: Config) -> Kept | None:
    """Returns where the table was found before; None where it was not, or what is kept cannot be used."""
    try:
        return load(config.folder / CALIBRATION)
    except CalibrationError as error:
        _log.warning("%s", error)
        return None

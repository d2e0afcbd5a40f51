"""From the configuration to a table that is watched: which camera, where the table lies, and who looks at it."""

from __future__ import annotations

import logging
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from table import app
from table.aside import Aside
from table.clock import Clock
from table.config import CameraConfig, Config
from table.eyes import Eyes, Inbox
from table.scenes.drawn import DrawnTable
from table.shown import Keep, Shown
from table.sighted import Sighted
from vision import tileset
from vision.calibration import Calibration, calibrate, find_corners
from vision.calibration_file import Kept, load, save
from vision.cameras.picamera import PiCamera, PiSettings
from vision.cameras.recorded import RecordedCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.video import VideoCamera
from vision.errors import CalibrationError, CameraError, TileSetError
from vision.frames import Camera
from vision.recording import Recording

CALIBRATION: Final = "calibration.json"
DRAWN_CALIBRATION: Final = "calibration-drawn.json"
FRAMES_FOR_CORNERS: Final = 10
_log = logging.getLogger(__name__)


class Watch:
    """A table that is watched: the camera's thread, where the table lies, and who hears what is seen."""

    def __init__(self, config: Config, inbox: Inbox, clock: Clock, *, keep: Keep | None = None) -> None:
        """Takes the configured camera; nothing is opened yet. `keep` gets every frame after it was looked at."""
        camera = config.camera
        self.drawn = DrawnTable() if camera.source == "drawn" else None
        self.aside = Aside(inbox)
        self._tile, self._red, self._frames_to = config.tiles.size, config.tiles.red, keep
        self._tilesets = [Path(config.tiles.tileset)] if config.tiles.tileset else []
        self.sighted = Sighted(
            self._eye,
            partial(save, path=config.folder / (DRAWN_CALIBRATION if self.drawn is not None else CALIBRATION)),
            kept=kept_calibration(config) if self.drawn is None else self.drawn.kept,
            side_mm=config.table.side_mm,
            wall=clock.wall,
        )
        opened = partial(camera_of, camera) if self.drawn is None else self.drawn.camera
        self.eyes = Eyes(opened, self.sighted, self.aside, lost_after_s=camera.lost_after_s)

    def learn(self, tileset: Path) -> None:
        """Reads by this set from now on."""
        self._tilesets = [tileset]
        self.sighted.again()

    def _eye(self, calibration: Calibration) -> Shown:
        watcher = app.watcher(calibration, self._tile, reds=self._red, tilesets=self._readable())
        return Shown(watcher, self._tile, keep=self._frames_to)

    def _readable(self) -> list[Path]:
        """The sets that can be read; the table is watched without one that cannot."""
        found = []
        for path in self._tilesets:
            try:
                tileset.load(path)
                found.append(path)
            except TileSetError as error:
                _log.error("the tile set is left out: %s", error)
        return found


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
            return DrawnTable().camera()
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

"""From the configuration to a table that is watched: which camera, where the table lies, and who looks at it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from table.camera.camera_thread import CameraThread, Inbox
from table.camera.preview import Preview
from table.camera.report_switch import ReportSwitch
from table.camera.simulation.simulated_camera import DrawnTable
from table.camera.table_finder import TableFinder
from table.config import CameraConfig, Config
from table.game.input_feed import Observer
from table.game.input_feed import Watcher as SeeingWatcher
from table.runtime.clock import Clock
from vision.arrays import Image
from vision.cameras.hang_guard import PatientCamera
from vision.cameras.picamera import PiCamera, PiSettings
from vision.cameras.recording_camera import RecordedCamera
from vision.cameras.stream_camera import StreamCamera
from vision.cameras.usb_camera import UsbCamera
from vision.cameras.video_camera import VideoCamera
from vision.errors import CalibrationError, CameraError, TileSetError
from vision.felt import FeltReport
from vision.frames import Camera, Frame
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.geometry.calibration_file import Locked, StoredCalibration, load, save
from vision.geometry.plane_geometry import TileSize
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.recording.recording import Recording
from vision.tilesets.corrections import path_of
from vision.tilesets.set_selector import SetSelector, reader_of, sets_of
from vision.tilesets.tileset import TileSet
from vision.watching.watcher import Watcher

CALIBRATION: Final = "calibration.json"
DRAWN_CALIBRATION: Final = "calibration-drawn.json"
UNSCANNED: Final = "unscanned.tileset"
"""Beside this lies what taps teach where no set was scanned."""
FRAMES_FOR_CORNERS: Final = 10
COARSE_PX: Final = 160
"""Width of a picture in which no face can be told."""
HANGING: Final = 3
"""No camera is opened while so many that were given up still hang: each holds a thread, and perhaps the device."""
_log = logging.getLogger(__name__)


class LiveCamera:
    """A table that is watched: the camera's thread, where the table lies, and who hears what is seen."""

    def __init__(
        self,
        config: Config,
        inbox: Inbox,
        clock: Clock,
        *,
        observers: Sequence[Observer] = (),
        is_between_hands: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes the configured camera; nothing is opened yet.

        Args:
            config: of the whole table.
            inbox: hears what is seen.
            clock: tells the time of day.
            observers: get every frame after it was looked at.
            is_between_hands: whether the camera may measure the light anew, where that has changed.
        """
        self._is_between_hands = is_between_hands
        camera = config.camera
        self.drawn = DrawnTable() if camera.source == "drawn" else None
        self.report_switch = ReportSwitch(inbox)
        self._tile, self._red = config.tiles.size, config.tiles.red
        self._preview = Preview(self._tile)
        self._configured, self._lens = camera, camera.lens
        self._looked_at: tuple[Frame, bool] | None = None
        """The last frame that was looked at, and whether the table lay in its place there."""
        self._camera: Camera | None = None
        self._devices: list[PatientCamera] = []
        """The camera that was opened last, and those given up before it that still hang."""
        self._calibration = config.folder / (DRAWN_CALIBRATION if self.drawn is not None else CALIBRATION)
        self._tilesets = config.tiles.tilesets
        self._unscanned = config.folder / UNSCANNED
        self._watcher: Watcher | None = None
        self._reader: SetSelector | None = None
        self._read_files: tuple[int, ...] = ()
        """Which of the files each set that is read by comes from."""
        self.table_finder = TableFinder(
            self._eye,
            self._save,
            stored=stored_calibration(config) if self.drawn is None else self.drawn.calibration,
            side_mm=config.table.side_mm,
            utc=clock.utc,
        )
        self.camera_thread = CameraThread(
            self.opened,
            self.table_finder.watcher_for,
            inbox,
            observers=(self._note, self._preview.observe, *observers, self.report_switch.observe),
            lost_after_s=camera.lost_after_s,
        )

    def picture(self) -> bytes | None:
        """The latest view as a JPEG, standing hands painted out; None while the table is not found.

        Who looks through the camera is somebody at the table.
        """
        self.camera_thread.pace.wake()
        return self._preview.picture() if self.table_finder.is_found else None

    def set_up_picture(self) -> Image | None:
        """The latest picture to point the table out in, which hides no hands; None before the first.

        It is as the camera gave it until the table is found and while it lies there. Where the camera or the table was
        moved, it is grey, and too coarse to tell anything by but where the table lies.
        """
        self.camera_thread.pace.wake()
        seen = self._looked_at
        if seen is None or not self.table_finder.is_found:
            frame = self.table_finder.frame
            return None if frame is None else frame.image
        frame, is_in_place = seen
        return frame.image if is_in_place else _coarse(frame.image)

    def _note(self, frame: Frame, _: FeltReport | None, watcher: SeeingWatcher) -> None:
        self._looked_at = frame, watcher.is_in_place

    def tile_picture(self, number: int) -> bytes | None:
        """One lying tile, by the felt's id, as a JPEG."""
        return self._preview.tile_picture(number)

    def learn(self, tileset: Path) -> None:
        """Reads by this set from now on, in place of the first one."""
        self._tilesets = (tileset, *self._tilesets[1:])
        self.table_finder.replace_watcher()

    @property
    def tileset_files(self) -> tuple[Path, ...]:
        """Where each set on this table lies, or would lie if it were scanned."""
        return self._tilesets or (self._unscanned,)

    @property
    def current_tileset(self) -> int | None:
        """Which of these lies on the table, counted from 0; None while that is open."""
        if len(self.tileset_files) == 1:
            return 0
        lying = None if self._reader is None else self._reader.lying
        return None if lying is None or lying >= len(self._read_files) else self._read_files[lying]

    def example(self, number: int) -> Image | None:
        """The picture that the belief in a tile rested on, by the felt's id; None where there is none any more."""
        return None if self._watcher is None else self._watcher.examples.of(number)

    def reload_tilesets(self) -> None:
        """Reads by what the sets' files say now, as soon as that is learnt."""
        if self._reader is not None:
            self._reader.learn(self._sets())

    def opened(self) -> Camera:
        """The camera, set as it was when the table was found.

        Raises:
            CameraError: too many tries still hang.
            RecordingError: the recording cannot be read.
        """
        if self.drawn is not None:
            return self.drawn.camera()
        self._devices = [device for device in self._devices if device.hangs]
        if len(self._devices) >= HANGING:
            raise CameraError(
                f"expected a camera that can be let go, got {HANGING} that hang: restart the table", tells="hangs"
            )
        self._camera = open_camera(self._configured, self.table_finder.stored, is_between_hands=self._is_between_hands)
        if isinstance(self._camera, PatientCamera):
            self._devices.append(self._camera)
        return self._camera

    def _save(self, stored: StoredCalibration) -> None:
        save(replace(stored, camera=locked_of(self._camera)), self._calibration)

    def _eye(self, calibration: Calibration) -> Watcher:
        self._reader = SetSelector(TileReader(), self._sets())
        seen = calibration.through(self._lens(calibration.size))
        self._watcher = make_watcher(seen, self._tile, reds=self._red, reader=self._reader)
        return self._watcher

    def _sets(self) -> list[TileSet]:
        """The sets that can be read, with what taps taught of them; the table is watched without one that cannot."""
        found: list[TileSet] = []
        files: list[int] = []
        for number, path in enumerate(self.tileset_files):
            if path == self._unscanned and not path_of(path).exists():
                continue
            try:
                sets = sets_of([path])
            except TileSetError as error:
                _log.error("the tile set is left out: %s", error)
                continue
            found += sets
            files += [number] * len(sets)
        self._read_files = tuple(files)
        return found


def make_watcher(
    calibration: Calibration,
    tile: TileSize,
    *,
    reds: Mapping[str, int] | None = None,
    tilesets: Sequence[Path] = (),
    reader: SetSelector | None = None,
) -> Watcher:
    """Returns eyes with the shipped models, which have learnt the sets in the files `tilesets`.

    `reds` says how many red fives of each suit a set has, where that is known; `reader` is what reads instead of the
    shipped model.

    Raises:
        TileSetError: a file is none.
        ModelError: a model is not the one that its manifest describes.
    """
    reader = reader or reader_of(tilesets)
    return Watcher(locator=Locator.from_above(), reader=reader, calibration=calibration, tile=tile, reds=reds)


def _coarse(image: Image) -> Image:
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (COARSE_PX, COARSE_PX * height // width), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(large, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def sharpness_of(image: Image) -> int:
    """How sharp a picture is in its middle: the more, the sharper; comparable only while the same lies there."""
    height, width = image.shape[:2]
    middle = image[height // 4 : -height // 4, width // 4 : -width // 4]
    return round(float(cv2.Laplacian(cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var()))


def locked_of(camera: Camera | None) -> Locked | None:
    """How a camera was set, where it tells."""
    if isinstance(camera, PatientCamera):
        return locked_of(camera.camera)
    return camera.locked if isinstance(camera, PiCamera) else None


def open_camera(
    config: CameraConfig,
    stored: StoredCalibration | None = None,
    *,
    is_between_hands: Callable[[], bool] = lambda: False,
) -> Camera:
    """The configured camera, set as it was when the table was found. One with a driver is opened when it is entered.

    Raises:
        CameraError: none is configured, or it gives no pictures.
        RecordingError: the recording cannot be read.
    """
    match config.source:
        case "picamera":
            before = None if stored is None else stored.camera
            return PatientCamera(partial(PiCamera, _pi_settings(config), before=before, may_measure=is_between_hands))
        case "usb":
            light = partial(UsbCamera, exposure_us=config.exposure_us, gain=config.gain, mains_hz=config.mains_hz)
            return PatientCamera(partial(light, config.address or config.device, fps=config.fps))
        case "stream":
            return PatientCamera(partial(StreamCamera, config.address))
        case "video":
            return VideoCamera(config.file, real_time=True)
        case "recording":
            return RecordedCamera(Recording.open(config.file), real_time=True)
        case "drawn":
            return DrawnTable().camera()
        case _:
            raise CameraError("expected a camera in the configuration, got none")


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


def calibrate_camera(camera: Camera, config: Config, clock: Clock) -> StoredCalibration:
    """Finds the table in a camera's first pictures, by markers or felt, and keeps it for a person to agree to.

    Raises:
        CalibrationError: it is not found, or cannot be kept.
    """
    images = [frame.image for frame in islice(camera.frames(), FRAMES_FOR_CORNERS)]
    if not images:
        raise CalibrationError("expected pictures of the table, got none")
    corners = find_corners(images)
    height, width = images[0].shape[:2]
    stored = StoredCalibration(
        corners_px=tuple((float(x), float(y)) for x, y in corners),
        size=(width, height),
        side_mm=config.table.side_mm,
        when=clock.utc(),
        by="picture",
        camera=locked_of(camera),
        agreed=False,
    )
    calibrate(stored.corners_px, size=stored.size, side_mm=stored.side_mm)
    save(stored, config.folder / CALIBRATION)
    return stored


def stored_calibration(config: Config) -> StoredCalibration | None:
    """Returns where the table was found before; None where it was not, or what is kept cannot be used."""
    try:
        stored = load(config.folder / CALIBRATION)
        return None if stored is None else replace(stored, side_mm=config.table.side_mm)
    except CalibrationError as error:
        _log.warning("%s", error)
        return None

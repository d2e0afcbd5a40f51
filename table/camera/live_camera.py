"""Assembles a watched table from the configuration: its camera, its calibration and its watcher."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import cv2
import numpy as np

from table.camera.camera_thread import CameraThread, Inbox
from table.camera.preview import Preview
from table.camera.report_switch import ReportSwitch
from table.camera.sight_check import SightCheck
from table.camera.simulation.simulated_camera import DrawnTable
from table.camera.table_finder import TableFinder
from table.config import CameraConfig, Config
from table.game.input_feed import Observer
from table.game.input_feed import Watcher as SeeingWatcher
from table.runtime.clock import Clock
from table.runtime.table_errors import PressError
from vision.arrays import Image
from vision.cameras.focus import FocusCamera
from vision.cameras.frozen_picture import DEVICE_S, STREAM_S, FrozenPicture
from vision.cameras.hang_guard import PatientCamera
from vision.cameras.picamera import PiCamera, PiSettings
from vision.cameras.recording_camera import RecordedCamera
from vision.cameras.stream_camera import StreamCamera
from vision.cameras.usb_camera import UsbCamera, UsbSettings
from vision.cameras.video_camera import VideoCamera
from vision.errors import CalibrationError, CameraError, TileSetError
from vision.felt import FeltReport
from vision.frames import Camera, Frame
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.geometry.calibration_file import Locked, StoredCalibration, load, save
from vision.geometry.plane_geometry import TileSize
from vision.geometry.visibility import Visibility
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.reading.strips import StripReader
from vision.recording.recording import Recording
from vision.tilesets.corrections import path_of
from vision.tilesets.set_selector import SetSelector, reader_of, sets_of
from vision.tilesets.tileset import TileSet
from vision.watching.watcher import Watcher

CALIBRATION: Final = "calibration.json"
DRAWN_CALIBRATION: Final = "calibration-drawn.json"
UNSCANNED: Final = "unscanned.tileset"
"""The base name for corrections if no set was scanned."""
FRAMES_FOR_CORNERS: Final = 10
FOCUS_S: Final = 15.0
"""Time limit of an autofocus run."""
COARSE_PX: Final = 160
"""Width of a picture in which no face can be recognised."""
HANGING: Final = 3
"""Limit of abandoned cameras that still hang: each holds a thread, and perhaps the device."""
_log = logging.getLogger(__name__)


class LiveCamera:
    """A watched table: the camera's thread, the calibration, and the receivers of reports."""

    def __init__(
        self,
        config: Config,
        inbox: Inbox,
        clock: Clock,
        *,
        observers: Sequence[Observer] = (),
        is_between_hands: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes the configuration without opening the camera.

        Args:
            config: the configuration of the whole table.
            inbox: receives the reports.
            clock: the source of the time of day.
            observers: are called with every processed frame.
            is_between_hands: returns whether the camera may adapt to changed light now.
        """
        self._is_between_hands = is_between_hands
        camera = config.camera
        self.drawn = DrawnTable() if camera.source == "drawn" else None
        self.report_switch = ReportSwitch(inbox)
        self._tile, self._red = config.tiles.size, config.tiles.red
        self._preview = Preview(self._tile)
        self._configured, self._lens = camera, camera.lens
        self._looked_at: tuple[Frame, bool] | None = None
        """The last processed frame, and whether the table was in its place."""
        self._camera: Camera | None = None
        self._devices: list[PatientCamera] = []
        """The camera opened last, and the abandoned ones that still hang."""
        self._frozen = _frozen_picture(camera)
        self._calibration = config.folder / (DRAWN_CALIBRATION if self.drawn is not None else CALIBRATION)
        self._tilesets = config.tiles.tilesets
        self._unscanned = config.folder / UNSCANNED
        self._watcher: Watcher | None = None
        self._reader: SetSelector | None = None
        self._read_files: tuple[int, ...] = ()
        """The file index of each set in use."""
        self.table_finder = TableFinder(
            self._eye,
            self._save,
            stored=stored_calibration(config) if self.drawn is None else self.drawn.calibration,
            side_mm=config.table.side_mm,
            utc=clock.utc,
            asked_size=self._asked_size,
        )
        self._sight_check = SightCheck(
            self.table_finder,
            lens=self._lens,
            is_between_hands=is_between_hands,
            is_in_place=lambda: self._looked_at is not None and self._looked_at[1],
        )
        self.camera_thread = CameraThread(
            self.opened,
            self.table_finder.watcher_for,
            inbox,
            observers=(self._note, self._preview.observe, *observers, self.report_switch.observe),
            lost_after_s=camera.lost_after_s,
        )

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG, with standing hands painted over; None while the table is not found.

        Looking through the camera counts as being at the table.
        """
        self.camera_thread.pace.wake()
        return self._preview.picture() if self.table_finder.is_found else None

    def set_up_picture(self) -> Image | None:
        """Returns the latest picture for marking the table, without masked hands; None before the first frame.

        It is unmodified until the table is found and while it is in its place. Once the camera or the table was moved,
        it is grey, and too coarse to show anything but the table's outline.
        """
        self.camera_thread.pace.wake()
        seen = self._looked_at
        if seen is None or not self.table_finder.is_found:
            frame = self.table_finder.frame
            return None if frame is None else frame.image
        frame, is_in_place = seen
        return frame.image if is_in_place else _coarse(frame.image)

    def visibility(self) -> Visibility | None:
        """Returns how well the last picture before a hand showed the table; None until a picture shows it."""
        return self._sight_check.visibility()

    def _note(self, frame: Frame, _: FeltReport | None, watcher: SeeingWatcher) -> None:
        self._looked_at = frame, watcher.is_in_place

    def tile_picture(self, number: int) -> bytes | None:
        """Returns one lying tile, by its id on the felt, as a JPEG."""
        return self._preview.tile_picture(number)

    def learn(self, tileset: Path) -> None:
        """Replaces the first set by this one."""
        self._tilesets = (tileset, *self._tilesets[1:])
        self.table_finder.replace_watcher()

    @property
    def tileset_files(self) -> tuple[Path, ...]:
        """Returns the file of each set of this table, whether or not it was scanned."""
        return self._tilesets or (self._unscanned,)

    @property
    def current_tileset(self) -> int | None:
        """Returns the index of the set on the table; None while it is undecided."""
        if len(self.tileset_files) == 1:
            return 0
        lying = None if self._reader is None else self._reader.lying
        return None if lying is None or lying >= len(self._read_files) else self._read_files[lying]

    def example(self, number: int) -> Image | None:
        """Returns the picture behind the belief in a tile, by its id on the felt; None if it is gone."""
        return None if self._watcher is None else self._watcher.examples.of(number)

    def reload_tilesets(self) -> None:
        """Reloads the set files, and uses them as soon as they are learnt."""
        if self._reader is not None:
            self._reader.learn(self._sets())

    def opened(self) -> Camera:
        """Returns the camera, with the settings with which the table was found.

        Raises:
            CameraError: too many abandoned attempts still hang.
            RecordingError: the recording cannot be read.
        """
        if self.drawn is not None:
            return self.drawn.camera()
        self._devices = [device for device in self._devices if device.hangs]
        if len(self._devices) >= HANGING:
            raise CameraError(
                f"expected the camera to be released, but {HANGING} attempts hang: restart the table", tells="hangs"
            )
        self._camera = open_camera(
            self._configured,
            self.table_finder.stored,
            is_between_hands=self._is_between_hands,
            frozen=self._frozen,
        )
        if isinstance(self._camera, PatientCamera):
            self._devices.append(self._camera)
        return self._camera

    def _asked_size(self) -> tuple[int, int] | None:
        camera = _pi_camera(self._camera)
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
        told: SimpleQueue[float | None] = SimpleQueue()
        camera.ask_for_focus(told.put)
        try:
            found = told.get(timeout=FOCUS_S)
        except Empty:
            raise PressError("expected pictures from the camera, got none", says="no_camera") from None
        if found is None:
            raise PressError("expected something in the picture to focus on, got nothing", says="not_focused")
        if isinstance(camera, UsbCamera):
            self._configured = replace(self._configured, usb_focus=round(found))
            return "usb_focus", round(found)
        self._configured = replace(self._configured, focus=found)
        return "focus", round(found, 2)

    def _save(self, stored: StoredCalibration) -> None:
        save(replace(stored, camera=locked_of(self._camera)), self._calibration)

    def _eye(self, calibration: Calibration) -> Watcher:
        self._reader = SetSelector(TileReader(), self._sets())
        seen = calibration.through(self._lens(calibration.size))
        self._watcher = make_watcher(seen, self._tile, reds=self._red, reader=self._reader)
        return self._watcher

    def _sets(self) -> list[TileSet]:
        """Returns the readable sets with their corrections; an unreadable set is logged and ignored."""
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
    """Returns a watcher with the shipped models, adapted to the sets in the files `tilesets`.

    `reds` is the number of red fives of each suit, if known; `reader` replaces the shipped model.

    Raises:
        TileSetError: a file is not a tile set.
        ModelError: a model does not match its manifest.
    """
    reader = reader or reader_of(tilesets)
    return Watcher(
        locator=Locator.from_above(),
        reader=reader,
        calibration=calibration,
        tile=tile,
        reds=reds,
        strips=StripReader(),
    )


def _coarse(image: Image) -> Image:
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (COARSE_PX, COARSE_PX * height // width), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(large, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


def locked_of(camera: Camera | None) -> Locked | None:
    """Returns a camera's settings, if it reports them."""
    of_pi = _pi_camera(camera)
    return None if of_pi is None else of_pi.locked


def _device_of(camera: Camera | None) -> Camera | None:
    return camera.camera if isinstance(camera, PatientCamera) else camera


def _focus_camera(camera: Camera | None) -> FocusCamera | None:
    opened: object = _device_of(camera)
    return opened if isinstance(opened, FocusCamera) else None


def _pi_camera(camera: Camera | None) -> PiCamera | None:
    opened = _device_of(camera)
    return opened if isinstance(opened, PiCamera) else None


def open_camera(
    config: CameraConfig,
    stored: StoredCalibration | None = None,
    *,
    is_between_hands: Callable[[], bool] = lambda: False,
    frozen: FrozenPicture | None = None,
) -> Camera:
    """Returns the configured camera, with the settings of the calibration; entering it opens it.

    `frozen` remembers the repeated picture of a USB camera or stream that is reopened.

    Raises:
        CameraError: none is configured, or it delivers no pictures.
        RecordingError: the recording cannot be read.
    """
    match config.source:
        case "picamera":
            before = None if stored is None else stored.camera
            return PatientCamera(partial(PiCamera, _pi_settings(config), before=before, may_measure=is_between_hands))
        case "usb":
            device = config.address or config.device
            usb = partial(UsbCamera, device, _usb_settings(config), may_measure=is_between_hands)
            return PatientCamera(usb, frozen=frozen or _frozen_picture(config))
        case "stream":
            stream = partial(StreamCamera, config.address)
            return PatientCamera(stream, frozen=frozen or _frozen_picture(config))
        case "video":
            return VideoCamera(config.file, real_time=True)
        case "recording":
            return RecordedCamera(Recording.open(config.file), real_time=True)
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


def calibrate_camera(camera: Camera, config: Config, clock: Clock) -> StoredCalibration:
    """Finds the table in a camera's first pictures, by markers or felt, and stores it for a person to confirm.

    Raises:
        CalibrationError: it is not found, or cannot be stored.
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
    """Returns the stored calibration; None if there is none, or it cannot be used."""
    try:
        stored = load(config.folder / CALIBRATION)
        return None if stored is None else replace(stored, side_mm=config.table.side_mm)
    except CalibrationError as error:
        _log.warning("%s", error)
        return None
